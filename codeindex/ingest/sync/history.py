"""The history stage: note which files have changed together, as far as git tells.

Only commits that are new since the last sync are read; where the history was rewritten, or another
branch is checked out, it is read anew.
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
"""Seconds; 2,000 commits take 0.1 to 0.6. Without history the index is complete but for this."""
_FORMAT = ("-z", "--no-merges", "--name-status", "--format=%x01%H")
_TWO_NAMES = (b"R", b"C")
_SHALLOW = "The history is cut off in this clone: `git fetch --unshallow` gets the rest."


def update_history(catalog: Catalog, root: Path, head: str) -> None:
    """Bring the commits in the catalog up to date with `head`, an empty one for no commit."""
    known = json.loads(catalog.note(HISTORY_NOTE) or "{}")
    if known.get("tried", "") == head:
        return
    before = known.get("head", "")
    continues, commits, said, read = False, list[Commit](), "", head
    try:
        if head:
            continues = _is_ancestor(before, head, root)
            commits = _commits(root, f"{before}..{head}" if continues else head)
            said = _SHALLOW if git.is_shallow(root) else ""
    except GitError as error:
        continues, commits, read = False, [], ""
        said = f"What changed together is not known: {error}"
    with catalog.writing():
        if not continues:
            delete_commits(catalog.connection)
        add_commits(catalog.connection, reversed(commits))
        catalog.put_note(HISTORY_NOTE, json.dumps({"head": read, "tried": head, "said": said}))


def _is_ancestor(old: str, new: str, root: Path) -> bool:
    """Tell whether `new` has all that `old` had; a commit that is gone is nobody's ancestor."""
    if not old:
        return False
    try:
        return not git.run("rev-list", "-n", "1", f"{new}..{old}", "--", cwd=root, timeout=_TIMEOUT)
    except GitError:
        return False


def _commits(root: Path, revisions: str) -> list[Commit]:
    """Read commits, the newest first; a root inside of a work tree has only what is below it."""
    within = () if git.top(root) == root.resolve() else ("--relative",)
    asked = (f"-n{MOST_COMMITS}", *_FORMAT, *within)
    where = ("--", ".") if within else ("--",)
    try:
        output = git.run(
            "log", *asked, "--find-renames", revisions, *where, cwd=root, timeout=_TIMEOUT
        )
    except GitError:
        # In a partial clone the contents are absent that similar files are told by.
        output = git.run(
            "log", *asked, "--find-renames=100%", revisions, *where, cwd=root, timeout=_TIMEOUT
        )
    return list(_parsed(output))


def _parsed(output: bytes) -> Iterator[Commit]:
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
            first = _path(next(fields))
            paths.append(_path(next(fields)) if status.startswith(_TWO_NAMES) else first)
            if status.startswith(b"R"):
                renames.append((first, paths[-1]))
    if digest:
        yield Commit(digest, tuple(paths), tuple(renames))


def _path(name: bytes) -> str:
    """Return a path as it may be stored: a secret in a name is nobody's to keep."""
    return safe_path(name.decode("utf-8", "replace"))
