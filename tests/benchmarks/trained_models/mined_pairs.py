"""Read what `mine_pairs.py` wrote: token ids of texts and code, by repository."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.uint16]
"""Token ids of a text."""
Floats = npt.NDArray[np.float32]

HELD_OUT = 12
"""Every so many-th repository is kept for evaluation."""
_SHARED = 3
"""A text that pairs of more repositories have is boilerplate."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Texts as token ids: those of all texts in one array, and where each text ends in it."""

    ids: Ids
    ends: Ints

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, row: int) -> Ids:
        return self.ids[self.ends[row - 1] if row else 0 : self.ends[row]]

    def picked(self, rows: Iterable[int]) -> Rows:
        parts = [self[row] for row in rows]
        return Rows(np.concatenate(parts), np.cumsum([len(one) for one in parts], dtype=np.int64))

    def counts(self, size: int) -> csr_matrix:
        """Return how often each text has each of `size` tokens."""
        starts = np.r_[0, self.ends]
        found = csr_matrix(
            (np.ones(len(self.ids), np.float32), self.ids.astype(np.int32), starts),
            shape=(len(self), size),
        )
        found.sum_duplicates()
        return found

    def weights(self, idf: Floats) -> csr_matrix:
        """Return rows of idf times the logarithm of counts, as the product pools tokens."""
        found = self.counts(len(idf))
        found.data = idf[found.indices] * np.log1p(found.data)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Mined:
    """The pairs of one repository.

    `kind` is a row's place in `mine_pairs.KINDS`; `number` the row of `pool` that it is about, or
    -1; `path` its file, in the order of the paths; `text` a checksum.
    """

    name: str
    kind: npt.NDArray[np.uint8]
    number: Ints
    path: Ints
    text: Ints
    texts: Rows
    code: Rows
    pool: Rows
    idf: Floats


def is_held_out(name: str) -> bool:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % HELD_OUT == 0


def read(file: Path) -> Mined:
    with np.load(file) as data:
        pool = Rows(data["pool"], data["pool_end"])
        return Mined(
            file.stem,
            data["kind"],
            data["number"].astype(np.int64),
            data["path"].astype(np.int64),
            data["text"].astype(np.int64),
            Rows(data["q"], data["q_end"]),
            Rows(data["d"], data["d_end"]),
            pool,
            np.log((len(pool) + 1) / (data["frequency"] + 1)).astype(np.float32),
        )


def read_all(folder: Path, *, held_out: bool) -> list[Mined]:
    files = sorted(folder.glob("*.npz"))
    return [
        read(one)
        for one in files
        if is_held_out(one.stem) is held_out and not one.stem.endswith(".partial")
    ]


def read_written(file: Path, found: Iterable[Mined]) -> list[Mined]:
    """Return what `written_pairs.py` wrote, one `Mined` for each repository of `found` that
    has any.

    Tokens weigh as in the mined pairs of the repository.
    """
    idf = {one.name: one.idf for one in found}
    with np.load(file) as data:
        texts, codes = (
            Rows(data[f"{name}_ids"], np.cumsum(data[f"{name}_lengths"], dtype=np.int64))
            for name in ("text", "code")
        )
        code, repository, names = data["code"], data["repository"], data["names"].tolist()
    out = []
    for number, name in enumerate(names):
        rows = np.flatnonzero(repository == number)
        if name in idf and len(rows):
            functions, own = np.unique(code[rows], return_inverse=True)
            out.append(
                Mined(
                    f"{name} (written)",
                    np.zeros(len(rows), np.uint8),
                    own,
                    own,
                    -1 - rows,
                    texts.picked(rows),
                    codes.picked(code[rows]),
                    codes.picked(functions),
                    idf[name],
                )
            )
    return out


def shared_texts(found: Iterable[Mined]) -> frozenset[int]:
    """Return the checksums of texts that many repositories have."""
    counts = Counter(text for one in found for text in np.unique(one.text).tolist())
    return frozenset(text for text, count in counts.items() if count > _SHARED)


def answers(found: Sequence[Mined]) -> Iterator[tuple[Mined, Ints, Ints]]:
    """Yield each repository, the rows of its pairs to learn from, and a number for their answers.

    Rows are in the order of their paths, without texts that many repositories have. Two pairs have
    the same number if the same definition answers them.
    """
    common = np.array(sorted(shared_texts(found)), dtype=np.int64)
    total = 0
    for one in found:
        kept = np.flatnonzero(~np.isin(one.text, common))
        kept = kept[np.argsort(one.path[kept], kind="stable")]
        own = np.where(one.number < 0, len(one.pool) + np.arange(len(one.number)), one.number)
        yield one, kept, own[kept] + total
        total += len(one.pool) + len(one.number)


def stacked(parts: Sequence[csr_matrix]) -> csr_matrix:
    from scipy.sparse import vstack

    return vstack(parts, format="csr", dtype=np.float32)
