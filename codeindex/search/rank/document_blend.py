"""Rank sections of documents; blend the best ones into the hits of how-to questions.

A section's log-odds are a weighted sum of features, as for code; the weights are fitted by
`tests/benchmarks/howto.py --fit`. The best sections for a how-to question are placed among its
first three hits, beside code, if they are good enough. If a question asks for documents, all its
sections come before code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from codeindex.languages import LANGUAGES
from codeindex.query.classify import Classification, Intent
from codeindex.query.wanted_files import WantedFiles
from codeindex.search.rank.ranker import RankedChunk, ScorePart
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.scores import RetrievalScores
from codeindex.store.segments.word_index import MARKED_FIELDS
from codeindex.types.array_types import Flags, Floats, Ints

BLEND_WINDOW = 3
"""Number of first hits among which sections are placed."""
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
"""Least probabilities of sections: `LEADING_THRESHOLD`, by intent, among the hits;
`SECTION_THRESHOLD` beside the hits. On the tuning half of `howto.py`, with the heading hidden, 95 %
of the right sections have .05 or more. For questions that no section answers, the best section has
.22 at the 75th percentile. So the higher threshold for questions about code keeps out nearly three
of four, with the same file NDCG on the dev questions."""
WANTED_THRESHOLD = 0.005
"""Least probability of the sections that come first if a question asks for documents. The right
section is among ten for .95 of 270 such questions, with .05 for .92."""
LEADING_SECTIONS = {Intent.TASK: 2, Intent.INSTRUCTION: 1, Intent.WORKING: 1}
"""Most sections among the first three hits. On the tuning half, with the heading hidden, the right
section is the best-ranked section for .44 of the tasks, and one of the best three for .68."""
MAX_NAVIGATION = 3
"""Most navigation documents that are shown beside the hits."""
_MAX_SECTIONS = 20
"""Most sections that are ranked."""
_TELLING = 3
"""Fewest words of a query for which `has_whole_heading` can be true: a heading may have two given
words by chance, such as "large" and "list"."""
_WHOLE = 0.999
"""Coverage of all words: a sum of shares in single precision."""
_LONG_SECTION = 6.0
"""Logarithm of 400, the number of words of a long section."""


@dataclass(frozen=True, slots=True, eq=False)
class SectionCandidates:
    """Sections of documents that may answer a query.

    `chunks` are their positions in the corpus. `rows` has a row for each section and a column for
    each of `SECTION_FEATURES`.
    """

    chunks: Ints
    rows: Floats


def section_candidates(
    corpus: Corpus, scores: RetrievalScores, allowed: Flags
) -> SectionCandidates:
    """Return the sections of documents that contain a word of the query and pass the filters."""
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
        np.minimum(np.log1p(corpus.words.lengths[chunks]) / _LONG_SECTION, 1.0),
    )
    return SectionCandidates(chunks, np.stack(columns, axis=1).astype(np.float32))


def _coverage(scores: RetrievalScores, field: str) -> Floats:
    """Return for each chunk which share of the query occurs in the field, such as its heading.

    The share is the summed idf of the terms in the field, divided by that of all terms.
    """
    bit = 1 << MARKED_FIELDS.index(field)
    total = np.zeros(len(scores.words.bm25), dtype=np.float32)
    for idf, term in zip(scores.words.idf.tolist(), scores.words.occurrences, strict=True):
        total[term.positions[(term.marks & bit) > 0]] += idf
    share: Floats = total / max(float(scores.words.idf.sum()), 1e-6)
    return share


def rank_sections(
    corpus: Corpus,
    scores: RetrievalScores,
    allowed: Flags,
    threshold: float,
    *,
    navigation_shift: float = 0.0,
) -> list[RankedChunk]:
    """Return the sections with a probability of at least `threshold` to answer, best first.

    `navigation_shift` is added to the log-odds of sections of navigation documents.
    """
    candidates = section_candidates(corpus, scores, allowed)
    bias, *weights = _WEIGHTS["token" if corpus.statistics else "words"]
    is_navigation = corpus.is_navigation[corpus.chunk_file[candidates.chunks]]
    odds = bias + candidates.rows @ np.array(weights, dtype=np.float32)
    shifts = np.float32(navigation_shift) * is_navigation
    odds = odds + shifts
    chances = 1.0 / (1.0 + np.exp(-odds))
    order = np.argsort(-chances, kind="stable")[: int((chances >= threshold).sum())][:_MAX_SECTIONS]
    return [
        RankedChunk(
            int(corpus.chunk_ids[candidates.chunks[row]]),
            float(chances[row]),
            extra_parts=(
                ScorePart("bias", 1.0, bias),
                *map(ScorePart, SECTION_FEATURES, candidates.rows[row].tolist(), weights),
                *([ScorePart("navigation_doc", 1.0, navigation_shift)] if shifts[row] else ()),
            ),
        )
        for row in order.tolist()
    ]


def section_threshold(question: Classification) -> float:
    """Return the least probability with which sections are shown for a question."""
    is_wanted = question.wanted is WantedFiles.DOCUMENTS
    return WANTED_THRESHOLD if is_wanted else SECTION_THRESHOLD


def has_whole_heading(scores: RetrievalScores, sections: Iterable[RankedChunk]) -> bool:
    """Tell whether the heading of a section has all words of a query with `_TELLING` or more."""
    return len(scores.words.idf) >= _TELLING and any(
        part.name == "heading_coverage" and part.value > _WHOLE
        for section in sections
        for part in section.extra_parts
    )


def blend_documents(
    corpus: Corpus,
    question: Classification,
    hits: list[RankedChunk],
    sections: Sequence[RankedChunk],
    *,
    names_code: bool,
) -> tuple[list[RankedChunk], list[RankedChunk]]:
    """Insert the best sections among the hits; return (hits, further sections to show beside them).

    The further sections are of navigation documents, such as README.md. `names_code` tells whether
    the query names code. For a question that asks for documents, all sections come first; for one
    that asks for files of the project, the first hit stays first.
    """
    if question.wanted is WantedFiles.DOCUMENTS:
        return [*sections, *_without(hits, sections)], []
    first = leading_sections(sections, question.intent)
    if first:
        code = partial(is_code_chunk, corpus)
        kept = int(question.wanted is WantedFiles.PROJECT)
        others = insert_sections(
            _without(hits[kept:], first), first, is_code=code, names_code=names_code
        )
        hits = [*_without(hits[:kept], first), *others]
    shown = {corpus.file_of(section.chunk_id) for section in first}
    beside = (
        section
        for section in best_section_per_document(corpus, sections)
        if (file := corpus.file_of(section.chunk_id)) not in shown and corpus.is_navigation[file]
    )
    return hits, list(islice(beside, MAX_NAVIGATION))


def _without(hits: Sequence[RankedChunk], sections: Sequence[RankedChunk]) -> list[RankedChunk]:
    chosen = {section.chunk_id for section in sections}
    return [hit for hit in hits if hit.chunk_id not in chosen]


def best_section_per_document(corpus: Corpus, sections: Sequence[RankedChunk]) -> list[RankedChunk]:
    """Return the first section of each document, in the given order."""
    best: dict[int, RankedChunk] = {}
    for section in sections:
        best.setdefault(corpus.file_of(section.chunk_id), section)
    return list(best.values())


def leading_sections(sections: Sequence[RankedChunk], intent: Intent) -> list[RankedChunk]:
    """Return the sections that are probable enough to stand among the first hits.

    Their number and the required probability depend on the intent of the query.
    """
    threshold = LEADING_THRESHOLD.get(intent, 1.0)
    return [section for section in sections if section.score >= threshold][
        : LEADING_SECTIONS.get(intent, 0)
    ]


def is_code_chunk(corpus: Corpus, hit: RankedChunk) -> bool:
    return not LANGUAGES[corpus.languages[corpus.file_of(hit.chunk_id)]].prose


def insert_sections(
    hits: Sequence[RankedChunk],
    sections: Sequence[RankedChunk],
    *,
    is_code: Callable[[RankedChunk], bool],
    names_code: bool,
) -> list[RankedChunk]:
    """Insert sections among the first three hits, each before hits with a lower score.

    If the first code hit was among the first three, it stays among them; if the query names code,
    it keeps its rank. All other hits keep their order.
    """
    rest = _without(hits, sections)
    waiting, order = list(sections), list[RankedChunk]()
    for left in range(BLEND_WINDOW, 0, -1):
        is_due = len(waiting) >= left or not rest
        if waiting and (is_due or waiting[0].score > rest[0].score):
            order.append(waiting.pop(0))
        elif rest:
            order.append(rest.pop(0))
    order += rest
    rank = next((rank for rank, hit in enumerate(order) if is_code(hit)), None)
    if rank is not None:
        before = next(rank for rank, hit in enumerate(hits) if is_code(hit))
        highest = before if names_code else max(before, BLEND_WINDOW - 1)
        order.insert(min(rank, highest), order.pop(rank))
    return order
