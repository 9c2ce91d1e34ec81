"""`codeindex eval --tune`: weights of a repository's own, if the other half of it agrees.

Files fall into two halves by the digest of their path. Weights are fitted on the questions about
the files of one half, and tried on those about the other; a commit that changed files of both is
in neither, so that no file is learned from and tried on. They are kept if the lower end of the
95 % interval of the mean gain in NDCG@10 on the second half, each kind of question counting the
same, is above 0 and no kind loses more than a hundredth. What is kept is what was tried.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from codeindex.evaluation.benchmark import Benchmark, EvaluatedIndex, RankerCandidates
from codeindex.evaluation.evaluate import Progress, ask_within_time, question_group, unasked_note
from codeindex.evaluation.metrics import Estimate, bootstrap_mean
from codeindex.evaluation.questions import generate_questions, split_half
from codeindex.evaluation.report import EVIDENCE_LABELS, TuningTrial
from codeindex.evaluation.weight_fitting import candidates_ndcg, choose_regularization, fit_weights
from codeindex.search.rank.tuned_weights import TunedWeights, write_tuned_weights
from codeindex.search.rank.weights import ranker_weights
from codeindex.search.weight_rows import EvidenceLevel, FileWeightRow, QuestionKind
from codeindex.store.catalog.connection import Catalog
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.locks.yielding import request_lock

if TYPE_CHECKING:
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.store.datadir.home import Repository

_FEWEST = 40
"""Questions of one sort in a half; of fewer nothing can be learned that is not chance."""
_WORST_LOSS = -0.01
TUNING_SECONDS = 240.0
_WAIT_SECONDS = 30.0
"""For a sync that is about to end: what was measured took minutes."""


def tune_weights(
    ground: EvaluatedIndex, *, limit: int, progress: Progress
) -> tuple[tuple[TuningTrial, ...], TunedWeights | None, tuple[str, ...]]:
    """Return what was tried, the weights to keep if any, and sentences on what is missing."""
    corpus = ground.corpus
    asked, notes = generate_questions(ground.catalog, corpus, ground.root, limit=limit)
    bench = Benchmark.of(ground)
    whole = [one for one in asked if len({split_half(corpus.paths[at]) for at in one.targets}) == 1]
    seen = list(ask_within_time(bench.candidates, whole, progress, seconds=TUNING_SECONDS))
    tried = [
        _tried(evidence, sort, parts)
        for evidence in bench.levels
        for sort, parts in _enough(corpus, [one for one in seen if one.evidence == evidence])
    ]
    trials = tuple(trial for trial, _ in tried)
    rows = {(trial.evidence, trial.asked): row for trial, row in tried if trial.kept}
    kept = (
        TunedWeights(rows, corpus.generation.vectors_of, time.time(), _gain(trials))
        if rows
        else None
    )
    done = len(seen) // len(bench.levels)
    few = () if trials else (_TOO_FEW.format(done),)
    return trials, kept, (*notes, *unasked_note(done, len(whole)), *few)


_TOO_FEW = (
    f"Too little to tune with: it takes {_FEWEST} questions about each half of the files, and about"
    " both there are {}."
)


def _gain(trials: Sequence[TuningTrial]) -> str:
    return "; ".join(
        f"{EVIDENCE_LABELS[one.evidence]} {one.gain.mean:+.3f}"
        f" [{one.gain.low:+.3f} {one.gain.high:+.3f}]"
        for one in trials
        if one.kept
    )


def _enough(
    corpus: Corpus, seen: Sequence[RankerCandidates]
) -> Iterator[tuple[QuestionKind, tuple[list[RankerCandidates], list[RankerCandidates]]]]:
    """Yield the sorts of questions that there are enough of, parted into the halves."""
    for asked in dict.fromkeys(one.asked for one in seen):
        parts: tuple[list[RankerCandidates], list[RankerCandidates]] = ([], [])
        for one in seen:
            if one.asked == asked:
                parts[split_half(corpus.paths[question_group(one.question)])].append(one)
        if min(map(len, parts)) >= _FEWEST:
            yield asked, parts


def _tried(
    evidence: EvidenceLevel,
    asked: QuestionKind,
    parts: tuple[list[RankerCandidates], list[RankerCandidates]],
) -> tuple[TuningTrial, FileWeightRow]:
    fit, rest = parts
    shipped = ranker_weights(evidence, asked).row
    strength = choose_regularization(fit, shipped)
    row = fit_weights(fit, shipped, strength)
    before, after = ([candidates_ndcg(one, of) for one in rest] for of in (shipped, row))
    gains = [new - old for old, new in zip(before, after, strict=True)]
    by_kind = {
        kind: fmean(gain for one, gain in zip(rest, gains, strict=True) if _kind(one) == kind)
        for kind in sorted(set(map(_kind, rest)))
    }
    gain = _balanced(rest, gains)
    trial = TuningTrial(
        evidence=evidence,
        asked=asked,
        fitted_on=len(fit),
        tried_on=len(rest),
        shipped=_balanced(rest, before),
        tuned=_balanced(rest, after),
        gain=gain,
        gains=by_kind,
        strength=strength,
        kept=gain.low > 0 and min(by_kind.values()) >= _WORST_LOSS,
    )
    return trial, row


def _kind(one: RankerCandidates) -> str:
    return one.question.kind


def _balanced(seen: Sequence[RankerCandidates], values: Sequence[float]) -> Estimate:
    """Average values so that each kind of question counts the same."""
    kinds = Counter(map(_kind, seen))
    share = len(seen) / len(kinds)
    scaled = [value * share / kinds[_kind(one)] for one, value in zip(seen, values, strict=True)]
    return bootstrap_mean(scaled, [question_group(one.question) for one in seen])


def store_weights(repository: Repository, tuned: TunedWeights | None) -> bool:
    """Have searches rank by these weights from now on, or by the shipped ones; say if that is new.

    The version rises, so that readers look again and no cursor goes on in another order.
    LockedError while another process writes; one that embeds lets this in.
    """
    folder = repository.folder
    with request_lock(folder), writer_lock(folder, wait_seconds=_WAIT_SECONDS):
        if not write_tuned_weights(folder, tuned):
            return False
        with Catalog.create(repository.catalog) as catalog, catalog.writing():
            generation = catalog.generation()
            catalog.publish(replace(generation, version=generation.version + 1))
        return True
