"""Encode a vector for the embedding caches, as a digest followed by the vector's int8 codes.

Earlier versions stored float32 numbers, which are still read.
"""

from __future__ import annotations

import numpy as np

from codeindex.store.cache.contents import with_digest, without_digest
from codeindex.store.segments.vector_codes import are_codes, decode_vectors, encode_vectors
from codeindex.types.array_types import Vector

_MOST_DEVIATION = 1e-3
"""Largest deviation of the length of a float32 vector from 1."""


def pack_vector(vector: Vector) -> bytes:
    """Return the bytes that a cache stores for a unit vector: a digest, then int8 codes."""
    return with_digest(encode_vectors(vector).tobytes())


def unpack_vector(value: bytes | None, *, dimension: int) -> Vector | None:
    """Return the unit vector of a cached value.

    Return None if there is no value, if its digest is wrong, or if it is no unit vector of this
    dimension.
    """
    data = without_digest(value)
    if data is None:
        return None
    if len(data) == dimension:
        codes = np.frombuffer(data, dtype=np.int8)
        return decode_vectors(codes) if are_codes(codes) else None
    if len(data) == 4 * dimension:
        vector = np.frombuffer(data, dtype="<f4")
        return vector if abs(float(np.linalg.norm(vector)) - 1) < _MOST_DEVIATION else None
    return None
