"""Quote the paragraph of a document section that answers a question, and the example next to it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from codeindex.ask.passages import (
    BULLET,
    FENCE,
    Paragraph,
    Passage,
    is_in_script,
    is_prose,
    paragraphs,
)
from codeindex.ask.question import WeightedQuestion
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.chunks import document_sections
from codeindex.types import Hit, SafeText

_MOST, _SHORT = 480, 200
"""Most characters of a quote; a quote shorter than the second number takes the next paragraph
too, one of instructions as many as there is room for. A list that was begun goes on likewise."""
_REFERS_BACK = re.compile(
    r"(?i)(?:as such|as a result|because of (?:this|that)|in (?:this|that|such) case|instead|if so"
    r"|this|that|these|those|it|they|he|such|so|thus|therefore|hence|then|however|but|also|otherwise"
    r"|if you (?:call|use|do) (?:this|that|it))\b"
)
_LEAD_IN = re.compile(r"\W*(?:[\w'-]+ ){0,2}[\w'-]+:")
"""A text such as "Example:", which says nothing without the paragraph before it."""
_CONTAINER = re.compile(rf"""{BULLET.pattern}|!!!|\?\?\?|===[!+]?\s*["']|\[\^|:""")
"""Matches lines of Markdown that begin what indented paragraphs belong to: items of lists,
admonitions and tabs of MkDocs, footnotes, definitions."""
_CLEARLY_MORE = 0.2
"""By how much a text's share of the question's weight must be higher for the text to be
preferred."""
_NEXT = 3
"""Most lines from the end of a paragraph to its example: a blank line and a fence may be
between."""
_MOST_SECTIONS = 400
"""Most sections of a document that are read."""
_MOST_EXAMPLE = 14
"""Most lines of an example."""


@dataclass(frozen=True, slots=True)
class SectionQuote:
    """A quote from a document section: adjacent sentences, and an example beside them.

    `passage` has the sentences, None if only the example is quoted; `example` has the line numbers
    of the example.
    """

    hit: Hit
    passage: Passage | None
    example: tuple[int, ...]
    score: float
    """The share of the question's weight that the quote has, headings included. `near_quotes` adds
    and subtracts bonuses, so that it may exceed 1."""
    subject: str = ""
    """The paragraph that the quote is about, without the paragraphs that are quoted with it."""


def whole_section(connection: sqlite3.Connection, hit: Hit) -> Hit:
    """Extend a document hit by the adjacent chunks that are below the same headings."""
    lines = dict(enumerate(hit.lines, hit.start_line))
    first, last = hit.start_line, hit.end_line
    for chunk in document_sections(connection, hit.path, limit=_MOST_SECTIONS):
        if chunk.heading == hit.heading_path and chunk.page == hit.page:
            lines |= dict(enumerate(chunk.text.split("\n"), chunk.start_line))
    while first - 1 in lines:
        first -= 1
    while last + 1 in lines:
        last += 1
    text = "\n".join(lines[at] for at in range(first, last + 1) if at in lines)
    return replace(hit, start_line=first, end_line=last, text=SafeText(text))


def section_quotes(hit: Hit, section: Hit, question: WeightedQuestion) -> Iterator[SectionQuote]:
    """Yield the quotes that can be taken from a section: one for each paragraph of prose.

    A sentence of over twice the length of a quote is no prose. If there is no prose, yield the code
    block that best matches the question. `hit` is the part of the section that the search found;
    paragraphs before it are left out.
    """
    examples, parts = _Examples(section, question), list(paragraphs(section))
    in_code = {at for block in examples.blocks for at in block}
    with_example = {
        part.line
        for part in parts
        for block in examples.blocks
        if 0 < block[0] - part.last_line <= _NEXT
    }
    prose = [
        part
        for part in parts
        if part.line not in in_code
        and part.last_line >= hit.start_line
        and (is_prose(part.text) or (part.line in with_example and part.text.endswith(":")))
    ]
    if not prose and (example := examples.best()):
        share = question.share_in(f"{section.heading_path}\n{examples.text(example)}")
        yield SectionQuote(section, None, example, share)
    for at, part in enumerate(prose):
        passage = _passage(section, prose, at, question)
        if len(passage.text) <= 2 * _MOST and is_in_script(passage.text, question):
            yield _with_example(examples, prose, part, passage)


