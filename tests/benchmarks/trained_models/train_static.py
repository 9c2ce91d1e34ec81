"""Train the static model on mined pairs: `train_static.py PAIRS OUT.npy [--ship] ...`.

PAIRS is what `mine_pairs.py` wrote; `--written FILE` adds what `written_pairs.py` wrote. The token
vectors of the offline model, or those of `--start FILE`, are cut to `--size` dimensions by their
principal axes; training begins with them. `--ship` writes the result to `codeindex/data` and prints
the entry for `models.lock`.

A text is the sum of its tokens' rows, each times idf(token) * log(1 + count), as
`codeindex.embed.token_vectors` pools them; the length of a row is its learned weight. The loss is
that of a softmax over the cosines of a batch (InfoNCE), in both directions. A batch is made of runs
of pairs whose files are neighbours, so that a pair's hard negatives are of its own file, folder or
repository. Half of the tokens that a text shares with its code are taken out of the text, anew each
time (`--foreign`): words find those already. Adam updates the rows that a batch has.

OUT.npy has the trained rows, OUT.npz the same as whole numbers of eight bits with a factor a row.
Every twelfth repository is left out (`mined_pairs.is_held_out`). The same seed, versions and number
of threads give the same table. Needs scipy and
onnx.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from base_weights import base_weights, offline_model
from lock_entry import lock_entry
from mined_pairs import Floats, Ints, Mined, answers, read_all, read_written, stacked
from pair_batches import batches
from scipy.sparse import csr_matrix

from codeindex.embed.installed import SHIPPED_FOLDER
from codeindex.embed.static_model import CODES_FILE, FACTORS_FILE

TEMPERATURE = 0.05
RATE = 0.02
FOREIGN = 0.5
LEAST_LEFT = 2
"""Tokens of a text: one with fewer keeps all."""
BETAS = (0.9, 0.98)


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """All pairs to learn from: weights of tokens, and which pairs have one answer or one text."""

    texts: csr_matrix
    code: csr_matrix
    answer: Ints
    text: Ints
    groups: Sequence[Ints]
    """Rows of each repository, by path."""


def examples(found: Sequence[Mined], written: Sequence[Mined], times: int) -> Examples:
    """Put the pairs of all repositories together, without texts that many of them have.

    Written pairs are in `times` groups of the same rows, so that an epoch has them as often.
    """
    texts, code, numbers, sums, groups = [], [], [], [], []
    start = 0
    for one, kept, number in answers([*found, *written]):
        texts.append(one.texts.weights(one.idf)[kept])
        code.append(one.code.weights(one.idf)[kept])
        numbers.append(number)
        sums.append(one.text[kept])
        groups.append(np.arange(start, start + len(kept)))
        start += len(kept)
    groups += groups[len(found) :] * (times - 1)
    return Examples(
        stacked(texts), stacked(code), np.concatenate(numbers), np.concatenate(sums), groups
    )


def cut(table: Floats, size: int) -> Floats:
    """Return a table turned to its principal axes and cut to `size` of them, of mean length one."""
    centred = table - table.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    turned = centred @ axes[:, ::-1][:, :size]
    return (turned / np.linalg.norm(turned, axis=1).mean()).astype(np.float32)


class Adam:
    """Adam on the rows of a table that a step touches."""

    def __init__(self, table: Floats) -> None:
        self.first, self.second = np.zeros_like(table), np.zeros_like(table)
        self.steps = 0

    def step(self, table: Floats, rows: Ints, gradient: Floats, rate: float) -> None:
        self.steps += 1
        one, two = BETAS
        first = one * self.first[rows] + (1 - one) * gradient
        second = two * self.second[rows] + (1 - two) * gradient**2
        self.first[rows], self.second[rows] = first, second
        scale = np.sqrt(1 - two**self.steps) / (1 - one**self.steps)
        table[rows] -= (rate * scale) * first / (np.sqrt(second) + 1e-8)


def step(
    table: Floats, texts: csr_matrix, code: csr_matrix, same: npt.NDArray[np.bool_]
) -> tuple[float, float, Ints, Floats]:
    """Return loss, share of texts whose own code is nearest, touched rows and their gradient."""
    used = np.unique(np.concatenate([texts.indices, code.indices]))
    place = np.zeros(table.shape[0], dtype=np.int32)
    place[used] = np.arange(len(used))
    size = (texts.shape[0], len(used))
    asked = csr_matrix((texts.data, place[texts.indices], texts.indptr), shape=size)
    shown = csr_matrix((code.data, place[code.indices], code.indptr), shape=size)
    rows = table[used]
    left, left_norm = _units(asked @ rows)
    right, right_norm = _units(shown @ rows)
    logits = (left @ right.T) / TEMPERATURE
    logits[same] = -1e4
    forward, backward = _softmax(logits, 1), _softmax(logits, 0)
    count = len(logits)
    own = np.arange(count)
    loss = -float(np.log(forward[own, own] * backward[own, own] + 1e-30).mean()) / 2
    right_share = float((logits.argmax(axis=1) == own).mean())
    pull = (forward + backward) / 2
    pull[own, own] -= 1
    pull /= count * TEMPERATURE
    force_left = _through(pull @ right, left, left_norm)
    force_right = _through(pull.T @ left, right, right_norm)
    gradient = asked.T @ force_left + shown.T @ force_right
    return loss, right_share, used, gradient


def _units(rows: Floats) -> tuple[Floats, Floats]:
    norms = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows / norms, norms


def _through(gradient: npt.NDArray[np.floating], units: Floats, norms: Floats) -> Floats:
    along = (gradient * units).sum(axis=1, keepdims=True)
    return (gradient - along * units) / norms


def _softmax(logits: Floats, axis: int) -> Floats:
    powers = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def without_shared(
    texts: csr_matrix, code: csr_matrix, share: float, chance: np.random.Generator
) -> csr_matrix:
    """Take a share of those tokens out of each text that its code has too.

    What words alone can tell is told by words; what is left teaches which words stand for others.
    """
    shared = texts.multiply(code.sign()).tocsr()
    row = np.repeat(np.arange(texts.shape[0]), np.diff(shared.indptr))
    gone = chance.random(len(row)) < share
    left = np.diff(texts.indptr) - np.bincount(row[gone], minlength=texts.shape[0])
    shared.data[~gone | (left < LEAST_LEFT)[row]] = 0
    kept = (texts - shared).tocsr()
    kept.eliminate_zeros()
    return kept


def train(
    data: Examples, table: Floats, *, epochs: int, seed: int, rate: float, foreign: float = 0.0
) -> Floats:
    """Return the trained table; prints loss and share of right ones of each epoch."""
    chance = np.random.default_rng(seed)
    adam = Adam(table)
    steps = epochs * sum(1 for _ in batches(data.groups, np.random.default_rng(seed)))
    begun = time.perf_counter()
    for epoch in range(epochs):
        seen: list[tuple[float, float]] = []
        for rows in batches(data.groups, chance):
            texts, code = data.texts[rows], data.code[rows]
            if foreign:
                texts = without_shared(texts, code, foreign, chance)
            answer, text = data.answer[rows], data.text[rows]
            same = (answer[:, None] == answer) | (text[:, None] == text)
            np.fill_diagonal(same, val=False)
            loss, share, used, gradient = step(table, texts, code, same)
            slow = min(1.0, (adam.steps + 1) / 50) * max(0.02, 1 - adam.steps / steps)
            adam.step(table, used, gradient, rate * slow)
            seen.append((loss, share))
        loss, share = np.mean(seen, axis=0)
        print(
            f"epoch {epoch + 1}: loss {loss:.3f}, right {share:.3f}, {len(seen)} batches,"
            f" {time.perf_counter() - begun:.0f} s",
            flush=True,
        )
    return table


def quantised(table: Floats) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float16]]:
    """Return rows of whole numbers and what to multiply each row by."""
    scale = (np.abs(table).max(axis=1) / 127).astype(np.float16)
    divisor = np.maximum(scale.astype(np.float32), 1e-12)[:, None]
    return np.rint(np.clip(table / divisor, -127, 127)).astype(np.int8), scale


def ship(rows: npt.NDArray[np.int8], factors: npt.NDArray[np.float16]) -> str:
    """Write the files of the shipped model; return their entries for `models.lock`."""
    entries = []
    for name, array in ((CODES_FILE, rows), (FACTORS_FILE, factors.astype(np.float32))):
        file = SHIPPED_FOLDER / name
        np.save(file, array)
        entries.append(lock_entry(file))
    return "\n".join(entries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--start", type=Path, help="token vectors to begin with")
    parser.add_argument("--written", type=Path, help="what written_pairs.py wrote")
    parser.add_argument("--times", type=int, default=4, help="of each written pair in an epoch")
    parser.add_argument("--ship", action="store_true")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--foreign", type=float, default=FOREIGN, help="common tokens dropped")
    args = parser.parse_args()
    found = read_all(args.pairs, held_out=False)
    written = read_written(args.written, found) if args.written else []
    data = examples(found, written, args.times)
    print(f"{data.texts.shape[0]:,} pairs of {len(found)} repositories", flush=True)
    start = np.load(args.start) if args.start else base_weights(offline_model())["words.weight"]
    how = {"epochs": args.epochs, "seed": args.seed, "rate": args.rate, "foreign": args.foreign}
    table = train(data, cut(start.astype(np.float32), args.size), **how)
    np.save(args.out, table)
    rows, factors = quantised(table)
    np.savez_compressed(args.out.with_suffix(".npz"), rows=rows, scale=factors)
    if args.ship:
        print(ship(rows, factors))


if __name__ == "__main__":
    main()
