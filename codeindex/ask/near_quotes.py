"""Quote the prose that fits a question best: document sections and code comments.

Its vectors decide, where there are any; else its words and the order of the search.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace

from codeindex.ask.comments import comments_as_prose, leading_comments
from codeindex.ask.passages import Passage, is_quotable
from codeindex.ask.question import WeightedQuestion
from codeindex.ask.sections import SectionQuote, section_quotes, whole_section
from codeindex.languages import LANGUAGES
from codeindex.search.near_chunks import NearChunk
from codeindex.text.words import stemmed_words
from codeindex.types import CALLABLE_KINDS, Hit

_WEIGHT_OF_NEARNESS = 0.1
"""How much one standard deviation of nearness adds to a quote's share of the question's weight.
This and the following constants were set by reading the best quotes for seventy questions on
sixteen repositories."""
_LEAST_NEARNESS, _LEAST_SHARE, _FEWEST_WORDS = 0.5, 0.15, 2
"""Least nearness of a quoted chunk; least share of the question's weight in a quote, and least
number of its words."""
_NEAREST, _LONG = 12, 100
"""Quotes of so many characters from so many nearest chunks need no word of the question."""
_LESS_FOR_COMMENT, _LESS_FOR_DESCRIPTION = 0.1, 0.25
"""Subtracted from the value of a code comment, and of a function's description. A description tells
what one function does, seldom why or how."""
_LESS_FOR_LEAD_IN = 0.2
"""Subtracted from the value of a quote that announces what is not quoted."""
NEARNESS_IF_FOUND = 1.0
"""Nearness of hits of the search without a vector, or that are not near."""
_MORE_IF_FOUND = 0.1
"""Added to the value of a section that is among the first hits of the search."""
_SHORTEST_COMMENT = 40
"""Least length of a quoted comment in characters."""
_EXAMPLES = re.compile(r"(?i)(?:^|/)(?:examples?|samples?|demos?|benchmarks?)/")
_MOST_COMPARED = 32
"""Most quotes whose own vectors are computed; one takes about 7 ms."""
WEIGHT_OF_WORDS, _WEIGHT_OF_OWN_NEARNESS, _TYPICAL_NEARNESS = 0.9, 0.15, 3.0
"""How much the words of a text and its own vector count. Of 26 questions about documents
(`howto.jsonl`), 17 have the right section first so, 16 with 0.6 and 0.2."""
TextNearness = Callable[[Sequence[str]], Sequence[float]]
"""Tells how near each text's vector is to the question's, in the unit of `NearChunk.nearness`."""
_MOST_QUOTES = 8
"""Most quotes that are returned."""
_SAME = 40
"""Characters at the beginning or the end of a quote that no other quote may contain."""


def near_quotes(
    connection: sqlite3.Connection,
    chunks: Iterable[NearChunk],
    first_hits: Iterable[Hit],
    question: WeightedQuestion,
    nearness: TextNearness | None,
) -> list[SectionQuote]:
    """Return quotes of the sections and comments in `chunks` that answer the question, best first.

    `SectionQuote.score` tells how well: it combines how much of the question's words the quote has
    with the nearness of its vector to the question's. Sections among `first_hits`, the first hits
    of the search, are preferred. The result is [] if no quote fits well enough.
    """
    hits = list(first_hits)
    sections = {(hit.path, hit.heading_path) for hit in hits if hit.heading_path}
    near = list(chunks)
    places = {(chunk.hit.path, chunk.hit.start_line) for chunk in near}
    found = [hit for hit in hits if (hit.path, hit.start_line) not in places]
    near += [NearChunk(hit, NEARNESS_IF_FOUND) for hit in found]
    quotes = list(_distinct(_quotes(connection, near, sections, question)))
    kept: list[SectionQuote] = []
    for quote in _compared(quotes, nearness):
        if not any(_overlap(quote, other) for other in kept):
            kept.append(quote)
    return kept[:_MOST_QUOTES]


def _overlap(quote: SectionQuote, other: SectionQuote) -> bool:
    """Tell whether two quotes have a sentence or their example in common."""
    if not (quote.passage and other.passage):
        return quote.hit == other.hit
    if quote.example and quote.example == other.example and quote.hit.path == other.hit.path:
        return True
    texts = quote.passage.text, other.passage.text
    return any(a[:_SAME] in b or a[-_SAME:] in b for a, b in (texts, texts[::-1]))


def _distinct(quotes: Iterable[SectionQuote]) -> Iterator[SectionQuote]:
    """Yield the quotes, best first, without those that repeat the text or place of a better one."""
    seen: set[object] = set()
    for quote in sorted(quotes, key=lambda quote: -quote.score):
        line = quote.passage.line if quote.passage else quote.hit.start_line
        keys = {(quote.hit.path, line), quote.passage.text[:80] if quote.passage else line}
        if not seen & keys:
            yield quote
        seen |= keys


def _compared(quotes: Sequence[SectionQuote], nearness: TextNearness | None) -> list[SectionQuote]:
    """Return the first quotes, best first, after adding the nearness of each text to its score."""
    first = quotes[:_MOST_COMPARED]
    values = text_scores([_compared_text(quote) for quote in first], nearness)
    compared = [
        replace(quote, score=quote.score + value)
        for quote, value in zip(first, values, strict=True)
    ]
    return sorted(compared, key=lambda quote: -quote.score)


def text_scores(texts: Sequence[str], nearness: TextNearness | None) -> list[float]:
    """Return what the nearness of each text adds to its score; below 0 if it is not near."""
    if nearness is None:
        return [0.0] * len(texts)
    return [_WEIGHT_OF_OWN_NEARNESS * (near - _TYPICAL_NEARNESS) for near in nearness(texts)]


def _compared_text(quote: SectionQuote) -> str:
    heading = quote.hit.heading_path.rpartition(" > ")[2]
    texts = (quote.subject, quote.passage.text) if quote.passage else (quote.subject,)
    text = min(texts, key=len)
    return f"{heading}. {text}" if heading else text


def _quotes(
    connection: sqlite3.Connection,
    chunks: Iterable[NearChunk],
    sections: Container[tuple[str, str]],
    question: WeightedQuestion,
) -> Iterator[SectionQuote]:
    """Yield the quotes of each chunk that is near enough to the question.

    A chunk of a section in `sections`, as (path, heading path), is quoted even if it is less near.
    """
    for rank, chunk in enumerate(chunks):
        hit = chunk.hit
        is_found = (hit.path, hit.heading_path) in sections
        is_near = is_found or chunk.nearness >= _LEAST_NEARNESS
        if not is_near or not is_quotable(hit.path, question):
            continue
        if LANGUAGES[hit.language].prose:
            section = whole_section(connection, hit)
        else:
            section = comments_as_prose(hit)
        for quote in section_quotes(hit, section, question):
            if not _is_candidate(quote, question, rank):
                continue
            if quote.passage and (less := _less(hit, quote.passage)) is not None:
                score = WEIGHT_OF_WORDS * quote.score - less + _WEIGHT_OF_NEARNESS * chunk.nearness
                score += _MORE_IF_FOUND * is_found
                score -= _LESS_FOR_LEAD_IN * (
                    quote.passage.text.endswith((":", "...", "…")) and not quote.example
                )
                yield replace(quote, score=score)


def _is_candidate(quote: SectionQuote, question: WeightedQuestion, rank: int) -> bool:
    """Tell whether a quote has words of the question, or is a long one from a very near chunk."""
    length = len(quote.passage.text) if quote.passage else 0
    if rank < _NEAREST and length >= _LONG:
        return True
    return quote.score >= _LEAST_SHARE and _shared_words(quote, question) >= _FEWEST_WORDS


def _shared_words(quote: SectionQuote, question: WeightedQuestion) -> int:
    """Return how many words of the question a quote and its headings have."""
    text = f"{quote.hit.heading_path}\n{quote.passage.text if quote.passage else ''}"
    return len(question.terms(stemmed_words(text)))


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