def _with_example(
    examples: _Examples, prose: Sequence[Paragraph], anchor: Paragraph, passage: Passage
) -> SectionQuote:
    """Return the quote of a passage, with the example beside it if the question calls for one.

    `anchor` is the paragraph that the passage is about.
    """
    section, question = examples.section, examples.question
    example = examples.beside(passage.line)
    quoted = question.share_in(passage.text)
    shown = question.share_in(examples.text(example))
    is_below = bool(example) and _is_below(prose, anchor, example[0])
    is_announced = is_below and passage.text.endswith(":")
    if not (question.wants_instructions or is_announced) and shown < quoted + _CLEARLY_MORE:
        example, is_below = (), False
    shown_example = examples.text(example) if is_below else ""
    share = question.share_in(f"{passage.text}\n{section.heading_path}\n{shown_example}")
    return SectionQuote(section, passage, example, share, anchor.text)


def _is_below(prose: Sequence[Paragraph], paragraph: Paragraph, line: int) -> bool:
    """Tell whether no other paragraph of prose is between a paragraph and the code at `line`."""
    return not any(paragraph.line < part.line < line for part in prose)


def _passage(
    hit: Hit, prose: Sequence[Paragraph], chosen: int, question: WeightedQuestion
) -> Passage:
    """Return the quote that is about the paragraph `prose[chosen]` of a section.

    A paragraph that refers back ("In this case") is joined with the one before; a long one is cut
    to its best sentences.
    """
    start, last = _list_around(prose, chosen)
    sentences = _sentences(prose[start:last])
    first = _first_sentence(sentences, question) if last - start == 1 else 0
    while first == 0 and start and _refers_back(sentences[0][1]):
        before = _sentences(prose[start - 1 : start])
        if len(before[-1][1]) + len(sentences[0][1]) > _MOST:
            break
        start, sentences, first = start - 1, before + sentences, len(before) - 1
        if len(" ".join(text for _, text in sentences)) <= _MOST:
            first = 0
    short = _MOST if question.wants_instructions else _SHORT
    while _follows(prose, last):
        length = len(" ".join(text for _, text in sentences[first:]))
        goes_on = prose[last].is_item and prose[last - 1].is_item
        if length >= (_MOST if goes_on else short):
            break
        sentences += _sentences(prose[last : last + 1])
        last += 1
    line, text = sentences[first]
    for _, further in sentences[first + 1 :]:
        if len(text) + len(further) >= _MOST:
            break
        text = f"{text} {further}"
    return Passage(hit, line, text)


def _list_around(prose: Sequence[Paragraph], chosen: int) -> tuple[int, int]:
    """Return (start, end) of the paragraphs to quote together with `prose[chosen]`.

    For an item or the lead-in of a short list, quote the whole list with its lead-in. Otherwise
    quote only the chosen paragraph.
    """
    start, last = chosen, chosen + 1
    while start and prose[start].is_item and _follows(prose, start):
        start -= 1
    if prose[start].is_item or prose[start].text.endswith(":"):
        while _follows(prose, last) and prose[last].is_item:
            last += 1
    length = sum(len(part.text) for part in prose[start:last])
    return (start, last) if length <= _MOST else (chosen, chosen + 1)


def _sentences(parts: Iterable[Paragraph]) -> list[tuple[int, str]]:
    """Return (line number, sentence) for each sentence; the first one of an item has a bullet."""
    return [
        (line, f"• {text}" if part.is_item and line == part.line and not at else text)
        for part in parts
        for at, (line, text) in enumerate(part.sentences())
    ]


def _refers_back(text: str) -> bool:
    """Tell whether a sentence needs the one before it to be understood."""
    return bool(_REFERS_BACK.match(text) or _LEAD_IN.fullmatch(text))


