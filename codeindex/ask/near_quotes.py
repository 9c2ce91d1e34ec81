"""Quote the prose nearest to a question: sections of documents, and comments of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.ask.comments import comments_as_prose
from codeindex.ask.passages import Passage, is_quotable
from codeindex.ask.question import WeightedQuestion
from codeindex.ask.sections import SectionQuote, quote_section
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.chunk_blocks import document_sections
from codeindex.types import CALLABLE_KINDS, Hit, SafeText

if TYPE_CHECKING:
    import sqlite3

    from codeindex.search.near_chunks import NearChunk

_WEIGHT_OF_NEARNESS = 0.1
"""What a standard deviation of nearness counts beside a share of the question's weight. This and
the following were set by reading the best quotes for seventy questions on sixteen repositories."""
_LEAST_NEARNESS, _LEAST_SHARE, _LEAST_VALUE = 1.2, 0.25, 0.62
"""Least nearness of a quote's chunk, least share in the quote, and least sum of both."""
_LESS_FOR_COMMENT, _LESS_FOR_DESCRIPTION = 0.1, 0.25
"""What a comment in code counts less than a document, and what a function's description does: it
tells what one function does, seldom why or how."""
_MORE_IF_FOUND = 0.1
"""What a section counts more that the search puts among its first hits."""
_SHORTEST_COMMENT = 120
"""Fewest characters of a quoted comment: shorter ones say too little without their code."""
_EXAMPLES = re.compile(r"(?i)(?:^|/)(?:examples?|samples?|demos?|benchmarks?)/")
_FURTHER = 0.85
"""Least value of a second quote, as a share of the first one's."""
_MOST_SECTIONS = 400
"""Most sections of a document that are read."""


def near_quotes(
    connection: sqlite3.Connection,
    chunks: Iterable[NearChunk],
    first_hits: Iterable[Hit],
    question: WeightedQuestion,
) -> list[SectionQuote]:
    """Return the quotes that say most of a question, best first; `share` counts nearness too.

    `first_hits` are those of the search.
    """
    sections = {(hit.path, hit.heading_path) for hit in first_hits if hit.heading_path}
    found: dict[tuple[str, int], SectionQuote] = {}
    texts: set[str] = set()
    quotes = [
        replace(quote, share=quote.share + _MORE_IF_FOUND)
        if (quote.hit.path, quote.hit.heading_path) in sections
        else quote
        for quote in _quotes(connection, chunks, question)
    ]
    quotes.sort(key=lambda quote: -quote.share)
    for quote in quotes:
        key = (quote.hit.path, quote.passage.line if quote.passage else quote.hit.start_line)
        text = quote.passage.text[:80] if quote.passage else str(key)
        if text not in texts and quote.share >= max(_LEAST_VALUE, quotes[0].share * _FURTHER):
            found.setdefault(key, quote)
        texts.add(text)
    return list(found.values())


def _quotes(
    connection: sqlite3.Connection, chunks: Iterable[NearChunk], question: WeightedQuestion
) -> Iterator[SectionQuote]:
    for chunk in chunks:
        hit = chunk.hit
        if chunk.nearness < _LEAST_NEARNESS or not is_quotable(hit.path, question):
            continue
        if LANGUAGES[hit.language].prose:
            section = whole_section(connection, hit)
        else:
            hit = section = comments_as_prose(hit)
        quote = quote_section(hit, section, question, least=_LEAST_SHARE)
        if quote and quote.passage and (less := _less(hit, quote.passage)) is not None:
            share = quote.share - less + _WEIGHT_OF_NEARNESS * chunk.nearness
            yield replace(quote, share=share)


def _less(hit: Hit, passage: Passage) -> float | None:
    """Return what a quote counts less for its place, or None if it is not quoted."""
    if LANGUAGES[hit.language].prose:
        return 0.0
    if len(passage.text) < _SHORTEST_COMMENT or _EXAMPLES.search(hit.path):
        return None
    is_description = hit.kind in CALLABLE_KINDS and bool(hit.line)
    return _LESS_FOR_DESCRIPTION if is_description else _LESS_FOR_COMMENT


def whole_section(connection: sqlite3.Connection, hit: Hit) -> Hit:
    """Return a hit with the text of the adjacent chunks below the same headings."""
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
