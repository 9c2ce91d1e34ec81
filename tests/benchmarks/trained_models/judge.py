"""Rank definitions for held-out pairs: `judge.py PAIRS TABLE.npy... [--foreign]`.

Of every held-out repository, each text is asked of all definitions of its tree, none of which has
its documentation: how often the right one is first, and among the first ten. `words` is BM25 over
the same tokens; a table's rows are pooled as the product does, mean taken off. Figures are means
over texts, with 95 % bootstrap intervals over repositories. Needs scipy.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from mined_pairs import Floats, Mined, Rows, read_all
from pair_batches import JUDGED_KINDS
from scipy.sparse import csr_matrix, diags

MOST = 400
"""Texts of a kind from one repository."""
LEAST = 3
"""Different tokens of a text that is asked."""


def ranks(scores: Floats, right: np.ndarray) -> np.ndarray:
    """Return the place of each row's right column, from 0."""
    own = scores[np.arange(len(right)), right]
    return (scores > own[:, None]).sum(axis=1)


def foreign(one: Mined) -> Mined:
    """Take those tokens out of each text that its code has too: what is left tells by meaning."""
    texts = [
        text[~np.isin(text, one.code[row])]
        for row, text in enumerate(one.texts[at] for at in range(len(one.texts)))
    ]
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return replace(one, texts=Rows(np.concatenate(texts), ends))


def by_words(one: Mined, rows: np.ndarray) -> Floats:
    """Score by BM25."""
    counts = one.pool.counts(len(one.idf))
    length = np.asarray(counts.sum(axis=1)).ravel()
    norm = 0.25 + 0.75 * length / length.mean()
    sizes = np.diff(counts.indptr)
    counts.data = counts.data * 2.2 / (counts.data + 1.2 * np.repeat(norm, sizes))
    asked = one.texts.counts(len(one.idf))[rows]
    asked.data[:] = 1
    found: csr_matrix = (asked @ diags(np.maximum(one.idf, 0))) @ counts.T
    return found.toarray()


def by_table(one: Mined, rows: np.ndarray, table: Floats, *, centred: bool = True) -> Floats:
    code, asked = one.pool.weights(one.idf), one.texts.weights(one.idf)[rows]
    places, texts = _means(code, table), _means(asked, table)
    middle = places.mean(axis=0) * centred
    return _units(texts - middle) @ _units(places - middle).T


def _means(weights: csr_matrix, table: Floats) -> Floats:
    total = np.maximum(np.asarray(weights.sum(axis=1)), 1e-6)
    return (weights @ table) / total.astype(np.float32)


def _units(rows: Floats) -> Floats:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def chosen(one: Mined, kind: int) -> np.ndarray:
    sizes = np.diff(one.texts.ends, prepend=0)
    rows = np.flatnonzero((one.kind == kind) & (one.number >= 0) & (sizes >= LEAST))
    return rows[:: max(1, len(rows) // MOST)][:MOST]


def figures(
    found: list[Mined], score: Callable[[Mined, np.ndarray], Floats]
) -> dict[str, dict[str, np.ndarray]]:
    """Return the ranks of each kind by repository."""
    out: dict[str, dict[str, np.ndarray]] = defaultdict(dict)
    for one in found:
        for kind, label in enumerate(JUDGED_KINDS):
            rows = chosen(one, kind)
            if len(rows) >= 5 and len(one.pool) >= 50:
                out[label][one.name] = ranks(score(one, rows), one.number[rows])
    return out


def interval(values: dict[str, np.ndarray], most: int) -> str:
    hits = [(one < most).sum() for one in values.values()]
    mean, low, high = mean_and_bounds(hits, [len(one) for one in values.values()])
    return f"{mean:.3f} [{low:.3f} {high:.3f}]"


def mean_and_bounds(sums: Sequence[int], sizes: Sequence[int]) -> tuple[float, float, float]:
    """Return the mean over all texts, and its 95 % bootstrap interval over repositories.

    `sums` are the sums of a figure over the texts of each repository, `sizes` the numbers of texts.
    """
    draws = np.random.default_rng(0).integers(len(sums), size=(2000, len(sums)))
    means = np.array(sums)[draws].sum(axis=1) / np.array(sizes)[draws].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return sum(sums) / sum(sizes), low, high


def report(label: str, out: dict[str, dict[str, np.ndarray]]) -> None:
    for kind, values in out.items():
        count = sum(map(len, values.values()))
        cells = f"@1 {interval(values, 1)}  @10 {interval(values, 10)}"
        print(f"{label:24} {kind:8} {count:5} of {len(values):3}  {cells}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("tables", type=Path, nargs="*")
    parser.add_argument("--raw", action="store_true", help="also with the mean left in")
    parser.add_argument("--foreign", action="store_true", help="without the code's own words")
    args = parser.parse_args()
    found = read_all(args.pairs, held_out=True)
    if args.foreign:
        found = [foreign(one) for one in found]
    report("words", figures(found, by_words))
    for file in args.tables:
        table = np.load(file).astype(np.float32)
        report(file.stem, figures(found, lambda one, rows: by_table(one, rows, table)))  # noqa: B023
        if args.raw:
            plain = figures(found, lambda one, rows: by_table(one, rows, table, centred=False))  # noqa: B023
            report(f"{file.stem}, raw", plain)


if __name__ == "__main__":
    main()
