"""Put mined pairs into two small files: `pack_pairs.py PAIRS TRAINING.npz HELD_OUT.npz`.

PAIRS is what `mine_pairs.py` wrote. TRAINING has texts and code of all repositories to learn from,
in the order of their paths; HELD_OUT has, for every twelfth repository, the texts that are asked,
and the definitions, none with its documentation, among which the right one is looked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from judge import chosen
from mine_pairs import KINDS
from mined_pairs import Ints, Mined, read_all, shared_texts

LONGEST_TEXT, LONGEST_CODE = 62, 254
"""Token ids that are kept of a text and of code; two more tokens mark start and end."""
ASKED_KINDS = KINDS[:3]


def packed(rows: Iterable[Ints], longest: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first token ids of all rows one after another, and the lengths."""
    cut = [row[:longest] for row in rows]
    return np.concatenate(cut).astype(np.uint16), np.array([len(one) for one in cut], np.uint16)


class Distinct:
    """Rows without repetition."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}
        self.rows: list[Ints] = []

    def place(self, row: Ints) -> int:
        row = row[:LONGEST_CODE]
        key = row.tobytes()
        if key not in self._places:
            self._places[key] = len(self.rows)
            self.rows.append(row)
        return self._places[key]


def training(found: Sequence[Mined]) -> dict[str, np.ndarray]:
    """Return texts, distinct code, and for each pair its text, code, answer and repository."""
    common = np.array(sorted(shared_texts(found)), dtype=np.int64)
    code, texts = Distinct(), []
    columns: list[np.ndarray] = []
    total = 0
    for number, one in enumerate(found):
        kept = np.flatnonzero(~np.isin(one.text, common))
        kept = kept[np.argsort(one.path[kept], kind="stable")]
        texts += [one.texts[row] for row in kept.tolist()]
        places = [code.place(one.code[row]) for row in kept.tolist()]
        own = np.where(one.number < 0, len(one.pool) + np.arange(len(one.number)), one.number)
        answer = own[kept] + total
        total += len(one.pool) + len(one.number)
        repository = np.full(len(kept), number)
        columns.append(np.stack([places, answer, one.text[kept], repository, one.kind[kept]]))
    names = ("code", "answer", "sum", "repository", "kind")
    out = dict(zip(names, np.concatenate(columns, axis=1), strict=True))
    text_ids, text_lengths = packed(texts, LONGEST_TEXT)
    code_ids, code_lengths = packed(code.rows, LONGEST_CODE)
    return {
        **{name: column.astype(np.uint32) for name, column in out.items()},
        "text_ids": text_ids,
        "text_lengths": text_lengths,
        "code_ids": code_ids,
        "code_lengths": code_lengths,
    }


def held_out(found: Sequence[Mined]) -> dict[str, np.ndarray]:
    """Return for each repository texts, their kinds and right definitions, and all definitions."""
    out = {}
    for number, one in enumerate(found):
        if len(one.pool) < 50:
            continue
        rows = np.concatenate([chosen(one, kind) for kind in range(len(ASKED_KINDS))])
        text_ids, text_lengths = packed([one.texts[row] for row in rows.tolist()], LONGEST_TEXT)
        code_ids, code_lengths = packed(list(one.pool), LONGEST_CODE)
        arrays = {
            "kind": one.kind[rows],
            "right": one.number[rows].astype(np.uint32),
            "text_ids": text_ids,
            "text_lengths": text_lengths,
            "code_ids": code_ids,
            "code_lengths": code_lengths,
        }
        out |= {f"{number}/{name}": array for name, array in arrays.items()}
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("training", type=Path)
    parser.add_argument("held_out", type=Path)
    args = parser.parse_args()
    learned = training(read_all(args.pairs, held_out=False))
    np.savez(args.training, **learned)
    np.savez(args.held_out, **held_out(read_all(args.pairs, held_out=True)))
    print(f"{len(learned['code']):,} pairs, {len(learned['code_lengths']):,} codes")


if __name__ == "__main__":
    main()
