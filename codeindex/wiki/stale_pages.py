"""What pages have been overtaken by: their sources as they were, and as they are."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from codeindex import git
from codeindex.errors import GitError
from codeindex.secrets import is_secret_file
from codeindex.types import FileChange
from codeindex.wiki.citations import CitationCheck, check_citations
from codeindex.wiki.page import PageSource, WikiPage
from codeindex.wiki.source_files import SourceFiles

ChangesByPath = Mapping[str, FileChange]
"""What changed since a commit, by the paths of now and of then."""
_MOST_LINES = 120
"""Of the diff of a file: about 1,500 tokens; who needs more reads the file."""


@dataclass(frozen=True, slots=True)
class SourceChange:
    """A source that is not as it was; `diff` may be cut, and is empty where there is no git."""

    path: str
    status: Literal["added", "removed", "modified"]
    diff: str
    truncated: bool


@dataclass(frozen=True, slots=True)
class StalePage:
    """A page that may not be true any more, with all that is needed to write it anew."""

    page: str
    title: str
    version: str
    since: str
    changes: tuple[SourceChange, ...]
    stale: tuple[CitationCheck, ...]
    content: str


def find_staleness(
    page: WikiPage,
    tree: SourceFiles,
    changes: ChangesByPath | None,
    *,
    commit: str,
    safe: Callable[[str], str],
) -> StalePage | None:
    """Return what a page has been overtaken by, None for one that still stands.

    `changes` are those since `commit`, None where git knows none.
    """
    found = changed_sources(page, tree, changes)
    stale = tuple(one for one in check_citations(page, tree) if one.state in {"changed", "gone"})
    if not (found or stale):
        return None
    made = (_told(tree, change, commit=commit, safe=safe) for _, change in found)
    return StalePage(page.id, page.title, page.version, commit, tuple(made), stale, safe(page.body))


def changed_sources(
    page: WikiPage, tree: SourceFiles, changes: ChangesByPath | None
) -> list[tuple[PageSource, FileChange]]:
    """Return the sources of a page that are not as it knew them, and what became of each."""
    found = ((one, _change(one, tree, changes)) for one in page.sources)
    return [(one, change) for one, change in found if change is not None]


def _change(one: PageSource, tree: SourceFiles, changes: ChangesByPath | None) -> FileChange | None:
    """Return what became of a source; nothing if it is as the page knew it."""
    now = tree.digest(one.path)
    if one.digest and now == one.digest:
        return None
    if changes is not None:
        return changes.get(one.path)
    if not one.digest:
        return None
    return FileChange(one.path, "modified" if now else "removed", one.path)


def index_by_path(changes: Iterable[FileChange]) -> ChangesByPath:
    """Return changes by the paths of now and, where a file was renamed, of then."""
    found = {}
    for one in changes:
        if one.before:
            found[one.before] = one
        found[one.path] = one
    return found


def _told(
    tree: SourceFiles, change: FileChange, *, commit: str, safe: Callable[[str], str]
) -> SourceChange:
    before = _as_it_was(tree.root, change.before, commit) if change.before and commit else ""
    after = "" if change.status == "removed" else "\n".join(tree.lines(change.path) or ())
    if not commit or is_secret_file(change.path):
        return SourceChange(change.path, change.status, "", truncated=False)
    lines = list(_diff(safe(before), safe(after), change))
    cut = len(lines) > _MOST_LINES
    diff = "\n".join(lines[:_MOST_LINES])
    return SourceChange(change.path, change.status, diff, truncated=cut)


def _diff(before: str, after: str, change: FileChange) -> Iterator[str]:
    """Compare texts that are safe already: half of a secret in a diff would not look like one."""
    old, new = before.splitlines(), after.splitlines()
    yield from difflib.unified_diff(
        old, new, change.before or "/dev/null", change.path, lineterm=""
    )


def _as_it_was(root: Path, path: str, commit: str) -> str:
    try:
        data = git.run_git("cat-file", "blob", f"{commit}:./{path}", cwd=root)
    except GitError:
        return ""
    return data.decode("utf-8", "replace").replace("\r\n", "\n")
