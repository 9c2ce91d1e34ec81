"""Split a section of a document into paragraphs, list items and blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from codeindex.ask.markup import is_prose
from codeindex.ask.question import WeightedQuestion
from codeindex.languages import LANGUAGES
from codeindex.text.words import stemmed_words
from codeindex.types import Hit

_LINES = 400
"""Most lines of a section that are read."""
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[A-Z`*\"'(\[])")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_NOT_PROSE = re.compile(
    r"^\s*(?:#{1,6}\s|(?:single|pair|see): |\.\. |(?!:[a-z][\w:+-]*:`):[\w -]+:|\|"
    r"|[=~^\"'`#*+-]{3,}\s*$|>>>|<|\$ |!\[|\[(?:page|cell) )"
)
_FENCE = re.compile(r"^\s*(?:```|~~~(?!~))")
_UNDERLINE = re.compile(r"^\s*([=~^\"'`#*+-])\1{2,}\s*$")
_CONTAINER = re.compile(rf"""{_BULLET.pattern}|!!!|\?\?\?|===[!+]?\s*["']|\[\^|:""")
"""Matches lines of Markdown that begin what indented paragraphs belong to: items of lists,
admonitions and tabs of MkDocs, footnotes, definitions."""
_LONGEST_SENTENCE = 960
"""A longer sentence is no prose."""


@dataclass(frozen=True)
class Block:
    """A paragraph, an item of a list or a block of code in a section of a document.

    `lines` has the number and the text of each line. The text of prose has no indent and no bullet;
    code keeps its indent, and its blank lines are left out.
    """

    lines: tuple[tuple[int, str], ...]
    is_code: bool = False
    is_item: bool = False

    @cached_property
    def text(self) -> str:
        """The prose as one line, or the lines of code."""
        return ("\n" if self.is_code else " ").join(text for _, text in self.lines)

    @cached_property
    def words(self) -> frozenset[str]:
        """The stemmed words of the text."""
        return frozenset(stemmed_words(self.text))

    @property
    def marked_text(self) -> str:
        """The text; that of an item of a list begins with a bullet."""
        return f"• {self.text}" if self.is_item else self.text

    def cut(self, most: int, question: WeightedQuestion) -> Block:
        """Return the block, cut to the part of it that best matches the question.

        That is at most `most` lines of code, or sentences of about `most` characters.
        """
        size = len(self.lines) if self.is_code else len(self.text)
        if size <= most:
            return self
        parts = list(self.lines if self.is_code else self._sentences())
        terms = [question.terms(stemmed_words(text)) for _, text in parts]
        runs = list(_runs(parts, 1 if self.is_code else 0, most))
        shares = [round(question.weight_of(set().union(*terms[a:b])), 6) for a, b in runs]
        first, end = runs[shares.index(max(shares))]
        return replace(self, lines=tuple(parts[first:end]))

    def _sentences(self) -> Iterator[tuple[int, str]]:
        """Yield (number of its first line, sentence) for each sentence."""
        ends, length = [], 0
        for number, text in self.lines:
            length += len(text) + 1
            ends.append((length, number))
        at = 0
        for piece in _SENTENCE_ENDS.split(self.text):
            at = self.text.index(piece, at)
            number = next(number for end, number in ends if at < end)
            at += len(piece)
            if sentence := piece.strip():
                yield number, sentence


def _runs(
    parts: Sequence[tuple[int, str]], size_of_part: int, most: int
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of adjacent parts that have at most the size `most`, one for each start.

    `size_of_part` is the size of each, 0 for the length of its text.
    """
    for start in range(len(parts)):
        end, room = start, most
        while end < len(parts):
            room -= size_of_part or len(parts[end][1]) + 1
            if room < 0 and end > start:
                break
            end += 1
        yield start, end


def section_blocks(section: Hit) -> list[Block]:
    """Return the paragraphs of prose, items of lists and blocks of code of a section, in order.

    Headings, tables, images and directives are left out. Prose is not kept if a sentence of it is
    too long to be one.
    """
    blocks = _Splitter(section).blocks
    return [
        block
        for at, block in enumerate(blocks)
        if block.is_code
        or (is_prose(block.text) and len(block.text) <= _LONGEST_SENTENCE)
        or (block.text.endswith(":") and at + 1 < len(blocks) and blocks[at + 1].is_code)
    ]


class _Splitter:
    """Collects the lines of a section into blocks, in the order of the lines.

    Code is between fences, indented after `::`, or in Markdown indented below a blank line.
    """

    def __init__(self, section: Hit) -> None:
        self.blocks: list[Block] = []
        self._indents_code = LANGUAGES[section.language].indented_code
        self._mode: Literal["prose", "item", "fence", "indented"] = "prose"
        self._lines: list[tuple[int, str]] = []
        self._before, self._contained = "", False
        for number, line in enumerate(section.lines[:_LINES], section.start_line):
            self._add(number, line)
            self._before = line
        self._begin("prose")

    def _begin(self, mode: Literal["prose", "item", "fence", "indented"]) -> None:
        """End the current block, and begin one of another kind."""
        if self._lines:
            is_code = self._mode in {"fence", "indented"}
            self.blocks.append(Block(tuple(self._lines), is_code, self._mode == "item"))
        self._mode, self._lines = mode, []

    def _add(self, number: int, line: str) -> None:
        if _FENCE.match(line):
            self._begin("prose" if self._mode == "fence" else "fence")
        elif self._is_code(line):
            self._lines += [(number, line)] if line.strip() else []
        else:
            if self._mode == "indented":
                self._begin("prose")
            self._add_prose(number, line)

    def _is_code(self, line: str) -> bool:
        """Tell whether a line is code, and begin indented code if it is the first line of it."""
        is_indented = not line.strip() or line[0] in " \t"
        if self._mode == "fence" or (self._mode == "indented" and is_indented):
            return True
        if self._indents_code and not self._contained and _is_indented_code(line, self._before):
            self._begin("indented")
            return True
        return False

    def _add_prose(self, number: int, line: str) -> None:
        bare, bullet = line.strip(), _BULLET.match(line)
        is_prose_line = bool(bare) and not _NOT_PROSE.match(line)
        if _UNDERLINE.match(line) and len(self._lines) == 1:
            self._lines = []  # it was a title
        if bullet or not is_prose_line:
            self._begin("item" if bullet else "prose")
        if bare:
            self._contained = _is_contained(line, self._before, contained=self._contained)
        if is_prose_line:
            text = line[bullet.end() :] if bullet else bare if self._lines else bare.lstrip("> ")
            self._lines.append((number, text.strip()))
        if _opens_code(bare):
            self._begin("indented")


def _is_indented_code(line: str, before: str) -> bool:
    """Tell whether a line begins indented code: four blanks or a tab, below a blank line."""
    return bool(line.strip()) and line.startswith(("    ", "\t")) and not before.strip()


def _is_contained(line: str, before: str, *, contained: bool) -> bool:
    """Tell whether indented text below a line belongs to a list item, a note or the like.

    `contained` tells it of the line above, which is `before`: a paragraph that follows a blank line
    and is not indented ends what was begun.
    """
    ends = not before.strip() and line[0] not in " \t"
    return bool(_CONTAINER.match(line)) or line[0] in " \t" or (contained and not ends)


def _opens_code(line: str) -> bool:
    """Tell whether indented code follows a line of reStructuredText, as it does after `::`."""
    if line.startswith(".."):
        return line.startswith((".. code", ".. sourcecode"))
    return line.endswith("::")
