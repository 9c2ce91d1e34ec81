"""Find the functions of the current tree that contain lines of an earlier commit."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex import git
from codeindex.git.hunks import PATCH_OPTIONS, Hunk, parse_hunks
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import file_nodes
from codeindex.types import CALLABLE_KINDS

if TYPE_CHECKING:
    from codeindex.evaluation.metrics import CodeSpan

_PATCH = (*PATCH_OPTIONS, "--no-renames")
_MOST_LINES = 2_000
"""Most changed lines of a commit that are followed: more are moved code, not changed functions."""


def find_changed_functions(
    connection: sqlite3.Connection, root: Path, commit: str, head: str, paths: Sequence[str]
) -> Iterator[CodeSpan]:
    """Yield the functions that a commit changed and that still exist at the commit `head`.

    These are the innermost functions around lines of `commit` that later commits did not replace.
    `paths` are the files that the commit changed; the index is at `head`.
    """
    where = ("--", *(f":(literal){path}" for path in paths))
    parent = git.run_git("diff-tree", *_PATCH, "--root", "-r", commit, *where, cwd=root)
    later = git.run_git("diff", *_PATCH, commit, head, *where, cwd=root)
    wrote, since = _hunks_by_path(parent), _hunks_by_path(later)
    for path, hunks in wrote.items():
        functions = [
            (node.line, node.end_line)
            for file in file_nodes(connection, [path])
            for node in declarations_in(connection, [file.file_id])
            if node.kind in CALLABLE_KINDS
        ]
        lines = list(chain.from_iterable(hunk.new_lines for hunk in hunks))[:_MOST_LINES]
        held = (_innermost(functions, at) for at in follow_lines(lines, since.get(path, ())))
        for first, last in dict.fromkeys(span for span in held if span):
            yield path, first, last


def follow_lines(lines: Iterable[int], hunks: Sequence[Hunk]) -> Iterator[int]:
    """Yield the numbers that lines have after a diff; the diff is given by its sorted hunks.

    Lines that the diff replaces are dropped.
    """
    for line in lines:
        before = [hunk for hunk in hunks if hunk.old_start + max(hunk.old_count - 1, 0) < line]
        within = any(hunk.old_start <= line < hunk.old_start + hunk.old_count for hunk in hunks)
        if not within:
            yield line + sum(hunk.new_count - hunk.old_count for hunk in before)


def _hunks_by_path(patch: bytes) -> Mapping[str, list[Hunk]]:
    hunks: defaultdict[str, list[Hunk]] = defaultdict(list)
    for path, hunk in parse_hunks(patch):
        hunks[path.decode("utf-8", "surrogateescape")].append(hunk)
    return hunks


def _innermost(functions: Iterable[tuple[int, int]], line: int) -> tuple[int, int] | None:
    holding = [span for span in functions if span[0] <= line <= span[1]]
    return min(holding, key=lambda span: span[1] - span[0], default=None)
