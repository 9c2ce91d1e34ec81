"""Compute token vectors: the weighted mean of the static model's vectors of a text's tokens.

The weight of a token is idf · log(1 + count). The corpus mean is subtracted and the result is
L2-normalised, for texts and queries alike. Because no transformer runs, search is semantic as soon
as the structure phase ends, whether a transformer is installed or not (docs/quality.md has
figures).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.packing import pack_counts
from codeindex.embed.tokens import replace_surrogates, tokenizer_for
from codeindex.embed.word_ids import token_id_encoder
from codeindex.errors import DamagedError
from codeindex.files import arrays
from codeindex.types.array_types import Matrix, Vector

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.embed.static_model import StaticModel

    Counts = npt.NDArray[np.signedinteger]


_LOGS = np.log1p(np.arange(256, dtype=np.float32))
_BLOCK_ROWS = 4096
"""Rows that are normalised at a time, so that memory does not grow with the corpus."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenStatistics:
    """Statistics of the texts of an index: the idf of each token id, and their mean vector."""

    idf: Vector
    mean: Vector

    def save(self, path: Path) -> None:
        with path.open("wb") as handle:
            np.savez(handle, idf=self.idf, mean=self.mean)

    @classmethod
    def load(cls, path: Path) -> TokenStatistics:
        from zipfile import BadZipFile, ZipFile

        if not path.is_file():  # opening a pipe would block
            raise DamagedError(f"Token statistics {path.name} are missing, or not a file.")
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
    texts: Callable[[], Iterable[bytes]], model: StaticModel, out: Matrix
) -> TokenStatistics:
    """Compute the token vectors of texts into `out`; return the statistics of the texts.

    `texts` is called twice; each call yields the texts, packed by `pack_counts`. `out` has one row
    for each text; its rows become unit vectors.
    """
    frequency = np.zeros(len(model), dtype=np.int64)
    for text in texts():
        frequency[_unpack(text)[0]] += 1
    idf = np.log((len(out) + 1) / (frequency + 1)).astype(np.float32)
    total = np.zeros(model.dimension, dtype=np.float64)
    for row, text in enumerate(texts()):
        out[row] = _weighted_mean(text, idf, model)
        total += out[row]
    mean = (total / max(len(out), 1)).astype(np.float32)
    for start in range(0, len(out), _BLOCK_ROWS):
        out[start : start + _BLOCK_ROWS] = _normalise(out[start : start + _BLOCK_ROWS] - mean)
    return TokenStatistics(idf, mean)


def token_vectors(
    texts: Sequence[bytes], statistics: TokenStatistics, model: StaticModel
) -> Matrix:
    """Return the token vectors of texts that `pack_counts` packed, shape (texts, dimension).

    They are unit vectors.
    """
    means = np.zeros((len(texts), model.dimension), dtype=np.float32)
    for row, text in enumerate(texts):
        means[row] = _weighted_mean(text, statistics.idf, model)
    return _normalise(means - statistics.mean)


def text_vectors(texts: Sequence[str], statistics: TokenStatistics, model: StaticModel) -> Matrix:
    """Return the token vectors of texts that are not in the index, shape (texts, dimension)."""
    token_ids = token_id_encoder(tokenizer_for(None))
    counts = [pack_counts(Counter(token_ids(replace_surrogates(text)))) for text in texts]
    return token_vectors(counts, statistics, model)


def query_vector(text: str, statistics: TokenStatistics, model: StaticModel) -> Vector:
    """Return the token vector of a query, to compare it with those of chunks."""
    row: Vector = text_vectors([text], statistics, model)[0]
    return row


def _weighted_mean(text: bytes, idf: Vector, model: StaticModel) -> Vector:
    ids, counts = _unpack(text)
    weights = idf[ids] * _LOGS[counts]
    total = max(float(weights.sum()), 1e-6)
    mean: Vector = model.weighted_sum(ids, weights) / total
    return mean


def _unpack(text: bytes) -> tuple[Counts, Counts]:
    """Return the token ids and the counts of a packed text, as two arrays."""
    pairs = np.frombuffer(text, dtype="<u4")
    return pairs >> 8, pairs & 255


def _normalise(rows: Matrix) -> Matrix:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Matrix = (rows / np.maximum(norms, 1e-12)).astype(np.float32)
    return units
