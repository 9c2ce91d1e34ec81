"""Fit rank weights to a repository and keep them if they generalize: `codeindex eval --tune`.

Files are split into two halves by the digest of their path. Weights are fitted to questions about
one half and tested on the other; commits that changed files of both halves are not used. The
weights are kept if two conditions hold on the second half. The lower bound of the 95 % interval of
the mean NDCG@10 gain, with question kinds weighted equally, is above 0; and no question kind loses
more than 0.01.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from codeindex.evaluation.benchmark import Benchmark, EvaluatedIndex, RankerCandidates
from codeindex.evaluation.evaluate import Progress, ask_within_time, question_group, unasked_note
from codeindex.evaluation.metrics import Estimate, bootstrap_mean
from codeindex.evaluation.questions import generate_questions, split_half
from codeindex.evaluation.report import EVIDENCE_LABELS, TuningTrial
from codeindex.evaluation.weight_fitting import candidates_ndcg, choose_regularization, fit_weights
from codeindex.search.rank.tuned_weights import TunedWeights, write_tuned_weights
from codeindex.search.rank.weights import ranker_weights
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.weight_rows import EvidenceLevel, FileWeightRow, QuestionKind
from codeindex.store.catalog.connection import Catalog
from codeindex.store.datadir.home import Repository
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.locks.yielding import request_lock

_MIN_QUESTIONS = 40
"""Least questions per query kind and half: with fewer, gains are noise."""
_TOO_FEW = (
    f"Too few questions to tune the weights: {_MIN_QUESTIONS} about each half of the files are"
    " needed, and there are {} about both."
)
_WORST_LOSS = -0.01
TUNING_SECONDS = 240.0
_WAIT_SECONDS = 30.0
"""Seconds to wait for a running sync to end, so that minutes of measurement are not lost."""


def tune_weights(
    evaluated: EvaluatedIndex, *, limit: int, progress: Progress
) -> tuple[tuple[TuningTrial, ...], TunedWeights | None, tuple[str, ...]]:
    """Tune the ranking weights; return (trials, weights to keep, notes).

    The weights are None if the shipped ones stay in use.
    """
    corpus = evaluated.corpus
    questions, notes = generate_questions(evaluated.catalog, corpus, evaluated.root, limit=limit)
    bench = Benchmark.of(evaluated)
    whole = [
        question
        for question in questions
        if len({split_half(corpus.paths[at]) for at in question.targets}) == 1
    ]
    candidate_sets = list(
        ask_within_time(bench.candidates, whole, progress, seconds=TUNING_SECONDS)
    )
    tried = [
        _run_trial(evidence, sort, parts)
        for evidence in bench.levels
        for sort, parts in _split_by_kind(
            corpus,
            [
                candidate_set
                for candidate_set in candidate_sets
                if candidate_set.evidence == evidence
            ],
        )
    ]
    trials = tuple(trial for trial, _ in tried)
    rows = {(trial.evidence, trial.asked): row for trial, row in tried if trial.kept}
    tuned_weights = (
        TunedWeights(rows, corpus.generation.vectors_of, time.time(), _format_gains(trials))
        if rows
        else None
    )
    done = len(candidate_sets) // len(bench.levels)
    few = () if trials else (_TOO_FEW.format(done),)
    return trials, tuned_weights, (*notes, *unasked_note(done, len(whole)), *few)


def _format_gains(trials: Sequence[TuningTrial]) -> str:
    return "; ".join(
        f"{EVIDENCE_LABELS[trial.evidence]} {trial.gain.mean:+.3f}"
        f" [{trial.gain.low:+.3f} {trial.gain.high:+.3f}]"
        for trial in trials
        if trial.kept
    )


def _split_by_kind(
    corpus: Corpus, candidate_sets: Sequence[RankerCandidates]
) -> Iterator[tuple[QuestionKind, tuple[list[RankerCandidates], list[RankerCandidates]]]]:
    """Yield (query kind, (candidates of one half, candidates of the other half)).

    The halves are those of `split_half`. Kinds with too few questions are left out.
    """
    for query_kind in dict.fromkeys(candidate_set.query_kind for candidate_set in candidate_sets):
        parts: tuple[list[RankerCandidates], list[RankerCandidates]] = ([], [])
        for candidates in candidate_sets:
            if candidates.query_kind == query_kind:
                half = split_half(corpus.paths[question_group(candidates.question)])
                parts[half].append(candidates)
        if min(map(len, parts)) >= _MIN_QUESTIONS:
            yield query_kind, parts


def _run_trial(
    evidence: EvidenceLevel,
    query_kind: QuestionKind,
    parts: tuple[list[RankerCandidates], list[RankerCandidates]],
) -> tuple[TuningTrial, FileWeightRow]:
    fit, rest = parts
    shipped = ranker_weights(evidence, query_kind).row
    strength = choose_regularization(fit, shipped)
    row = fit_weights(fit, shipped, strength)
    before, after = (
        [candidates_ndcg(candidate_set, of) for candidate_set in rest] for of in (shipped, row)
    )
    gains = [new - old for old, new in zip(before, after, strict=True)]
    by_kind = {
        kind: fmean(
            gain
            for candidate_set, gain in zip(rest, gains, strict=True)
            if _kind(candidate_set) == kind
        )
        for kind in sorted(set(map(_kind, rest)))
    }
    gain = _balanced_mean(rest, gains)
    trial = TuningTrial(
        evidence=evidence,
        asked=query_kind,
        fitted_on=len(fit),
        tried_on=len(rest),
        shipped=_balanced_mean(rest, before),
        tuned=_balanced_mean(rest, after),
        gain=gain,
        gains=by_kind,
        strength=strength,
        kept=gain.low > 0 and min(by_kind.values()) >= _WORST_LOSS,
    )
    return trial, row


def _kind(candidate_set: RankerCandidates) -> str:
    return candidate_set.question.kind


def _balanced_mean(candidate_sets: Sequence[RankerCandidates], values: Sequence[float]) -> Estimate:
    """Return the mean of values, with each question kind weighted equally."""
    kinds = Counter(map(_kind, candidate_sets))
    share = len(candidate_sets) / len(kinds)
    scaled = [
        value * share / kinds[_kind(candidate_set)]
        for candidate_set, value in zip(candidate_sets, values, strict=True)
    ]
    return bootstrap_mean(
        scaled, [question_group(candidate_set.question) for candidate_set in candidate_sets]
    )


def store_weights(repository: Repository, tuned: TunedWeights | None) -> bool:
    """Store tuned weights, or None for the shipped ones; return whether the weights have changed.

    The version of the index rises, so that readers reload and old cursors expire. An embedding
    process gives up its lock; while any other process writes, raise LockedError.
    """
    folder = repository.folder
    with request_lock(folder), writer_lock(folder, wait_seconds=_WAIT_SECONDS):
        if not write_tuned_weights(folder, tuned):
            return False
        with Catalog.create(repository.catalog) as catalog, catalog.writing():
            generation = catalog.generation()
            catalog.publish(replace(generation, version=generation.version + 1))
        return True
