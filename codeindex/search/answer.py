"""Answer a search request: run the pipeline, cut out a page, compare its files with the disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from codeindex.query.classify import Classification, QueryType
from codeindex.query.cursor import decode_cursor, encode_cursor
from codeindex.search.coverage import index_coverage
from codeindex.search.pipeline import PipelineRequest, PipelineResult, read_hits, run_pipeline
from codeindex.search.rank.odds_shifts import NO_SHIFTS, OddsShifts
from codeindex.search.rank.rerank import Reranker, add_reranker_scores, rerank_chunks
from codeindex.search.reader import IndexReader, query_vectorizer, usable_corpus
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.dispatch import run_route
from codeindex.search.routes.result import HitWindow, RouteResult
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
from codeindex.types.array_types import Vector

if TYPE_CHECKING:
    from codeindex.embed.encoder import QueryEncoders
    from codeindex.store.datadir.home import Repository


_MAX_RETRIES = 2
"""Most times that a search is repeated because cited files changed; then hits in files that changed
again are left out."""


@dataclass(frozen=True, slots=True)
class SearchInput:
    """A search request whose values have been checked; `limit` is the number of hits per page.

    `cursor` is "" for the first page.
    """

    query: str
    limit: int
    filters: Filters
    min_score: float = 0.0
    cursor: str = ""
    like: tuple[str, int] | None = None
    """File and line of code for which similar code is wanted; `query` is then only its name."""
    vector: Vector | None = None
    """A vector that replaces the model's vector of the query."""
    reranking: Reranker | None = None
    shifts: OddsShifts = NO_SHIFTS


@dataclass(frozen=True, slots=True)
class _Page:
    """One page of hits from one generation of the index.

    `stale` has the paths of files that have changed since; their hits are left out.
    """

    question: Classification
    total: int
    file_count: int
    hits: tuple[Hit, ...]
    navigation: tuple[Hit, ...]
    offset: int
    coverage: Coverage
    corpus: Corpus
    stale: frozenset[str]
    suggestions: Suggestions = NO_SUGGESTIONS
    absence: Absence | None = None
    confidence: Confidence | None = None
    missing_words: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Entries for the answer's `meta`, from a route or from the reranker."""


def answer_request(
    reader: IndexReader,
    encoders: Callable[[Generation], QueryEncoders],
    request: SearchInput,
    *,
    begun: RefreshResult,
    catch_up: Callable[[Collection[str]], RefreshResult],
) -> Answer:
    """Return the answer to a search request.

    If a file of a hit has changed on disk, index it and search again. `encoders` returns the models
    that encode queries for a generation. `begun` is the result of the refresh before the search;
    `catch_up` indexes changed files.
    """
    started = time.monotonic()
    refreshed = begun
    page = _read_page(reader, encoders, request)
    for _ in range(_MAX_RETRIES):
        if not page.stale:
            break
        refreshed = refreshed.and_then(catch_up(page.stale))
        page = _read_page(reader, encoders, request)
    refreshed = refreshed.and_then(RefreshResult(unread=tuple(sorted(page.stale))))
    return _build_answer(reader, page, request, refreshed=refreshed, started=started)


def _read_page(
    reader: IndexReader, encoders: Callable[[Generation], QueryEncoders], request: SearchInput
) -> _Page:
    """Return the requested page of hits.

    If the question is about relations, a flow or a pattern, its route lists the hits; otherwise
    they are ranked.
    """
    with reader.corpus() as (catalog, whole):
        version = whole.generation.version
        offset = decode_cursor(request.cursor, version=version) if request.cursor else 0
        models = encoders(whole.generation)
        corpus = usable_corpus(whole, models, has_vector=request.vector is not None)
        pipeline_request = PipelineRequest(
            request.query,
            request.filters,
            query_vectorizer(corpus, models, given=request.vector),
            reader.dense_scores,
            request.like,
            is_vector_given=request.vector is not None,
            shifts=request.shifts,
        )
        window = HitWindow(reader.repository.name, offset, request.limit)
        if route := run_route(catalog, corpus, pipeline_request, window):
            return _routed_page(reader, catalog, whole, route, offset)
        result = run_pipeline(catalog, corpus, pipeline_request)
        return _ranked_page(reader.repository, catalog, corpus, request, result, offset)


def _ranked_page(
    repository: Repository,
    catalog: Catalog,
    corpus: Corpus,
    request: SearchInput,
    result: PipelineResult,
    offset: int,
) -> _Page:
    """Rerank the hits and return the page that begins at `offset`.

    The page also tells which files of its hits have changed on disk.
    """
    ranked = tuple(hit for hit in result.ranked if hit.score >= request.min_score)
    reranked = rerank_chunks(
        catalog.connection,
        ranked,
        query=request.query,
        question=result.question,
        reranker=request.reranking,
    )
    chunks = reranked.ranked[offset : offset + request.limit]
    hits = read_hits(catalog, chunks, repo=repository.name)
    hits = _add_ranks(catalog, add_reranker_scores(hits, chunks, reranked), offset)
    navigation = read_hits(catalog, () if offset else result.navigation, repo=repository.name)
    cited = {hit.path for hit in (*hits, *navigation)}
    stale = stale_paths(catalog.connection, repository.root, cited)
    return _Page(
        question=result.question,
        total=len(ranked),
        file_count=result.file_count,
        hits=tuple(hit for hit in hits if hit.path not in stale),
        navigation=tuple(hit for hit in navigation if hit.path not in stale),
        offset=offset,
        coverage=index_coverage(catalog, corpus),
        corpus=corpus,
        stale=stale,
        suggestions=_suggest(
            catalog, corpus, request.query, result, is_empty=not ranked and not offset
        ),
        meta={**_nearest_names(catalog, request.query, result.question), **reranked.meta},
        absence=result.absence,
        confidence=result.confidence if ranked else None,
        missing_words=result.missing_words,
    )


