"""From a question to an answer that is true of the disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from codeindex.query.classify import Classification, QueryType
from codeindex.query.cursor import decode_cursor, encode_cursor
from codeindex.search.coverage import index_coverage
from codeindex.search.pipeline import PipelineRequest, PipelineResult, read_hits, run_pipeline
from codeindex.search.rank.rerank import Reranker, add_reranker_scores, rerank_chunks
from codeindex.search.reader import IndexReader, query_vectorizer
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.dispatch import HitWindow, RouteResult, run_route
from codeindex.search.suggest import (
    NO_SUGGESTIONS,
    Suggestions,
    suggest_replacements,
    suggest_terms,
)
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.catalog.files import stale_paths
from codeindex.store.catalog.patterns import pattern_names
from codeindex.store.exports.collection_name import collection_name
from codeindex.types import Absence, Answer, Confidence, Coverage, Filters, Hit, RefreshResult

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codeindex.embed.encoder import Encoder

    Vector = npt.NDArray[np.float32]

_ROUNDS = 2
"""A file that changes at every look is left out after so many."""


@dataclass(frozen=True, slots=True)
class SearchInput:
    """A checked request."""

    query: str
    limit: int
    filters: Filters
    min_score: float = 0.0
    cursor: str = ""
    like: tuple[str, int] | None = None
    """A file and a line of it: what is like that is looked for, and the query is its name."""
    vector: Vector | None = None
    """Stands for the model's vector of the query."""
    reranking: Reranker | None = None


@dataclass(frozen=True, slots=True)
class _Page:
    """One page of hits at one published state; hits of `stale` files are left out."""

    question: Classification
    total: int
    files: int
    hits: tuple[Hit, ...]
    navigation: tuple[Hit, ...]
    offset: int
    coverage: Coverage
    corpus: Corpus
    stale: frozenset[str]
    suggested: Suggestions = NO_SUGGESTIONS
    absence: Absence | None = None
    confidence: Confidence | None = None
    missing_words: tuple[str, ...] = ()
    route: Mapping[str, Any] = field(default_factory=dict)
    """What the route of the question's type, or the reranker, has to say of the whole list."""


def answer_request(
    reader: IndexReader,
    encoder: Callable[[str], Encoder | None],
    asked: SearchInput,
    *,
    begun: RefreshResult,
    catch_up: Callable[[Collection[str]], RefreshResult],
) -> Answer:
    """Search, check every cited file, and search again if one of them has changed.

    What was `begun` is what the look at the tree before has found.
    """
    started = time.monotonic()
    refreshed = begun
    page = _page(reader, encoder, asked)
    for _ in range(_ROUNDS):
        if not page.stale:
            break
        refreshed = refreshed.and_then(catch_up(page.stale))
        page = _page(reader, encoder, asked)
    refreshed = refreshed.and_then(RefreshResult(unread=tuple(sorted(page.stale))))
    return _answer(reader, page, asked, refreshed=refreshed, started=started)


def _page(
    reader: IndexReader, encoder: Callable[[str], Encoder | None], asked: SearchInput
) -> _Page:
    repository = reader.repository
    with reader.corpus() as (catalog, whole):
        version = whole.generation.version
        offset = decode_cursor(asked.cursor, version=version) if asked.cursor else 0
        model = encoder(vector_model_id(whole))
        corpus = whole if model or asked.vector is not None else whole.without_vectors()
        vectors = query_vectorizer(corpus, model, given=asked.vector)
        request = PipelineRequest(
            asked.query,
            asked.filters,
            vectors,
            reader.dense_scores,
            asked.like,
            asked.vector is not None,
        )
        window = HitWindow(repository.name, offset, asked.limit)
        if route := run_route(catalog, corpus, request, window):
            return _routed_page(reader, catalog, whole, route, offset)
        found = run_pipeline(catalog, corpus, request)
        ranked = tuple(one for one in found.ranked if one.score >= asked.min_score)
        again = rerank_chunks(
            catalog.connection,
            ranked,
            query=asked.query,
            question=found.question,
            reranker=asked.reranking,
        )
        shown = again.ranked[offset : offset + asked.limit]
        read = add_reranker_scores(read_hits(catalog, shown, repo=repository.name), shown, again)
        hits = _placed(catalog, read, offset)
        leading = () if offset else found.navigation
        navigation = read_hits(catalog, leading, repo=repository.name)
        cited = {hit.path for hit in (*hits, *navigation)}
        changed = stale_paths(catalog.connection, repository.root, cited)
        lost = not ranked and not offset
        return _Page(
            question=found.question,
            total=len(ranked),
            files=found.file_count,
            hits=tuple(hit for hit in hits if hit.path not in changed),
            navigation=tuple(hit for hit in navigation if hit.path not in changed),
            offset=offset,
            coverage=index_coverage(catalog, corpus),
            corpus=corpus,
            stale=changed,
            suggested=_suggested(catalog, corpus, asked, found, lost=lost),
            route={**_nearest(catalog, asked.query, found.question), **again.meta},
            absence=found.absence,
            confidence=found.confidence if ranked else None,
            missing_words=found.missing_words,
        )


