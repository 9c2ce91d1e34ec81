"""Rank the chunks of one repository for a query.

The steps are: classify -> plan -> retrieve -> check absence -> rank -> prefer definitions -> blend
documents. `answer.py` then cuts out a page and reads its chunks (`read_hits`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np

from codeindex.embed.tokens import replace_surrogates
from codeindex.query.classify import Classification, classify
from codeindex.query.identifiers import query_names
from codeindex.query.plan import LONGEST_QUERY, plan_query
from codeindex.query.validation import MOST_RESULTS
from codeindex.query.wanted_files import WantedFiles
from codeindex.search.abstention import (
    QueryVocabulary,
    build_absence,
    find_absence,
    find_missing_words,
    respell_words,
)
from codeindex.search.filters import file_mask
from codeindex.search.names.boosts import NameMatch
from codeindex.search.names.match import match_names
from codeindex.search.names.query_name import extract_name
from codeindex.search.rank.best_parts import best_parts
from codeindex.search.rank.confidence import best_vectors, load_confidence_model, rate_confidence
from codeindex.search.rank.definitions_first import prefer_definitions
from codeindex.search.rank.document_blend import (
    BLEND_WINDOW,
    blend_documents,
    has_whole_heading,
    rank_sections,
    section_threshold,
)
from codeindex.search.rank.nearness import query_nearness
from codeindex.search.rank.odds_shifts import NO_SHIFTS, OddsShifts
from codeindex.search.rank.ranker import RankedChunk, ScorePart, evidence_level, rank_chunks
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.literal_match import match_message
from codeindex.search.retrieve.project_files import grade_project_files, project_file_matches
from codeindex.search.retrieve.scores import (
    RetrievalScores,
    WordScores,
    cosine_scores,
    find_named_definitions,
    score_files,
    score_terms,
)
from codeindex.search.retrieve.stack_frames import match_stack_frames
from codeindex.search.retrieve.term_matches import chunk_text_reader, match_terms, read_no_texts
from codeindex.store.catalog.chunks import (
    StoredChunk,
    chunk_ids_of_kinds,
    chunks_containing,
    stored_chunks,
)
from codeindex.store.catalog.connection import Catalog
from codeindex.store.symbols.by_name import definition_above
from codeindex.text.words import normal_form
from codeindex.types import NAMESPACE_KINDS, Absence, Confidence, Filters, Hit
from codeindex.types.array_types import Flags, Vector


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """The vectors of a query: `dense` by the model, `token` from the static token vectors.

    A vector that cannot be computed is None.
    """

    dense: Vector | None = None
    token: Vector | None = None


@dataclass(frozen=True, slots=True)
class PipelineRequest:
    """A query to one repository, after its values have been checked.

    `vectors` turns a text into its vectors; `dense_scores` returns the cosine of each chunk with a
    vector of the embedding model.
    """

    text: str
    filters: Filters = field(default_factory=Filters)
    vectors: Callable[[str], QueryVectors] = lambda _: QueryVectors()
    dense_scores: Callable[[Corpus, Vector], Vector] = lambda corpus, q: corpus.dense.scores(q)
    like: tuple[str, int] | None = None
    """File and line of code for which similar code is wanted; `text` is then only its name."""
    is_vector_given: bool = False
    """Whether the caller supplied the vector; then missing words do not prove that something is
    absent."""
    shifts: OddsShifts = NO_SHIFTS
    is_masked: bool = False
    """Whether the corpus hides texts that the catalog contains; then the catalog's texts must not
    be read."""


@dataclass(frozen=True, slots=True)
class PipelineResult:
    """All hits in order, and sections of navigation documents to show beside them."""

    question: Classification
    scores: RetrievalScores
    """The scores of all chunks, by which they were ranked."""
    file_count: int
    """Number of indexed files that pass the filters."""
    ranked: tuple[RankedChunk, ...] = ()
    navigation: tuple[RankedChunk, ...] = ()
    absence: Absence | None = None
    confidence: Confidence | None = None
    missing_words: tuple[str, ...] = ()
    """Words of the query that no file contains, without numbers and values from pasted messages."""


@dataclass(frozen=True, slots=True, eq=False)
class _Retrieved:
    """A query with all that the ranking reads: its class, scores, filters and missing words."""

    catalog: Catalog
    corpus: Corpus
    request: PipelineRequest
    question: Classification
    scores: RetrievalScores
    allowed: Flags
    """A flag for each file that tells whether it passes the filters."""
    vocabulary: QueryVocabulary
    missing: tuple[str, ...]


def run_pipeline(catalog: Catalog, corpus: Corpus, request: PipelineRequest) -> PipelineResult:
    """Rank all chunks that pass the filters.

    If no word of the query occurs in the files, the query is repeated with its words in the
    spelling of the files.
    """
    state = _retrieve(catalog, corpus, request)
    empty = PipelineResult(
        state.question,
        state.scores,
        int((state.allowed & corpus.is_indexed).sum()),
        missing_words=state.missing,
    )
    if result := _check_absence(state, empty):
        return result
    hits = _rank(state)
    hits = prefer_definitions(catalog.connection, corpus, request.text, hits, state.allowed)
    hits = list(best_parts(catalog.connection, hits))
    if not hits and state.vocabulary.unknown and len(corpus.chunk_ids):
        absence = build_absence(state.vocabulary, state.missing, is_literal=False)
        return replace(empty, absence=absence)
    result = replace(
        empty, confidence=_rate_confidence(state, hits), missing_words=_reported_missing(state)
    )
    return _blend_documents(state, result, hits)


def _retrieve(catalog: Catalog, corpus: Corpus, request: PipelineRequest) -> _Retrieved:
    question, scores = classify_and_retrieve(catalog, corpus, request)
    allowed = file_mask(corpus, request.filters)
    text = replace_surrogates(request.text[:LONGEST_QUERY])
    vocabulary = QueryVocabulary(
        catalog.connection, corpus, normal_form(text), request.filters, allowed
    )
    missing = () if request.is_vector_given else find_missing_words(vocabulary)
    return _Retrieved(catalog, corpus, request, question, scores, allowed, vocabulary, missing)


def classify_and_retrieve(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest
) -> tuple[Classification, RetrievalScores]:
    """Return the class of a query, and the scores of all chunks by each retriever.

    The retrievers are words, model vectors, token vectors and names.
    """
    count = len(corpus.chunk_ids)
    plan = plan_query(replace_surrogates(request.text), corpus.words)
    vectors = request.vectors(plan.focus) if count else QueryVectors()
    question = classify(plan.focus)
    read_texts = (
        read_no_texts
        if request.is_masked
        else chunk_text_reader(catalog.connection, corpus.chunk_ids)
    )
    matched = match_terms(corpus.words, plan, read_texts)
    words = score_terms(corpus.words, matched.terms)
    wanted = question.project_files
    names = (*query_names(plan.focus), *((wanted.symbol,) if wanted and wanted.symbol else ()))
    definitions = find_named_definitions(catalog.connection, matched.rest, names)
    grades = grade_project_files(corpus, wanted, definitions, read_texts) if wanted else None
    if wanted and grades is None:
        question = replace(question, wanted=WantedFiles.ANY, project_files=None)
    return question, RetrievalScores(
        terms=plan.words,
        words=words,
        file_words=score_files(matched.terms, corpus.chunk_file, corpus.file_lengths),
        dense=cosine_scores(
            lambda query: request.dense_scores(corpus, query), vectors.dense, count
        ),
        token=cosine_scores(corpus.token.scores, vectors.token, count),
        definitions=tuple(definitions),
        name_matches=match_stack_frames(
            catalog.connection, corpus.file_ids_by_path, request.text[:LONGEST_QUERY]
        )
        or project_file_matches(corpus, wanted, grades)
        or _match_names(
            catalog, corpus, words, (plan.focus, question), is_masked=request.is_masked
        ),
        project_files=grades,
    )


def _match_names(
    catalog: Catalog,
    corpus: Corpus,
    words: WordScores,
    query: tuple[str, Classification],
    *,
    is_masked: bool,
) -> tuple[NameMatch, ...]:
    """Return the places that a query names, as a name of code or as a pasted error message.

    A query that can be a name is tried as a name first, any other as a message first; the first
    that matches anything wins. `is_masked` is true in evaluations.
    """
    text, question = query
    strategies = [
        partial(
            match_names,
            catalog.connection,
            corpus.symbol_names,
            corpus.file_ids_by_path,
            corpus.words,
            query,
        )
    ]
    if not is_masked:
        message = partial(match_message, catalog.connection, corpus, words, text)
        is_name = extract_name(text, question) is not None
        strategies.insert(int(is_name), message)
    return next(filter(None, (strategy() for strategy in strategies)), ())


def _check_absence(state: _Retrieved, empty: PipelineResult) -> PipelineResult | None:
    """Return a result if the words of the query do not occur; None if the query is to be ranked.

    The result is `empty` (no hits) with an absence, or the hits of the query in other spelling.
    """
    request, scores, vocabulary = state.request, state.scores, state.vocabulary
    is_found = scores.name_matches or _has_project_files(state)
    if request.is_vector_given or request.is_masked or is_found:
        return None

    @cache
    def nearness() -> float:  # over all chunks, as in the fit of the thresholds
        return query_nearness(best_vectors(scores), partial(_cosines_of, state))

    near = load_confidence_model(evidence_level(state.corpus)).near
    occurs = bool(scores.words.coverage[vocabulary.chunks].any())
    absence = find_absence(
        vocabulary, state.question, state.missing, nearness=nearness, near=near, occurs=occurs
    )
    if absence:
        return replace(empty, absence=absence)
    if occurs or not vocabulary.unknown or nearness() >= near:
        return None
    respelt = respell_words(vocabulary, vocabulary.unknown)
    if not respelt:
        return None
    result = run_pipeline(state.catalog, state.corpus, replace(request, text=respelt))
    if not result.ranked:
        return None
    return replace(
        result,
        question=state.question,
        scores=scores,
        confidence="weak",
        missing_words=state.missing,
    )


def _has_project_files(state: _Retrieved) -> bool:
    """Tell whether a file that passes the filters is one of the project that the query asks for.

    Such a file, a workflow for "CI pipeline", need not contain the words of the query.
    """
    fit = state.scores.project_files
    return fit is not None and bool(fit[state.allowed].any())


def _cosines_of(state: _Retrieved, text: str) -> Vector:
    """Return the cosine of each chunk with `text`.

    Vectors of the model are compared if the query has been scored with them, else token vectors.
    """
    corpus, request = state.corpus, state.request
    vectors, count = request.vectors(text), len(corpus.chunk_ids)
    if state.scores.dense.any():
        return cosine_scores(partial(request.dense_scores, corpus), vectors.dense, count)
    return cosine_scores(corpus.token.scores, vectors.token, count)


def _rank(state: _Retrieved) -> list[RankedChunk]:
    """Return the ranked chunks.

    Navigation documents, such as README.md, are ranked only if the query names them, the filters
    ask for documents, or nothing else passes the filters or matches. A query without words, such as
    an operator, is searched as a literal text.
    """
    corpus, request, scores, allowed = state.corpus, state.request, state.scores, state.allowed
    documents = allowed & corpus.is_navigation
    wants_documents = bool(request.filters.globs or request.filters.languages)
    code = allowed if wants_documents or not (allowed & ~documents).any() else allowed & ~documents
    named = np.zeros_like(allowed)
    named[[corpus.file_positions[match.file_id] for match in scores.name_matches]] = True
    if scores.project_files is not None:
        named |= scores.project_files > 0
    code = code | named & allowed
    hits: list[RankedChunk] = []
    if not (scores.terms or scores.name_matches or request.is_masked or request.is_vector_given):
        text = replace_surrogates(request.text[:LONGEST_QUERY]).strip()
        hits = literal_chunks(state.catalog, corpus, text, allowed)
    for mask in (code, allowed):
        hits = hits or rank_chunks(
            corpus, scores, question=state.question, allowed=mask, shifts=request.shifts
        )
    return filter_by_kind(state.catalog, hits, request.filters.kinds)


def _rate_confidence(state: _Retrieved, hits: Sequence[RankedChunk]) -> Confidence | None:
    """Return the confidence of an answer; None without hits.

    The confidence is at least `likely` if the first hit is a file of the project that the query
    asks for: of 942 such questions that a file answers, .9 have a right file first.
    """
    if not hits:
        return None
    content = state.vocabulary.content
    missing_share = len(state.missing) / len(content) if content else 1.0
    rated = rate_confidence(
        state.corpus, state.scores, hits, state.vocabulary.chunks, missing_share
    )
    fit = state.scores.project_files
    is_of_project = fit is not None and fit[state.corpus.file_of(hits[0].chunk_id)] > 0
    return "likely" if rated == "weak" and is_of_project else rated


def _reported_missing(state: _Retrieved) -> tuple[str, ...]:
    """Return the missing words to tell the user: all but numbers.

    For a pasted error message there are none, because its values are in no file.
    """
    is_pasted = (
        bool(state.scores.name_matches)
        and extract_name(state.vocabulary.text, state.question) is None
    )
    return () if is_pasted else tuple(word for word in state.missing if not word.isdigit())


def _blend_documents(
    state: _Retrieved, result: PipelineResult, hits: list[RankedChunk]
) -> PipelineResult:
    """Return `result` with the best sections of documents inserted among the hits.

    Other good sections of navigation documents, such as README.md, go into its field `navigation`,
    whose sections are shown beside the hits.
    """
    sections = rank_sections(
        state.corpus,
        state.scores,
        state.allowed,
        section_threshold(state.question),
        navigation_shift=state.request.shifts.navigation,
    )
    sections = filter_by_kind(state.catalog, sections, state.request.filters.kinds)
    hits, navigation = blend_documents(
        state.corpus,
        state.question,
        hits,
        sections,
        names_code=bool(state.scores.name_matches or query_names(state.request.text)),
    )
    confidence = result.confidence
    seen = {hit.chunk_id for hit in (*hits[:BLEND_WINDOW], *navigation)}
    shown = (section for section in sections if section.chunk_id in seen)
    if confidence == "weak" and not state.missing and has_whole_heading(state.scores, shown):
        confidence = "likely"
    return replace(result, ranked=tuple(hits), navigation=tuple(navigation), confidence=confidence)


def literal_chunks(
    catalog: Catalog, corpus: Corpus, text: str, allowed: Flags
) -> list[RankedChunk]:
    """Return the chunks that contain `text` and pass the filters, all with the same score.

    `allowed` has a flag for each file that passes.
    """
    matches = chunks_containing(catalog.connection, text)
    positions = np.searchsorted(corpus.chunk_ids, [chunk for chunk, _ in matches])
    is_in = allowed[corpus.chunk_file[positions]].tolist()
    kept = [match for match, is_allowed in zip(matches, is_in, strict=True) if is_allowed]
    chance = 1 / max(len(kept), 1)
    part = ScorePart("literal", 1.0, chance)
    return [
        RankedChunk(chunk, chance, line, extra_parts=(part,)) for chunk, line in kept[:MOST_RESULTS]
    ]


def filter_by_kind(
    catalog: Catalog, hits: Sequence[RankedChunk], kinds: Sequence[str]
) -> list[RankedChunk]:
    """Return the hits whose chunk is of one of these kinds, such as `function` or `section`.

    Return all hits if `kinds` is empty.
    """
    if not kinds:
        return list(hits)
    wanted = chunk_ids_of_kinds(catalog.connection, kinds)
    return [hit for hit in hits if hit.chunk_id in wanted]


def read_hits(catalog: Catalog, ranked: Iterable[RankedChunk], *, repo: str) -> list[Hit]:
    """Return ranked chunks as hits, with text, lines and symbol from the catalog."""
    ranked = list(ranked)
    chunks = stored_chunks(catalog.connection, [hit.chunk_id for hit in ranked])
    return [_read_hit(catalog, chunks[hit.chunk_id], hit, repo=repo) for hit in ranked]


def _read_hit(catalog: Catalog, chunk: StoredChunk, ranked: RankedChunk, *, repo: str) -> Hit:
    """Return a ranked chunk as a hit.

    `line` of the hit is the line that the query names or, if it names none, that of the definition.
    """
    is_named = max(chunk.start_line, chunk.line) <= ranked.line <= chunk.end_line
    hit = Hit(
        repo=repo,
        path=chunk.path,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        score=ranked.score,
        text=chunk.text,
        symbol=chunk.symbol,
        kind=chunk.kind,
        language=chunk.language,
        module=chunk.module,
        is_test=bool(chunk.is_test),
        is_generated=bool(chunk.is_generated),
        has_secrets=bool(chunk.has_secrets),
        heading_path=chunk.heading,
        page=chunk.page,
        why=ranked.why,
        line=ranked.line if is_named else chunk.line,
    )
    if hit.line or not hit.symbol or hit.kind in NAMESPACE_KINDS:
        return hit
    # This is a later part of a long definition, whose first line is in an earlier chunk.
    definition = definition_above(catalog.connection, chunk.file_id, hit.symbol, hit.start_line)
    return replace(hit, line=definition[0], signature=definition[1]) if definition else hit
