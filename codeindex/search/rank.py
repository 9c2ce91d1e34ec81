"""From scores of chunks to an order of hits: a linear combination of named signals.

Files are ranked by the dot product of their signals with one row of the table of weights; each
shows its best chunk, and its further chunks come after, at half the odds each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.classify import Classified, QueryType
from codeindex.search.corpus import Corpus
from codeindex.search.retrieve import Scores
from codeindex.search.signals import SIGNALS, file_signals
from codeindex.search.weights import Asked, Evidence, weights

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

_CANDIDATES = 100
"""Chunks a retriever may nominate; 300 were worse (docs/quality.md)."""
_DEFINED_FILES = 200
"""Files nominated for a name that they define."""
_ENOUGH = 0.5
"""Share of chunks with a vector of the model above which its weights are used."""
_NAME = 4.0
_SURELY = 0.9
"""Whoever asks for a name wants files that say it before any that do not, tests included: so much
is added to their log-odds. On dev it changes nothing; without it a name that only a test has came
tenth."""
_LOOSE = 0.3
"""Off the score of lines between definitions: short runs of imports say every word of their path,
which BM25 takes for relevance. Set by looking at answers; ranks of files do not depend on it."""
_SCANT, _FEW = 0.3, 3
"""Off the score of a piece of so few lines, for the same reason: a prototype or a constant whose
name says the question is not what does it. Figures in docs/quality.md."""
_CHUNKS_A_FILE = 5
"""Most hits that one file can give."""
_SATURATION = math.log(2.0)
"""Each further chunk of a file counts half: that much off its log-odds."""


RULES = ("bias", "says_name", "named", "further")
"""What is added beside the signals: to every file, to files that say a name that is asked for, to
the chunk that a name or a cited line means or that says the question word for word, and to the
further chunks of a file."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A chunk at its place; `parts` holds each signal of its file times its weight."""

    chunk_id: int
    score: float
    parts: Floats
    rules: tuple[float, ...] = (0.0,) * len(RULES)
    line: int = 0
    """Where in it the query names something; 0 for nowhere."""

    @property
    def why(self) -> dict[str, float]:
        """Return what was added to the log-odds, whose sum the score is the chance of."""
        named = zip((*RULES, *SIGNALS), (*self.rules, *self.parts.tolist()), strict=True)
        return {name: round(part, 3) for name, part in named if part}


def evidence_of(corpus: Corpus) -> Evidence:
    """Say which signals there are: the model's vectors count once half of the chunks have one."""
    if len(corpus.chunk_ids) and corpus.dense.coverage >= _ENOUGH:
        return "dense"
    return "token" if corpus.statistics else "words"


def asked_of(question: Classified) -> Asked:
    if question.type is QueryType.SYMBOL:
        return "symbol"
    return "how" if question.is_how or question.type is QueryType.PATTERN else "other"


def candidates(corpus: Corpus, scores: Scores, allowed: Flags) -> Ints:
    """Return the files worth a closer look: those of each retriever's best chunks."""
    chunk_allowed = allowed[corpus.chunk_file]
    nominated: set[int] = set()
    for column in (scores.words.bm25, scores.dense, scores.token):
        masked = np.where(chunk_allowed, column, 0.0)
        count = min(_CANDIDATES, len(masked))
        if masked.any():
            top = np.argpartition(-masked, count - 1)[:count]
            nominated.update(corpus.chunk_file[top[masked[top] > 0]].tolist())
    strongest = sorted(scores.defined, key=lambda one: -one.strength)[:_DEFINED_FILES]
    ids = {one.file_id for one in strongest} | {one.file_id for one in scores.named}
    defining = (corpus.place[one] for one in ids)
    nominated.update(file for file in defining if allowed[file])
    return np.array(sorted(nominated), dtype=np.int64)


