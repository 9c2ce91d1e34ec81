"""List the files to index by path and stat, without reading any file.

Git lists the files. Without git, or if git fails, the tree is walked with the same ignore rules.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codeindex import git
from codeindex.config import Config
from codeindex.errors import GitError, RootError
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
from codeindex.languages import language_for_path
from codeindex.secrets import safe_path
from codeindex.text.globs import IgnoreRules
from codeindex.types import Discovery, Skipped, SkipReason, SourceFile, WatchedPathKind


@dataclass(slots=True)
class _Listing:
    """The result of listing a tree: the paths to classify next, and those already excluded.

    `skipped` maps excluded paths to reasons; `places` are the folders to watch for changes.
    """

    paths: list[str] = field(default_factory=list)
    skipped: dict[str, SkipReason] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    places: WatchedPaths = field(default_factory=WatchedPaths)


def discover(root: Path, *, config: Config, subpaths: tuple[str, ...] = ()) -> Discovery:
    """Return the files to index below `root`, or only those at and below `subpaths`.

    `subpaths` are files or folders; a file in them is included or skipped as in a listing of the
    whole tree, unless they contain a nested repository. Raise RootError if `root` is no folder.
    """
    begun = time.time_ns()
    if not root.is_dir():
        raise RootError(f"'{root}' is not a folder: name one that exists and can be read.")
    file_filter = FileFilter(root, config)
    wanted = Subtree(subpaths)
    listing = _listed(root, file_filter, wanted)
    files: list[SourceFile] = []
    skipped = {path: why for path, why in listing.skipped.items() if wanted.holds(path)}
    found: dict[str, set[str]] = {}
    """The languages of the listed files in each excluded folder."""
    for path in filter(wanted.holds, listing.paths):
        classified = file_filter.classify(path)
        if isinstance(classified, SourceFile):
            files.append(classified)
        else:
            excluded, reason = classified
            skipped[excluded] = reason
            languages = found.setdefault(excluded, set())
            if language := language_for_path(path):
                languages.add(language.name)
    _name_unchecked_files(root, skipped)
    files = _limited(files, config.limits.max_files, skipped, listing.notes)
    return Discovery(
        files=tuple(sorted(files, key=lambda file: file.path)),
        skipped=_skipped_files(skipped, found),
        notes=tuple(listing.notes),
        watched=tuple(
            stat_watched(root, _watched_kinds(root, listing, skipped, wanted), begun_ns=begun)
        ),
    )


def _skipped_files(
    reasons: Mapping[str, SkipReason], languages: Mapping[str, Collection[str]]
) -> tuple[Skipped, ...]:
    """Return the skipped files and folders with their reasons, sorted by their safe paths.

    `languages` has those of the listed files in excluded folders.
    """
    shown = {
        safe_path(path): Skipped(
            safe_path(path),
            str(reasons[path]),
            tuple(sorted(languages[path])) if path.endswith("/") and path in languages else None,
        )
        for path in sorted(reasons)
    }
    return tuple(shown[path] for path in sorted(shown))


def _watched_kinds(
    root: Path, listing: _Listing, skipped: Mapping[str, SkipReason], wanted: Subtree
) -> Iterator[tuple[str, WatchedPathKind]]:
    listed = set(listing.paths)
    for folder in filter(wanted.holds, listing.places.folders):
        if safe_path(folder) == folder:  # a folder with a secret in its name is not indexed
            yield folder, "folder"
    for path in filter(wanted.holds, listing.places.rules):
        if (
            path not in listed and safe_path(path) == path
        ):  # listed rule files are compared like all files
            yield path, "rules"
    for path, reason in skipped.items():
        if reason in TRANSIENT_REASONS:
            yield path, "file"
    if not wanted:
        yield from external_rules(root, listing.places.repositories)


def _name_unchecked_files(root: Path, skipped: dict[str, SkipReason]) -> None:
    """Change the reason of files that a sparse checkout left out: `NOT_CHECKED_OUT`, not `GONE`.

    They are missing on disk, but they are not deleted.
    """
    if SkipReason.GONE not in skipped.values() or git.find_work_tree(root) is None:
        return
    with contextlib.suppress(GitError):
        unchecked = git.list_unchecked_files(root)
        for path in [path for path, why in skipped.items() if why == SkipReason.GONE]:
            if os.fsencode(path) in unchecked:
                skipped[path] = SkipReason.NOT_CHECKED_OUT


def _limited(
    files: list[SourceFile], limit: int, skipped: dict[str, SkipReason], notes: list[str]
) -> list[SourceFile]:
    """Keep the `limit` files nearest to the root, in alphabetical order at equal depth.

    Files near the root tell most about a repository. The other files are added to `skipped`.
    """
    if not limit or len(files) <= limit:
        return files
    files = sorted(files, key=lambda file: (file.path.count("/"), file.path))
    skipped |= dict.fromkeys((file.path for file in files[limit:]), SkipReason.TOO_MANY)
    notes.append(f"{limit} of {len(files)} files are indexed; raise `limits.max_files` for more.")
    return files[:limit]


def _listed(root: Path, file_filter: FileFilter, wanted: Subtree) -> _Listing:
    if git.find_work_tree(root) is None:
        return _walked(root, file_filter, wanted)
    only = (*wanted.paths, *wanted.rules)
    try:
        paths = dict.fromkeys(git.list_files(root, only))
        if file_filter.has_overrides:
            ignored = git.list_ignored_files(root, only)
            paths |= dict.fromkeys(p for p in ignored if _overrides(file_filter, p))
    except GitError as error:
        listing = _walked(root, file_filter, wanted)
        listing.notes.append(f"The tree was walked without git. {error}")
        return listing
    if not paths and not (root / ".git").exists() and _is_ignored(root, wanted):
        return _walked(root, file_filter, wanted)  # the work tree around it ignores this folder
    listing = _Listing()
    for raw in paths:
        _add_git_path(root, raw, listing)
    for folder in sorted(_folders_with_rules(listing.paths)):
        file_filter.add_ignore_file(folder)

    def may_enter(path: str, ignored: IgnoreRules) -> bool:
        return wanted.leads_to(path) and _may_enter(path, file_filter, ignored, _Listing())

    holding = ancestor_folders(listing.paths)
    listing.places = find_watched_paths(root, holding=holding, may_enter=may_enter)
    # git lists no untracked file in such a folder, and says so only in a warning
    unlisted = (folder for folder in listing.places.unreadable if folder not in holding)
    listing.skipped |= {f"{folder}/": SkipReason.UNREADABLE for folder in unlisted}
    return listing


def _is_ignored(root: Path, wanted: Subtree) -> bool:
    """Tell whether git ignores every file below `root`.

    Call it only if git lists no file in `wanted`. If git lists files elsewhere below `root`, then
    only `wanted` is empty, and the result is False.
    """
    return not wanted or not any(git.list_files(root))


def _overrides(file_filter: FileFilter, raw: bytes) -> bool:
    return file_filter.overrides(raw.decode(errors="surrogateescape"))


def _add_git_path(root: Path, raw: bytes, listing: _Listing) -> None:
    try:
        path = raw.decode()
    except UnicodeDecodeError:
        listing.skipped[raw.decode(errors="backslashreplace")] = SkipReason.NOT_UTF8
        return
    if path.endswith("/"):
        is_repository = git.has_repository(root / path)
        listing.skipped[path] = (
            SkipReason.OTHER_REPOSITORY if is_repository else SkipReason.NOT_CHECKED_OUT
        )
    else:
        listing.paths.append(path)


def _folders_with_rules(paths: Iterable[str]) -> set[str]:
    """Return the folders that have a `.codeindexignore` among `paths`, and the root ('').

    The root is always included, because git may not list its ignore file.
    """
    return {"", *(p[: -len(IGNORE_FILE) - 1] for p in paths if p.endswith(f"/{IGNORE_FILE}"))}


def _walked(root: Path, file_filter: FileFilter, wanted: Subtree) -> _Listing:
    """List the files of `wanted`, a part of the tree `root`, without git.

    Links are not followed, so the walk ends.
    """
    listing, ignored, todo = _Listing(), IgnoreRules(), [""]
    while todo:
        folder = todo.pop()
        entries = _entries(root, folder, listing)
        names = {entry.name for entry in entries}
        listing.places.add(folder, names)
        if IGNORE_FILE in names:
            file_filter.add_ignore_file(folder)
        if ".gitignore" in names:
            ignored.add(folder, read_ignore_lines(root, f"{folder}/.gitignore".lstrip("/")))
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not wanted.leads_to(path):
                continue
            if not entry.is_dir(follow_symlinks=False):
                _add_walked_file(path, file_filter, ignored, listing)
            elif _may_enter(path, file_filter, ignored, listing):
                todo.append(path)
    return listing


def _entries(root: Path, folder: str, listing: _Listing) -> list[os.DirEntry[str]]:
    """Return the entries of a folder sorted by name; [] if the folder cannot be read.

    A folder that cannot be read is added to the skipped paths.
    """
    try:
        with os.scandir(root / folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        listing.skipped[f"{_shown(folder)}/"] = skip_reason_of(error)
        return []


def _add_walked_file(
    path: str, file_filter: FileFilter, ignored: IgnoreRules, listing: _Listing
) -> None:
    if not _is_utf8(path):
        listing.skipped[_shown(path)] = SkipReason.NOT_UTF8
    elif ignored.selects(path) and not file_filter.overrides(path):
        listing.skipped[path] = SkipReason.GIT_IGNORED
    else:
        listing.paths.append(path)


def _may_enter(path: str, file_filter: FileFilter, ignored: IgnoreRules, listing: _Listing) -> bool:
    if not _is_utf8(path):
        listing.skipped[f"{_shown(path)}/"] = SkipReason.NOT_UTF8
    elif exclusion := file_filter.folder_exclusion(path):
        listing.skipped[exclusion[0]] = exclusion[1]
    elif ignored.selects_folder(path) and not file_filter.has_overrides:
        listing.skipped[f"{path}/"] = SkipReason.GIT_IGNORED
    else:
        return True
    return False


def _is_utf8(path: str) -> bool:
    """Tell whether a path is valid UTF-8; Python decodes other bytes to surrogates."""
    return path.isascii() or not any("\ud800" <= c <= "\udfff" for c in path)


def _shown(path: str) -> str:
    return os.fsencode(path).decode(errors="backslashreplace")
