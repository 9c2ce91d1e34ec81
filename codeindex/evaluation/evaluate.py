"""`codeindex eval`: how well an index finds what its own repository asks for."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from codeindex.evaluation.metrics import Quality, estimate, function_quality, quality
from codeindex.evaluation.questions import Question, questions
from codeindex.evaluation.report import TASKS, Evaluation, Miss, Score
from codeindex.evaluation.seen import Bench, Ground, Seen

if TYPE_CHECKING:
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.search.weight_rows import EvidenceLevel

Progress = Callable[[str, int, int], None]
Told = TypeVar("Told")
LONGEST_SECONDS = 90.0
"""Then no further question is asked: the whole is to stay under two minutes."""
_WORST = 5
_HINDSIGHT = (
    "Commits are asked of the tree as it is now, which has their changes in it, so their figures"
    " are a little better than on the day. Changed tests and documents are neither right nor"
    " wrong. A function that later commits wrote over is left out. A docstring is taken out of its"
    " chunk's words and vectors before it is asked for."
    " Figures of one repository compare with themselves, over time and between rows."
)


def evaluate(ground: Ground, *, limit: int, tuned: str, progress: Progress) -> Evaluation:
    """Ask at most `limit` questions of each kind; sentences say which kinds there are none of."""
    started = time.monotonic()
    asked, notes = questions(ground.catalog, ground.corpus, ground.root, limit=limit)
    bench = Bench.of(ground)
    seen = list(each(bench.ask, asked, progress))
    done = len(seen) // len(bench.levels)
    notes += unasked(done, len(asked))
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


def each(
    ask: Callable[[Question], Iterable[Told]],
    asked: Sequence[Question],
    progress: Progress,
    *,
    seconds: float = LONGEST_SECONDS,
) -> Iterator[Told]:
    """Ask one question after another, all of them or as long as there is time."""
    end = time.monotonic() + seconds
    for number, one in enumerate(asked):
        if time.monotonic() > end:
            return
        progress("questions", number, len(asked))
        yield from ask(one)


def unasked(done: int, prepared: int) -> tuple[str, ...]:
    """Say how many questions there was no time for, or no way to hide their answer."""
    left = prepared - done
    return (f"{left} of {prepared} prepared questions were not asked.",) if left else ()


def _scores(bench: Bench, seen: Sequence[Seen]) -> Iterator[Score]:
    for task in TASKS:
        judge = _functions if task in {"changed", "function"} else judgement
        kind = "commit" if task in {"commit", "changed"} else "docstring"
        mine = [one for one in seen if one.question.kind == kind]
        if judge is _functions:
            mine = [one for one in mine if one.question.functions]
        for evidence in bench.levels:
            same = [one for one in mine if one.evidence == evidence]
            if same:
                yield _score(task, evidence, same, judge)


def _score(
    task: str, evidence: EvidenceLevel, mine: Sequence[Seen], judge: Callable[[Seen], Quality]
) -> Score:
    judged = [judge(one) for one in mine]
    groups = [group_of(one.question) for one in mine]
    return Score(
        task=task,
        evidence=evidence,
        questions=len(mine),
        ndcg=estimate([one.ndcg for one in judged], groups),
        mrr=estimate([one.mrr for one in judged], groups),
        recall=estimate([one.recall for one in judged], groups),
    )


def _functions(one: Seen) -> Quality:
    return function_quality(one.hits, one.question.functions)


def judgement(one: Seen) -> Quality:
    return quality(one.order, one.question.targets)


def group_of(question: Question) -> int:
    """Return what questions about the same file have in common."""
    return min(question.targets)


def _worst(corpus: Corpus, seen: Sequence[Seen]) -> Iterator[Miss]:
    """Name those that are answered worst, of each kind in turn."""
    by_kind: defaultdict[str, list[Seen]] = defaultdict(list)
    for one in sorted(seen, key=lambda one: judgement(one).mrr):
        by_kind[one.question.kind].append(one)
    for kind in sorted(by_kind):
        for one in by_kind[kind][: max(_WORST // len(by_kind), 1)]:
            ranks = [rank for rank, at in enumerate(one.order, 1) if at in one.question.targets]
            if ranks[:1] != [1]:
                yield Miss(
                    kind=kind,
                    where=one.question.where,
                    text=one.question.text,
                    wanted=tuple(sorted(corpus.paths[at] for at in one.question.targets)),
                    rank=ranks[0] if ranks else 0,
                    first=corpus.paths[one.order[0]] if one.order else "",
                )
