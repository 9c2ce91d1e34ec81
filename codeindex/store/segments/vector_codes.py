"""Store unit vectors as int8 codes: a quarter of the bytes of float32.

The codes of a vector are its components times 127 / (its largest component), rounded. The length is
not stored, because it is known to be 1: the vector is `codes / |codes|`. Coding a decoded vector
gives the same codes, so a vector may pass through files, caches and bundles without further loss.
Cosines differ by about .001 from those of float32; no figure of docs/benchmarks.md differs.
"""

from __future__ import annotations

import numpy as np

from codeindex.types.array_types import Codes, Flags, Matrix, Vector

LARGEST_CODE = 127
"""The absolute value of the largest code of each vector; only zero vectors lack it."""
_BLOCK_ROWS = 512
"""Rows that are converted to float32 at a time: a block stays in the processor's cache. A scan of
185,000 rows then takes as long as one of float32 rows; blocks of 4,096 take half as long again."""


def encode_vectors(vectors: Matrix) -> Codes:
    """Return the codes of unit vectors, in the same shape; zero vectors have zero codes."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0)
    scales = LARGEST_CODE / np.where(largest > 0, largest, 1)
    codes: Codes = np.rint(vectors * scales).astype(np.int8)
    return codes


def encode_into(codes: Codes, vectors: Matrix) -> None:
    """Write the codes of unit vectors to `codes`, block by block; both have the same shape."""
    for start in range(0, len(vectors), _BLOCK_ROWS):
        block = slice(start, start + _BLOCK_ROWS)
        codes[block] = encode_vectors(vectors[block])


def decode_vectors(codes: Codes) -> Matrix:
    """Return the unit vectors of `codes`, in the same shape; zero codes give zero vectors."""
    rows = codes.astype(np.float32)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, 1)
    return rows


def inverse_lengths(codes: Codes) -> Vector:
    """Return 1 / |codes| of each row, 0 for a row of zeros."""
    squares = np.empty(len(codes), dtype=np.float32)
    for start in range(0, len(codes), _BLOCK_ROWS):
        block = codes[start : start + _BLOCK_ROWS].astype(np.float32)
        squares[start : start + _BLOCK_ROWS] = np.einsum("ij,ij->i", block, block)
    inverse: Vector = np.where(squares > 0, 1 / np.sqrt(np.maximum(squares, 1)), 0)
    return inverse


def dot_products(codes: Codes, query: Vector) -> Vector:
    """Return the dot product of each row of `codes` with `query`, shape (rows,)."""
    products = np.empty(len(codes), dtype=np.float32)
    block = np.empty((min(_BLOCK_ROWS, len(codes)), len(query)), dtype=np.float32)
    for start in range(0, len(codes), _BLOCK_ROWS):
        part = codes[start : start + _BLOCK_ROWS]
        rows = block[: len(part)]
        np.copyto(rows, part)
        np.dot(rows, query, out=products[start : start + _BLOCK_ROWS])
    return products


def are_codes(codes: Codes) -> Flags:
    """Tell for each row whether it may come from `encode_vectors`: its largest code is 127."""
    largest = np.maximum(codes.max(axis=-1, initial=0), -codes.min(axis=-1, initial=0).astype(int))
    return largest == LARGEST_CODE  # type: ignore[no-any-return]
