"""What an evaluation says, in the shapes that the library and the command line show."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.evaluation.metrics import Estimate

if TYPE_CHECKING:
    from codeindex.search.weight_rows import EvidenceLevel, QuestionKind

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
    """How well one task goes with one level of evidence."""

    task: str
    evidence: EvidenceLevel
    questions: int
    ndcg: Estimate
    mrr: Estimate
    recall: Estimate


@dataclass(frozen=True, slots=True)
class MissedQuestion:
    """A question that is answered badly: the rank of its first right file, 0 for none."""

    kind: str
    where: str
    text: str
    wanted: tuple[str, ...]
    rank: int
    first: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well an index finds what its repository's own history and documentation ask for."""

    repo: str
    evidence: EvidenceLevel
    """What searches go by."""
    tuned: str
    """What weights of its own the repository has, '' for the shipped ones."""
    asked: int
    prepared: int
    """Questions that there were; fewer are asked when time runs out or a text cannot be masked."""
    scores: tuple[TaskScore, ...]
    worst: tuple[MissedQuestion, ...]
    notes: tuple[str, ...]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def text(self) -> Iterator[str]:
        yield f"{self.repo}: {self.asked} questions in {self.seconds:.0f} s"
        yield f"weights: {self.tuned or 'as shipped'}"
        yield from _scores(self.scores)
        if self.worst:
            yield ""
            yield f"worst answered, by {_upto(self.evidence)}:"
        for one in self.worst:
            yield from _miss(one)
        if self.notes:
            yield ""
        for note in self.notes:
            yield from textwrap.wrap(note, REPORT_WIDTH)


def _sort(asked: QuestionKind) -> str:
    """Name the sort of question, if it is not the usual one."""
    return "" if asked == "other" else f", {asked} questions"


def _upto(evidence: EvidenceLevel) -> str:
    names = list(EVIDENCE_LABELS)
    return " ".join(EVIDENCE_LABELS[one] for one in names[: names.index(evidence) + 1])


def _scores(scores: tuple[TaskScore, ...]) -> Iterator[str]:
    for task in dict.fromkeys(one.task for one in scores):
        mine = [one for one in scores if one.task == task]
        yield ""
        yield f"{TASK_LABELS[task]} ({mine[0].questions} questions)"
        yield f"  {'':18}{'NDCG@10':20}{'MRR':20}recall@10"
        for one in mine:
            yield f"  {EVIDENCE_LABELS[one.evidence]:18}{one.ndcg!s:20}{one.mrr!s:20}{one.recall!s}"


def _miss(one: MissedQuestion) -> Iterator[str]:
    yield _cut(f"  {one.kind} {one.where}")
    yield _cut(f"    {one.text}")
    more = f" and {len(one.wanted) - 1} more" if len(one.wanted) > 1 else ""
    yield _cut(
        f"    wanted {one.wanted[0]}{more}: {f'rank {one.rank}' if one.rank else 'not found'}"
    )
    if one.first:
        yield _cut(f"    first  {one.first}")


def _cut(line: str) -> str:
    return line if len(line) <= REPORT_WIDTH else f"{line[: REPORT_WIDTH - 1]}…"


@dataclass(frozen=True, slots=True)
class TuningTrial:
    """Weights fitted on one half of the questions and tried on the other."""

    evidence: EvidenceLevel
    asked: QuestionKind
    """The sort of question whose weights these are, as searches tell them apart."""
    fitted_on: int
    tried_on: int
    shipped: Estimate
    tuned: Estimate
    gain: Estimate
    gains: Mapping[str, float]
    """Of each kind of question."""
    strength: float
    """Price of leaving the shipped weights that was chosen on the first half."""
    kept: bool


def _why_not(one: TuningTrial) -> str:
    if one.gain.low <= 0:
        return "no gain beyond chance"
    return f"{min(one.gains, key=lambda kind: one.gains[kind])} questions lose"


@dataclass(frozen=True, slots=True)
class TuningReport:
    """What came of fitting weights to a repository, and whether they are in use now."""

    repo: str
    trials: tuple[TuningTrial, ...]
    changed: bool
    notes: tuple[str, ...]
    seconds: float

    @property
    def kept(self) -> bool:
        return any(one.kept for one in self.trials)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"kept": self.kept}

    def text(self) -> Iterator[str]:
        for one in self.trials:
            what = f"{EVIDENCE_LABELS[one.evidence]}{_sort(one.asked)}"
            halves = f"fitted on {one.fitted_on} questions, tried on {one.tried_on}"
            yield f"{what}: {halves} about other files"
            yield f"  NDCG@10 shipped {one.shipped}"
            yield f"  NDCG@10 tuned   {one.tuned}"
            by_kind = ", ".join(f"{kind} {gain:+.3f}" for kind, gain in one.gains.items())
            gain = f"{one.gain.mean:+.3f} [{one.gain.low:+.3f} {one.gain.high:+.3f}]"
            yield f"  gain {gain} ({by_kind})"
            yield f"  {'kept' if one.kept else f'not kept: {_why_not(one)}'}"
        for note in self.notes:
            yield from textwrap.wrap(note, REPORT_WIDTH)
