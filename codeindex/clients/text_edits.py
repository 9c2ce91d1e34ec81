"""Edit texts in a way that can be undone: marked blocks of lines, and files that we own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import ConfigError

KeyPath = Sequence[str | int]
"""The place of a value: keys of objects and positions in lists, outermost first."""
BYTE_ORDER_MARK = "\ufeff"
"""A character that some editors write at the start of UTF-8 files."""


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """An edit that adds lines, between two marker lines, to a file with other content."""

    file: Path
    body: str
    begin: str
    end: str

    def is_in(self, text: str) -> bool:
        return self.begin in text

    def add(self, text: str) -> str:
        """Return the text with the block, which replaces an earlier block or is appended."""
        span = self._span(text)
        block = f"{self.begin}\n{self.body}\n{self.end}"
        if span is None:
            return append_block(text, block)
        return text[: span[0]] + block.replace("\n", line_ending(text)) + text[span[1] :]

    def remove(self, text: str) -> str:
        span = self._span(text)
        return cut_block(text, *span) if span else text

    def _span(self, text: str) -> tuple[int, int] | None:
        start = text.find(self.begin)
        if start < 0:
            return None
        end = text.find(self.end, start)
        if end < 0:
            line = text.count("\n", 0, start) + 1
            raise ConfigError(f"{self.file}:{line} has no `{self.end}` after it; correct it.")
        return start, end + len(self.end)


@dataclass(frozen=True, slots=True)
class OwnedFile:
    """An edit that writes a whole file of ours; the line `sign` marks the file as ours."""

    file: Path
    body: str
    sign: str

    def is_in(self, text: str) -> bool:
        return self.sign in text

    def add(self, text: str) -> str:
        if text.strip() and not self.is_in(text):
            raise ConfigError(f"'{self.file}' was not written by codeindex; rename it.")
        return self.body

    def remove(self, text: str) -> str:
        return "" if self.is_in(text) else text


def line_ending(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def append_block(text: str, block: str) -> str:
    """Return a text with lines appended after a blank line.

    If the text does not end with a newline, the result does not either, so that `cut_block` can
    restore it.
    """
    newline = line_ending(text)
    block = block.replace("\n", newline)
    if not text:
        return block + newline
    if text.endswith("\n"):
        return f"{text}{newline}{block}{newline}"
    return f"{text}{newline}{newline}{block}"


def cut_block(text: str, start: int, end: int) -> str:
    """Undo `append_block`: return the text without a block and the blank line before it.

    `start` and `end` are the offsets of the block.
    """
    head, tail, newline = text[:start], text[end:], line_ending(text)
    if not tail.startswith(newline):
        return head.removesuffix(newline).removesuffix(newline) + tail
    if head.endswith(f"\n{newline}"):
        head = head.removesuffix(newline)
    return head + tail.removeprefix(newline)
