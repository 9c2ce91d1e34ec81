"""Parts of a text that are ours: at its end, between two marks, or all of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import ConfigError


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """Lines between two marks in a file whose other lines are somebody else's."""

    file: Path
    body: str
    begin: str
    end: str

    def is_in(self, text: str) -> bool:
        return self.begin in text

    def add(self, text: str) -> str:
        """Put the block at the end, or in place of the one that is there."""
        place = self._place(text)
        block = f"{self.begin}\n{self.body}\n{self.end}"
        if place is None:
            return append_block(text, block)
        return text[: place[0]] + block.replace("\n", line_ending(text)) + text[place[1] :]

    def take(self, text: str) -> str:
        place = self._place(text)
        return cut_block(text, *place) if place else text

    def _place(self, text: str) -> tuple[int, int] | None:
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
    """A file that is ours as a whole, which the line `sign` in it says."""

    file: Path
    body: str
    sign: str

    def is_in(self, text: str) -> bool:
        return self.sign in text

    def add(self, text: str) -> str:
        if text.strip() and not self.is_in(text):
            raise ConfigError(f"'{self.file}' was written by somebody else; rename it.")
        return self.body

    def take(self, text: str) -> str:
        return "" if self.is_in(text) else text


def line_ending(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def append_block(text: str, part: str) -> str:
    """Add lines after a blank one; `text` ends with a line end after as much as it did before."""
    newline = line_ending(text)
    part = part.replace("\n", newline)
    if not text:
        return part + newline
    if text.endswith("\n"):
        return f"{text}{newline}{part}{newline}"
    return f"{text}{newline}{newline}{part}"


def cut_block(text: str, start: int, end: int) -> str:
    """Take out whole lines, and the blank one before them, as `append_block` had put them in."""
    head, tail, newline = text[:start], text[end:], line_ending(text)
    if not tail.startswith(newline):
        return head.removesuffix(newline).removesuffix(newline) + tail
    if head.endswith(f"\n{newline}"):
        head = head.removesuffix(newline)
    return head + tail.removeprefix(newline)
