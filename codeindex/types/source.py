"""Parts of files with the lines to show, as `read` returns them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

NumberedLine = tuple[int, str]
"""A line of a file: its number, from 1, and its text."""


class SourceSectionDict(TypedDict):
    """The JSON form of `SourceSection`; `symbol` and `kind` are null if lines were requested.

    `file` is null if it is the file of the answer. `line_numbers` is empty unless blocks are
    collapsed.
    """

    file: str | None
    symbol: str | None
    kind: str | None
    start_line: int
    end_line: int
    content: str
    line_numbers: list[int]
    truncated: bool


class SourceClause(NamedTuple):
    """One of several clauses that define the same function, as Elixir and Haskell have them.

    `head` is its head, joined into one line, which begins in line `line`; `lines` are all of its
    lines, with the comment above it.
    """

    line: int
    head: str
    lines: tuple[NumberedLine, ...]


@dataclass(frozen=True, slots=True)
class SourceSection:
    """A part of a file, from `start_line` to `end_line`; `lines` are the lines to show.

    Deeper blocks may be collapsed in these. `truncated` is true if lines at the end are missing.
    `file` is "" if the section is from the file of the whole answer.
    """

    symbol: str
    kind: str
    start_line: int
    end_line: int
    lines: tuple[NumberedLine, ...]
    truncated: bool
    file: str = ""
    line: int = 0
    """Line of the symbol's name, below its comment; 0 if lines were requested."""
    clauses: tuple[SourceClause, ...] = ()
    """The clauses of a function of more than `MOST_WHOLE_LINES` lines; () if it has only one."""

    def as_dict(self) -> SourceSectionDict:
        numbers = [number for number, _ in self.lines]
        whole = numbers == list(range(self.start_line, self.start_line + len(numbers)))
        return {
            "file": self.file or None,
            "symbol": self.symbol or None,
            "kind": self.kind or None,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "content": "\n".join(text for _, text in self.lines),
            "line_numbers": [] if whole else numbers,
            "truncated": self.truncated,
        }