def rank(corpus: Corpus, scores: Scores, *, question: Classified, allowed: Flags) -> list[Ranked]:
    """Order the chunks of the candidate files, best first."""
    files = candidates(corpus, scores, allowed)
    if not len(files):
        return []
    row, bias = weights(evidence_of(corpus), asked_of(question), corpus.tuned)
    signals = file_signals(corpus, files, scores)
    parts = signals * np.array(row)
    totals = np.array([math.fsum((bias, *part)) for part in parts.tolist()])
    says = np.zeros(len(files))
    if question.type is QueryType.SYMBOL:
        says[_says_the_name(signals)] = _NAME
    lifts, lines = _lifts(corpus, scores)
    chunks, place = _best_chunks(corpus, files, scores, lifts)
    owner = np.searchsorted(files, corpus.chunk_file[chunks])
    lift = lifts[chunks]
    rules = np.stack([np.full(len(chunks), bias), says[owner], lift, -place * _SATURATION], axis=1)
    odds = totals[owner] + rules[:, 1:].sum(axis=1)
    later = (place > 0) & (lift == 0)
    order = np.lexsort((chunks, owner, -odds, later))  # files are in the order of their paths
    chances = 1.0 / (1.0 + np.exp(-odds[order].clip(-50.0, 50.0)))
    rows = zip(
        chunks[order].tolist(), chances.tolist(), owner[order].tolist(), order.tolist(), strict=True
    )
    return [
        Ranked(
            int(corpus.chunk_ids[chunk]),
            chance,
            parts[file],
            tuple(rules[at].tolist()),
            lines.get(chunk, 0),
        )
        for chunk, chance, file, at in rows
    ]


def _lifts(corpus: Corpus, scores: Scores) -> tuple[Floats, dict[int, int]]:
    """Return what each chunk gains by having in it what the query names, and the line of that."""
    lines: dict[int, int] = {}
    lifts = np.zeros(len(corpus.chunk_ids), dtype=np.float32)
    for one in scores.named:
        mine = corpus.chunks_of(corpus.place[one.file_id])
        first, last = corpus.chunk_lines[mine].T
        if not len(first):
            continue
        holding = (first <= one.line) & (one.line <= last)
        size = np.where(holding, last - first, np.inf)
        at = mine.start + int(size.argmin())  # the innermost; the first for none, as of a file
        if one.lift > lifts[at]:
            lifts[at], lines[at] = one.lift, one.line
    return lifts, lines


def _says_the_name(signals: Floats) -> Flags:
    """Return which candidates define the name that was asked for, or have its words."""
    covered = signals[:, SIGNALS.index("coverage")]
    defined = signals[:, SIGNALS.index("definition")]
    return (covered >= _SURELY) | (defined >= _SURELY)


def _best_chunks(corpus: Corpus, files: Ints, scores: Scores, lifts: Floats) -> tuple[Ints, Ints]:
    """Return the best chunks of each file, and the place that each has among them."""
    wanted = np.zeros(len(corpus.paths), dtype=bool)
    wanted[files] = True
    chunks = np.flatnonzero(wanted[corpus.chunk_file])
    best = _chunk_scores(corpus, chunks, scores) + lifts[chunks]
    order = np.lexsort((-best, corpus.chunk_file[chunks]))
    chunks = chunks[order]
    _, sizes = np.unique(corpus.chunk_file[chunks], return_counts=True)
    place = np.arange(len(chunks)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = (place < _CHUNKS_A_FILE) | (lifts[chunks] > 0)
    return chunks[kept], place[kept]


def _chunk_scores(corpus: Corpus, chunks: Ints, scores: Scores) -> Floats:
    """Score chunks against others of their file: words, vectors, and the definition itself."""
    most = max(float(scores.words.bm25.max(initial=0.0)), 1e-6)
    total = scores.words.bm25[chunks] / most + 0.5 * scores.words.anywhere[chunks]
    total += np.where(corpus.dense.present, scores.dense, scores.token)[chunks]
    total -= _LOOSE * corpus.is_loose[chunks]
    first, last = corpus.chunk_lines[chunks].T
    total -= _SCANT * (last - first < _FEW)
    defined = np.zeros(len(corpus.chunk_ids), dtype=np.float32)
    for one in scores.defined:
        mine = corpus.chunks_of(corpus.place[one.file_id])
        first, last = corpus.chunk_lines[mine].T
        defined[mine][(first <= one.line) & (one.line <= last)] += one.strength
    scored: Floats = total + defined[chunks]
    return scored
