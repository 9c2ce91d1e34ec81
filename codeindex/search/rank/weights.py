"""The ranker's weights: one for each feature, by evidence and kind of question.

`codeindex/data/weights.json` is made by `tests/benchmarks/fit.py --write`, which says how; do not
edit it by hand. A feature that it does not name counts with its prior. `bias` makes the sum the
log-odds that a place is an answer. Rows that a repository has of its own (`search.tuned`) replace
the weights of files.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.rank.features import FILE_FEATURES, PLACE_FEATURES
from codeindex.search.weight_rows import (
    EvidenceLevel,
    FileWeightRow,
    FileWeightRows,
    QuestionKind,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_TABLE = Path(__file__).parents[2] / "data" / "weights.json"
FITTED_MODEL = "minilm-l6-int8"
"""The model whose cosines the weights of `dense` know: those of another may all be higher or lower,
which moves scores and hardly their order."""


@dataclass(frozen=True, slots=True, eq=False)
class RankerWeights:
    """Weights of file features and of place features, each in the order of its registry.

    `further` is taken off, times the logarithm of a place's rank in its file.
    """

    files: Floats
    places: Floats
    bias: float
    further: float

    @property
    def row(self) -> FileWeightRow:
        """Return the weights of files and the bias, which `eval --tune` fits."""
        return tuple(self.files.tolist()), self.bias


def ranker_weights(
    evidence: EvidenceLevel, asked: QuestionKind, own: FileWeightRows | None = None
) -> RankerWeights:
    """Return the shipped weights, those of files from a repository's own row if it has one."""
    shipped = _shipped(evidence, asked)
    if own and (found := own.get((evidence, asked))):
        files, bias = found
        return RankerWeights(np.array(files), shipped.places, bias, shipped.further)
    return shipped


@functools.cache
def _shipped(evidence: EvidenceLevel, asked: QuestionKind) -> RankerWeights:
    row = _table()[evidence][asked]
    files, places = (
        np.array([row.get(one.name, one.prior) for one in level])
        for level in (FILE_FEATURES, PLACE_FEATURES)
    )
    return RankerWeights(files, places, row["bias"], row.get("further", 1.0))


@functools.cache
def weights_edition() -> str:
    """Return what tells these features and weights from those of another release."""
    import hashlib  # 3 ms, for repositories that are tuned

    names = [one.name for one in (*FILE_FEATURES, *PLACE_FEATURES)]
    text = json.dumps([names, _table()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@functools.cache
def _table() -> dict[str, dict[str, dict[str, float]]]:
    text = _TABLE.read_text("utf-8")
    table: dict[str, dict[str, dict[str, float]]] = json.loads(text)
    return table
