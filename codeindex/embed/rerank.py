"""Run a cross-encoder: a model that reads a query and a text together and scores the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codeindex.embed.onnx import MAX_CHARS_PER_TOKEN, OnnxModel, onnx_errors, session_feeds
from codeindex.embed.tokens import replace_surrogates, tokenizer_for
from codeindex.errors import ModelError

_NO_YES_LABELS = 2
"""Number of outputs of a model with the labels "no" and "yes"; its score is "yes" minus "no"."""


class CrossEncoder(OnnxModel):
    """A loaded cross-encoder."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text; higher is better, and the scale depends on the model.

        Each run has one text, because results of int8 models depend on the other texts of a batch.
        """
        return list(self._pool.map(lambda text: self._score(query, text), texts))

    def _score(self, query: str, text: str) -> float:
        max_chars = self.model.window * MAX_CHARS_PER_TOKEN
        tokenizer = tokenizer_for(self._tokenizer, max_tokens=self.model.window)
        first, second = (replace_surrogates(part[:max_chars]) for part in (query, text))
        try:
            output = self._session.run(
                None, session_feeds(self._inputs, tokenizer.encode(first, second))
            )[0]
        except onnx_errors() as error:
            reason = str(error).split("\n", 1)[0]
            raise ModelError(f"Model {self.model.id} cannot be run: {reason}.") from error
        return self._number(output)

    def _number(self, output: Any) -> float:
        import numpy as np

        logits = np.asarray(output, np.float32).ravel()
        if len(logits) not in {1, _NO_YES_LABELS}:
            raise ModelError(
                f"Model {self.model.id} gives {len(logits)} numbers for a pair of texts, not one:"
                " choose a cross-encoder."
            )
        score = float(logits[-1] - logits[0]) if len(logits) == _NO_YES_LABELS else float(logits[0])
        if not np.isfinite(score):
            raise ModelError(f"Model {self.model.id} gave a score that is not a number.")
        return score
