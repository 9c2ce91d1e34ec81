"""Delete indexes, caches and sessions, but nothing in a work tree.

Files are deleted in a safe order: if the process is killed, the repository counts as not indexed.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import StoreError
from codeindex.store.cache.caches import StatCache
from codeindex.store.catalog.connection import wal_files
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.datadir.home import Repository, repositories
from codeindex.store.locks.writer_lock import writer_lock

_LAST = ("writer.lock", "writer.json", "root.json")
"""Files that are deleted last, because a repeated deletion finds the index by them."""
_SHARED = ("cache", "sessions")


@dataclass(frozen=True, slots=True)
class IndexPart:
    """All files and folders of one kind in an index or in the shared data; `what` is the kind.

    `path` is one of them, `size_bytes` the size of all together.
    """

    what: str
    path: Path
    size_bytes: int


def index_parts(repository: Repository) -> tuple[IndexPart, ...]:
    """Return the files and folders of an index, grouped by kind (`segments`, …), largest first."""
    if not repository.folder.is_dir():
        return ()
    found: dict[str, IndexPart] = {}
    for path in repository.folder.iterdir():
        what = path.name.partition("-")[0].partition(".")[0]
        before = found.get(what, IndexPart(what, path, 0)).size_bytes
        found[what] = IndexPart(what, path, before + disk_usage([path]))
    return tuple(sorted(found.values(), key=lambda part: (-part.size_bytes, part.what)))


def shared_parts(home: Path) -> tuple[IndexPart, ...]:
    """Return the deletable data that all indexes share: caches and sessions, not models."""
    paths = (home / name for name in _SHARED)
    return tuple(IndexPart(path.name, path, disk_usage([path])) for path in paths if path.is_dir())


def delete_index(repository: Repository, stat_cache: StatCache) -> int:
    """Delete an index; return the number of freed bytes, 0 if it does not exist.

    `stat_cache` is the cache of snapshots, whose entry of the repository is deleted too. Raise
    LockedError if another process is writing the index.
    """
    if not repository.folder.is_dir():
        return 0
    freed = disk_usage([repository.folder])
    with writer_lock(repository.folder):
        # the catalog goes first: without it readers find no index
        delete_paths((repository.catalog, *wal_files(repository.catalog)))
        delete_paths(path for path in repository.folder.iterdir() if path.name not in _LAST)
        stat_cache.drop([repository.key])
    delete_paths([repository.folder])
    return freed


def delete_everything(home: Path, stat_cache: StatCache) -> int:
    """Delete every index and the shared data; return the number of freed bytes.

    If another process is writing an index, raise LockedError and delete nothing.
    """
    every = repositories(home)
    with contextlib.ExitStack() as free:
        for repository in every:
            free.enter_context(writer_lock(repository.folder))  # raises before anything is deleted
    freed = sum(delete_index(repository, stat_cache) for repository in every)
    stat_cache.close()
    shared = shared_parts(home)
    delete_paths(part.path for part in shared)
    return freed + sum(part.size_bytes for part in shared)


@contextlib.contextmanager
def _translate_os_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"'{error.filename or folder}' cannot be deleted ({error.strerror}): see who owns it,"
            " and run the command again."
        ) from error


def delete_paths(paths: Iterable[Path]) -> None:
    """Delete files and folders; a link is deleted, but not its target.

    It is no error if another process deletes the same paths meanwhile.
    """
    for path in list(paths):
        with _translate_os_errors(path):
            while path.is_dir() and not path.is_symlink():
                with contextlib.suppress(FileNotFoundError):
                    shutil.rmtree(path)
            path.unlink(missing_ok=True)


def total_bytes(parts: Sequence[IndexPart]) -> int:
    return sum(part.size_bytes for part in parts)
