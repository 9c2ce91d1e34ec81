"""Measure how well exported encoders find definitions: `judge_onnx.py HELD_OUT MODEL...`.

HELD_OUT is what `pack_pairs.py` wrote, each MODEL an ONNX encoder that reads its token ids. As
`judge.py`, but vectors are computed as the product does: one text a run, the mean of its tokens.
With `--most N` only repositories of up to N definitions are asked. Prints for each model and kind
of text how often the right definition is first and among the first ten, with 95 % bootstrap
intervals over repositories, and the differences to the first model, of the same texts.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnxruntime as ort
from judge import interval, mean_and_bounds, ranks
from mined_pairs import Floats, Ints
from pair_batches import CODE_LENGTHS, END, JUDGED_KINDS, START, TEXT_LENGTH

Ranks = dict[str, dict[str, Ints]]


def vectors(
    session: ort.InferenceSession, stored: Mapping[str, np.ndarray], name: str, length: int
) -> Floats:
    """Return a unit row for each text of `name`, of which the first `length` tokens count."""
    names = [one.name for one in session.get_inputs()]
    ends = np.cumsum(stored[f"{name}_lengths"].astype(np.int64))[:-1]
    found = []
    for ids in np.split(stored[f"{name}_ids"].astype(np.int64), ends):
        row = np.concatenate([[START], ids[: length - 2], [END]])[None]
        values = {"input_ids": row, "attention_mask": row**0, "token_type_ids": row * 0}
        (tokens,) = session.run(None, {key: values[key] for key in names})
        found.append(tokens[0].mean(axis=0))
    rows = np.array(found, np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def repositories(file: Path, most: int) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """Yield number and arrays of each repository that has up to `most` definitions."""
    with np.load(file) as stored:
        for number in sorted({name.partition("/")[0] for name in stored}, key=int):
            names = [name for name in stored if name.startswith(f"{number}/")]
            if len(stored[f"{number}/code_lengths"]) <= most:
                yield number, {name.partition("/")[2]: stored[name] for name in names}


def judged(model: Path, file: Path, most: int) -> Ranks:
    """Return the ranks of the right definitions by kind of text and repository."""
    session = ort.InferenceSession(model)
    out: Ranks = defaultdict(dict)
    for number, stored in repositories(file, most):
        texts = vectors(session, stored, "text", TEXT_LENGTH)
        codes = vectors(session, stored, "code", min(CODE_LENGTHS))
        places = ranks(texts @ codes.T, stored["right"].astype(np.int64))
        for kind, label in enumerate(JUDGED_KINDS):
            if (mine := stored["kind"] == kind).any():
                out[label][number] = places[mine]
    return out


def difference(first: dict[str, Ints], other: dict[str, Ints], most: int) -> str:
    """Return the difference of the shares of ranks below `most`, with its interval."""
    gains = [((other[one] < most) * 1 - (first[one] < most)).sum() for one in first]
    mean, low, high = mean_and_bounds(gains, [len(one) for one in first.values()])
    return f"{mean:+.3f} [{low:+.3f} {high:+.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("held_out", type=Path)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=10**9, metavar="N")
    args = parser.parse_args()
    found = {model: judged(model, args.held_out, args.most) for model in args.models}
    first = found[args.models[0]]
    for model, by_kind in found.items():
        for kind, values in by_kind.items():
            count = sum(map(len, values.values()))
            cells = [f"@{most} {interval(values, most)}" for most in (1, 10)]
            if by_kind is not first:
                cells += [f"@{most} {difference(first[kind], values, most)}" for most in (1, 10)]
            print(f"{model.stem:20} {kind:8} {count:5} of {len(values):2}", *cells, flush=True)


if __name__ == "__main__":
    main()
