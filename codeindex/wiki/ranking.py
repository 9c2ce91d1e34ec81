"""Which pages speak of something: by their words, as rare ones say more (BM25)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from codeindex.text.words import query_words, stemmed_words
from codeindex.wiki.page import WikiPage

_SATURATION, _LENGTH = 1.2, 0.75
"""The usual k1 and b of BM25."""
_TITLE = 3
"""How often a word of the title counts."""
_SOURCES = 0.5
"""What a page gains that is about all the files a text is about."""
_CONSULTED = 0.25
"""What a page gains that the text was made from."""
TARGET_THRESHOLD = 0.5
"""A page that speaks of so much of a text is where it belongs: set by hand, so that a text of which
a page lacks most rare words begins a page of its own."""


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A page with its score, and how much of the words it speaks of, 0 to 1."""

    page: WikiPage
    score: float
    share: float


def searchable_text(page: WikiPage, *, failures: bool = True) -> str:
    """Return all that a page says."""
    tried = page.failures if failures else ()
    said = (f"{one.symptom} {one.attempted_fix} {one.diagnosis} {one.actual_fix}" for one in tried)
    found = (one.description for one in page.contradictions if not one.resolved)
    return "\n".join((page.body, *found, *said))


def rank_pages(pages: Iterable[WikiPage], query: str, *, failures: bool = True) -> list[RankedPage]:
    """Return the pages that have any word of a query, the best first."""
    every = list(pages)
    counts = [_counted(one, failures=failures) for one in every]
    wanted = query_words(query)
    rarity = _rarities(wanted, counts)
    mean = sum(one.total() for one in counts) / max(len(counts), 1)
    whole = math.fsum(rarity.values()) or 1.0
    found = [
        RankedPage(
            page,
            math.fsum(_weight(count, word, mean) * rarity[word] for word in wanted),
            math.fsum(rarity[word] for word in wanted if count[word]) / whole,
        )
        for page, count in zip(every, counts, strict=True)
    ]
    kept = [one for one in found if one.score > 0]
    return sorted(kept, key=lambda one: (-one.score, one.page.id))


def rank_targets(
    pages: Iterable[WikiPage], text: str, *, consulted: Sequence[str], files: Sequence[str]
) -> list[RankedPage]:
    """Return the pages that a text may belong to, the best first, by its words and its origin."""
    every = list(pages)
    spoken = {one.page.id: one for one in rank_pages(every, text)}
    known = (spoken.get(page.id) or RankedPage(page, 0.0, 0.0) for page in every)
    gained = (
        replace(one, share=min(1.0, one.share + _gain(one.page, text, consulted, files)))
        for one in known
    )
    found = [one for one in gained if one.share > 0]
    return sorted(found, key=lambda one: (-one.share, -one.score, one.page.id))


def page_excerpt(page: WikiPage, query: str, *, failures: bool) -> str:
    """Return the paragraph of a page that says most of a query."""
    wanted = set(query_words(query))
    parts = [
        one.strip() for one in searchable_text(page, failures=failures).split("\n\n") if one.strip()
    ]
    shown = max(parts, key=lambda one: len(wanted & set(stemmed_words(one))), default="")
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST].rstrip()} …"


_LONGEST = 400
"""Characters of an excerpt: a paragraph."""


def _counted(page: WikiPage, *, failures: bool) -> Counter[str]:
    title = stemmed_words(f"{page.title} {page.id}") * _TITLE
    return Counter([*title, *stemmed_words(searchable_text(page, failures=failures))])


def _rarities(wanted: Sequence[str], counts: Sequence[Counter[str]]) -> Mapping[str, float]:
    total = len(counts)
    having = {word: sum(1 for one in counts if one[word]) for word in wanted}
    return {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in having.items()}


def _weight(count: Counter[str], word: str, mean: float) -> float:
    times = count[word]
    length = 1 - _LENGTH + _LENGTH * count.total() / max(mean, 1.0)
    return times * (_SATURATION + 1) / (times + _SATURATION * length)


def _gain(page: WikiPage, text: str, consulted: Sequence[str], files: Sequence[str]) -> float:
    own = {one.path for one in page.sources}
    named = {*files, *(path for path in own if path in text)}
    shared = len(named & own) / len(named) if named else 0.0
    return _SOURCES * shared + (_CONSULTED if page.id in consulted else 0.0)
