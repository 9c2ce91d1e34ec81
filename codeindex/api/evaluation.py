"""Measure searches with questions made from the repository, and tune them: `Index.evaluation`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.requests.evaluation import EvaluateRequest, TuneRequest
from codeindex.evaluation.benchmark import EvaluatedIndex
from codeindex.evaluation.evaluate import run_evaluation
from codeindex.evaluation.report import Evaluation, TuningReport
from codeindex.evaluation.tune import store_weights, tune_weights
from codeindex.search.rank.odds_shifts import odds_shifts
from codeindex.search.rank.tuned_weights import describe_tuning


class Evaluator(Component):
    """Measures searches with questions made from the repository, and fits the ranker's weights."""

    @capability(EvaluateRequest)
    def evaluate(self, request: EvaluateRequest) -> Evaluation:
        folder = self._session.repository.folder
        with self._evaluated_index() as evaluated:
            tuned = describe_tuning(folder, evaluated.corpus.generation.vectors_of)
            return run_evaluation(
                evaluated, limit=request.limit, tuned=tuned, progress=request.progress
            )

    @capability(TuneRequest)
    def tune(self, request: TuneRequest) -> TuningReport:
        started = time.monotonic()
        with self._evaluated_index() as evaluated:
            trials, tuned, notes = tune_weights(
                evaluated, limit=request.limit, progress=request.progress
            )
        changed = store_weights(self._session.repository, tuned)
        return TuningReport(
            repo=self._session.repository.name,
            trials=trials,
            changed=changed,
            notes=notes,
            seconds=round(time.monotonic() - started, 1),
        )

    def untune(self) -> bool:
        """Rank by the shipped weights again; return whether tuned weights were in use.

        Raises LockedError while another process writes.
        """
        with self._runner.reader().catalog():  # NotIndexedError says what to do
            pass
        return store_weights(self._session.repository, None)

    @contextmanager
    def _evaluated_index(self) -> Iterator[EvaluatedIndex]:
        """Open the published index for the `with` block, with the models that made its vectors."""
        session, config = self._session, self._session.settings.config
        with session.reader().corpus() as (catalog, corpus):
            yield EvaluatedIndex(
                repo=session.repository.name,
                root=session.root,
                catalog=catalog,
                corpus=corpus,
                encoders=session.query_encoders(corpus.generation),
                max_tokens=config.embedding.max_tokens,
                shifts=odds_shifts(config),
            )
