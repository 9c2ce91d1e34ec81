"""Pack the token counts of a text into few bytes, which are stored for every chunk."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping

MAX_COUNT = 255
"""Higher counts are clamped to this: a count takes 8 bits, and only its logarithm is used."""


def pack_counts(counts: Mapping[int, int]) -> bytes:
    """Pack {token id: count} into bytes: sorted little-endian uint32 `id << 8 | count`.

    Counts above 255 are clamped. `PreparedChunk.tokens` has this form.
    """
    if max(counts.values(), default=0) > MAX_COUNT:
        counts = {key: min(MAX_COUNT, count) for key, count in counts.items()}
    pairs = array("I", sorted([key << 8 | count for key, count in counts.items()]))
    if sys.byteorder == "big":
        pairs.byteswap()
    return pairs.tobytes()
