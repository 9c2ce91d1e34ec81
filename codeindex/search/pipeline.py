"""The search pipeline, top to bottom: classify, retrieve, rank, cut a page, read its chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from codeindex.embed.tokens import well_formed
from codeindex.query.classify import Classification, classify
from codeindex.query.identifiers import query_names
from codeindex.query.plan import LONGEST_QUERY, plan_query
from codeindex.query.validation import MOST_RESULTS
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
from codeindex.search.rank.confidence import has_near_vector, rate_confidence
from codeindex.search.rank.definitions_first import prefer_definitions
from codeindex.search.rank.document_blend import SECTION_THRESHOLD, blend_documents, rank_sections
from codeindex.search.rank.ranker import RankedChunk, ScorePart, rank_chunks
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.literal_match import match_message
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
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.sql_values import marks
from codeindex.types import CALLABLE_KINDS, Absence, Confidence, Filters, Hit, SafeText

if TYPE_CHECKING:
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """A query as the model and the token table see it; None where there is neither."""

    dense: Vector | None = None
    token: Vector | None = None


@dataclass(frozen=True, slots=True)
class PipelineRequest:
    """What was asked of one repository, checked."""

    text: str
    filters: Filters = field(default_factory=Filters)
    vectors: Callable[[str], QueryVectors] = lambda _: QueryVectors()
    dense_scores: Callable[[Corpus, Vector], Vector] = lambda corpus, q: corpus.dense.scores(q)
    like: tuple[str, int] | None = None
    """A file and a line of it: what is like that is looked for, and the text is its name."""
    is_vector_given: bool = False
    """Whether the caller says what the query means, whatever its words are."""
    is_masked: bool = False
    """Whether the corpus has less of some texts than the catalog, which is not to be read then."""


@dataclass(frozen=True, slots=True)
class PipelineResult:
    """Every hit in order, and sections of navigation docs that are not among the hits."""

    question: Classification
    files: int
    """How many indexed files the filters left to look at."""
    ranked: tuple[RankedChunk, ...] = ()
    navigation: tuple[RankedChunk, ...] = ()
    absence: Absence | None = None
    confidence: Confidence | None = None
    missing_words: tuple[str, ...] = ()
    """Words that no file has, but for numbers and the values of pasted messages."""


def run_pipeline(catalog: Catalog, corpus: Corpus, request: PipelineRequest) -> PipelineResult:
    """Rank everything that the filters allow; docs that lead around stand apart.

    A question of which no word is in these files is asked again as they may spell it.
    """
    question, scores = classify_and_retrieve(catalog, corpus, request)
    allowed = file_mask(corpus, request.filters)
    text = well_formed(request.text[:LONGEST_QUERY])
    asked = QueryVocabulary(catalog.connection, corpus, text, request.filters, allowed)
    missing = () if request.is_vector_given else find_missing_words(asked)
    files = int((allowed & corpus.is_indexed).sum())
    found = PipelineResult(question, files, missing_words=missing)
    if not (request.is_vector_given or request.is_masked or scores.named):
        near = has_near_vector(
            corpus, scores, np.ones_like(asked.chunks)
        )  # as fitted: without filters
        occurs = bool(scores.words.anywhere[asked.chunks].any())
        if none := find_absence(asked, question, missing, is_near=near, occurs=occurs):
            return replace(found, absence=none)
        if (
            asked.unknown
            and not near
            and not occurs
            and (other := respell_words(asked, asked.unknown))
        ):
            again = run_pipeline(catalog, corpus, replace(request, text=other))
            if again.ranked:
                return replace(again, question=question, confidence="weak", missing_words=missing)
    hits = _ranked(catalog, corpus, request, question, scores, allowed)
    hits = prefer_definitions(catalog, corpus, request.text, hits, allowed)
    if not hits and asked.unknown and len(corpus.chunk_ids):
        return replace(found, absence=build_absence(asked, missing, is_literal=False))
    share = len(missing) / len(asked.content) if asked.content else 1.0
    level = rate_confidence(corpus, scores, hits, asked.chunks, share) if hits else None
    is_pasted = bool(scores.named) and extract_name(asked.text, question) is None
    told = () if is_pasted else tuple(one for one in missing if not one.isdigit())
    sections = _sections(catalog, corpus, request, scores, allowed)
    names_code = bool(scores.named or query_names(request.text))
    hits, beside = blend_documents(corpus, question.intent, hits, sections, names_code=names_code)
    return replace(
        found,
        ranked=tuple(hits),
        navigation=tuple(beside),
        confidence=level,
        missing_words=told,
    )


def _sections(
    catalog: Catalog,
    corpus: Corpus,
    request: PipelineRequest,
    scores: RetrievalScores,
    allowed: Flags,
) -> list[RankedChunk]:
    """Return the sections of documents that may answer, best first, of the kinds that are asked."""
    found = rank_sections(corpus, scores, allowed, SECTION_THRESHOLD)
    return filter_by_kind(catalog, found, request.filters.kinds) if request.filters.kinds else found


def _ranked(
    catalog: Catalog,
    corpus: Corpus,
    request: PipelineRequest,
    question: Classification,
    scores: RetrievalScores,
    allowed: Flags,
) -> list[RankedChunk]:
    """Rank what is no navigation doc, unless that is named, asked for or all that there is.

    What has no words, such as an operator, is looked for in the texts.
    """
    docs = allowed & corpus.is_navigation
    wants_docs = bool(request.filters.globs or request.filters.languages)
    others = allowed if wants_docs or not (allowed & ~docs).any() else allowed & ~docs
    meant = np.zeros_like(allowed)
    meant[[corpus.place[one.file_id] for one in scores.named]] = True
    others = others | meant & allowed
    hits: list[RankedChunk] = []
    if not (scores.terms or scores.named or request.is_masked or request.is_vector_given):
        text = well_formed(request.text[:LONGEST_QUERY]).strip()
        hits = literal_chunks(catalog, corpus, text, allowed)
    for mask in (others, allowed):
        hits = hits or rank_chunks(corpus, scores, question=question, allowed=mask)
    return filter_by_kind(catalog, hits, request.filters.kinds) if request.filters.kinds else hits


def literal_chunks(
    catalog: Catalog, corpus: Corpus, text: str, allowed: Flags
) -> list[RankedChunk]:
    """Return the chunks of these files that have a text in them, letter by letter, as equals."""
    rows = catalog.connection.execute(
        "SELECT id, start_line, text FROM chunks WHERE instr(text, ?) ORDER BY id", (text,)
    )
    found = [(one, start + said.count("\n", 0, said.find(text))) for one, start, said in rows]
    places = np.searchsorted(corpus.chunk_ids, [one for one, _ in found])
    is_in = allowed[corpus.chunk_file[places]].tolist()
    kept = [one for one, is_allowed in zip(found, is_in, strict=True) if is_allowed]
    chance = 1 / max(len(kept), 1)
    part = ScorePart("literal", 1.0, chance)
    return [RankedChunk(one, chance, line, given=(part,)) for one, line in kept[:MOST_RESULTS]]


def classify_and_retrieve(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest
) -> tuple[Classification, RetrievalScores]:
    """Classify the query and let every retriever score all chunks."""
    count = len(corpus.chunk_ids)
    plan = plan_query(well_formed(request.text), corpus.words)
    text = plan.focus
    vectors = request.vectors(text) if count else QueryVectors()
    question = classify(text)

    asked = (text, question)
    texts = (
        chunk_text_reader(catalog.connection, corpus.chunk_ids)
        if not request.is_masked
        else read_no_texts
    )
    found = match_terms(corpus.words, plan, texts)
    by_words = score_terms(corpus.words, found.terms)
    return question, RetrievalScores(
        terms=plan.words,
        words=by_words,
        whole=score_files(found.terms, corpus.chunk_file, corpus.lengths),
        dense=cosine_scores(
            lambda query: request.dense_scores(corpus, query), vectors.dense, count
        ),
        token=cosine_scores(corpus.token.scores, vectors.token, count),
        defined=tuple(find_named_definitions(catalog, found.rest, query_names(text))),
        named=match_stack_frames(catalog.connection, corpus.file_of, request.text[:LONGEST_QUERY])
        or _places_meant(catalog, corpus, by_words, asked, is_masked=request.is_masked),
    )


def _places_meant(
    catalog: Catalog,
    corpus: Corpus,
    words: WordScores,
    asked: tuple[str, Classification],
    *,
    is_masked: bool,
) -> tuple[NameMatch, ...]:
    """Return what a query names, and else where code says it as a message.

    A query that is more than a name is taken for a message first.
    """
    text, question = asked
    ways = [
        partial(match_names, catalog.connection, corpus.names, corpus.file_of, corpus.words, asked)
    ]
    if not is_masked:
        message = partial(match_message, catalog.connection, corpus, words, text)
        ways.insert(int(extract_name(text, question) is not None), message)
    return next(filter(None, (way() for way in ways)), ())


def filter_by_kind(
    catalog: Catalog, hits: Sequence[RankedChunk], kinds: Sequence[str]
) -> list[RankedChunk]:
    """Keep the hits whose chunk is of one of these kinds."""
    rows = catalog.connection.execute(
        f"SELECT id FROM chunks WHERE kind IN ({marks(kinds)})",  # noqa: S608 (marks)
        kinds,
    )
    wanted = {one for (one,) in rows}
    return [hit for hit in hits if hit.chunk_id in wanted]


def read_hits(catalog: Catalog, ranked: Iterable[RankedChunk], *, repo: str) -> list[Hit]:
    """Read what is shown of each ranked chunk."""
    every = list(ranked)
    ids = [one.chunk_id for one in every]
    found = catalog.connection.execute(
        f"{_SHOWN} WHERE c.id IN ({marks(ids)})",
        ids,
    )
    rows = {chunk: (file, cast("_Row", tuple(shown))) for chunk, file, *shown in found}
    hits = []
    for one in every:
        file_id, row = rows[one.chunk_id]
        hit = _hit(row, one, repo=repo)
        hits.append(hit if hit.line else _defined_above(catalog, hit, file_id))
    return hits


def _defined_above(catalog: Catalog, hit: Hit, file_id: int) -> Hit:
    """Say where a long function is defined that a hit is a later piece of."""
    if hit.kind not in CALLABLE_KINDS:
        return hit
    found = catalog.connection.execute(
        "SELECT line, signature FROM symbols WHERE file_id = ? AND qualified = ?"
        " AND line < ? AND end_line >= ? ORDER BY line DESC LIMIT 1",
        (file_id, hit.symbol, hit.start_line, hit.end_line),
    ).fetchone()
    return replace(hit, line=found[0], signature=found[1]) if found else hit


_SHOWN = (
    "SELECT c.id, f.id, f.path, c.start_line, c.end_line, c.text, c.symbol, c.kind, f.language,"
    " f.module, f.is_test, c.has_secrets, c.heading, c.page, c.line"
    " FROM chunks c JOIN files f ON f.id = c.file_id"
)
_Row = tuple[str, int, int, SafeText, str, str, str, str, int, int, str, int, int]
"""What the catalog holds is safe; saying so here spares a search the import of the redaction."""


def _hit(row: _Row, ranked: RankedChunk, *, repo: str) -> Hit:
    """Return a hit at the line that is named, or at the definition if that is in its comment."""
    path, start, end, text, symbol, kind, language, module = row[:8]
    is_test, has_secrets, heading, page, line = row[8:]
    return Hit(
        repo=repo,
        path=path,
        start_line=start,
        end_line=end,
        score=ranked.score,
        text=text,
        symbol=symbol,
        kind=kind,
        language=language,
        module=module,
        is_test=bool(is_test),
        has_secrets=bool(has_secrets),
        heading_path=heading,
        page=page,
        why=ranked.why,
        line=ranked.line if max(start, line) <= ranked.line <= end else line,
    )
