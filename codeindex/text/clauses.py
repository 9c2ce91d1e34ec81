"""Find the clauses of a function: equations of Haskell, heads of Elixir.

In: the lines of a file, and the name and lines of a function. Out: the lines of each clause. Each
clause begins with the same text up to the function's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from codeindex.text.indent import indentation
from codeindex.text.truncate import truncate

MOST_WHOLE_LINES = 80
"""Most lines of a function whose clauses are not shown one by one. `explore_code` shows functions
of as many lines in full."""
_REMARK = re.compile(r"\s*(?:#|@|--|\{-)")
"""A line that is a comment or an attribute, which belongs to the clause below it."""
_HEAD_END = re.compile(r",?\sdo(?=:?\s|$)|\s=(?=\s|$)|\s\|\s")
"""Where the head of a clause may end: at its body or, in Haskell, at its guards."""
_NAME_END = r"(?![\w?!'])"
_SIGNATURE = re.compile(r"\s*::")
"""What follows the name in a type signature of Haskell, which belongs to the clause below it."""
_HEAD_LINES = 8
"""Most lines of a clause that are read for its head. All heads of teslamate (542) are shorter."""
_LONGEST_HEAD = 120
"""Most characters of a head that are shown, after the name."""


class Clause(NamedTuple):
    """A clause of a function; `start_line` is that of the comment above its head in `line`."""

    start_line: int
    line: int
    end_line: int


def find_clauses(lines: Sequence[str], name: str, *, line: int, end_line: int) -> list[Clause]:
    """Return the clauses of the function `name`; [] if it has only one clause.

    `lines` are all lines of the file. The function's first head is in `line`, its end in
    `end_line`.
    """
    place = _name_pattern(name).search(lines[line - 1])
    if not place:
        return []
    begins = re.compile(re.escape(lines[line - 1][: place.end()]) + _NAME_END).match
    heads = [
        at
        for at in range(line, end_line + 1)
        if (head := begins(lines[at - 1])) and not _SIGNATURE.match(lines[at - 1], head.end())
    ]
    if len(heads) <= 1:
        return []
    starts = [line, *(_with_remarks(lines, at) for at in heads[1:])]
    ends = [start - 1 for start in starts[1:]] + [end_line]
    return [
        Clause(start, head, _without_rest(lines, head, end))
        for start, head, end in zip(starts, heads, ends, strict=True)
    ]


def clause_head(lines: Sequence[str], clause: Clause, name: str) -> str:
    """Return the head of a clause, up to its body, as one line that begins with `…`.

    `…` replaces the function's name and the text before it; the indent is kept. A long head is
    cut.
    """
    last = min(clause.end_line, clause.line + _HEAD_LINES - 1)
    text = " ".join(" ".join(lines[clause.line - 1 : last]).split())
    ends = (end.start() for end in _HEAD_END.finditer(text))
    head = next((text[:end] for end in ends if _is_closed(text[:end])), text)
    first = lines[clause.line - 1]
    indent = first[: indentation(first)]
    place = _name_pattern(name).search(head)
    parameters = head[place.end() :] if place else ""
    return f"{indent}…{truncate(parameters, _LONGEST_HEAD)}"


def _name_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of `name` as a whole word: `e` is not found in `def e`'s first word."""
    return re.compile(r"(?<!\w)" + re.escape(name) + _NAME_END)


def _is_closed(text: str) -> bool:
    """Tell whether a text closes all brackets that it opens."""
    return all(text.count(left) <= text.count(right) for left, right in ("()", "[]", "{}"))


def _with_remarks(lines: Sequence[str], head: int) -> int:
    """Return the first line of the comments and attributes right above a head."""
    while _REMARK.match(lines[head - 2]):
        head -= 1
    return head


def _without_rest(lines: Sequence[str], head: int, end: int) -> int:
    """Return the last line of a clause, without blank lines and comments below it."""
    while end > head and (not lines[end - 1].strip() or _REMARK.match(lines[end - 1])):
        end -= 1
    return end
