"""Weights of the ranker: one per feature, for each evidence level and kind of question.

`tests/benchmarks/fit.py --write` writes `codeindex/data/weights.json`; do not edit it by hand. A
feature without an entry has its prior. `bias` calibrates the sum, so that it is the log-odds that a
place answers the question. Rows that are tuned to a repository (`tuned_weights.py`) replace the
weights of file features.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from codeindex.query.wanted_files import WantedFiles
from codeindex.search.rank.features import FILE_FEATURES, PLACE_FEATURES
from codeindex.search.rank.features.feature import RankingFeature
from codeindex.search.weight_rows import EvidenceLevel, FileWeightRow, FileWeightRows, QuestionKind
from codeindex.types.array_types import Doubles

_TABLE = Path(__file__).parents[2] / "data" / "weights.json"
FITTED_MODEL = "codeindex-encoder"
"""The model with which the weights of `dense` were fitted. Another model's cosines may all be
higher or lower; this changes the scores but hardly the order of hits."""


@dataclass(frozen=True, slots=True, eq=False)
class RankerWeights:
    """Weights of file features and of place features, each in the order of their registry.

    From a place's log-odds, `further` times log(1 + its rank in the file) is subtracted.
    """

    files: Doubles
    places: Doubles
    bias: float
    further: float

    @property
    def row(self) -> FileWeightRow:
        """The weights of the file features and the bias, which `eval --tune` fits."""
        return tuple(self.files.tolist()), self.bias

    def with_shifted(self, feature: str, shift: float) -> RankerWeights:
        """Return the weights with `shift` added to the weight of a file feature."""
        if not shift:
            return self
        is_shifted = np.array([known.name == feature for known in FILE_FEATURES])
        return replace(self, files=self.files + shift * is_shifted)

    def preferring(self, wanted: WantedFiles) -> RankerWeights:
        """Return the weights for a question that asks for a kind of files.

        Files of this kind have no malus, and all others have one. Documents are ranked elsewhere.
        """
        if wanted in {WantedFiles.ANY, WantedFiles.DOCUMENTS}:
            return self
        of_files = _FOR_PROJECT if wanted is WantedFiles.PROJECT else _FOR_A_KIND
        of_places = _FOR_TESTS if wanted is WantedFiles.TESTS else {}
        return replace(
            self,
            files=_with_changed(FILE_FEATURES, self.files, of_files),
            places=_with_changed(PLACE_FEATURES, self.places, of_places),
            bias=self.bias - of_files["wanted"],
        )


_UNWANTED = 2.0
"""Malus of files that are of another kind than the question asks for: quality.md, "Questions for a
kind of files"."""
_FOR_A_KIND = {"wanted": _UNWANTED, "test": 0.0, "example": 0.0, "data": 0.0, "prose": 0.0}
"""{name of a feature of files: the weight that it has if a question asks for a kind of files}.
Tests, examples, data and documents lose their own malus."""
_FOR_PROJECT = {"wanted": 8.0, "data": 0.0, "prose": 0.0}
"""{name of a feature of files: the weight that it has if a question asks for files of the project}:
quality.md, "Questions for files of the project"."""
_FOR_TESTS = {"place_inline_test": _UNWANTED, "place_test": 0.5}
"""{name of a feature of places: the weight that it has if a question asks for tests}."""


def _with_changed(
    features: Sequence[RankingFeature], weights: Doubles, changed: Mapping[str, float]
) -> Doubles:
    """Return the weights of features with the values in `changed`, by name, in their place."""
    return np.array(
        [
            changed.get(feature.name, weight)
            for feature, weight in zip(features, weights.tolist(), strict=True)
        ]
    )


def ranker_weights(
    evidence: EvidenceLevel, question: QuestionKind, own: FileWeightRows | None = None
) -> RankerWeights:
    """Return the weights for a kind of question at an evidence level.

    They are the shipped weights; if `own` has tuned weights for this case, these replace the file
    weights and the bias.
    """
    shipped = _shipped(evidence, question)
    if own and (tuned := own.get((evidence, question))):
        files, bias = tuned
        return RankerWeights(np.array(files), shipped.places, bias, shipped.further)
    return shipped


@functools.cache
def _shipped(evidence: EvidenceLevel, question: QuestionKind) -> RankerWeights:
    row = _table()[evidence][question]
    files, places = (
        np.array([row.get(feature.name, feature.prior) for feature in level])
        for level in (FILE_FEATURES, PLACE_FEATURES)
    )
    return RankerWeights(files, places, row["bias"], row.get("further", 1.0))


@functools.cache
def weights_edition() -> str:
    """Return a digest of the shipped weights and the names of the features.

    It tells whether tuned weights belong to them.
    """
    import hashlib  # 3 ms, for repositories that are tuned

    names = [feature.name for feature in (*FILE_FEATURES, *PLACE_FEATURES)]
    text = json.dumps([names, _table()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@functools.cache
def _table() -> dict[str, dict[str, dict[str, float]]]:
    text = _TABLE.read_text("utf-8")
    table: dict[str, dict[str, dict[str, float]]] = json.loads(text)
    return table
