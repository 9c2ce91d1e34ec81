"""The search pipeline, top to bottom: classify, retrieve, rank, cut a page, read its chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.absence import absence
from codeindex.search.classify import Classified, classify, names_in
from codeindex.search.corpus import Corpus
from codeindex.search.docs_blend import (
    BESIDE,
    best_of_documents,
    blended,
    file_of,
    is_code,
    leading,
    ranked_sections,
)
from codeindex.search.filters import Filters, file_mask
from codeindex.search.named import named
from codeindex.search.rank import Ranked, rank
from codeindex.search.retrieve import Scores, cosine, definitions, file_scores, word_scores
from codeindex.search.traced import traced
from codeindex.search.verbatim import verbatim
from codeindex.store.catalog import Catalog
from codeindex.store.parts import marks
from codeindex.types import Absence, Hit, SafeText
from codeindex.words import query_words

if TYPE_CHECKING:
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]

LONGEST_QUERY = 2_000
"""Characters of a query that are read; whole bug reports fit, pasted files do not."""
_NAVIGATION = 3
"""Docs that are named beside an answer."""


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """A query as the model and the token table see it; None where there is neither."""

    dense: Vector | None = None
    token: Vector | None = None


@dataclass(frozen=True, slots=True)
class Request:
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
class Found:
    """Every hit in order, and sections of navigation docs that are not among the hits."""

    question: Classified
    ranked: tuple[Ranked, ...]
    navigation: tuple[Ranked, ...]
    files: int
    """How many indexed files the filters left to look at."""
    absence: Absence | None = None


def find(catalog: Catalog, corpus: Corpus, request: Request) -> Found:
    """Rank everything that the filters allow; docs that lead around stand apart."""
    question, scores = scores_of(catalog, corpus, request)
    allowed = file_mask(corpus, request.filters)
    files = int((allowed & corpus.is_indexed).sum())
    docs = allowed & corpus.is_navigation
    wants_docs = bool(request.filters.globs or request.filters.languages)
    others = allowed if wants_docs or not (allowed & ~docs).any() else allowed & ~docs
    meant = np.zeros_like(allowed)
    meant[[corpus.place[one.file_id] for one in scores.named]] = True
    others = others | meant & allowed
    if not request.is_vector_given and (
        none := absence(
            (request.text[:LONGEST_QUERY], _dense(corpus, request)),
            catalog.connection,
            corpus,
            scores,
            allowed,
        )
    ):
        return Found(question, (), (), files, absence=none)
    hits = rank(corpus, scores, question=question, allowed=others)
    if request.filters.kinds:
        hits = of_kinds(catalog, hits, request.filters.kinds)
    sections = ranked_sections(corpus, scores, allowed, BESIDE)
    if request.filters.kinds:
        sections = of_kinds(catalog, sections, request.filters.kinds)
    if first := leading(sections, question.intent):
        names_code = bool(scores.named or names_in(request.text))
        hits = blended(hits, first, is_code=partial(is_code, corpus), names_code=names_code)
    shown = {file_of(corpus, one) for one in first}
    others_best = best_of_documents(corpus, sections)
    beside = (one for one in others_best if (at := file_of(corpus, one)) not in shown and docs[at])
    return Found(question, tuple(hits), tuple(islice(beside, _NAVIGATION)), files)


def _dense(corpus: Corpus, request: Request) -> Callable[[str], Vector | None]:
    def cosines(text: str) -> Vector | None:
        vector = request.vectors(text).dense
        return None if vector is None else request.dense_scores(corpus, vector)

    return cosines


def scores_of(catalog: Catalog, corpus: Corpus, request: Request) -> tuple[Classified, Scores]:
    """Classify the query and let every retriever score all chunks."""
    text = request.text[:LONGEST_QUERY]
    count = len(corpus.chunk_ids)
    terms = tuple(query_words(text))
    vectors = request.vectors(text) if count else QueryVectors()
    question = classify(text)

    def is_word(name: str) -> bool:
        return any(map(corpus.words.frequency, query_words(name)[-1:]))  # the last is the whole

    asked = (text, question)
    by_words = word_scores(corpus.words, terms)
    return question, Scores(
        terms=terms,
        words=by_words,
        whole=file_scores(corpus.words, terms, corpus.chunk_file, corpus.lengths),
        dense=cosine(lambda query: request.dense_scores(corpus, query), vectors.dense, count),
        token=cosine(corpus.token.scores, vectors.token, count),
        defined=tuple(definitions(catalog, text, names_in(text))),
        named=traced(catalog.connection, corpus.file_of, text)
        or named(catalog.connection, corpus.names, corpus.file_of, is_word, asked)
        or (() if request.is_masked else verbatim(catalog.connection, corpus, by_words, text)),
    )


def of_kinds(catalog: Catalog, hits: Sequence[Ranked], kinds: Sequence[str]) -> list[Ranked]:
    """Keep the hits whose chunk is of one of these kinds."""
    rows = catalog.connection.execute(
        f"SELECT id FROM chunks WHERE kind IN ({marks(kinds)})",  # noqa: S608 (marks)
        kinds,
    )
    wanted = {one for (one,) in rows}
    return [hit for hit in hits if hit.chunk_id in wanted]


def read_hits(catalog: Catalog, ranked: Iterable[Ranked], *, repo: str) -> list[Hit]:
    """Read what is shown of each ranked chunk."""
    hits = []
    for one in ranked:
        row = catalog.connection.execute(
            "SELECT f.path, c.start_line, c.end_line, c.text, c.symbol, c.kind, f.language,"
            " f.module, f.is_test, c.has_secrets, c.heading, c.page"
            " FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id = ?",
            (one.chunk_id,),
        ).fetchone()
        hits.append(_hit(row, one, repo=repo))
    return hits


_Row = tuple[str, int, int, SafeText, str, str, str, str, int, int, str, int]
"""What the catalog holds is safe; saying so here spares a search the import of the redaction."""


def _hit(row: _Row, ranked: Ranked, *, repo: str) -> Hit:
    path, start, end, text, symbol, kind, language, module, is_test, has_secrets, heading, page = (
        row
    )
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
        named_line=ranked.line,
    )
