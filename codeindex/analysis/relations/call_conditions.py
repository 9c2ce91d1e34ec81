"""Find the conditions and loops in a function under which a line of it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from codeindex.text.control_lines import CONTROL, statement_lines
from codeindex.text.indent import indentation
from codeindex.text.truncate import truncate

_ELSE = re.compile(r"\s*(?:[})]\s*)?else\s*[:{]?\s*$")
"""A line that begins the other branch and has no condition of its own."""
_MAX_CONDITIONS = 240
"""Most characters of the conditions around a line; outer ones are left out first."""
_WIDTH = 160
"""Most characters of a control line that are shown."""


def conditions_around(lines: Sequence[str], at: int, function: str) -> str:
    """Return the control lines, like `if ready`, around line `at` in a function, by indentation.

    They are joined with ` > `, the outermost first; "" if there are none or outside of functions.
    """
    name = re.escape(function.rpartition(".")[2])
    head = re.compile(rf"(?!\s*(?:if|while|for|switch)\b).*\b{name}\s*\(")
    found: list[str] = []
    above = _less_indented(lines, at) if function else 0
    while above and indentation(lines[above - 1]) and not head.match(lines[above - 1]):
        if CONTROL.match(lines[above - 1]):
            found.append(_control_line(lines, above))
        above = _less_indented(lines, above)
    kept = [" > ".join(reversed(found[:count])) for count in range(len(found), 0, -1)]
    text = next((text for text in kept if len(text) <= _MAX_CONDITIONS), (kept or [""])[-1])
    return f"… > {text}" if kept and text != kept[0] else text


def _control_line(lines: Sequence[str], at: int) -> str:
    """Return the control line `at` with its continuation lines, without the last bracket.

    For an `else` or the like, the `if` or other line to which it belongs is added.
    """
    line = lines[at - 1]
    if _ELSE.match(line):
        same = (
            number
            for number in range(at - 1, 0, -1)
            if lines[number - 1].strip()
            and indentation(lines[number - 1]) <= indentation(line)
            and not _ELSE.match(lines[number - 1])
        )
        before = next((number for number in same if CONTROL.match(lines[number - 1])), 0)
        if before and indentation(lines[before - 1]) == indentation(line):
            return f"{_bare(line)} of {_control_line(lines, before)}"
    text = " ".join(lines[index].strip() for index in statement_lines(lines, at - 1))
    return truncate(_bare(text), _WIDTH)


def _bare(line: str) -> str:
    return line.strip().removeprefix("}").rstrip(" {:").strip()


def _less_indented(lines: Sequence[str], at: int) -> int:
    """Return the number of the last line above line `at` with less indent; 0 if none has less."""
    indent = indentation(lines[at - 1]) if at <= len(lines) else 0
    above = ((n, lines[n - 1]) for n in range(at - 1, 0, -1))
    return next((n for n, line in above if line.strip() and indentation(line) < indent), 0)
