"""Find the files worth indexing, by their names and stats alone: nothing is read.

Git lists them where there is git. Without it, or when it fails, the tree is walked by the same
ignore rules.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codeindex import git
from codeindex.config import Config
from codeindex.errors import GitError, RootError
from codeindex.ingest.discover.exclusions import SkipReason
from codeindex.ingest.discover.file_filter import (
    IGNORE_FILE,
    TRANSIENT_REASONS,
    FileFilter,
    read_ignore_lines,
    skip_reason_of,
)
from codeindex.ingest.discover.subtree import Subtree
from codeindex.ingest.discover.watched_paths import (
    WatchedPaths,
    ancestor_folders,
    external_rules,
    find_watched_paths,
    stat_watched,
)
from codeindex.secrets import safe_path
from codeindex.text.globs import IgnoreRules
from codeindex.types import Discovery, Skipped, SourceFile, WatchedPathKind


@dataclass(slots=True)
class _Listing:
    """Paths that are still to be judged, and what the listing itself left out."""

    paths: list[str] = field(default_factory=list)
    skipped: dict[str, SkipReason] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    places: WatchedPaths = field(default_factory=WatchedPaths)


def discover(root: Path, *, config: Config, subpaths: tuple[str, ...] = ()) -> Discovery:
    """List what to index below `root`, or only at and below some of its files and folders.

    What is said of a part is what would be said of it as a part of the whole, as long as it has
    no repositories of its own in it.
    """
    begun = time.time_ns()
    if not root.is_dir():
        raise RootError(f"'{root}' is not a folder: name one that exists and can be read.")
    sieve = FileFilter(root, config)
    wanted = Subtree(subpaths)
    listing = _listed(root, sieve, wanted)
    files: list[SourceFile] = []
    skipped = {path: why for path, why in listing.skipped.items() if wanted.holds(path)}
    for path in filter(wanted.holds, listing.paths):
        found = sieve.judge(path)
        if isinstance(found, SourceFile):
            files.append(found)
        else:
            skipped[found[0]] = found[1]
    files = _limited(files, config.limits.max_files, skipped, listing.notes)
    shown = {safe_path(path): str(skipped[path]) for path in sorted(skipped)}
    return Discovery(
        files=tuple(sorted(files, key=lambda file: file.path)),
        skipped=tuple(Skipped(path, shown[path]) for path in sorted(shown)),
        notes=tuple(listing.notes),
        watched=tuple(
            stat_watched(root, _to_watch(root, listing, skipped, wanted), begun_ns=begun)
        ),
    )


def _to_watch(
    root: Path, listing: _Listing, skipped: Mapping[str, SkipReason], wanted: Subtree
) -> Iterator[tuple[str, WatchedPathKind]]:
    listed = set(listing.paths)
    for folder in filter(wanted.holds, listing.places.folders):
        if safe_path(folder) == folder:  # nothing below one with a secret in its name is indexed
            yield folder, "folder"
    for path in filter(wanted.holds, listing.places.rules):
        if path not in listed and safe_path(path) == path:  # listed ones are compared as files are
            yield path, "rules"
    for path, reason in skipped.items():
        if reason in TRANSIENT_REASONS:
            yield path, "file"
    if not wanted:
        yield from external_rules(root)


def _limited(
    files: list[SourceFile], limit: int, skipped: dict[str, SkipReason], notes: list[str]
) -> list[SourceFile]:
    """Keep the files nearest to the root, as they say most about it; among equals, by path."""
    if not limit or len(files) <= limit:
        return files
    files = sorted(files, key=lambda file: (file.path.count("/"), file.path))
    skipped |= dict.fromkeys((file.path for file in files[limit:]), SkipReason.TOO_MANY)
    notes.append(f"{limit} of {len(files)} files are indexed; raise `limits.max_files` for more.")
    return files[:limit]


def _listed(root: Path, sieve: FileFilter, wanted: Subtree) -> _Listing:
    if git.find_work_tree(root) is None:
        return _walked(root, sieve, wanted)
    only = (*wanted.paths, *wanted.rules)
    try:
        paths = dict.fromkeys(git.list_files(root, only))
        if sieve.has_overrides:
            ignored = git.list_ignored_files(root, only)
            paths |= dict.fromkeys(p for p in ignored if _overrides(sieve, p))
    except GitError as error:
        listing = _walked(root, sieve, wanted)
        listing.notes.append(f"The tree was walked without git. {error}")
        return listing
    if not paths and not (root / ".git").exists() and _is_ignored(root, wanted):
        return _walked(root, sieve, wanted)  # a folder that the work tree around it ignores
    listing = _Listing()
    for raw in paths:
        _take(raw, listing)
    for folder in sorted(_folders_with_rules(listing.paths)):
        sieve.learn(folder)

    def may_enter(path: str, ignored: IgnoreRules) -> bool:
        return wanted.leads_to(path) and _may_enter(path, sieve, ignored, _Listing())

    listing.places = find_watched_paths(
        root, holding=ancestor_folders(listing.paths), may_enter=may_enter
    )
    return listing


def _is_ignored(root: Path, wanted: Subtree) -> bool:
    """Tell whether git lists nothing of all that is in a folder."""
    return not wanted or not any(git.list_files(root))


def _overrides(sieve: FileFilter, raw: bytes) -> bool:
    return sieve.overrides(raw.decode(errors="surrogateescape"))


def _take(raw: bytes, listing: _Listing) -> None:
    try:
        path = raw.decode()
    except UnicodeDecodeError:
        listing.skipped[raw.decode(errors="backslashreplace")] = SkipReason.NOT_UTF8
        return
    if path.endswith("/"):
        listing.skipped[path] = SkipReason.OTHER_REPOSITORY
    else:
        listing.paths.append(path)


def _folders_with_rules(paths: Iterable[str]) -> set[str]:
    """Return the folders that have an ignore file; the root's counts even if git ignores it."""
    return {"", *(p[: -len(IGNORE_FILE) - 1] for p in paths if p.endswith(f"/{IGNORE_FILE}"))}


