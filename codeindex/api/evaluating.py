"""How well the index finds what its repository asks for, and weights fitted to that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codeindex.api.asking import QUIET, Asking, Progress, checked_limit

if TYPE_CHECKING:
    from codeindex.config import Settings
    from codeindex.evaluation.benchmark import EvaluatedIndex
    from codeindex.evaluation.report import Evaluation, TuningReport
    from codeindex.store.datadir.home import Repository

_MOST_QUESTIONS = 2_000


class Evaluating(Asking):
    """Measuring the index on its own repository, and tuning it to that."""

    repository: Repository
    settings: Settings

    def evaluate(self, *, limit: int = 200, progress: Progress = QUIET) -> Evaluation:
        """Measure how well searches find what commits' messages and docstrings ask for.

        `limit` is the most questions of each of the two kinds; what they ask for is the state that
        is published. NotIndexedError without one.
        """
        from codeindex.evaluation.evaluate import run_evaluation
        from codeindex.search.rank.tuned_weights import describe_tuning

        wanted = checked_limit(limit, most=_MOST_QUESTIONS)
        with self._ground() as ground:
            tuned = describe_tuning(self.repository.folder, ground.corpus.generation.vectors_of)
            return run_evaluation(ground, limit=wanted, tuned=tuned, progress=progress)

    def tune(self, *, limit: int = 400, progress: Progress = QUIET) -> TuningReport:
        """Fit the ranker's weights to one half of the repository; keep them if the other agrees.

        Kept weights rank in every search of this repository from now on, until `untune`; without
        a gain beyond chance the shipped ones do. LockedError while another process writes.
        """
        from codeindex.evaluation.report import TuningReport
        from codeindex.evaluation.tune import store_weights, tune_weights

        started, wanted = time.monotonic(), checked_limit(limit, most=_MOST_QUESTIONS)
        with self._ground() as ground:
            trials, tuned, notes = tune_weights(ground, limit=wanted, progress=progress)
        changed = store_weights(self.repository, tuned)
        return TuningReport(
            repo=self.repository.name,
            trials=trials,
            changed=changed,
            notes=notes,
            seconds=round(time.monotonic() - started, 1),
        )

    def untune(self) -> bool:
        """Rank by the shipped weights again; say if it was otherwise before.

        LockedError while another process writes.
        """
        from codeindex.evaluation.tune import store_weights

        with self.reader().catalog():  # NotIndexedError says what to do
            pass
        return store_weights(self.repository, None)

    @contextmanager
    def _ground(self) -> Iterator[EvaluatedIndex]:
        """Open the published state for as long as the block lasts."""
        from codeindex.evaluation.benchmark import EvaluatedIndex

        with self.reader().corpus() as (catalog, corpus):
            yield EvaluatedIndex(
                repo=self.repository.name,
                root=self.root,
                catalog=catalog,
                corpus=corpus,
                encoder=self.encoder_of(corpus.generation.vectors_of),
                max_tokens=self.settings.config.embedding.max_tokens,
            )
