"""Token counts of a text as bytes, small enough to keep for every chunk."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping

MOST = 255
"""Higher counts are kept as this many; their logarithm hardly differs."""


def pack_counts(counts: Mapping[int, int]) -> bytes:
    """Pack {token id: count} as `PreparedChunk.tokens` says: uint32 `id << 8 | count`, sorted."""
    pairs = array("I", sorted(key << 8 | min(count, MOST) for key, count in counts.items()))
    if sys.byteorder == "big":
        pairs.byteswap()
    return pairs.tobytes()
