"""Questions about functions that a repository's own history and documentation ask of one snapshot.

The snapshot is the tree of some hundred commits ago. It is asked the messages of the commits that
came later, so that no answer has the change in it; targets are the functions that a commit changed
and the snapshot has. Documentation of some functions is deleted from the snapshot's files before
they are indexed, and asked for. No question or label is written by a model.

- *docstring*: the first paragraph of a function's documentation, without the function's name;
- *commit*: the subject of a commit that changed one to five functions outside of tests;
- *issue*: subject and body, where the body is long enough (`mined.py`).
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mined import documented_functions, git, is_source, message_of

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import language_for_path
from codeindex.secrets import mark_as_safe
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Symbol, SymbolKind

LATER = 400
"""Commits of the trunk after the snapshot, at most, and at most half of them."""
MOST = {"docstring": 40, "commit": 40, "issue": 25}
"""Questions of each kind from one repository."""
MOST_FUNCTIONS = 5
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)
_LARGEST = 400_000
"""Bytes of a file that is parsed to find changed functions."""
_KINDS = CALLABLE_KINDS | {SymbolKind.MACRO}
_TYPES = OWNER_KINDS - {SymbolKind.IMPL}

Function = tuple[str, str]
"""The path of a file and the qualified name of a function in it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text, its kind, and the functions that answer it."""

    text: str
    kind: str
    targets: frozenset[Function]


def snapshot_of(repository: Path, tip: str) -> tuple[str, list[str]]:
    """Return the commit of the snapshot and the commits after it, newest first."""
    trunk = git(repository, "rev-list", "--first-parent", tip).split()
    snapshot = trunk[min(LATER, len(trunk) // 2)]
    return snapshot, git(repository, "rev-list", "--no-merges", f"{snapshot}..{tip}").split()


def from_commits(repository: Path, later: list[str], known: frozenset[Function]) -> list[Question]:
    """Return questions of later commits whose changed functions are known, newest first."""
    found: list[Question] = []
    counts = dict.fromkeys(MOST, 0)
    texts: set[str] = set()
    for commit in later:
        text, kind = message_of(repository, commit)
        if not text or text in texts or counts[kind] >= MOST[kind]:
            continue
        changed = set(_changed_functions(repository, commit))
        targets = frozenset(changed & known)
        if targets and len(changed) <= MOST_FUNCTIONS:
            texts.add(text)
            counts[kind] += 1
            found.append(Question(text, kind, targets))
    return found


def _changed_functions(repository: Path, commit: str) -> Iterator[Function]:
    """Yield the innermost functions of the parent that a commit changed lines of."""
    try:
        names = git(repository, "diff", "--name-only", "--diff-filter=M", f"{commit}^", commit)
    except subprocess.CalledProcessError:  # a root commit
        return
    sources = [path for path in names.splitlines() if is_source(path)]
    for path in sources if len(sources) <= MOST_FUNCTIONS else ():
        patch = git(repository, "diff", "-U0", f"{commit}^", commit, "--", path)
        text = git(repository, "show", f"{commit}^:{path}")
        language = language_for_path(path)
        if language is None or len(text) > _LARGEST:
            continue
        functions = [
            one for one in parse_text(language, mark_as_safe(text)).symbols if one.kind in _KINDS
        ]
        for hunk in _HUNK.finditer(patch):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            for name in _holding(functions, first, first + max(count, 1) - 1):
                yield path, name


def _holding(functions: list[Symbol], first: int, last: int) -> set[str]:
    """Return the innermost functions that have one of these lines in their bodies."""
    found = set()
    for line in range(first, min(last, first + 500) + 1):
        inside = [one for one in functions if one.line <= line <= one.end_line]
        if inside:
            found.add(min(inside, key=lambda one: one.end_line - one.line).qualified)
    return found


def functions_of(connection: sqlite3.Connection) -> dict[Function, tuple[int, int]]:
    """Return the functions that an index has once by their name, with their first and last line."""
    rows = connection.execute(
        "SELECT f.path, s.qualified, s.line, s.end_line, s.kind FROM symbols s"
        " JOIN files f ON f.id = s.file_id WHERE NOT f.is_test"
    ).fetchall()
    found: dict[Function, tuple[int, int]] = {}
    twice: set[Function] = set()
    for path, qualified, line, end, kind in rows:
        if kind in _KINDS | _TYPES:
            if (path, qualified) in found:
                twice.add((path, qualified))
            found[path, qualified] = (line, end if kind in _KINDS else line)  # the head of a type
    return {one: lines for one, lines in found.items() if one not in twice}


def from_documentation(connection: sqlite3.Connection, root: Path) -> list[Question]:
    """Delete the documentation of some functions from the files and return it as questions."""
    return [
        Question(text, "docstring", frozenset({function}))
        for text, function in documented_functions(connection, root, MOST["docstring"])
    ]
