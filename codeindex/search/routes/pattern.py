"""Answer pattern questions: the best example of the pattern first, then its other members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from codeindex.query.classify import Classification
from codeindex.search.filters import allowed_paths
from codeindex.search.pipeline import PipelineRequest, read_hits
from codeindex.search.rank.ranker import RankedChunk
from codeindex.search.retrieve.corpus import Corpus, folder_words, stem_words
from codeindex.search.routes.result import HitWindow, RouteResult
from codeindex.store.catalog.chunks import chunk_declaring_most
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.patterns import (
    FilePattern,
    PatternFile,
    all_patterns,
    with_shared_traits,
)
from codeindex.text.words import query_words, stemmed_parts
from codeindex.types import Hit

_ABOUT = frozenset(
    stemmed_parts(
        "pattern convention boilerplate template typical usual common standard normal structure"
        " shape layout form example look written structured built organized laid new coding naming"
    )
)
"""Words that ask for a pattern but do not describe its subject."""
_IN_NAME, _IN_PATH, _IN_FUNCTION = 3.0, 2.0, 1.0
"""Weights of a word in the pattern's name, in its path, and in its common functions. Only their
order matters; it was set by reading answers about five repositories."""
_LEAST_SCORE = 1.5
"""Least score of the pattern that answers a question: one word in a function is not enough."""


def answer_pattern(
    catalog: Catalog,
    corpus: Corpus,
    request: PipelineRequest,
    window: HitWindow,
    question: Classification,
) -> RouteResult | None:
    """Return the files of the pattern that a question asks about, as far as they pass the filters.

    A pattern is a group of similar files. Return None if no pattern fits or no file passes.
    """
    wanted = frozenset(query_words(request.text)) - _ABOUT
    scored = [(_score(pattern, wanted), pattern) for pattern in all_patterns(catalog.connection)]
    score, best = max(scored, key=lambda entry: entry[0], default=(0.0, None))
    if best is None or score < _LEAST_SCORE:
        return None
    allowed = allowed_paths(corpus, request.filters)
    members = [member for member in best.members if member.file in allowed]
    if not members:
        return None
    hits = _member_hits(catalog, best, members[window.page], repo=window.repo)
    meta = asdict(with_shared_traits(catalog.connection, best), dict_factory=_with_lists)
    return RouteResult(question, len(members), hits, {"pattern": meta})


def _with_lists(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a dict with lists in place of tuples, as the other entries of `meta` have them."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in pairs}


def _score(pattern: FilePattern, wanted: frozenset[str]) -> float:
    """Return how well a pattern fits the words `wanted` of a question.

    A word has a different weight in the pattern's name, in the path of its typical file and in its
    function names; the highest of them counts. The result is the sum over the words.
    """
    path = pattern.canonical
    places = (
        (frozenset(stemmed_parts(pattern.name)), _IN_NAME),
        (stem_words(path) | folder_words(path), _IN_PATH),
        (frozenset(stemmed_parts(" ".join(pattern.methods))), _IN_FUNCTION),
    )
    return sum(
        max((weight for words, weight in places if word in words), default=0.0) for word in wanted
    )


def _member_hits(
    catalog: Catalog, pattern: FilePattern, members: Sequence[PatternFile], *, repo: str
) -> list[Hit]:
    """Return a hit for each member: the chunk that declares most of the pattern's functions."""
    common = pattern.methods
    ranked = [
        RankedChunk(
            chunk_declaring_most(catalog.connection, member.file, common or ("",)),
            1.0 / (1.0 + (len(member.extra) + len(member.missing)) / (len(common) or 1)),
            line=0,
        )
        for member in members
    ]
    return [
        replace(
            hit,
            follows_pattern=pattern.name,
            why={"pattern": hit.score, "extra": len(member.extra), "missing": len(member.missing)},
        )
        for hit, member in zip(read_hits(catalog, ranked, repo=repo), members, strict=True)
    ]