def _first_sentence(sentences: Sequence[tuple[int, str]], question: WeightedQuestion) -> int:
    """Return the index of the sentence of a paragraph with which a quote must begin.

    Return 0 if the paragraph is short enough to be quoted whole. Otherwise begin with the best
    sentence or, if the best sentence refers back or is short, with an earlier one.
    """
    if len(" ".join(text for _, text in sentences)) <= _MOST:
        return 0
    shares = [round(question.share_in(text), 6) for _, text in sentences]
    first = shares.index(max(shares))
    while first and (
        _refers_back(sentences[first][1])
        or len(sentences[first - 1][1]) + len(sentences[first][1]) <= _SHORT
    ):
        first -= 1
    return first


def _follows(prose: Sequence[Paragraph], at: int) -> bool:
    """Tell whether `prose[at]` exists and directly follows the paragraph before it.

    At most one blank line is between them.
    """
    return at < len(prose) and prose[at].line <= prose[at - 1].last_line + 2


class _Examples:
    """The code blocks of a section: `blocks` has the line numbers of each, without blank lines."""

    def __init__(self, section: Hit, question: WeightedQuestion) -> None:
        self.section, self.question = section, question
        self._lines = section.lines
        self.blocks = _code_blocks(section, self._lines)
        self._cut: dict[int, tuple[int, ...]] = {}

    def text(self, numbers: Iterable[int]) -> str:
        """Return the lines with these numbers as one text."""
        return "\n".join(self._lines[at - self.section.start_line] for at in numbers)

    def best(self) -> tuple[int, ...]:
        """Return the line numbers of the block that best matches the question; () if none."""
        return self._shown(max(self.blocks, key=self._weight)) if self.blocks else ()

    def beside(self, line: int) -> tuple[int, ...]:
        """Return the line numbers of the first block below a line, or else just above it."""
        below = [block for block in self.blocks if block[0] > line]
        above = [block for block in self.blocks if 0 < line - block[-1] <= _NEXT]
        return self._shown((below or above)[0]) if below or above else ()

    def _weight(self, numbers: Iterable[int]) -> float:
        return round(self.question.share_in(self.text(numbers)), 6)

    def _shown(self, block: Sequence[int]) -> tuple[int, ...]:
        """Return a block; of a long one, only the adjacent lines that best match the question."""
        if len(block) <= _MOST_EXAMPLE:
            return tuple(block)
        if block[0] not in self._cut:  # each paragraph above a block asks for it
            ends = range(_MOST_EXAMPLE, len(block) + 1)
            windows = (block[end - _MOST_EXAMPLE : end] for end in ends)
            self._cut[block[0]] = tuple(max(windows, key=self._weight))
        return self._cut[block[0]]


def _code_blocks(hit: Hit, lines: Sequence[str]) -> list[list[int]]:
    """Return the line numbers of each code block of a section, whose lines are `lines`.

    A block is between fences, indented after `::`, or in Markdown indented below a blank line.
    """
    blocks: list[list[int]] = []
    fenced, indented = False, False
    indents_code = LANGUAGES[hit.language].indented_code
    before, contained = "", False
    for number, line in enumerate(lines, hit.start_line):
        bare = line.strip()
        if FENCE.match(line):
            fenced = not fenced
            if fenced:
                blocks.append([])
        elif fenced or (indented and (not bare or line[0] in " \t")):
            blocks[-1].append(number)
        elif indents_code and not contained and _is_indented_code(line, before):
            indented = True
            blocks.append([number])
        elif bare:
            indented = False
            contained = _is_contained(line, before, contained)
        if bare and not fenced and not indented and _opens_code(bare):
            indented = True
            blocks.append([])
        before = line
    kept = [[at for at in block if lines[at - hit.start_line].strip()] for block in blocks]
    return [block for block in kept if block]


def _is_indented_code(line: str, before: str) -> bool:
    """Tell whether a line begins indented code: four blanks or a tab, below a blank line."""
    return bool(line.strip()) and line.startswith(("    ", "\t")) and not before.strip()


def _is_contained(line: str, before: str, contained: bool) -> bool:
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
