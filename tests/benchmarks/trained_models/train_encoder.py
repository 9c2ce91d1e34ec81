"""Train an encoder on mined pairs: `train_encoder.py BASE TRAINING.npz HELD_OUT.npz OUT.npz`.

BASE is the ONNX file of the offline model, whose weights training starts from; the two others are
what `pack_pairs.py` wrote. Needs PyTorch, onnx and a GPU. `--written` adds the pairs of
`written_pairs.py`. The larger network is written beside OUT.npz, as OUT.teacher.npz: both can be
trained on with `--large` and `--small`.

The loss is that of a softmax over the cosines of a batch (InfoNCE), in both directions. Batches are
made of runs of neighbours (`pair_batches.py`). For half of the pairs, half of the tokens that the
text shares with its code are hidden from the text: words find those already. First the network of
six layers is trained; then one of three of its layers, which also learns to give the cosines that
the larger one gives. Training ends after `--seconds` of each.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from base_weights import LAYERS, base_weights, encoder_weights
from network import Encoder, load
from pair_batches import CODE_LENGTHS, END, JUDGED_KINDS, START, TEXT_LENGTH, batches
from torch import Tensor
from torch.nn import functional

TEMPERATURE = 0.05
BATCH_GROUPS = {128: 32, 256: 16}
"""Groups of a batch by the length of its code, so that all batches need about the same memory."""
HIDDEN = 0.5
WARMUP = 100
"""Steps in which the learning rate rises from 0 to `--rates`."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Texts as token ids.

    `ids` (texts, longest) is padded with 0; `lengths` (texts,) counts the ids of each text.
    """

    ids: Tensor
    lengths: Tensor

    def cut(self, rows: Tensor, length: int) -> tuple[Tensor, Tensor]:
        """Return ids and mask (rows, length) of some rows, between the marks of start and end."""
        inner = self.ids[rows, : length - 2].long()
        size = self.lengths[rows].long().clamp(max=length - 2)[:, None]
        ids = functional.pad(inner, (1, 1))
        places = torch.arange(length, device=ids.device)[None]
        ids = torch.where(places > size, 0, ids)
        ids[:, 0] = START
        ids.scatter_(1, size + 1, END)
        return ids, places < size + 2


def read_rows(
    data: Mapping[str, np.ndarray], name: str, longest: int, device: torch.device
) -> Rows:
    """Return the texts that `pack_pairs.packed` stored as `name`, for lengths up to `longest`."""
    lengths = data[f"{name}_lengths"].astype(np.int64)
    places = np.arange(longest - 2)[None] < lengths[:, None]
    ids = np.zeros(places.shape, np.int32)
    ids[places] = data[f"{name}_ids"]
    return Rows(torch.from_numpy(ids).to(device), torch.from_numpy(lengths).to(device))


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """All pairs, in the order of `texts`; `code` is the row of each pair's code in `codes`.

    Pairs with the same `answer` or `text_sum` are no negatives of each other. `groups` has the rows
    of each repository.
    """

    texts: Rows
    codes: Rows
    code: Tensor
    answer: Tensor
    text_sum: Tensor
    groups: list[np.ndarray]


def with_written(
    mined: dict[str, np.ndarray], written: Mapping[str, np.ndarray], times: int
) -> dict[str, np.ndarray]:
    """Append the pairs of `written_pairs.py` to the mined ones, `times` times.

    Each repository of each repetition counts as one of its own, so that batches take its functions
    together.
    """
    free = {name: int(mined[name].max()) + 1 for name in ("answer", "sum", "repository")}
    turns = np.repeat(np.arange(times), len(written["code"]))
    names = ("text_ids", "text_lengths", "code", "repository")
    repeated = {name: np.tile(written[name], times) for name in names}
    added = {
        "text_ids": repeated["text_ids"],
        "text_lengths": repeated["text_lengths"],
        "code": repeated["code"] + len(mined["code_lengths"]),
        "answer": repeated["code"] + free["answer"],
        "sum": np.tile(np.arange(len(written["code"])), times) + free["sum"],
        "repository": repeated["repository"]
        + free["repository"]
        + turns * (int(written["repository"].max()) + 1),
        "code_ids": written["code_ids"],
        "code_lengths": written["code_lengths"],
    }
    return {name: np.concatenate([mined[name], rows]) for name, rows in added.items()}


def read_pairs(file: Path, device: torch.device, written: Path | None, times: int) -> Pairs:
    with np.load(file) as stored:
        data = dict(stored)
    if written is not None:
        with np.load(written) as stored:
            data = with_written(data, dict(stored), times)
    repository = data["repository"]
    starts = np.flatnonzero(np.diff(repository, prepend=-1 - int(repository[0])))
    groups = np.split(np.arange(len(repository)), starts[1:])
    code, answer, text_sum = (
        torch.from_numpy(data[name].astype(np.int64)).to(device)
        for name in ("code", "answer", "sum")
    )
    return Pairs(
        read_rows(data, "text", TEXT_LENGTH, device),
        read_rows(data, "code", max(CODE_LENGTHS), device),
        code,
        answer,
        text_sum,
        groups,
    )


def without_shared(text: Tensor, mask: Tensor, code: Tensor) -> Tensor:
    """Hide half of the tokens that a text shares with its code, in half of the pairs."""
    shared = (text[:, :, None] == code[:, None, :]).any(2) & (text > END)
    chosen = torch.rand(len(text), 1, device=text.device) < HIDDEN
    gone = shared & chosen & (torch.rand(text.shape, device=text.device) < HIDDEN)
    left = mask & ~gone
    return torch.where(left.sum(1, keepdim=True) >= 5, left, mask)  # two marks, three tokens


def endless(groups: list[np.ndarray], seed: int) -> Iterator[tuple[np.ndarray, int]]:
    """Yield the row numbers of the pairs of a batch and the length of its code, without end."""
    chance = np.random.default_rng(seed)
    while True:
        sources = [batches(groups, chance, size=BATCH_GROUPS[length]) for length in CODE_LENGTHS]
        for found in zip(*sources, strict=False):
            yield from zip(found, CODE_LENGTHS, strict=True)


def losses(
    texts: Tensor, codes: Tensor, same: Tensor, taught: tuple[Tensor, Tensor] | None
) -> tuple[Tensor, Tensor]:
    """Return the loss of a batch, and the share of texts to which their own code is nearest.

    Row i of `codes` belongs to row i of `texts`; `same` marks other cells that are no negatives.
    `taught` are the teacher's vectors of texts and codes.
    """
    cosines = texts @ codes.T
    logits = (cosines / TEMPERATURE).masked_fill(same, -1e4)
    own = torch.arange(len(texts), device=texts.device)
    loss = (functional.cross_entropy(logits, own) + functional.cross_entropy(logits.T, own)) / 2
    if taught is not None:
        wanted = ((taught[0] @ taught[1].T) / TEMPERATURE).masked_fill(same, -1e4)
        for ours, theirs in ((logits, wanted), (logits.T, wanted.T)):
            loss = loss + functional.kl_div(
                ours.log_softmax(1), theirs.log_softmax(1), reduction="batchmean", log_target=True
            )
    return loss, (logits.argmax(1) == own).float().mean()


def train(
    encoder: Encoder,
    pairs: Pairs,
    *,
    seconds: float,
    rate: float,
    teacher: Encoder | None = None,
    seed: int = 21,
) -> None:
    """Train for some seconds; print the loss now and then."""
    adam = optimiser(encoder, rate)
    begun, seen, loss = time.perf_counter(), 0, math.nan
    for step, (rows, length) in enumerate(endless(pairs.groups, seed)):
        share = (time.perf_counter() - begun) / seconds
        if share >= 1:
            break
        for group in adam.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / WARMUP) * max(0.01, 1 - share)
        found, right = batch_loss(encoder, teacher, pairs, rows, length)
        adam.zero_grad(set_to_none=True)
        found.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        adam.step()
        seen += len(rows)
        if step % 100 == 0:
            loss = found.item()
            print(f"  {seen:,} pairs, {share:.0%}: loss {loss:.3f}, right {right:.3f}", flush=True)
    if not math.isfinite(loss):
        raise SystemExit("Training diverged.")


def optimiser(encoder: Encoder, rate: float) -> torch.optim.AdamW:
    """Return AdamW, whose decay leaves biases and norms alone."""
    every = list(encoder.parameters())
    groups = [
        {"params": [one for one in every if one.ndim > 1], "weight_decay": 0.01},
        {"params": [one for one in every if one.ndim == 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=every[0].is_cuda)


def batch_loss(
    encoder: Encoder, teacher: Encoder | None, pairs: Pairs, rows: np.ndarray, length: int
) -> tuple[Tensor, Tensor]:
    """Encode the pairs with these row numbers; return what `losses` returns."""
    at = torch.from_numpy(rows).to(pairs.code.device)
    text, text_mask = pairs.texts.cut(at, TEXT_LENGTH)
    code, code_mask = pairs.codes.cut(pairs.code[at], length)
    text_mask = without_shared(text, text_mask, code)
    taught = None
    with precision(at.device):
        found = encoder(text, text_mask), encoder(code, code_mask)
        if teacher is not None:
            with torch.no_grad():
                taught = teacher(text, text_mask), teacher(code, code_mask)
    answers, sums = pairs.answer[at], pairs.text_sum[at]
    same = (answers[:, None] == answers) | (sums[:, None] == sums)
    return losses(*found, same.fill_diagonal_(False), taught)


def precision(device: torch.device) -> torch.autocast:
    """Return a context in which a GPU multiplies 16-bit floats."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")


