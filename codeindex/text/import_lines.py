"""Find the import statements of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence

_IMPORT = re.compile(
    r"\s*(?:import\b(?!\s*\(.*\))|from\s+\S+\s+import\b|#\s*include\b"
    r"|(?:global\s+)?using\s+[\w.= ]+;|(?:pub\s+)?use\s+[\w\\:]+"
    r"|require(?:_once|_relative)?\b(?!\.|.*\)\s*[.:(\[])|alias\s+[A-Z]|package\s+[\w.]+;?\s*$)"
)
"""Matches the beginning of an import statement in any of the indexed languages. It does not match
code that uses what it imports at once: `require("app").start()`, `import("./app").then(...)`, nor
members of a module called so: `require.NoError(t, err)`."""
_NAMES = re.compile(r"""[\w\s.,*:\\/$@"'`{})-]*;?\s*(?:(?://|#).*)?""")
"""Matches a further line of an import statement: it has only names, paths and a comment."""
_BRACKETS = {"(": 1, "{": 1, ")": -1, "}": -1}
_LEAST_LINES = 4
"""Fewest lines of imports in a row that are left out. In blind rounds, 500 such lines took 1.4 % of
the tokens of code that workers read, and their answers cite 3 of them."""


def long_imports(lines: Sequence[tuple[int, str]]) -> Sequence[int]:
    """Return the numbers of lines that belong to long runs of import statements.

    `lines` are (number, text). Blank lines in and after a run belong to it. Return () if there is
    no other code.
    """
    texts = [text for _, text in lines]
    found, run, others, at = list[int](), list[int](), False, 0
    while at < len(lines):
        end = _import_end(texts, at)
        if end == at and texts[at].strip():
            found += _if_long(run, texts)
            run, others = [], True
        elif end > at or run:
            run += range(at, max(end, at + 1))
        at = max(end, at + 1)
    found += _if_long(run, texts)
    return [lines[index][0] for index in found] if others else ()


def _if_long(run: Sequence[int], texts: Sequence[str]) -> Sequence[int]:
    return run if sum(bool(texts[at].strip()) for at in run) >= _LEAST_LINES else ()


def _import_end(texts: Sequence[str], start: int) -> int:
    """Return the index after the import statement that begins at `start`; `start` if none does."""
    if not _IMPORT.match(texts[start]):
        return start
    depth = 0
    for at in range(start, len(texts)):
        if at > start and not _NAMES.fullmatch(texts[at]):
            break
        depth += sum(_BRACKETS.get(letter, 0) for letter in texts[at])
        if depth <= 0:
            return at + 1
    return start
