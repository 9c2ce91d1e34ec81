"""Rank pages with BM25, for a query or for a text to be added to one of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from codeindex.text.words import query_words, stemmed_words
from codeindex.wiki.page import WikiPage

_SATURATION, _LENGTH = 1.2, 0.75
"""The usual k1 and b of BM25."""
_TITLE_WEIGHT = 3
"""Weight of a word in the title, compared with 1 in the body (not measured)."""
_SOURCES_GAIN = 0.5
"""Added to the share of a page if all files that the text names are its sources (not measured)."""
_CONSULTED_GAIN = 0.25
"""Added to the share of a page if the text was made from it (not measured)."""
TARGET_THRESHOLD = 0.5
"""Minimum share of a text's words, weighted by rarity, that a page must contain to receive the
text. Set by hand: a text whose rare words are mostly missing starts its own page."""


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A page found for a query, with its BM25 score.

    `share`, 0 to 1, tells how much of the query the page contains: the fraction of query words in
    the page, weighted by their rarity.
    """

    page: WikiPage
    score: float
    share: float


def searchable_text(page: WikiPage, *, failures: bool = True) -> str:
    """Return the body, the open contradictions and the failure notes of a page as one text."""
    tried = page.failures if failures else ()
    failure_texts = (
        f"{failure.symptom} {failure.attempted_fix} {failure.diagnosis} {failure.actual_fix}"
        for failure in tried
    )
    contradiction_texts = (
        contradiction.description
        for contradiction in page.contradictions
        if not contradiction.resolved
    )
    return "\n".join((page.body, *contradiction_texts, *failure_texts))


def rank_pages(pages: Iterable[WikiPage], query: str) -> list[RankedPage]:
    """Return the pages that contain any word of a query, best first."""
    every = list(pages)
    counts = list(map(_count_words, every))
    wanted = query_words(query)
    rarity = _inverse_frequencies(wanted, counts)
    mean = sum(count.total() for count in counts) / max(len(counts), 1)
    whole = math.fsum(rarity.values()) or 1.0
    ranked_pages = [
        RankedPage(
            page,
            math.fsum(_bm25(count, word, mean) * rarity[word] for word in wanted),
            math.fsum(rarity[word] for word in wanted if count[word]) / whole,
        )
        for page, count in zip(every, counts, strict=True)
    ]
    matching = [ranked_page for ranked_page in ranked_pages if ranked_page.score > 0]
    return sorted(matching, key=lambda ranked_page: (-ranked_page.score, ranked_page.page.id))


def rank_targets(
    pages: Iterable[WikiPage], text: str, *, consulted: Sequence[str], files: Sequence[str]
) -> list[RankedPage]:
    """Return the pages to which a text could be added, best first.

    The `share` of a page is the weighted fraction of the text's words that it contains. The share
    rises if source files of the page are in `files` or named in the text, and if the page's id is
    in `consulted`.
    """
    every = list(pages)
    by_words = {ranked_page.page.id: ranked_page for ranked_page in rank_pages(every, text)}
    ranked_by_words = (by_words.get(page.id) or RankedPage(page, 0.0, 0.0) for page in every)
    gained = (
        replace(
            ranked_page,
            share=min(1.0, ranked_page.share + _gain(ranked_page.page, text, consulted, files)),
        )
        for ranked_page in ranked_by_words
    )
    ranked_pages = [ranked_page for ranked_page in gained if ranked_page.share > 0]
    return sorted(
        ranked_pages,
        key=lambda ranked_page: (-ranked_page.share, -ranked_page.score, ranked_page.page.id),
    )


def page_excerpt(page: WikiPage, query: str, *, failures: bool) -> str:
    """Return the paragraph of a page with the most query words, truncated; '' for an empty page."""
    wanted = set(query_words(query))
    parts = [
        line.strip()
        for line in searchable_text(page, failures=failures).split("\n\n")
        if line.strip()
    ]
    text = max(parts, key=lambda part: len(wanted & set(stemmed_words(part))), default="")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()} …"


_LONGEST = 400
"""Maximum number of characters of an excerpt: about a paragraph."""


def _count_words(page: WikiPage) -> Counter[str]:
    title = stemmed_words(f"{page.title} {page.id}") * _TITLE_WEIGHT
    return Counter([*title, *stemmed_words(searchable_text(page))])


def _inverse_frequencies(
    wanted: Sequence[str], counts: Sequence[Counter[str]]
) -> Mapping[str, float]:
    total = len(counts)
    having = {word: sum(1 for count in counts if count[word]) for word in wanted}
    return {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in having.items()}


def _bm25(count: Counter[str], word: str, mean: float) -> float:
    times = count[word]
    length = 1 - _LENGTH + _LENGTH * count.total() / max(mean, 1.0)
    return times * (_SATURATION + 1) / (times + _SATURATION * length)


def _gain(page: WikiPage, text: str, consulted: Sequence[str], files: Sequence[str]) -> float:
    own_sources = {source.path for source in page.sources}
    named = {*files, *(path for path in own_sources if path in text)}
    shared = len(named & own_sources) / len(named) if named else 0.0
    return _SOURCES_GAIN * shared + (_CONSULTED_GAIN if page.id in consulted else 0.0)