@torch.no_grad()
def vectors(encoder: Encoder, rows: Rows, length: int) -> Tensor:
    """Return the vectors of all rows."""
    device = rows.ids.device
    found = []
    for first in range(0, len(rows.ids), 1024):
        at = torch.arange(first, min(first + 1024, len(rows.ids)), device=device)
        with precision(device):
            found.append(encoder(*rows.cut(at, length)).float())
    return torch.cat(found)


def judge(encoder: Encoder, held_out: Path, device: torch.device, length: int) -> str:
    """Return, for each kind of texts, how often the right definition is first and of ten."""
    with np.load(held_out) as stored:
        data = dict(stored)
    ranks: dict[int, list[np.ndarray]] = {}
    for number in sorted({name.partition("/")[0] for name in data}):
        texts = read_rows(data, f"{number}/text", TEXT_LENGTH, device)
        codes = read_rows(data, f"{number}/code", max(CODE_LENGTHS), device)
        cosines = vectors(encoder, texts, TEXT_LENGTH) @ vectors(encoder, codes, length).T
        right = torch.from_numpy(data[f"{number}/right"].astype(np.int64)).to(device)
        own = cosines.gather(1, right[:, None])
        places = (cosines > own).sum(1).cpu().numpy()
        for kind in range(len(JUDGED_KINDS)):
            ranks.setdefault(kind, []).append(places[data[f"{number}/kind"] == kind])
    cells = []
    for kind, label in enumerate(JUDGED_KINDS):
        found = np.concatenate(ranks[kind])
        cells.append(f"{label} @1 {(found < 1).mean():.3f} @10 {(found < 10).mean():.3f}")
    return f"{length} tokens: {', '.join(cells)}"


