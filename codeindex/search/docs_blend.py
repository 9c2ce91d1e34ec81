"""Sections of documents: how likely each answers a question, and where it stands among the hits.

A section's log-odds are a sum of features, each times its weight, as those of code are; the weights
are fitted by `tests/benchmarks/howto.py --fit`. A how-to question has its best section among the
first three hits, if it is good enough, beside code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeindex.languages import LANGUAGES
from codeindex.search.classify import Intent
from codeindex.search.rank import Part, Ranked
from codeindex.store.words import FIELDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.search.corpus import Corpus
    from codeindex.search.retrieve import Scores

    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

FIRST = 3
"""Hits among which the section of a how-to question stands."""
SECTION_FEATURES = (
    "section_coverage",
    "heading_coverage",
    "headings_above_coverage",
    "path_coverage",
    "heading_precision",
    "section_bm25",
    "section_token",
    "section_token_rank",
    "section_length",
)
_WEIGHTS = {
    "words": (-6.0, 4.0, 2.0, 1.0, 0.5, 1.0, 2.0, 0.0, 0.0, 0.0),
    "token": (-7.0, 4.0, 2.0, 1.0, 0.5, 1.0, 2.0, 2.0, 1.0, 0.0),
}
"""The bias, then one weight for each of `SECTION_FEATURES`."""
BARS = {Intent.TASK: 0.1, Intent.WORKING: 0.4, Intent.LOOKUP: 0.4}
"""Chance from which on a section is shown, by what is asked."""
_LONG = 6.0
"""Logarithm of the words of a long section: 400."""


@dataclass(frozen=True, slots=True, eq=False)
class Sections:
    """The chunks of documents, by their positions, and their features: a row for each."""

    chunks: Ints
    rows: Floats


def sections_of(corpus: Corpus, scores: Scores, allowed: Flags) -> Sections:
    """Return the sections of the allowed files that have a word of the question."""
    words = scores.words
    is_guide = (corpus.is_guide & allowed)[corpus.chunk_file]
    chunks = np.flatnonzero(is_guide & (words.anywhere > 0))
    heading = _coverage(scores, "name")
    bm25, token = words.bm25[chunks], scores.token[chunks].clip(0.0)
    matched = sum(_having(scores, "name"), np.zeros(len(words.bm25), dtype=np.float32))
    columns = (
        words.anywhere[chunks],
        heading[chunks],
        _coverage(scores, "owner")[chunks],
        words.path[chunks],
        np.minimum(matched[chunks] / np.maximum(corpus.name_words[chunks], 1), 1.0),
        bm25 / max(float(bm25.max(initial=0.0)), 1e-6),
        token,
        token / max(float(token.max(initial=0.0)), 1e-6),
        np.minimum(np.log1p(corpus.words.lengths[chunks]) / _LONG, 1.0),
    )
    return Sections(chunks, np.stack(columns, axis=1).astype(np.float32))


def _having(scores: Scores, field: str) -> Iterator[Floats]:
    """Yield for each term which chunks have it in a field, as 0 or 1."""
    bit = 1 << FIELDS.index(field)
    for found in scores.words.occurrences:
        has = np.zeros(len(scores.words.bm25), dtype=np.float32)
        has[found.positions[(found.marks & bit) > 0]] = 1.0
        yield has


def _coverage(scores: Scores, field: str) -> Floats:
    """Return the share of the question's idf that stands in a field of each chunk."""
    total = np.zeros(len(scores.words.bm25), dtype=np.float32)
    for idf, has in zip(scores.words.idf.tolist(), _having(scores, field), strict=True):
        total += idf * has
    share: Floats = total / max(float(scores.words.idf.sum()), 1e-6)
    return share


def ranked_sections(corpus: Corpus, scores: Scores, allowed: Flags, bar: float) -> list[Ranked]:
    """Return the best section of each document whose chance to answer is `bar` at least."""
    found = sections_of(corpus, scores, allowed)
    bias, *row = _WEIGHTS["token" if corpus.statistics else "words"]
    weights = np.array(row, dtype=np.float32)
    chances = 1.0 / (1.0 + np.exp(-(bias + found.rows @ weights)))
    best: dict[int, Ranked] = {}
    for at in np.argsort(-chances, kind="stable").tolist():
        if chances[at] < bar:
            break
        chunk = int(found.chunks[at])
        parts = (
            Part("bias", 1.0, bias),
            *map(Part, SECTION_FEATURES, found.rows[at].tolist(), row),
        )
        one = Ranked(int(corpus.chunk_ids[chunk]), float(chances[at]), given=parts)
        best.setdefault(int(corpus.chunk_file[chunk]), one)
    return list(best.values())


def file_of(corpus: Corpus, one: Ranked) -> int:
    """Return the position of a ranked chunk's file."""
    return int(corpus.chunk_file[np.searchsorted(corpus.chunk_ids, one.chunk_id)])


def is_code(corpus: Corpus, one: Ranked) -> bool:
    return not LANGUAGES[corpus.languages[file_of(corpus, one)]].prose


def blended(
    hits: Sequence[Ranked],
    section: Ranked,
    *,
    is_code: Callable[[Ranked], bool],
    names_code: bool,
) -> list[Ranked]:
    """Put a section among the first three hits, before those that are less likely to answer.

    The first code stays among the first three, and first where the question names code.
    """
    rest = [one for one in hits if one.chunk_id != section.chunk_id]
    code = next((at for at, one in enumerate(rest) if is_code(one)), None)
    likelier = sum(one.score >= section.score for one in rest[: FIRST - 1])
    if code is None or code >= FIRST:
        return [*rest[:likelier], section, *rest[likelier:]]
    if code == FIRST - 1:  # one of two documents before it gives way
        rest[1], rest[2], code = rest[2], rest[1], 1
    at = max(likelier, code + 1) if names_code else likelier
    return [*rest[:at], section, *rest[at:]]
