"""Quote the part of a document section that answers a question, with the code beside it.

In: a question and sections that a search found, best first. Out: quotes. A short section is quoted
whole; of a longer one, adjacent paragraphs, lists and code blocks with the most of the question.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from codeindex.ask.blocks import Block, section_blocks
from codeindex.ask.extract import Citation, Sentence
from codeindex.ask.lines import code_sentence
from codeindex.ask.markup import strip_markup
from codeindex.ask.question import WeightedQuestion
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.chunks import document_sections
from codeindex.types import Hit, SafeText

_MOST = 480
"""Most characters of the prose of a quote."""
_MOST_OF_WORD = 12
"""Characters of a cited word that its citation has."""
_MOST_CODE = 14
"""Most lines of the code of a quote."""
_FARTHEST = 3
"""Most lines from the end of a block to the next one in the same quote: a blank line and a fence
may be between."""
_MOST_SECTIONS = 400
"""Most sections of a document that are read."""
_LESS_IF_POOR_START = 0.1
"""Subtracted from the question's weight in blocks whose first one refers back or has none of it."""
_EQUAL = 1e-6
"""Weights that differ by less count as equal."""
_MOST_OTHER_LETTERS = 0.1
_HISTORY = re.compile(r"(?i)(?:change|history|news|release|whatsnew|upgrad)")
_ASKS_HISTORY = re.compile(r"(?i)\b(?:changelog|history|news|releas\w+|versions?|upgrad\w+)\b")
_INTERNAL = re.compile(
    r"(?i)(?:^|/)(?:\.|(?:claude|agents|gemini|code_of_conduct|licen[cs]e|copying|notice|patents)\b)|\.(?:diff|patch|pot?)$"
)
_REFERS_BACK = re.compile(
    r"(?i)(?:as such|as a result|because of (?:this|that)|in (?:this|that|such) case|instead|if so"
    r"|this|that|these|those|it|they|he|such|so|thus|therefore|hence|then|however|but|also|otherwise"
    r"|if you (?:call|use|do) (?:this|that|it))\b"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """Adjacent blocks of a document section; `hit` is the section, `hit.score` its probability."""

    hit: Hit
    blocks: tuple[Block, ...]

    @property
    def score(self) -> float:
        """The estimated probability that the section answers the question, 0 to 1."""
        return self.hit.score

    @property
    def heading(self) -> str:
        """The heading of the section itself, without those above it."""
        return self.hit.heading_path.rpartition(" > ")[2]

    def sentences(self) -> Iterator[Sentence]:
        """Yield the prose and the code of the quote in order, each with its citations."""
        if all(block.is_code for block in self.blocks):
            place = _cite_word(self.hit.path, self.hit.start_line, self.heading)
            yield Sentence(self.heading or self.hit.path, (place,), "document")
        prose: list[Block] = []
        for block in self.blocks:
            if not block.is_code:
                prose.append(block)
                continue
            yield from self._prose(prose)
            prose = []
            yield code_sentence(self.hit.path, dict(block.lines), end_line=0)
        yield from self._prose(prose)

    def _prose(self, blocks: Sequence[Block]) -> Iterator[Sentence]:
        if not blocks:
            return
        hit, text = self.hit, " ".join(block.marked_text for block in blocks)
        page = (
            f", page {hit.page}" if hit.page and LANGUAGES[hit.language].document == "page" else ""
        )
        where = f" — {self.heading}{page}" if self.heading or page else ""
        place = _cite_word(hit.path, *blocks[0].lines[0])
        yield Sentence(f"“{strip_markup(text)}”{where}", (place,), "document")


def _cite_word(path: str, line: int, text: str) -> Citation:
    """Return the citation of a line of a document; it says the first word of the line's text."""
    return Citation(path, line, next(iter(text.split()), "")[:_MOST_OF_WORD])


def quote_sections(
    connection: sqlite3.Connection, sections: Iterable[Hit], question: WeightedQuestion
) -> list[Quote]:
    """Return a quote of each section that may be quoted, in the given order.

    Sections without prose and code in a script that the reader can read are left out.
    """
    quotes: list[Quote] = []
    for hit in sections:
        if not is_quotable(hit.path, question):
            continue
        section = _whole_section(connection, hit)
        blocks = best_blocks(section_blocks(section), question)
        known = {(quote.hit.path, block.lines[0][0]) for quote in quotes for block in quote.blocks}
        if blocks and not any((hit.path, block.lines[0][0]) in known for block in blocks):
            quotes.append(Quote(section, tuple(blocks)))
    return quotes


def is_quotable(path: str, question: WeightedQuestion) -> bool:
    """Tell whether an answer may quote the document at `path`.

    Licences, codes of conduct, instructions to agents, patches, translations and files in hidden
    folders may not be quoted; changelogs, news and upgrade notes only if the question is about
    history.
    """
    is_history = _HISTORY.search(path) and not _ASKS_HISTORY.search(question.text)
    return not (is_history or _INTERNAL.search(path))


def _whole_section(connection: sqlite3.Connection, hit: Hit) -> Hit:
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


def best_blocks(blocks: Sequence[Block], question: WeightedQuestion) -> Sequence[Block]:
    """Return adjacent blocks with the most of the question's words; the first ones if equal.

    Long blocks are cut. Blocks count less if the first one refers back ("In this case"), or has no
    word of the question and announces nothing. Code at the end is left out unless the question
    asks how to do something or the text announces the code.
    """
    short = [
        block.cut(_MOST_CODE if block.is_code else _MOST, question)
        for block in blocks
        if _is_readable(block, question)
    ]
    terms = [question.terms(block.words) for block in short]
    best: Sequence[Block] = ()
    most = 0.0
    for start in range(len(short)):
        run = _run(short, start)
        share = question.weight_of(set().union(*terms[start : start + len(run)]))
        if _refers_back(run[0]) or not (terms[start] or run[0].text.endswith(":")):
            share -= _LESS_IF_POOR_START
        if not best or share > most + _EQUAL:
            best, most = run, share
    return _without_needless_code(best, question)


def _without_needless_code(blocks: Sequence[Block], question: WeightedQuestion) -> Sequence[Block]:
    """Return blocks without the code at their end, if nothing asks for it or announces it."""
    last = max((at for at, block in enumerate(blocks) if not block.is_code), default=-1)
    if question.wants_instructions or last < 0 or blocks[last].text.endswith(":"):
        return blocks
    return blocks[: last + 1]


def _run(blocks: Sequence[Block], start: int) -> list[Block]:
    """Return the block at `start` and those that follow it, as many as a quote has room for."""
    run, prose, code = list[Block](), 0, 0
    for block in blocks[start:]:
        prose += 0 if block.is_code else len(block.text)
        code += len(block.lines) if block.is_code else 0
        is_adjacent = not run or block.lines[0][0] - run[-1].lines[-1][0] <= _FARTHEST
        if run and (prose > _MOST or code > _MOST_CODE or not is_adjacent):
            break
        run.append(block)
    return run


def _refers_back(block: Block) -> bool:
    """Tell whether a block needs the one before it to be understood."""
    return not block.is_code and (block.is_item or bool(_REFERS_BACK.match(block.text)))


def _is_readable(block: Block, question: WeightedQuestion) -> bool:
    """Tell whether a text is in a script that the reader of the answer can read.

    Return False if the text has many non-ASCII letters and the question has none.
    """
    other = sum(letter.isalpha() for letter in block.text if not letter.isascii())
    return not question.text.isascii() or other <= _MOST_OTHER_LETTERS * len(block.text)
