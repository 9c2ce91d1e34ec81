"""`codeindex eval`: how well an index finds what its own repository asks for."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from codeindex.evaluation.benchmark import Benchmark, EvaluatedIndex, RankedAnswer
from codeindex.evaluation.metrics import (
    RankingQuality,
    bootstrap_mean,
    function_quality,
    ranking_quality,
)
from codeindex.evaluation.questions import EvaluationQuestion, generate_questions
from codeindex.evaluation.report import TASK_LABELS, Evaluation, MissedQuestion, TaskScore

if TYPE_CHECKING:
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.search.weight_rows import EvidenceLevel

Progress = Callable[[str, int, int], None]
Response = TypeVar("Response")
EVALUATION_SECONDS = 90.0
"""Then no further question is asked: the whole is to stay under two minutes."""
_WORST = 5
_HINDSIGHT = (
    "Commits are asked of the tree as it is now, which has their changes in it, so their figures"
    " are a little better than on the day. Changed tests and documents are neither right nor"
    " wrong. A function that later commits wrote over is left out. A docstring is taken out of its"
    " chunk's words and vectors before it is asked for."
    " Figures of one repository compare with themselves, over time and between rows."
)


def run_evaluation(
    ground: EvaluatedIndex, *, limit: int, tuned: str, progress: Progress
) -> Evaluation:
    """Ask at most `limit` questions of each kind; sentences say which kinds there are none of."""
    started = time.monotonic()
    asked, notes = generate_questions(ground.catalog, ground.corpus, ground.root, limit=limit)
    bench = Benchmark.of(ground)
    seen = list(ask_within_time(bench.ask, asked, progress))
    done = len(seen) // len(bench.levels)
    notes += unasked_note(done, len(asked))
    return Evaluation(
        repo=ground.repo,
        evidence=bench.best,
        tuned=tuned,
        asked=done,
        prepared=len(asked),
        scores=tuple(_scores(bench, seen)),
        worst=tuple(_worst(ground.corpus, [one for one in seen if one.evidence == bench.best])),
        notes=(*notes, _HINDSIGHT) if seen else notes,
        seconds=round(time.monotonic() - started, 1),
    )


def ask_within_time(
    ask: Callable[[EvaluationQuestion], Iterable[Response]],
    asked: Sequence[EvaluationQuestion],
    progress: Progress,
    *,
    seconds: float = EVALUATION_SECONDS,
) -> Iterator[Response]:
    """Ask one question after another, all of them or as long as there is time."""
    end = time.monotonic() + seconds
    for number, one in enumerate(asked):
        if time.monotonic() > end:
            return
        progress("questions", number, len(asked))
        yield from ask(one)


def unasked_note(done: int, prepared: int) -> tuple[str, ...]:
    """Say how many questions there was no time for, or no way to hide their answer."""
    left = prepared - done
    return (f"{left} of {prepared} prepared questions were not asked.",) if left else ()


def _scores(bench: Benchmark, seen: Sequence[RankedAnswer]) -> Iterator[TaskScore]:
    for task in TASK_LABELS:
        judge = _functions if task in {"changed", "function"} else judge_files
        kind = "commit" if task in {"commit", "changed"} else "docstring"
        mine = [one for one in seen if one.question.kind == kind]
        if judge is _functions:
            mine = [one for one in mine if one.question.functions]
        for evidence in bench.levels:
            same = [one for one in mine if one.evidence == evidence]
            if same:
                yield _score(task, evidence, same, judge)


def _score(
    task: str,
    evidence: EvidenceLevel,
    mine: Sequence[RankedAnswer],
    judge: Callable[[RankedAnswer], RankingQuality],
) -> TaskScore:
    judged = [judge(one) for one in mine]
    groups = [question_group(one.question) for one in mine]
    return TaskScore(
        task=task,
        evidence=evidence,
        questions=len(mine),
        ndcg=bootstrap_mean([one.ndcg for one in judged], groups),
        mrr=bootstrap_mean([one.mrr for one in judged], groups),
        recall=bootstrap_mean([one.recall for one in judged], groups),
    )


def _functions(one: RankedAnswer) -> RankingQuality:
    return function_quality(one.hits, one.question.functions)


def judge_files(one: RankedAnswer) -> RankingQuality:
    return ranking_quality(one.order, one.question.targets)


def question_group(question: EvaluationQuestion) -> int:
    """Return what questions about the same file have in common."""
    return min(question.targets)


def _worst(corpus: Corpus, seen: Sequence[RankedAnswer]) -> Iterator[MissedQuestion]:
    """Name those that are answered worst, of each kind in turn."""
    by_kind: defaultdict[str, list[RankedAnswer]] = defaultdict(list)
    for one in sorted(seen, key=lambda one: judge_files(one).mrr):
        by_kind[one.question.kind].append(one)
    for kind in sorted(by_kind):
        for one in by_kind[kind][: max(_WORST // len(by_kind), 1)]:
            ranks = [rank for rank, at in enumerate(one.order, 1) if at in one.question.targets]
            if ranks[:1] != [1]:
                yield MissedQuestion(
                    kind=kind,
                    where=one.question.where,
                    text=one.question.text,
                    wanted=tuple(sorted(corpus.paths[at] for at in one.question.targets)),
                    rank=ranks[0] if ranks else 0,
                    first=corpus.paths[one.order[0]] if one.order else "",
                )
