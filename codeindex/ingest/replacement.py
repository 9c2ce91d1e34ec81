"""An index made anew beside the old one, which answers until the new one takes its place.

The last step is one transaction of the old catalog: a kill at any byte leaves the one or the other.
"""

from __future__ import annotations

from codeindex.errors import DamagedError, StoreError
from codeindex.ingest.repair import clear
from codeindex.store.beside import beside, copy_catalog, forget, share, state_of
from codeindex.store.catalog import Catalog, Generation
from codeindex.store.home import Repository


def begin(repository: Repository) -> Repository:
    """Make room for a new index in the old one's folder; its versions go on from the old ones."""
    fresh = beside(repository, "rebuild")
    discard(repository)
    fresh.folder.mkdir(mode=0o700)
    with Catalog.create(fresh.catalog) as catalog, catalog.writing():
        catalog.publish(Generation(version=state_of(repository).version))
    return fresh


def discard(repository: Repository) -> None:
    """Delete what a rebuild that did not end has left."""
    forget(repository, "rebuild")


def take_over(repository: Repository, fresh: Repository) -> None:
    """Put an index in the place of the old one, whose readers see it at their next look.

    It stays whole where it was made, for whoever deletes it or, after a kill, does this again.
    """
    share(fresh, repository)
    try:
        copy_catalog(fresh, repository)
    except StoreError as error:
        if not isinstance(error, DamagedError) and not _is_foreign(repository):
            raise
        clear(repository)  # it answers nobody
        copy_catalog(fresh, repository)


def _is_foreign(repository: Repository) -> bool:
    """Tell whether the catalog in place is one that this codeindex cannot read."""
    try:
        with Catalog.open(repository.catalog):
            return False
    except StoreError:
        return True
