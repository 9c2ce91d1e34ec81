"""Define the reports of evaluation and tuning."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from codeindex.evaluation.metrics import Estimate
from codeindex.search.weight_rows import EvidenceLevel, QuestionKind
from codeindex.text.truncate import fit_width
from codeindex.types.report import DataReport, plural

REPORT_WIDTH = 79
EVIDENCE_LABELS: Mapping[EvidenceLevel, str] = {
    "words": "words",
    "token": "+ token vectors",
    "dense": "+ model's vectors",
}
TASK_LABELS = {
    "commit": "commit message -> files that it changed",
    "changed": "commit message -> functions that it changed",
    "docstring": "docstring -> its file",
    "function": "docstring -> its function",
}


@dataclass(frozen=True, slots=True)
class TaskScore:
    """The metrics of one task with one evidence level."""

    task: str
    evidence: EvidenceLevel
    questions: int
    ndcg: Estimate
    mrr: Estimate
    recall: Estimate


@dataclass(frozen=True, slots=True)
class MissedQuestion:
    """A badly answered question; `rank` is the rank of its first relevant file, 0 if not found.

    `first` is the file that was ranked first.
    """

    kind: str
    where: str
    text: str
    wanted: tuple[str, ...]
    rank: int
    first: str


@dataclass(frozen=True, slots=True)
class Evaluation(DataReport):
    """The search quality on questions made from a repository."""

    repo: str
    evidence: EvidenceLevel
    """The evidence level that searches of this index use."""
    tuned: str
    """Description of the tuned weights; '' if the shipped weights are used."""
    asked: int
    prepared: int
    """Number of generated questions; fewer are asked if time runs out or masking fails."""
    scores: tuple[TaskScore, ...]
    worst: tuple[MissedQuestion, ...]
    notes: tuple[str, ...]
    seconds: float

    def text(self) -> Iterator[str]:
        yield f"{self.repo}: {plural(self.asked, 'question')} in {self.seconds:.0f} s"
        yield f"weights: {self.tuned or 'as shipped'}"
        yield from _scores(self.scores)
        if self.worst:
            yield ""
            yield f"worst answered, by {_upto(self.evidence)}:"
        for miss in self.worst:
            yield from _miss(miss)
        if self.notes:
            yield ""
        for note in self.notes:
            yield from textwrap.wrap(note, REPORT_WIDTH)


def _sort(query_kind: QuestionKind) -> str:
    """Return a phrase for the kind of query, such as ", symbol questions".

    It is '' for the usual kind.
    """
    return "" if query_kind == "other" else f", {query_kind} questions"


def _upto(evidence: EvidenceLevel) -> str:
    names = list(EVIDENCE_LABELS)
    return " ".join(EVIDENCE_LABELS[name] for name in names[: names.index(evidence) + 1])


def _scores(scores: tuple[TaskScore, ...]) -> Iterator[str]:
    for task in dict.fromkeys(score.task for score in scores):
        task_scores = [score for score in scores if score.task == task]
        yield ""
        yield f"{TASK_LABELS[task]} ({plural(task_scores[0].questions, 'question')})"
        yield f"  {'':18}{'NDCG@10':20}{'MRR':20}recall@10"
        for task_score in task_scores:
            label = EVIDENCE_LABELS[task_score.evidence]
            means = f"{task_score.ndcg!s:20}{task_score.mrr!s:20}{task_score.recall!s}"
            yield f"  {label:18}{means}"


def _miss(miss: MissedQuestion) -> Iterator[str]:
    more = f" and {len(miss.wanted) - 1} more" if len(miss.wanted) > 1 else ""
    rank = f"rank {miss.rank}" if miss.rank else "not found"
    lines = [f"  {miss.kind} {miss.where}", f"    {miss.text}"]
    lines.append(f"    wanted {miss.wanted[0]}{more}: {rank}")
    if miss.first:
        lines.append(f"    first  {miss.first}")
    yield from (fit_width(line, REPORT_WIDTH) for line in lines)


@dataclass(frozen=True, slots=True)
class TuningTrial:
    """Weights that were fitted to one half of the questions and tested on the other half."""

    evidence: EvidenceLevel
    asked: QuestionKind
    """The kind of queries that the weights are for."""
    fitted_on: int
    tried_on: int
    shipped: Estimate
    tuned: Estimate
    gain: Estimate
    gains: Mapping[str, float]
    """Mean gain by question kind."""
    strength: float
    """The L2 penalty that cross-validation on the first half chose."""
    kept: bool


def _why_not(trial: TuningTrial) -> str:
    if trial.gain.low <= 0:
        return "no gain beyond chance"
    return f"{min(trial.gains, key=lambda kind: trial.gains[kind])} questions lose"


@dataclass(frozen=True, slots=True)
class TuningReport:
    """The result of tuning; `changed` tells whether the weights in use differ from before."""

    repo: str
    trials: tuple[TuningTrial, ...]
    changed: bool
    notes: tuple[str, ...]
    seconds: float

    @property
    def kept(self) -> bool:
        return any(trial.kept for trial in self.trials)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"kept": self.kept}

    def text(self) -> Iterator[str]:
        for trial in self.trials:
            what = f"{EVIDENCE_LABELS[trial.evidence]}{_sort(trial.asked)}"
            halves = f"fitted on {trial.fitted_on} questions, tested on {trial.tried_on}"
            yield f"{what}: {halves} about other files"
            yield f"  NDCG@10 shipped {trial.shipped}"
            yield f"  NDCG@10 tuned   {trial.tuned}"
            by_kind = ", ".join(f"{kind} {gain:+.3f}" for kind, gain in trial.gains.items())
            gain = f"{trial.gain.mean:+.3f} [{trial.gain.low:+.3f} {trial.gain.high:+.3f}]"
            yield f"  gain {gain} ({by_kind})"
            yield f"  {'kept' if trial.kept else f'not kept: {_why_not(trial)}'}"
        for note in self.notes:
            yield from textwrap.wrap(note, REPORT_WIDTH)
