"""Which functions of today's tree a commit changed: its lines, followed through later changes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex import git
from codeindex.types import CALLABLE_KINDS

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from codeindex.evaluation.metrics import LineSpan

_FILE = re.compile(r"^\+\+\+ b/(.*?)\t?$")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_PATCH = (
    *("-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
_MOST_LINES = 2_000
"""Of one commit that are followed: more are a move of code, not a change of some functions."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """What replaces some lines: of a side with no lines, the start is the line before."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def find_changed_functions(
    connection: sqlite3.Connection, root: Path, commit: str, head: str, paths: Sequence[str]
) -> Iterator[LineSpan]:
    """Yield the innermost functions that hold lines which a commit wrote and which still stand.

    Paths are those that it changed; functions are those of the index, at `head`. GitError if git
    cannot tell.
    """
    parent = git.run_git("diff-tree", *_PATCH, "--root", "-r", commit, "--", *paths, cwd=root)
    later = git.run_git("diff", *_PATCH, commit, head, "--", *paths, cwd=root)
    wrote, since = _hunks(parent), _hunks(later)
    for path, hunks in wrote.items():
        functions = _functions(connection, path)
        lines = list(_written(hunks))[:_MOST_LINES]
        held = (_innermost(functions, at) for at in follow_lines(lines, since.get(path, ())))
        for first, last in dict.fromkeys(one for one in held if one):
            yield path, first, last


def follow_lines(lines: Iterable[int], hunks: Sequence[Hunk]) -> Iterator[int]:
    """Yield where lines stand after hunks, which ascend; lines that are replaced are left out."""
    for line in lines:
        before = [one for one in hunks if one.old_start + max(one.old_count - 1, 0) < line]
        within = any(one.old_start <= line < one.old_start + one.old_count for one in hunks)
        if not within:
            yield line + sum(one.new_count - one.old_count for one in before)


def _written(hunks: Iterable[Hunk]) -> Iterator[int]:
    """Yield the lines that hunks wrote; of one that only deletes, the line before."""
    for one in hunks:
        yield from range(one.new_start, one.new_start + max(one.new_count, 1))


def _hunks(patch: bytes) -> Mapping[str, list[Hunk]]:
    found: defaultdict[str, list[Hunk]] = defaultdict(list)
    path = ""
    for line in patch.decode("utf-8", "surrogateescape").split("\n"):
        if file := _FILE.match(line):
            path = file[1]
        elif hunk := _HUNK.match(line):
            old, before, new, after = hunk.groups(default="1")
            found[path].append(Hunk(int(old), int(before), int(new), int(after)))
    return found


def _functions(connection: sqlite3.Connection, path: str) -> list[tuple[int, int]]:
    """Return the line of the name and the last line of each function of a file."""
    rows = connection.execute(
        "SELECT s.kind, s.line, s.end_line FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE f.path = ?",
        (path,),
    )
    return [(line, end) for kind, line, end in rows if kind in CALLABLE_KINDS]


def _innermost(functions: Iterable[tuple[int, int]], line: int) -> tuple[int, int] | None:
    holding = [one for one in functions if one[0] <= line <= one[1]]
    return min(holding, key=lambda one: one[1] - one[0], default=None)