def arrays(encoder: Encoder) -> dict[str, np.ndarray]:
    """Return the weights as arrays of floats, by name."""
    return {name: one.float().cpu().numpy() for name, one in encoder.state_dict().items()}


def factored(weights: dict[str, np.ndarray], layers: tuple[int, ...], size: int) -> Encoder:
    """Return an encoder whose token vectors are the `size` principal axes of the given ones."""
    words = weights["words.weight"]
    encoder = Encoder(len(layers), len(words), size)
    left, scales, right = np.linalg.svd(words, full_matrices=False)
    root = np.sqrt(scales[:size])
    rest = {name: array for name, array in weights.items() if name != "words.weight"}
    rest |= {"words.0.weight": left[:, :size] * root, "words.1.weight": (right[:size].T * root)}
    encoder.load_state_dict(load(rest, layers))
    return encoder


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path)
    parser.add_argument("training", type=Path)
    parser.add_argument("held_out", type=Path)
    parser.add_argument("out", type=Path, metavar="OUT.npz")
    parser.add_argument("--written", type=Path, help="what written_pairs.py wrote")
    parser.add_argument("--times", type=int, default=6, help="of each written pair in an epoch")
    parser.add_argument("--large", type=Path, help="weights of six layers to begin with")
    parser.add_argument(
        "--small", type=Path, help="weights of the small one: of an earlier run, or encoder.onnx"
    )
    parser.add_argument("--rates", type=float, nargs=2, default=[5e-4, 5e-4], help="of each")
    parser.add_argument("--seconds", type=float, nargs=2, default=[190, 110], help="of each")
    parser.add_argument("--layers", type=int, nargs="+", default=[1, 3, 5], help="of the small one")
    parser.add_argument("--size", type=int, default=128, help="of the small one's token vectors")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    torch.manual_seed(21)
    torch.set_float32_matmul_precision("high")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pairs = read_pairs(args.training, device, args.written, args.times)
    print(f"{len(pairs.code):,} pairs of {len(pairs.groups)} repositories", flush=True)
    large = begun(args, device)
    print_figures("start", large, args.held_out, device)
    train(large, pairs, seconds=args.seconds[0], rate=args.rates[0])
    print_figures("six layers", large, args.held_out, device)
    weights = arrays(large)
    write(large, args.out.with_suffix(".teacher.npz"))
    if args.small:
        small = stored_encoder(args.small, len(args.layers), args.size).to(device)
    else:
        small = factored(weights, tuple(args.layers), args.size).to(device)
    train(small, pairs, seconds=args.seconds[1], rate=args.rates[1], teacher=large)
    print_figures("shipped", small, args.held_out, device)
    write(small, args.out)


