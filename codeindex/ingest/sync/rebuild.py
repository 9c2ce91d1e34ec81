"""Rebuild an index next to the old one, which answers queries until it is replaced.

The replacement is one transaction of the old catalog: after a kill, either the old or the new index
is complete.
"""

from __future__ import annotations

from codeindex.errors import DamagedError, NewerFormatError, StoreError
from codeindex.store.catalog.connection import Catalog, Generation, merge_wal, wal_files
from codeindex.store.datadir.home import Repository
from codeindex.store.shadow_index import (
    copy_catalog,
    delete_shadows,
    link_external_files,
    published_state,
    shadow_of,
)


def begin_rebuild(repository: Repository) -> Repository:
    """Create an empty index beside the old one and return it as a repository.

    It continues the version numbers of the old index.
    """
    fresh = shadow_of(repository, "rebuild")
    discard_rebuild(repository)
    fresh.folder.mkdir(mode=0o700)
    with Catalog.create(fresh.catalog) as catalog, catalog.writing():
        catalog.publish(Generation(version=published_state(repository).version))
    return fresh


def discard_rebuild(repository: Repository) -> None:
    """Delete the remains of an interrupted rebuild."""
    delete_shadows(repository, "rebuild")


def replace_index(repository: Repository, fresh: Repository) -> None:
    """Replace the old index; readers of the old index see the new one in their next transaction.

    The new index stays complete in its folder, so that the step can be repeated after a kill.
    """
    link_external_files(fresh, repository)
    try:
        copy_catalog(fresh, repository)
    except StoreError as error:
        if not isinstance(error, DamagedError) and not _is_foreign(repository):
            raise
        _move_catalog(repository, fresh)  # nobody can read the old one


def _is_foreign(repository: Repository) -> bool:
    """Tell whether the catalog is one that this version cannot open, for example an old format."""
    try:
        with Catalog.open(repository.catalog):
            return False
    except (DamagedError, NewerFormatError):
        return True


def _move_catalog(repository: Repository, fresh: Repository) -> None:
    """Move the new catalog over the old one by renaming, which works even on a full disk."""
    if not merge_wal(fresh.catalog):
        raise StoreError(f"The catalog '{fresh.catalog}' is in use: index again with --rebuild.")
    # a kill here loses the last transactions of the old catalog, never the catalog
    for log in wal_files(repository.catalog):
        log.unlink(missing_ok=True)
    fresh.catalog.replace(repository.catalog)
