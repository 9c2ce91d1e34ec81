"""Vectors without a forward pass: a text as the weighted mean of its tokens' input embeddings.

The weight of a token is idf · log(1 + count); the corpus mean is taken off and the rest
L2-normalised, queries alike. It costs a look-up in the model's own embedding table, so search is
semantic the moment the structure phase ends; .74 NDCG@10 alone and +.014 beside words on the dev
benchmark (docs/quality.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from codeindex.errors import DamagedError
from codeindex.files import arrays

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.types import Matrix

    Vector = npt.NDArray[np.float32]
    Counts = npt.NDArray[np.signedinteger]


_LOGS = np.log1p(np.arange(256, dtype=np.float32))
_ROWS = 4096
"""Rows worked on at a time, so that memory does not grow with the corpus."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenStatistics:
    """What was learned from a corpus: each token's idf and the mean of its texts' vectors."""

    idf: Vector
    mean: Vector

    def save(self, path: Path) -> None:
        with path.open("wb") as handle:
            np.savez(handle, idf=self.idf, mean=self.mean)

    @classmethod
    def load(cls, path: Path) -> TokenStatistics:
        from zipfile import BadZipFile, ZipFile

        try:
            with (
                ZipFile(path) as stored,
                stored.open("idf.npy") as idf,
                stored.open("mean.npy") as mean,
            ):
                return cls(arrays.read_array(idf), arrays.read_array(mean))
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise DamagedError(f"Token statistics {path.name} cannot be read ({error}).") from error


def learn_statistics(
    texts: Callable[[], Iterable[bytes]], table: Matrix, out: Matrix
) -> TokenStatistics:
    """Fill `out` with the unit vector of each packed text and return what was learned.

    `texts` is called twice and read as a stream; `out` may be a memory map of as many rows.
    """
    frequency = np.zeros(len(table), dtype=np.int64)
    for text in texts():
        frequency[_unpacked(text)[0]] += 1
    idf = np.log((len(out) + 1) / (frequency + 1)).astype(np.float32)
    table = np.asarray(table)  # a memory map makes each of its rows one
    total = np.zeros(table.shape[1], dtype=np.float64)
    for row, item in enumerate(texts()):
        out[row] = _mean_of(item, idf, table)
        total += out[row]
    mean = (total / max(len(out), 1)).astype(np.float32)
    for start in range(0, len(out), _ROWS):
        out[start : start + _ROWS] = _units(out[start : start + _ROWS] - mean)
    return TokenStatistics(idf, mean)


def token_vectors(texts: Sequence[bytes], statistics: TokenStatistics, table: Matrix) -> Matrix:
    """Return a unit row for each packed text (see `PreparedChunk.tokens`)."""
    means = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
    for row, text in enumerate(texts):
        means[row] = _mean_of(text, statistics.idf, table)
    return _units(means - statistics.mean)


def _mean_of(text: bytes, idf: Vector, table: Matrix) -> Vector:
    ids, counts = _unpacked(text)
    weights = idf[ids] * _LOGS[counts]
    total = max(float(weights.sum()), 1e-6)
    mean: Vector = (weights @ table[ids]) / total
    return mean


def _unpacked(text: bytes) -> tuple[Counts, Counts]:
    """Return token ids and how often each is there."""
    pairs = np.frombuffer(text, dtype="<u4")
    return pairs >> 8, pairs & 255


def _units(rows: Matrix) -> Matrix:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Matrix = (rows / np.maximum(norms, 1e-12)).astype(np.float32)
    return units
