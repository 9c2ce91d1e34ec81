"""Find stale pages: pages whose sources or cited lines changed."""

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
"""{path: change since a commit}; a renamed file has entries for its current and its former path."""
_MAX_DIFF_LINES = 120
"""Maximum diff lines per file: about 1,500 tokens."""


@dataclass(frozen=True, slots=True)
class SourceChange:
    """How a source file of a page changed; `diff` may be truncated, and is empty without git."""

    path: str
    status: Literal["added", "removed", "modified"]
    diff: str
    truncated: bool


@dataclass(frozen=True, slots=True)
class StalePage:
    """A page whose sources or citations changed, with all that is needed to rewrite it.

    `changes` are the changes of its sources since the commit `since`; `stale` has the citations
    whose lines changed or are gone.
    """

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
    """Return what changed in the sources and citations of a page; None if nothing did.

    `changes` are the changed files since `commit`, None without git; `safe` redacts secrets.
    """
    result = changed_sources(page, tree, changes)
    stale = tuple(
        check for check in check_citations(page, tree) if check.state in {"changed", "gone"}
    )
    if not (result or stale):
        return None
    made = (_describe_change(tree, change, commit=commit, safe=safe) for _, change in result)
    return StalePage(page.id, page.title, page.version, commit, tuple(made), stale, safe(page.body))


def changed_sources(
    page: WikiPage, tree: SourceFiles, changes: ChangesByPath | None
) -> list[tuple[PageSource, FileChange]]:
    """Return (source, change) for each source file of the page that changed.

    `changes` are the changed files since a commit; None without git.
    """
    result = ((source, _source_change(source, tree, changes)) for source in page.sources)
    return [(source, change) for source, change in result if change is not None]


def _source_change(
    source: PageSource, tree: SourceFiles, changes: ChangesByPath | None
) -> FileChange | None:
    """Return the change of a source file.

    Return None if the file is unchanged, or if that is not known.
    """
    now = tree.digest(source.path)
    if source.digest and now == source.digest:
        return None
    if changes is not None:
        return changes.get(source.path)
    if not source.digest:
        return None
    return FileChange(source.path, "modified" if now else "removed", source.path)


def index_by_path(changes: Iterable[FileChange]) -> ChangesByPath:
    """Return {path: change}; a renamed file has two entries, under its new and its former path."""
    result = {}
    for change in changes:
        if change.before:
            result[change.before] = change
        result[change.path] = change
    return result


def _describe_change(
    tree: SourceFiles, change: FileChange, *, commit: str, safe: Callable[[str], str]
) -> SourceChange:
    before = _read_at_commit(tree.root, change.before, commit) if change.before and commit else ""
    after = "" if change.status == "removed" else "\n".join(tree.lines(change.path) or ())
    if not commit or is_secret_file(change.path):
        return SourceChange(change.path, change.status, "", truncated=False)
    lines = list(_diff(safe(before), safe(after), change))
    cut = len(lines) > _MAX_DIFF_LINES
    diff = "\n".join(lines[:_MAX_DIFF_LINES])
    return SourceChange(change.path, change.status, diff, truncated=cut)


def _diff(before: str, after: str, change: FileChange) -> Iterator[str]:
    """Yield the lines of a diff of two texts, which must be redacted already.

    A detector would not recognize a secret that a diff shows only in part.
    """
    old, new = before.splitlines(), after.splitlines()
    yield from difflib.unified_diff(
        old, new, change.before or "/dev/null", change.path, lineterm=""
    )


def _read_at_commit(root: Path, path: str, commit: str) -> str:
    try:
        data = git.run_git("cat-file", "blob", f"{commit}:./{path}", cwd=root)
    except GitError:
        return ""
    return data.decode("utf-8", "replace").replace("\r\n", "\n")
