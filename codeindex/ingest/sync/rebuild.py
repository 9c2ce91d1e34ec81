"""An index made anew beside the old one, which answers until the new one takes its place.

The last step is one transaction of the old catalog: a kill at any byte leaves the one or the other.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

from codeindex.errors import DamagedError, StoreError
from codeindex.store.catalog.connection import (
    Catalog,
    Generation,
    translate_sqlite_errors,
    wal_files,
)
from codeindex.store.datadir.home import Repository
from codeindex.store.shadow_index import (
    copy_catalog,
    delete_shadows,
    link_external_files,
    published_state,
    shadow_of,
)


def begin_rebuild(repository: Repository) -> Repository:
    """Make room for a new index in the old one's folder; its versions go on from the old ones."""
    fresh = shadow_of(repository, "rebuild")
    discard_rebuild(repository)
    fresh.folder.mkdir(mode=0o700)
    with Catalog.create(fresh.catalog) as catalog, catalog.writing():
        catalog.publish(Generation(version=published_state(repository).version))
    return fresh


def discard_rebuild(repository: Repository) -> None:
    """Delete what a rebuild that did not end has left."""
    delete_shadows(repository, "rebuild")


def replace_index(repository: Repository, fresh: Repository) -> None:
    """Put an index in the place of the old one, whose readers see it at their next look.

    It stays whole where it was made, for whoever deletes it or, after a kill, does this again.
    """
    link_external_files(fresh, repository)
    try:
        copy_catalog(fresh, repository)
    except StoreError as error:
        if not isinstance(error, DamagedError) and not _is_foreign(repository):
            raise
        _move_over(repository, fresh)  # the old one answers nobody


def _is_foreign(repository: Repository) -> bool:
    """Tell whether the catalog in place is one that this codeindex cannot read."""
    try:
        with Catalog.open(repository.catalog):
            return False
    except StoreError:
        return True


def _move_over(repository: Repository, fresh: Repository) -> None:
    """Put the new catalog in the old one's place, for which a full disk has room too."""
    with translate_sqlite_errors(fresh.catalog), closing(sqlite3.connect(fresh.catalog)) as catalog:
        (mode,) = catalog.execute("PRAGMA journal_mode = DELETE").fetchone()  # takes its log in
    if mode != "delete":
        raise StoreError(f"The catalog '{fresh.catalog}' is in use: index again with --rebuild.")
    # a kill leaves the old one without its last words, but never none
    for log in wal_files(repository.catalog):
        log.unlink(missing_ok=True)
    fresh.catalog.replace(repository.catalog)
