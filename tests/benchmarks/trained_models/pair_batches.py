"""Divide pairs into training batches; how long their texts are.

A batch has pairs from neighbouring files, so that each is a hard negative of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

JUDGED_KINDS = ("doc", "commit", "test")
"""Kinds of pairs that models are judged by; the code of the others is in the pool with its text."""
TEXT_LENGTH = 64
"""Tokens of a text, with the two that mark start and end."""
START, END = 101, 102
"""The token ids that mark start and end: [CLS] and [SEP] of the vocabulary."""
CODE_LENGTHS = (128, 256)
"""Tokens of code in the batches of `train_encoder.py`, in turn, with the same two."""
RUN, RUNS, GROUPS = 16, 4, 16
"""A batch has 16 groups of 4 runs of 16 pairs: groups of one repository, runs of neighbours."""


def batches(
    groups: Sequence[Ints], chance: np.random.Generator, *, size: int = GROUPS
) -> Iterator[Ints]:
    """Yield the row numbers of the pairs of each batch, of `size` groups, in random order.

    `groups` has the row numbers of each repository's pairs, in the order of their paths. Every pair
    is in one batch, but for the few at the ends that fill no run or batch.
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
