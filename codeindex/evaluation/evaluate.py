"""Measure search quality on questions from the repository itself, for `codeindex eval`."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from codeindex.evaluation.benchmark import Benchmark, EvaluatedIndex, RankedAnswer
from codeindex.evaluation.metrics import (
    RankingQuality,
    bootstrap_mean,
    function_quality,
    ranking_quality,
)
from codeindex.evaluation.questions import EvaluationQuestion, generate_questions
from codeindex.evaluation.report import TASK_LABELS, Evaluation, MissedQuestion, TaskScore
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.weight_rows import EvidenceLevel

Progress = Callable[[str, int, int], None]
Response = TypeVar("Response")
EVALUATION_SECONDS = 90.0
"""After this time no further question starts, so that the command ends within two minutes."""
_MAX_MISSED = 5
"""Most missed questions that are printed: they fill a screen."""
_HINDSIGHT = (
    "Questions from commits search the current tree, which contains their changes, so their figures"
    " are slightly too high. Changed tests and documents are neither right nor wrong. A function"
    " that later commits replaced is left out. A docstring is removed from the words and vectors of"
    " its chunk before it is searched for."
    " Compare figures only within one repository, over time and between rows."
)


def run_evaluation(
    evaluated: EvaluatedIndex, *, limit: int, tuned: str, progress: Progress
) -> Evaluation:
    """Ask at most `limit` questions of each kind; return the scores and the worst answers.

    `tuned` describes the tuned weights in use, '' for the shipped ones. `notes` of the result name
    the kinds for which there are no questions.
    """
    started = time.monotonic()
    questions, notes = generate_questions(
        evaluated.catalog, evaluated.corpus, evaluated.root, limit=limit
    )
    bench = Benchmark.of(evaluated)
    answers = list(ask_within_time(bench.ask, questions, progress))
    done = len(answers) // len(bench.levels)
    notes += unasked_note(done, len(questions))
    return Evaluation(
        repo=evaluated.repo,
        evidence=bench.best,
        tuned=tuned,
        asked=done,
        prepared=len(questions),
        scores=tuple(_score_tasks(bench, answers)),
        worst=tuple(
            _worst_questions(
                evaluated.corpus, [answer for answer in answers if answer.evidence == bench.best]
            )
        ),
        notes=(*notes, _HINDSIGHT) if answers else notes,
        seconds=round(time.monotonic() - started, 1),
    )


def ask_within_time(
    ask: Callable[[EvaluationQuestion], Iterable[Response]],
    questions: Sequence[EvaluationQuestion],
    progress: Progress,
    *,
    seconds: float = EVALUATION_SECONDS,
) -> Iterator[Response]:
    """Yield what `ask` returns for each question in order, until `seconds` have passed."""
    end = time.monotonic() + seconds
    for number, question in enumerate(questions):
        if time.monotonic() > end:
            return
        progress("questions", number, len(questions))
        yield from ask(question)


def unasked_note(done: int, prepared: int) -> tuple[str, ...]:
    """Return a note on how many of the prepared questions were not asked; () if all were.

    `done` is the number of asked questions. Questions are not asked if time runs out or their
    docstring cannot be masked.
    """
    left = prepared - done
    return (f"{left} of {prepared} prepared questions were not asked.",) if left else ()


def _score_tasks(bench: Benchmark, answers: Sequence[RankedAnswer]) -> Iterator[TaskScore]:
    for task in TASK_LABELS:
        judge = _judge_functions if task in {"changed", "function"} else judge_files
        kind = "commit" if task in {"commit", "changed"} else "docstring"
        task_answers = [answer for answer in answers if answer.question.kind == kind]
        if judge is _judge_functions:
            task_answers = [answer for answer in task_answers if answer.question.functions]
        for evidence in bench.levels:
            same = [answer for answer in task_answers if answer.evidence == evidence]
            if same:
                yield _score_task(task, evidence, same, judge)


def _score_task(
    task: str,
    evidence: EvidenceLevel,
    task_answers: Sequence[RankedAnswer],
    judge: Callable[[RankedAnswer], RankingQuality],
) -> TaskScore:
    judged = [judge(answer) for answer in task_answers]
    groups = [question_group(answer.question) for answer in task_answers]
    return TaskScore(
        task=task,
        evidence=evidence,
        questions=len(task_answers),
        ndcg=bootstrap_mean([quality.ndcg for quality in judged], groups),
        mrr=bootstrap_mean([quality.mrr for quality in judged], groups),
        recall=bootstrap_mean([quality.recall for quality in judged], groups),
    )


def _judge_functions(answer: RankedAnswer) -> RankingQuality:
    return function_quality(answer.hits, answer.question.functions)


def judge_files(answer: RankedAnswer) -> RankingQuality:
    return ranking_quality(answer.order, answer.question.targets)


def question_group(question: EvaluationQuestion) -> int:
    """Return the number of the group that the bootstrap draws with this question.

    Questions with the same first relevant file are one group; the number is the file's position.
    """
    return min(question.targets)


def _worst_questions(corpus: Corpus, answers: Sequence[RankedAnswer]) -> Iterator[MissedQuestion]:
    """Yield the questions whose first relevant file ranks lowest, about as many of each kind.

    Questions with a relevant file at rank 1 are left out.
    """
    by_kind: defaultdict[str, list[RankedAnswer]] = defaultdict(list)
    for candidate in sorted(answers, key=lambda answer: judge_files(answer).mrr):
        by_kind[candidate.question.kind].append(candidate)
    for kind in sorted(by_kind):
        for candidate in by_kind[kind][: max(_MAX_MISSED // len(by_kind), 1)]:
            ranks = [
                rank
                for rank, at in enumerate(candidate.order, 1)
                if at in candidate.question.targets
            ]
            if ranks[:1] != [1]:
                yield MissedQuestion(
                    kind=kind,
                    where=candidate.question.where,
                    text=candidate.question.text,
                    wanted=tuple(sorted(corpus.paths[at] for at in candidate.question.targets)),
                    rank=ranks[0] if ranks else 0,
                    first=corpus.paths[candidate.order[0]] if candidate.order else "",
                )
