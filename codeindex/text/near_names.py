"""Find the names within a small edit distance of a misspelled name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from codeindex.types.array_types import Bytes

_COLUMNS = 64
"""Columns of letter counts: a byte counts in column `byte % 64`. Characters that share a column let
too many names pass the test, never too few."""
_MOST_CANDIDATES = 2000
"""Most names whose edit distance is computed; a name with more candidates is too short to
correct."""


def near_names(
    every: Sequence[str], name: str, *, slips: int, table: Bytes | None = None
) -> dict[str, int]:
    """Return {name: number of edits} of the other names in `every` within `slips` edits of `name`.

    An edit inserts, deletes or replaces a letter, or swaps two adjacent letters. `table` has the
    letter counts of `every`, if the caller has them.
    """
    counted = count_letters(every) if table is None else table
    apart = np.abs(counted.astype(np.int16) - count_letters([name]).astype(np.int16)).sum(axis=1)
    close = np.flatnonzero(apart <= 2 * slips)[:_MOST_CANDIDATES].tolist()
    found = {every[at]: edit_distance(every[at], name) for at in close}
    return {key: far for key, far in found.items() if 0 < far <= slips}


def count_letters(names: Sequence[str]) -> Bytes:
    """Return how often each letter occurs in each name, shape (names, 64).

    With the counts, most names that are not near another one are ruled out quickly: one edit
    changes at most two counts, by 1 each, so names whose counts differ by more are more edits
    apart.
    """
    spelt = [name.encode() for name in names]
    letters = np.frombuffer(b"".join(spelt), dtype=np.uint8) % _COLUMNS
    rows = np.repeat(np.arange(len(spelt)), [len(candidate) for candidate in spelt])
    counts = np.bincount(rows * _COLUMNS + letters, minlength=len(spelt) * _COLUMNS)
    table: Bytes = np.minimum(counts, 255).astype(np.uint8).reshape(-1, _COLUMNS)
    return table


def edit_distance(a: str, b: str) -> int:
    """Return the number of edits between two names (optimal string alignment distance).

    An edit inserts, deletes or replaces a letter, or swaps two adjacent letters.
    """
    before, above = [0] * (len(b) + 1), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, above = above, row
    return above[-1]
