"""Pack the token counts of a text into bytes, small enough to store for every chunk."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping

MAX_COUNT = 255
"""Higher counts are clamped: a count takes 8 bits, and only its logarithm is used."""


def pack_counts(counts: Mapping[int, int]) -> bytes:
    """Return {token id: count} as sorted uint32 `id << 8 | count`, for `PreparedChunk.tokens`."""
    # a call of `min` for each would take twice the time
    clamped = [key << 8 | (min(MAX_COUNT, count)) for key, count in counts.items()]
    pairs = array("I", sorted(clamped))
    if sys.byteorder == "big":
        pairs.byteswap()
    return pairs.tobytes()
