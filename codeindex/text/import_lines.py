"""Find the import statements of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence

_IMPORT = re.compile(
    r"\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|(?:global\s+)?using\s+[\w.= ]+;"
    r"|(?:pub\s+)?use\s+[\w\\:]+|require(?:_once|_relative)?\b|alias\s+[A-Z]|package\s+[\w.]+;?\s*$)"
)
"""Begins a statement that imports names, in the languages that are indexed."""
_BRACKETS = {"(": 1, "{": 1, ")": -1, "}": -1}
_LEAST_LINES = 4
"""Fewest lines of imports in a row that are left out. In blind rounds, 500 such lines took 1.4 % of
the tokens of code that workers read, and their answers cite 3 of them."""


def long_imports(lines: Sequence[tuple[int, str]]) -> Sequence[int]:
    """Return the numbers of lines that belong to long runs of import statements.

    `lines` are (number, text). Blank lines in and after a run belong to it. Return () if there is
    no other code.
    """
    found: list[int] = []
    run: list[tuple[int, str]] = []
    others = depth = 0
    for number, text in [*lines, (0, "end")]:
        if depth > 0 or _IMPORT.match(text):
            depth = max(0, depth + sum(_BRACKETS.get(letter, 0) for letter in text))
        elif text.strip():
            is_long = sum(bool(line.strip()) for _, line in run) >= _LEAST_LINES
            found += [one for one, _ in run] if is_long else []
            run, others = [], others + bool(number)
            continue
        elif not run:
            continue
        run.append((number, text))
    return found if others else ()
