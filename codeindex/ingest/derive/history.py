"""Store which files changed in the same commits.

Only commits since the last sync are read. All commits are read again if the history was rewritten,
another branch is checked out, a merge brought older commits, or a shallow clone got the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from codeindex import git
from codeindex.errors import GitError
from codeindex.secrets import safe_path
from codeindex.store.catalog.commits import (
    HISTORY_NOTE,
    MOST_COMMITS,
    Commit,
    add_commits,
    delete_commits,
)
from codeindex.store.catalog.connection import Catalog

_TIMEOUT = 20.0
"""Seconds for a git command: 2,000 commits take 0.1 to 0.6. If it takes longer, no commits are
stored."""
_FORMAT = ("-z", "--no-merges", "--name-status", "--format=%x01%H")
_STATUSES_WITH_TWO_PATHS = (b"R", b"C")
"""Statuses of renamed and copied files, which have two paths: the old path comes first."""
_SHALLOW = "The history is cut off in this clone: `git fetch --unshallow` gets the rest."


def update_history(catalog: Catalog, root: Path, head: str) -> None:
    """Store the paths that each commit up to `head` changed; `head` is '' without a commit.

    Nothing is read if the last call had the same `head`, even if git failed then, unless the clone
    was shallow and is no more.
    """
    known = json.loads(catalog.note(HISTORY_NOTE) or "{}")
    was_cut_off = known.get("said") == _SHALLOW
    if known.get("tried", "") == head and not (was_cut_off and not _is_shallow(root)):
        return
    before = "" if was_cut_off else known.get("head", "")
    continues, commits, problem, read = False, list[Commit](), "", head
    try:
        if head:
            added = _added_commits(root, before, head)
            continues, commits = added is not None, _commits(root, head) if added is None else added
            problem = _SHALLOW if git.is_shallow(root) else ""
    except GitError as error:
        continues, commits, read = False, [], ""
        problem = f"Files that change together are not known: {error}"
    with catalog.writing():
        if not continues:
            delete_commits(catalog.connection)
        add_commits(catalog.connection, reversed(commits))
        catalog.put_note(HISTORY_NOTE, json.dumps({"head": read, "tried": head, "said": problem}))


def _is_shallow(root: Path) -> bool:
    try:
        return git.is_shallow(root)
    except GitError:
        return True  # so nothing more can be read


def _added_commits(root: Path, before: str, head: str) -> list[Commit] | None:
    """Return the commits in `before..head`, newest first; None if all must be read again.

    All must be read again if `before` is not an ancestor of `head`, or if a merge brought commits
    that are older than stored ones: older commits count less, and later renames apply to their
    paths.
    """
    if not _is_ancestor(before, head, root):
        return None
    commits = _commits(root, f"{before}..{head}")
    return commits if commits == _commits(root, head, most=len(commits)) else None


def _is_ancestor(old: str, new: str, root: Path) -> bool:
    """Tell whether the commit `old` is an ancestor of `new`; False if `old` no longer exists."""
    if not old:
        return False
    try:
        return not git.run_git(
            "rev-list", "-n", "1", f"{new}..{old}", "--", cwd=root, timeout=_TIMEOUT
        )
    except GitError:
        return False


def _commits(root: Path, revisions: str, *, most: int = MOST_COMMITS) -> list[Commit]:
    """Return the newest commits of a revision range, at most `most`, newest first.

    If `root` is inside a work tree, only paths below `root` are returned.
    """
    within = () if git.find_work_tree(root) == root.resolve() else ("--relative",)
    options = (f"-n{most}", *_FORMAT, *within)
    where = ("--", ".") if within else ("--",)
    try:
        output = git.run_git(
            "log", *options, "--find-renames", revisions, *where, cwd=root, timeout=_TIMEOUT
        )
    except GitError:
        # A partial clone lacks the contents that are compared to detect renames with edits.
        output = git.run_git(
            "log", *options, "--find-renames=100%", revisions, *where, cwd=root, timeout=_TIMEOUT
        )
    return list(_parse_log(output))


def _parse_log(output: bytes) -> Iterator[Commit]:
    fields = iter(output.split(b"\0"))
    digest = ""
    paths: list[str] = []
    renames: list[tuple[str, str]] = []
    for field in fields:
        if field.startswith(b"\x01"):
            if digest:
                yield Commit(digest, tuple(paths), tuple(renames))
            digest, paths, renames = field[1:].decode("ascii"), [], []
        elif status := field.strip():
            first = _stored_path(next(fields))
            paths.append(
                _stored_path(next(fields)) if status.startswith(_STATUSES_WITH_TWO_PATHS) else first
            )
            if status.startswith(b"R"):
                renames.append((first, paths[-1]))
    if digest:
        yield Commit(digest, tuple(paths), tuple(renames))


def _stored_path(name: bytes) -> str:
    """Decode a path and redact secrets in it."""
    return safe_path(name.decode("utf-8", "replace"))
