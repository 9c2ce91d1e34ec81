"""Arrange pairs in batches whose pairs are hard to tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

RUN, RUNS, GROUPS = 16, 4, 16
"""A batch has 16 groups of 4 runs of 16 pairs: groups of one repository, runs of neighbours."""


def batches(
    groups: Sequence[Ints], chance: np.random.Generator, *, size: int = GROUPS
) -> Iterator[Ints]:
    """Yield rows of batches: all pairs once, but for those that fill no run.

    `groups` are the rows of each repository, by path.
    """
    bundles: list[Ints] = []
    for rows in groups:
        shift = int(chance.integers(RUN))
        runs = [rows[at : at + RUN] for at in range(shift, len(rows) - RUN + 1, RUN)]
        order = chance.permutation(len(runs)).tolist()
        bundles += [
            np.concatenate([runs[at] for at in order[first : first + RUNS]])
            for first in range(0, len(order), RUNS)
        ]
    order = chance.permutation(len(bundles)).tolist()
    for first in range(0, len(order) - size + 1, size):
        yield np.concatenate([bundles[at] for at in order[first : first + size]])
