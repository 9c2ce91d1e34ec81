"""Sections of documents: how likely each answers a question, and where it stands among the hits.

A section's log-odds are a sum of features, each times its weight, as those of code are; the weights
are fitted by `tests/benchmarks/howto.py --fit`. A how-to question has its best section among the
first three hits, if it is good enough, beside code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from codeindex.languages import LANGUAGES
from codeindex.query.classify import Intent
from codeindex.search.rank.ranker import RankedChunk, ScorePart
from codeindex.store.segments.word_index import MARKED_FIELDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.search.retrieve.scores import RetrievalScores

    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

BLEND_WINDOW = 3
"""Hits among which the section of a how-to question stands."""
SECTION_FEATURES = (
    "section_coverage",
    "heading_coverage",
    "headings_above_coverage",
    "section_bm25",
    "section_token",
    "section_length",
)
_WEIGHTS = {
    "words": (-10.03, 1.91, 1.16, 0.81, 5.06, 0.0, 1.76),
    "token": (-10.37, 1.83, 1.06, 1.0, 4.31, 1.6, 1.66),
}
"""The bias, then one weight for each of `SECTION_FEATURES`."""
LEADING_THRESHOLD = {Intent.TASK: 0.05, Intent.INSTRUCTION: 0.05, Intent.WORKING: 0.2}
SECTION_THRESHOLD = 0.05
"""Chance from which on a section is a hit, by what is asked, and from which on it stands beside.

On the tuning half of `howto.py`, with the heading hidden, 95 % of the right sections have .05 or
more. The best section of a question that none answers has .22 at the 75th percentile: where code
is asked for, three of four of these are kept out, and file NDCG on the dev questions is the same.
"""
LEADING_SECTIONS = {Intent.TASK: 2, Intent.INSTRUCTION: 1, Intent.WORKING: 1}
"""Sections among the first three hits. In the tuning half the right one is the first of all for
.44 of the tasks whose heading is hidden, one of the first three for .68."""
_NAVIGATION = 3
"""Docs that are named beside an answer."""
_MOST = 20
"""Sections of which some are shown."""
_LONG = 6.0
"""Logarithm of the words of a long section: 400."""


@dataclass(frozen=True, slots=True, eq=False)
class SectionCandidates:
    """The chunks of documents, by their positions, and their features: a row for each."""

    chunks: Ints
    rows: Floats


def section_candidates(
    corpus: Corpus, scores: RetrievalScores, allowed: Flags
) -> SectionCandidates:
    """Return the sections of the allowed files that have a word of the question."""
    words = scores.words
    is_guide = (corpus.is_guide & allowed)[corpus.chunk_file]
    chunks = np.flatnonzero(is_guide & (words.coverage > 0))
    bm25, token = words.bm25[chunks], scores.token[chunks].clip(0.0)
    columns = (
        words.coverage[chunks],
        _coverage(scores, "name")[chunks],
        _coverage(scores, "owner")[chunks],
        bm25 / max(float(bm25.max(initial=0.0)), 1e-6),
        token / max(float(token.max(initial=0.0)), 1e-6),
        np.minimum(np.log1p(corpus.words.lengths[chunks]) / _LONG, 1.0),
    )
    return SectionCandidates(chunks, np.stack(columns, axis=1).astype(np.float32))


def _coverage(scores: RetrievalScores, field: str) -> Floats:
    """Return the share of the question's idf that stands in a field of each chunk."""
    bit = 1 << MARKED_FIELDS.index(field)
    total = np.zeros(len(scores.words.bm25), dtype=np.float32)
    for idf, found in zip(scores.words.idf.tolist(), scores.words.occurrences, strict=True):
        total[found.positions[(found.marks & bit) > 0]] += idf
    share: Floats = total / max(float(scores.words.idf.sum()), 1e-6)
    return share


def rank_sections(
    corpus: Corpus, scores: RetrievalScores, allowed: Flags, bar: float
) -> list[RankedChunk]:
    """Return the sections whose chance to answer is `bar` at least, best first."""
    found = section_candidates(corpus, scores, allowed)
    bias, *row = _WEIGHTS["token" if corpus.statistics else "words"]
    odds = bias + found.rows @ np.array(row, dtype=np.float32)
    chances = 1.0 / (1.0 + np.exp(-odds))
    order = np.argsort(-chances, kind="stable")[: int((chances >= bar).sum())][:_MOST]
    return [
        RankedChunk(
            int(corpus.chunk_ids[found.chunks[at]]),
            float(chances[at]),
            extra_parts=(
                ScorePart("bias", 1.0, bias),
                *map(ScorePart, SECTION_FEATURES, found.rows[at].tolist(), row),
            ),
        )
        for at in order.tolist()
    ]


def blend_documents(
    corpus: Corpus,
    intent: Intent,
    hits: list[RankedChunk],
    sections: Sequence[RankedChunk],
    *,
    names_code: bool,
) -> tuple[list[RankedChunk], list[RankedChunk]]:
    """Return the hits with the sections that lead, and sections of other navigation docs."""
    first = leading_sections(sections, intent)
    if first:
        code = partial(is_code_chunk, corpus)
        hits = insert_sections(hits, first, is_code=code, names_code=names_code)
    shown = {ranked_file_position(corpus, one) for one in first}
    beside = (
        one
        for one in best_section_per_document(corpus, sections)
        if (at := ranked_file_position(corpus, one)) not in shown and corpus.is_navigation[at]
    )
    return hits, list(islice(beside, _NAVIGATION))


def best_section_per_document(corpus: Corpus, sections: Sequence[RankedChunk]) -> list[RankedChunk]:
    """Return the first section of each document."""
    best: dict[int, RankedChunk] = {}
    for one in sections:
        best.setdefault(ranked_file_position(corpus, one), one)
    return list(best.values())


def leading_sections(sections: Sequence[RankedChunk], intent: Intent) -> list[RankedChunk]:
    """Return the sections that are to stand among the first hits."""
    bar = LEADING_THRESHOLD.get(intent, 1.0)
    return [one for one in sections if one.score >= bar][: LEADING_SECTIONS.get(intent, 0)]


def ranked_file_position(corpus: Corpus, one: RankedChunk) -> int:
    """Return the position of a ranked chunk's file."""
    return int(corpus.chunk_file[np.searchsorted(corpus.chunk_ids, one.chunk_id)])


def is_code_chunk(corpus: Corpus, one: RankedChunk) -> bool:
    return not LANGUAGES[corpus.languages[ranked_file_position(corpus, one)]].prose


def insert_sections(
    hits: Sequence[RankedChunk],
    sections: Sequence[RankedChunk],
    *,
    is_code: Callable[[RankedChunk], bool],
    names_code: bool,
) -> list[RankedChunk]:
    """Put one or two sections among the first three hits, before those less likely to answer.

    The first code stays among the first three if it was, and keeps its rank where the question
    names code. All other hits keep their order.
    """
    chosen = {one.chunk_id for one in sections}
    rest = [one for one in hits if one.chunk_id not in chosen]
    waiting, order = list(sections), list[RankedChunk]()
    for left in range(BLEND_WINDOW, 0, -1):
        is_due = len(waiting) >= left or not rest
        if waiting and (is_due or waiting[0].score > rest[0].score):
            order.append(waiting.pop(0))
        elif rest:
            order.append(rest.pop(0))
    order += rest
    at = next((at for at, one in enumerate(order) if is_code(one)), None)
    if at is not None:
        before = next(at for at, one in enumerate(hits) if is_code(one))
        order.insert(
            min(at, before if names_code else max(before, BLEND_WINDOW - 1)), order.pop(at)
        )
    return order