def _nearest_names(catalog: Catalog, query: str, question: Classification) -> dict[str, list[str]]:
    """Return {"nearest": similar names} for a relationship question about an unknown symbol.

    Such a question is "who calls X". Return {} for other questions, or without similar names.
    """
    if question.type is not QueryType.RELATIONSHIP:
        return {}
    from codeindex.search.routes.relation import suggest_names  # as slow to import as the route

    names = suggest_names(catalog, query)
    return {"nearest": names} if names else {}


def _suggest(
    catalog: Catalog, corpus: Corpus, query: str, result: PipelineResult, *, is_empty: bool
) -> Suggestions:
    """Suggest other words if no result was found (`is_empty`).

    Otherwise suggest replacements for words that are missing or rare.
    """
    if not result.file_count:  # other words would not pass the filters either
        return NO_SUGGESTIONS
    if is_empty:
        return suggest_terms(catalog, corpus, query)
    is_weak = result.confidence == "weak"
    if not (result.missing_words or is_weak):
        return NO_SUGGESTIONS
    return suggest_replacements(catalog, corpus, query, is_weak=is_weak)


def _add_ranks(catalog: Catalog, hits: Sequence[Hit], offset: int) -> list[Hit]:
    """Add to each hit its rank among all hits, and the name of the pattern that its file follows.

    `offset` is the rank of the first hit. Hits that are dropped later, because their file has
    changed, leave gaps in the ranks.
    """
    patterns = pattern_names(catalog.connection, (hit.path for hit in hits))
    return [
        replace(hit, rank=rank, follows_pattern=patterns.get(hit.path, ""))
        for rank, hit in enumerate(hits, offset)
    ]


def _routed_page(
    reader: IndexReader, catalog: Catalog, corpus: Corpus, route: RouteResult, offset: int
) -> _Page:
    hits = _add_ranks(catalog, route.hits, offset)
    cited = {*(hit.path for hit in hits), *route.rests_on}
    stale = stale_paths(catalog.connection, reader.repository.root, cited)
    return _Page(
        question=route.question,
        total=route.total,
        file_count=int(corpus.is_indexed.sum()),
        hits=tuple(hit for hit in hits if hit.path not in stale),
        navigation=(),
        offset=offset,
        coverage=index_coverage(catalog, corpus),
        corpus=corpus,
        stale=stale,
        meta=route.meta,
    )


def _build_answer(
    reader: IndexReader,
    page: _Page,
    request: SearchInput,
    *,
    refreshed: RefreshResult,
    started: float,
) -> Answer:
    generation = page.corpus.generation
    end = page.offset + request.limit
    has_more = end < page.total
    is_empty = not page.hits and not page.navigation
    # Claim no absence if some file is not indexed yet, or could not be compared or read again.
    is_whole = refreshed.is_complete and page.corpus.readiness.words == 1.0
    absence = page.absence if is_whole else None
    return Answer(
        query=request.query,
        query_type=page.question.type,
        hits=page.hits,
        navigation=page.navigation,
        total_count=page.total,
        cursor=encode_cursor(offset=end, version=generation.version) if has_more else None,
        index_version=generation.version,
        searched_repos=(reader.repository.name,),
        readiness=page.corpus.readiness,
        coverage=replace(page.coverage, refreshed=len(refreshed.read)),
        meta=_meta(reader, request, generation, started) | dict(page.meta),
        refreshed=refreshed,
        message=_message(page, request, absence, refreshed) if is_empty else "",
        suggestions=page.suggestions.sentences,
        related_areas=page.suggestions.areas,
        hint=f"Searched only in {reader.repository.name}." if is_empty else "",
        absence=absence,
        confidence=_confidence(page),
        missing_words=page.missing_words if is_whole else (),
    )


def _confidence(page: _Page) -> Confidence | None:
    """Return the confidence of a page; `strong` becomes `likely` while files are not indexed yet.

    With only the likeliest files indexed, 14 of 126 questions were rated `strong` that are `likely`
    with all files. A right file was among the first five hits for .78 of these 14 questions;
    `strong` promises .85.
    """
    is_partial = page.corpus.readiness.words < 1
    return "likely" if is_partial and page.confidence == "strong" else page.confidence


def _message(
    page: _Page, request: SearchInput, absence: Absence | None, refreshed: RefreshResult
) -> str:
    """Return why a page is empty: first which files were not read, then why nothing was found."""
    if not page.file_count and page.coverage.indexed:
        reason = "No indexed file passes these filters: remove one of them."
    elif absence:
        reason = absence.sentence
    else:
        reason = f"No direct matches for {request.query[:80]!r}."
    return " ".join((*refreshed.gaps(), reason))


def _meta(
    reader: IndexReader, request: SearchInput, generation: Generation, started: float
) -> dict[str, Any]:
    return {
        "scope": {"type": "repo", "repos": [reader.repository.name]},
        "limit": request.limit,
        "path_prefix": request.filters.paths[0] if len(request.filters.paths) == 1 else None,
        "min_score": request.min_score,
        "collection": collection_name(generation.model) if generation.model else None,
        "model": generation.model.partition("@")[0] or None,
        "elapsed_ms": round((time.monotonic() - started) * 1000, 1),
    }
