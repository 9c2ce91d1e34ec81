"""Quote the prose whose vectors are nearest to a question: document sections and code comments."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.ask.comments import comments_as_prose, leading_comments
from codeindex.ask.passages import Passage, is_quotable
from codeindex.ask.question import WeightedQuestion
from codeindex.ask.sections import SectionQuote, quote_section, whole_section
from codeindex.languages import LANGUAGES
from codeindex.types import CALLABLE_KINDS, Hit

if TYPE_CHECKING:
    from codeindex.search.near_chunks import NearChunk

_WEIGHT_OF_NEARNESS = 0.1
"""How much one standard deviation of nearness adds to a quote's share of the question's weight.
This and the following constants were set by reading the best quotes for seventy questions on
sixteen repositories."""
_LEAST_NEARNESS, _LEAST_SHARE, _LEAST_VALUE = 1.2, 0.25, 0.72
"""Least nearness of a quoted chunk; least share of the question's weight in a quote; and least
value of the best quote, which is share and nearness combined."""
_LESS_FOR_COMMENT, _LESS_FOR_DESCRIPTION = 0.1, 0.25
"""Subtracted from the value of a code comment, and of a function's description. A description tells
what one function does, seldom why or how."""
_MORE_IF_FOUND = 0.1
"""Added to the value of a section that is among the first hits of the search."""
_MORE_WITH_EXAMPLE = 0.05
"""Added to the value of a quote with an example, if the question asks for instructions."""
_SHORTEST_COMMENT = 120
"""Least length of a quoted comment in characters. Shorter ones need their code to be understood."""
_EXAMPLES = re.compile(r"(?i)(?:^|/)(?:examples?|samples?|demos?|benchmarks?)/")
_FURTHER = 0.8
"""Least value of a second quote, as a share of the first one's value."""


def near_quotes(
    connection: sqlite3.Connection,
    chunks: Iterable[NearChunk],
    first_hits: Iterable[Hit],
    question: WeightedQuestion,
) -> list[SectionQuote]:
    """Return quotes of the sections and comments in `chunks` that answer the question, best first.

    `SectionQuote.score` tells how well: it combines how much of the question's words the quote has
    with the nearness of its vector to the question's. Sections among `first_hits`, the first hits
    of the search, are preferred. The result is [] if no quote fits well enough.
    """
    sections = {(hit.path, hit.heading_path) for hit in first_hits if hit.heading_path}
    found: dict[tuple[str, int], SectionQuote] = {}
    texts: set[str] = set()
    quotes = sorted(_quotes(connection, chunks, sections, question), key=lambda it: -it.score)
    if not quotes or quotes[0].score < _LEAST_VALUE:
        return []
    for quote in quotes:
        key = (quote.hit.path, quote.passage.line if quote.passage else quote.hit.start_line)
        text = quote.passage.text[:80] if quote.passage else str(key)
        if text not in texts and quote.score >= quotes[0].score * _FURTHER:
            found.setdefault(key, quote)
        texts.add(text)
    return list(found.values())


def _quotes(
    connection: sqlite3.Connection,
    chunks: Iterable[NearChunk],
    sections: Container[tuple[str, str]],
    question: WeightedQuestion,
) -> Iterator[SectionQuote]:
    """Yield a quote of each chunk that is near enough to the question.

    A chunk of a section in `sections`, as (path, heading path), is quoted even if it is less near.
    """
    for chunk in chunks:
        hit = chunk.hit
        is_found = (hit.path, hit.heading_path) in sections
        is_near = is_found or chunk.nearness >= _LEAST_NEARNESS
        if not is_near or not is_quotable(hit.path, question):
            continue
        if LANGUAGES[hit.language].prose:
            section = whole_section(connection, hit)
        else:
            section = comments_as_prose(hit)
        quote = quote_section(hit, section, question, least=_LEAST_SHARE)
        if quote and quote.passage and (less := _less(hit, quote.passage)) is not None:
            score = quote.score - less + _WEIGHT_OF_NEARNESS * chunk.nearness
            score += _MORE_IF_FOUND * is_found
            score += _MORE_WITH_EXAMPLE * (question.wants_instructions and bool(quote.example))
            yield replace(quote, score=score)


def _less(hit: Hit, passage: Passage) -> float | None:
    """Return how much less a quote from a comment counts than one from a document; 0 for documents.

    Return None if the comment must not be quoted.
    """
    if LANGUAGES[hit.language].prose:
        return 0.0
    if len(passage.text) < _SHORTEST_COMMENT or _EXAMPLES.search(hit.path):
        return None
    if hit.start_line == 1 and passage.line <= leading_comments(hit):
        return 0.0  # the comment that describes the file
    is_description = hit.kind in CALLABLE_KINDS and bool(hit.line)
    return _LESS_FOR_DESCRIPTION if is_description else _LESS_FOR_COMMENT
