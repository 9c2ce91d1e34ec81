"""Find and delete garbage: indexes of deleted roots, orphan and temporary files, expired data."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from codeindex.config import load_settings
from codeindex.errors import LockedError, StoreError
from codeindex.maintenance import deletion
from codeindex.store import sessions
from codeindex.store.cache.caches import (
    STAT_CACHE,
    EmbeddingCache,
    StatCache,
    cache_folder,
    open_caches,
)
from codeindex.store.cache.contents import cache_keys, read_contents
from codeindex.store.catalog.connection import Catalog, translate_sqlite_errors
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.datadir.home import Repository, repositories
from codeindex.store.locks.owner import is_locked
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.orphans import generation_files, orphan_files

_MOUNTS = ("/media", "/mnt", "/run/media", "/Volumes")
"""Folders where removable drives are mounted. A missing root below one of them may come back."""
_TEMPORARY = (
    *("repos/*/.*.json.*", "repos/*/catalog.sqlite.new*", "repos/*/rebuild-*", "repos/*/broken"),
    "repos/*/bundle-*",
    *("cache/*.broken", "models/*/.partial", "models/.unreachable.json.*", "models/*/.verified.*"),
    "models/.added.lock.*",
)
"""Globs of temporary files, and of files and folders that were renamed because they were
damaged."""
_ABANDONED_SECONDS = 3600.0
"""Age at which a temporary file counts as left by a killed process."""


@dataclass(frozen=True, slots=True)
class Garbage:
    """A file or folder that is no longer needed; `why` is the reason.

    `kept` is the reason why it must not be deleted yet, "" if there is none.
    """

    what: str
    path: Path
    size_bytes: int
    why: str
    kept: str = ""


@dataclass(frozen=True, slots=True)
class DataDir:
    """The data folder and the two caches in it."""

    home: Path
    embeddings: EmbeddingCache
    stat_cache: StatCache


@contextlib.contextmanager
def open_data_dir(home: Path) -> Iterator[DataDir]:
    """Yield the data folder with its caches, and close the caches after the block."""
    embeddings, stat_cache = open_caches(home, load_settings(None).config)
    with contextlib.closing(embeddings), contextlib.closing(stat_cache):
        yield DataDir(home, embeddings, stat_cache)


def find_garbage(home: Path) -> tuple[Garbage, ...]:
    """Return all files and folders that are no longer needed, largest first.

    Items with a reason in `kept` must not be deleted yet.
    """
    garbage = [item for find in _FINDERS for item in find(home)]
    whole = {item.path for item in garbage if item.what == "index"}
    outer = (item for item in garbage if whole.isdisjoint(item.path.parents))
    return tuple(sorted(outer, key=lambda item: (-item.size_bytes, str(item.path))))


def delete_garbage(data_dir: DataDir, garbage: tuple[Garbage, ...]) -> int:
    """Delete the items that need not be kept, and return the number of freed bytes.

    Items with a reason to be kept (`kept`) are left, as are items that have come into use since
    they were found.
    """
    freed = 0
    for item in garbage:
        if not item.kept:
            freed += _DELETERS[item.what](data_dir, item)
    return freed


def _indexes_without_root(home: Path) -> Iterator[Garbage]:
    for repository in repositories(home):
        if repository.root.is_dir():
            continue
        why = f"its folder '{repository.root}' is gone"
        kept = (
            "another process writes it"
            if is_locked(repository.folder)
            else _reason_to_keep(repository.root)
        )
        yield Garbage("index", repository.folder, disk_usage([repository.folder]), why, kept)


def _reason_to_keep(root: Path) -> str:
    """Return why the index of a repository whose root is missing must be kept.

    Return "" if it can be deleted.
    """
    there = next((path for path in root.parents if path.is_dir()), None)
    if there is None or there.as_posix() in _MOUNTS or there.parent.as_posix() in _MOUNTS:
        return "its drive may not be mounted; `codeindex clear NAME` deletes it"
    return ""


def _unregistered_indexes(home: Path) -> Iterator[Garbage]:
    known = {repository.folder for repository in repositories(home)}
    for folder in sorted((home / "repos").glob("*")):
        if folder not in known and folder.is_dir() and not is_locked(folder):
            why = "it does not name its repository"
            yield Garbage("index", folder, disk_usage([folder]), why)


def _stray_files(home: Path) -> Iterator[Garbage]:
    """Yield the files of each index that none of its recent generations refers to."""
    for repository in repositories(home):
        if not repository.root.is_dir() or not repository.catalog.exists():
            continue
        files = generation_files(repository)
        kept = "another process writes there" if is_locked(repository.folder) else ""
        try:
            with (
                translate_sqlite_errors(repository.catalog),
                Catalog.open(repository.catalog) as catalog,
            ):
                paths = orphan_files(repository, catalog, files)
        except StoreError:
            continue  # `verify` reports it
        for path in paths:
            yield Garbage(
                "stray", path, disk_usage([path]), "no kept generation refers to it", kept
            )


def _temporary_files(home: Path) -> Iterator[Garbage]:
    settled = time.time() - _ABANDONED_SECONDS
    for path in sorted(path for pattern in _TEMPORARY for path in home.glob(pattern)):
        aside = path.name.endswith("broken")
        try:
            young = not aside and path.lstat().st_mtime > settled
        except OSError:
            continue  # its writer has just renamed or deleted it
        why = "moved aside as broken" if aside else "left by a process that was killed"
        kept = "it may still be written" if young or is_locked(path.parent) else ""
        yield Garbage("rest", path, disk_usage([path]), why, kept)


def _expired_vectors(home: Path) -> Iterator[Garbage]:
    folder = cache_folder(home, "embeddings")
    try:
        contents = read_contents(folder)
    except StoreError:
        return
    if contents.expired:
        size = contents.size_bytes * contents.expired // max(contents.entries, 1)
        why = f"{contents.expired:,} vectors that were not used until they expired"
        yield Garbage("expired", folder, size, why)


def _forgotten_trees(home: Path) -> Iterator[Garbage]:
    folder = cache_folder(home, STAT_CACHE)
    try:
        known = cache_keys(folder)
        size = read_contents(folder).size_bytes
    except StoreError:
        return
    gone = known - {repository.key for repository in repositories(home)}
    if gone:
        why = f"{len(gone):,} snapshots of deleted indexes"
        yield Garbage("trees", folder, size * len(gone) // len(known), why)


def _old_sessions(home: Path) -> Iterator[Garbage]:
    for path in sessions.expired_sessions(home / "sessions"):
        yield Garbage("session", path, disk_usage([path]), "from a session of last week")


_FINDERS: tuple[Callable[[Path], Iterator[Garbage]], ...] = (
    *(_indexes_without_root, _unregistered_indexes, _stray_files, _temporary_files),
    *(_expired_vectors, _forgotten_trees, _old_sessions),
)


def _delete_index(data_dir: DataDir, garbage: Garbage) -> int:
    """Delete an index; return the number of freed bytes, 0 if it has come into use meanwhile."""
    folder = garbage.path
    known = next((known for known in repositories(data_dir.home) if known.folder == folder), None)
    if known is not None and known.root.is_dir():
        return 0
    try:
        return deletion.delete_index(Repository(folder.name, folder, folder), data_dir.stat_cache)
    except LockedError:
        return 0


def _delete_path(data_dir: DataDir, garbage: Garbage) -> int:
    """Delete a path that is no longer needed.

    If it is inside an index, the writer lock of the index is held meanwhile. Return the number of
    freed bytes, 0 if the path or the index is in use.
    """
    index = next(
        (known for known in repositories(data_dir.home) if known.folder in garbage.path.parents),
        None,
    )
    if index is None:
        deletion.delete_paths([garbage.path])
        return garbage.size_bytes
    try:
        with writer_lock(index.folder):
            if garbage.what == "stray" and not _is_stray(index, garbage.path):
                return 0
            deletion.delete_paths([garbage.path])
    except LockedError:
        return 0
    return garbage.size_bytes


def _is_stray(index: Repository, path: Path) -> bool:
    """Tell whether no generation refers to a file; a sync may have published it meanwhile."""
    with translate_sqlite_errors(index.catalog), Catalog.open(index.catalog) as catalog:
        return path in orphan_files(index, catalog)


def _expire(data_dir: DataDir, garbage: Garbage) -> int:
    data_dir.embeddings.expire()
    return garbage.size_bytes


def _forget_trees(data_dir: DataDir, garbage: Garbage) -> int:
    data_dir.stat_cache.drop(
        cache_keys(garbage.path) - {known.key for known in repositories(data_dir.home)}
    )
    return garbage.size_bytes


_DELETERS: dict[str, Callable[[DataDir, Garbage], int]] = {
    "index": _delete_index,
    "stray": _delete_path,
    "rest": _delete_path,
    "session": _delete_path,
    "expired": _expire,
    "trees": _forget_trees,
}
