"""An index made anew beside the old one, which answers until the new one takes its place.

The last step is one transaction of the old catalog: a kill at any byte leaves the one or the other.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

from codeindex.errors import DamagedError, StoreError
from codeindex.ingest.repair import clear
from codeindex.store.catalog import Catalog, Generation, translated
from codeindex.store.home import Repository, private_file

_MOVED = ("segments/*", "chroma/gen-*", "graph-*")
"""What the catalog names beside itself; each has a random name, so that nothing is overwritten."""


def begin(repository: Repository) -> Repository:
    """Make room for a new index in the old one's folder; its versions go on from the old ones."""
    fresh = _beside(repository)
    discard(repository)
    fresh.folder.mkdir(mode=0o700)
    with Catalog.create(fresh.catalog) as catalog, catalog.writing():
        catalog.publish(Generation(version=_version(repository)))
    return fresh


def discard(repository: Repository) -> None:
    """Delete what a rebuild that did not end has left."""
    shutil.rmtree(_beside(repository).folder, ignore_errors=True)


def take_over(repository: Repository, fresh: Repository) -> None:
    """Put the new index in the place of the old one, whose readers see it at their next look."""
    for path in (one for pattern in _MOVED for one in fresh.folder.glob(pattern)):
        target = repository.folder / path.relative_to(fresh.folder)
        target.parent.mkdir(mode=0o700, exist_ok=True)
        path.replace(target)
    try:
        _copy_over(repository, fresh)
    except StoreError as error:
        if not isinstance(error, DamagedError) and not _is_foreign(repository):
            raise
        clear(repository)  # it answers nobody
        _copy_over(repository, fresh)
    discard(repository)


def _beside(repository: Repository) -> Repository:
    """Return where the new index is made: under the same key, so that the caches are the same."""
    return replace(repository, folder=repository.folder / f"rebuild-{repository.key}")


def _version(repository: Repository) -> int:
    try:
        with translated(repository.catalog), Catalog.open(repository.catalog) as catalog:
            return catalog.generation().version
    except StoreError:  # it is broken, or a newer codeindex's
        return 0


def _is_foreign(repository: Repository) -> bool:
    """Tell whether the catalog in place is one that this codeindex cannot read."""
    try:
        with Catalog.open(repository.catalog):
            return False
    except StoreError:
        return True


def _copy_over(repository: Repository, fresh: Repository) -> None:
    private_file(repository.catalog)
    with (
        translated(repository.catalog),
        closing(sqlite3.connect(fresh.catalog)) as source,
        closing(sqlite3.connect(repository.catalog)) as target,
    ):
        source.backup(target)