def _walked(root: Path, sieve: FileFilter, wanted: Subtree) -> _Listing:
    """List the files below `root` without git; links are not followed, so nothing can loop."""
    listing, ignored, todo = _Listing(), IgnoreRules(), [""]
    while todo:
        folder = todo.pop()
        entries = _entries(root, folder, listing)
        names = {entry.name for entry in entries}
        listing.places.add(folder, names)
        if IGNORE_FILE in names:
            sieve.learn(folder)
        if ".gitignore" in names:
            ignored.add(folder, read_ignore_lines(root, f"{folder}/.gitignore".lstrip("/")))
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not wanted.leads_to(path):
                continue
            if not entry.is_dir(follow_symlinks=False):
                _take_file(path, sieve, ignored, listing)
            elif _may_enter(path, sieve, ignored, listing):
                todo.append(path)
    return listing


def _entries(root: Path, folder: str, listing: _Listing) -> list[os.DirEntry[str]]:
    """Return what is in a folder by name, nothing if it cannot be read."""
    try:
        with os.scandir(root / folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        listing.skipped[f"{_shown(folder)}/"] = skip_reason_of(error)
        return []


def _take_file(path: str, sieve: FileFilter, ignored: IgnoreRules, listing: _Listing) -> None:
    if not _is_utf8(path):
        listing.skipped[_shown(path)] = SkipReason.NOT_UTF8
    elif ignored.selects(path) and not sieve.overrides(path):
        listing.skipped[path] = SkipReason.GIT_IGNORED
    else:
        listing.paths.append(path)


def _may_enter(path: str, sieve: FileFilter, ignored: IgnoreRules, listing: _Listing) -> bool:
    if not _is_utf8(path):
        listing.skipped[f"{_shown(path)}/"] = SkipReason.NOT_UTF8
    elif verdict := sieve.keeps_out(path):
        listing.skipped[verdict[0]] = verdict[1]
    elif ignored.selects_folder(path) and not sieve.has_overrides:
        listing.skipped[f"{path}/"] = SkipReason.GIT_IGNORED
    else:
        return True
    return False


def _is_utf8(path: str) -> bool:
    """Tell whether the bytes of the name were UTF-8; the system's others become surrogates."""
    return path.isascii() or not any("\ud800" <= c <= "\udfff" for c in path)


def _shown(path: str) -> str:
    return os.fsencode(path).decode(errors="backslashreplace")
