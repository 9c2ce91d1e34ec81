"""Make the title lines and the numbered code lines of a text answer.

Every line of code begins with its number and a colon, or with a blank, and line ends in file names
are escaped, so that no text of a repository can look like a line of the answer: a title, `[2]`,
`note: ` or `next: `.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from codeindex.text.indent import common_indentation
from codeindex.text.sanitize import escape_line


def section_title(text: str) -> str:
    """Return the line `== text`, the title above the code of a file or the answer to a query."""
    return f"== {escape_line(text)}"


def part_title(text: str) -> str:
    """Return the line `-- text`, the title of a part of the file in the `section_title` above."""
    return f"-- {escape_line(text)}"


def marked_path(path: str, *, is_generated: bool) -> str:
    """Return the path of a file, with a mark if a program wrote it."""
    return f"{path} (generated)" if is_generated else path


_EMPTY = re.compile(
    r"(?!\s*(?:\[\]|\{\}|\(\))[\s;,]*\Z)[\s{}()\[\];,]*(?:end[\s)\];,]*)?"
    r"|\s*(?:/\*+|\*+/?|/{2,}|#|--)\s*"
)
"""A line without content: blank, or only brackets, `end`, or the mark of a comment. An empty pair
of brackets may be a value, and so is content. Of the code in the answers to thirty tasks of agents,
lines without content took 6 %, and indents 10 %."""
_USUAL_KINDS = frozenset({"function", "method"})
_UNITS = (4, 2)
"""Blanks of one level of indent, the likeliest first."""
_NUMBERED = 5
"""Of lines that follow each other, one in so many has its number, so that nobody has to count far.
Of the answers to thirty tasks (agents.md), the numbers of all lines took 6 % of the characters and
12 % of the tokens of a byte-pair encoding, which has two or three for each."""
_ODD = 0.25
"""Share of the indented lines that may be no multiple of the unit, such as continued ones."""


def unusual_kind(kind: str) -> str:
    """Return a kind of code as titles have it: "" for functions and methods, as most code is."""
    return "" if kind in _USUAL_KINDS else kind


def has_content(line: str) -> bool:
    """Tell whether a line of code has more than blanks, brackets, `end` or a comment's mark."""
    return not _EMPTY.fullmatch(line)


def numbered_lines(lines: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield lines of code in the form of `compact_lines`, without the line numbers beside them."""
    return (line for _, line in compact_lines(lines))


def compact_lines(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield (line number, `number:text`) for lines of code, indented by one blank a level.

    The indent that all lines share is removed. Lines without content are left out unless all lines
    have none. A blank stands for `number:` where the number is `countable`.
    """
    kept = [line for line in lines if has_content(line[1])] or lines
    counted = countable([number for number, _ in kept])
    texts = indent_by_level([text for _, text in kept])
    for (number, _), text, is_counted in zip(kept, texts, counted, strict=True):
        yield number, f" {text}" if is_counted else f"{number}:{text}"


def countable(numbers: Iterable[int]) -> Iterator[bool]:
    """Yield for each line number whether it can be counted from one at most four lines above.

    That is if the line follows the one above, which has its number or can be counted itself.
    """
    before = numbered = -_NUMBERED
    for number in numbers:
        is_counted = number == before + 1 and number < numbered + _NUMBERED
        numbered = numbered if is_counted else number
        yield is_counted
        before = number


def indent_by_level(texts: Sequence[str]) -> list[str]:
    """Reindent lines of code: one blank for each level, after removing the indent common to all."""
    indent = common_indentation(texts)
    rest = [text[indent:] for text in texts]
    unit = _indent_unit(rest)
    return [text[(blanks := _blanks(text)) - -(-blanks // unit) :] for text in rest]


def _indent_unit(texts: Sequence[str]) -> int:
    """Return how many blanks indent the lines by one level; 1 if that is not clear."""
    indents = [blanks for text in texts if (blanks := _blanks(text)) and text[blanks:][:1] != "*"]
    for unit in _UNITS:
        if sum(blanks % unit != 0 for blanks in indents) <= _ODD * len(indents):
            return unit
    return 1


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip(" "))