def _nearest(catalog: Catalog, query: str, question: Classification) -> dict[str, list[str]]:
    """Return what may have been meant by a question about the uses of what is not here."""
    if question.type is not QueryType.RELATIONSHIP:
        return {}
    from codeindex.search.routes.relation import suggest_names  # as rarely as the route itself

    near = suggest_names(catalog, query)
    return {"nearest": near} if near else {}


def _suggested(
    catalog: Catalog, corpus: Corpus, asked: SearchInput, found: PipelineResult, *, lost: bool
) -> Suggestions:
    """Suggest other words if nothing was found, or for those of the question that are not here."""
    if not found.file_count:  # other words would not pass the filters either
        return NO_SUGGESTIONS
    if lost:
        return suggest_terms(catalog, corpus, asked.query)
    return (
        suggest_replacements(catalog, corpus, asked.query)
        if found.missing_words
        else NO_SUGGESTIONS
    )


def _placed(catalog: Catalog, hits: Sequence[Hit], offset: int) -> list[Hit]:
    """Say of the hits of a page where in the whole list they stand, and which pattern they follow.

    Those that are left out of the page later leave their places empty.
    """
    names = pattern_names(catalog.connection, (hit.path for hit in hits))
    return [
        replace(hit, rank=rank, follows_pattern=names.get(hit.path, ""))
        for rank, hit in enumerate(hits, offset)
    ]


def _routed_page(
    reader: IndexReader, catalog: Catalog, corpus: Corpus, found: RouteResult, offset: int
) -> _Page:
    hits = _placed(catalog, found.hits, offset)
    cited = {*(hit.path for hit in hits), *found.rests_on}
    changed = stale_paths(catalog.connection, reader.repository.root, cited)
    return _Page(
        question=found.question,
        total=found.total,
        files=int(corpus.is_indexed.sum()),
        hits=tuple(hit for hit in hits if hit.path not in changed),
        navigation=(),
        offset=offset,
        coverage=index_coverage(catalog, corpus),
        corpus=corpus,
        stale=changed,
        route=found.meta,
    )


def vector_model_id(corpus: Corpus) -> str:
    """Return the identity of the model that there are vectors of."""
    return corpus.generation.vectors_of


def _answer(
    reader: IndexReader,
    page: _Page,
    asked: SearchInput,
    *,
    refreshed: RefreshResult,
    started: float,
) -> Answer:
    corpus, generation = page.corpus, page.corpus.generation
    end = page.offset + asked.limit
    more = end < page.total
    empty = not page.hits and not page.navigation
    absence = _absence(page, refreshed)
    return Answer(
        query=asked.query,
        query_type=page.question.type,
        hits=page.hits,
        navigation=page.navigation,
        total_count=page.total,
        cursor=encode_cursor(offset=end, version=generation.version) if more else None,
        index_version=generation.version,
        searched_repos=(reader.repository.name,),
        readiness=corpus.readiness,
        coverage=replace(page.coverage, refreshed=len(refreshed.read)),
        meta=_meta(reader, asked, generation, started) | dict(page.route),
        refreshed=refreshed,
        message=_message(page, asked, absence, refreshed) if empty else "",
        suggestions=page.suggested.sentences,
        related_areas=page.suggested.areas,
        hint=f"Searched only in {reader.repository.name}." if empty else "",
        absence=absence,
        confidence=page.confidence,
        missing_words=page.missing_words if refreshed.is_complete else (),
    )


def _absence(page: _Page, refreshed: RefreshResult) -> Absence | None:
    """Claim no absence where any file could not be compared or read again."""
    if page.absence is None or refreshed.is_complete:
        return page.absence
    return None


def _message(
    page: _Page, asked: SearchInput, absence: Absence | None, refreshed: RefreshResult
) -> str:
    """Say why there is nothing, and before that what was not read."""
    return " ".join((*refreshed.gaps(), _why_nothing(page, asked, absence)))


def _why_nothing(page: _Page, asked: SearchInput, absence: Absence | None) -> str:
    if not page.files and page.coverage.indexed:
        return "No indexed file passes these filters: leave one of them out."
    if absence:
        return absence.sentence
    return f"No direct matches for {asked.query[:80]!r}."


def _meta(
    reader: IndexReader, asked: SearchInput, generation: Generation, started: float
) -> dict[str, Any]:
    return {
        "scope": {"type": "repo", "repos": [reader.repository.name]},
        "limit": asked.limit,
        "path_prefix": asked.filters.paths[0] if len(asked.filters.paths) == 1 else None,
        "min_score": asked.min_score,
        "collection": collection_name(generation.model) if generation.model else None,
        "model": generation.model.partition("@")[0] or None,
        "elapsed_ms": round((time.monotonic() - started) * 1000, 1),
    }