def write(encoder: Encoder, file: Path) -> None:
    stored: dict[str, Any] = arrays(encoder)
    np.savez(file, **stored)


def begun(args: argparse.Namespace, device: torch.device) -> Encoder:
    """Return the network of six layers to train: the offline model, or that of an earlier run."""
    if args.large:
        return stored_encoder(args.large, LAYERS, 0).to(device)
    base = base_weights(args.base)
    large = Encoder(LAYERS, len(base["words.weight"]))
    large.load_state_dict(load(base, tuple(range(LAYERS))))
    return large.to(device)


def stored_encoder(file: Path, layers: int, size: int) -> Encoder:
    """Read weights that an earlier run wrote, or that were exported from them.

    `size` is that of the token vectors, or 0.
    """
    if file.suffix == ".onnx":
        arrays_of = encoder_weights(file)
    else:
        with np.load(file) as stored:
            arrays_of = dict(stored)
    weights = {name: torch.from_numpy(array) for name, array in arrays_of.items()}
    encoder = Encoder(layers, len(weights["words.0.weight" if size else "words.weight"]), size)
    encoder.load_state_dict(weights)
    return encoder


def print_figures(name: str, encoder: Encoder, held_out: Path, device: torch.device) -> None:
    for length in CODE_LENGTHS:
        print(f"{name}, {judge(encoder, held_out, device, length)}", flush=True)


if __name__ == "__main__":
    main()
