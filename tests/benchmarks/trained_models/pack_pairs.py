"""Put mined pairs into two small files: `pack_pairs.py PAIRS TRAINING.npz HELD_OUT.npz`.

PAIRS is what `mine_pairs.py` wrote. TRAINING has texts and code of all repositories to learn from,
in the order of their paths; HELD_OUT has, for every twelfth repository, the texts that are asked,
and the definitions, none with its documentation, among which the right one is looked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from judge import chosen
from mined_pairs import Ids, Mined, answers, read_all
from pair_batches import CODE_LENGTHS, JUDGED_KINDS, TEXT_LENGTH

LONGEST = {"text": TEXT_LENGTH - 2, "code": max(CODE_LENGTHS) - 2}
"""Token ids that are kept of a text and of code; two more mark start and end."""


def packed(name: str, rows: Iterable[Ids]) -> dict[str, np.ndarray]:
    """Return {`name`_ids: the first token ids of all rows in one array, `name`_lengths}."""
    cut = [row[: LONGEST[name]] for row in rows]
    lengths = np.array([len(one) for one in cut], np.uint16)
    return {f"{name}_ids": np.concatenate(cut).astype(np.uint16), f"{name}_lengths": lengths}


class DistinctCode:
    """Collects the token ids of definitions, equal ones once: several texts can have one answer."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}
        self.rows: list[Ids] = []

    def place(self, ids: Ids) -> int:
        """Return the number in `rows` of these token ids, cut to `LONGEST`; add them if new."""
        row = ids[: LONGEST["code"]]
        place = self._places.setdefault(row.tobytes(), len(self.rows))
        if place == len(self.rows):
            self.rows.append(row)
        return place


def training(found: Sequence[Mined]) -> dict[str, np.ndarray]:
    """Return the arrays of the training file, with the pairs of all repositories one after another.

    `text_*` and `code_*` are as `packed` returns them. A pair is a row of `text_*`; `code` is its
    row of `code_*`, `answer` the number of `answers`, `sum` the text's checksum, `repository` the
    number of its repository.
    """
    code, texts = DistinctCode(), []
    columns: list[np.ndarray] = []
    for number, (one, kept, answer) in enumerate(answers(found)):
        texts += [one.texts[row] for row in kept.tolist()]
        places = [code.place(one.code[row]) for row in kept.tolist()]
        columns.append(np.stack([places, answer, one.text[kept], np.full(len(kept), number)]))
    names = ("code", "answer", "sum", "repository")
    rows = np.concatenate(columns, axis=1).astype(np.uint32)
    return dict(zip(names, rows, strict=True)) | packed("text", texts) | packed("code", code.rows)


def held_out(found: Sequence[Mined]) -> dict[str, np.ndarray]:
    """Return what is asked of each repository, under `N/` for the repository with number N.

    `text_*` are the texts, `kind` their places in `JUDGED_KINDS`, `right` the rows of `code_*` that
    answer them; `code_*` are all definitions of the repository.
    """
    out: dict[str, np.ndarray] = {}
    for number, one in enumerate(found):
        if len(one.pool) < 50:
            continue
        rows = np.concatenate([chosen(one, kind) for kind in range(len(JUDGED_KINDS))])
        arrays = {
            "kind": one.kind[rows],
            "right": one.number[rows].astype(np.uint32),
            **packed("text", [one.texts[row] for row in rows.tolist()]),
            **packed("code", [one.pool[row] for row in range(len(one.pool))]),
        }
        out |= {f"{number}/{name}": array for name, array in arrays.items()}
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("training", type=Path)
    parser.add_argument("held_out", type=Path)
    args = parser.parse_args()
    learned: dict[str, Any] = training(read_all(args.pairs, held_out=False))
    np.savez(args.training, **learned)
    asked: dict[str, Any] = held_out(read_all(args.pairs, held_out=True))
    np.savez(args.held_out, **asked)
    print(f"{len(learned['code']):,} pairs, {len(learned['code_lengths']):,} codes")


if __name__ == "__main__":
    main()
