"""The transformer encoder that `train.py` trains: BERT's layers with a mean over the tokens."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

SIZE, HEADS, WIDE = 384, 12, 1536
LONGEST = 512
_EPSILON = 1e-12


class Layer(nn.Module):
    """Attention between tokens and a network on each, added and normalised after each."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(SIZE, SIZE) for _ in range(3))
        self.mix, self.mix_norm = nn.Linear(SIZE, SIZE), nn.LayerNorm(SIZE, _EPSILON)
        self.widen, self.narrow = nn.Linear(SIZE, WIDE), nn.Linear(WIDE, SIZE)
        self.narrow_norm = nn.LayerNorm(SIZE, _EPSILON)

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        count, length, _ = rows.shape
        parts = (
            part(rows).view(count, length, HEADS, SIZE // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        seen = functional.scaled_dot_product_attention(*parts, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(count, length, SIZE)
        rows = self.mix_norm(rows + self.mix(seen))
        return self.narrow_norm(rows + self.narrow(functional.gelu(self.widen(rows))))


class Encoder(nn.Module):
    """Token ids and mask (count, length) to unit vectors (count, SIZE).

    With `factored`, token vectors have so many numbers and go through a matrix to SIZE.
    """

    def __init__(self, layers: int, tokens: int, factored: int = 0) -> None:
        super().__init__()
        self.words: nn.Module = nn.Embedding(tokens, factored or SIZE)
        if factored:
            self.words = nn.Sequential(self.words, nn.Linear(factored, SIZE, bias=False))
        self.positions = nn.Embedding(LONGEST, SIZE)
        self.segment = nn.Parameter(torch.zeros(SIZE))
        self.norm = nn.LayerNorm(SIZE, _EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        rows = self.words(ids) + self.positions.weight[: ids.shape[1]] + self.segment
        rows = self.norm(rows)
        shape = mask[:, None, None, :]
        for layer in self.layers:
            rows = layer(rows, shape)
        kept = mask[:, :, None].to(rows.dtype)
        mean = (rows * kept).sum(1).float() / kept.sum(1).float()
        return functional.normalize(mean, dim=-1)


def load(weights: Mapping[str, np.ndarray], layers: tuple[int, ...]) -> dict[str, Tensor]:
    """Return the state of an `Encoder` that has these layers of a deeper one."""
    state = {}
    for name, array in weights.items():
        head, _, rest = name.partition(".")
        number, _, part = rest.partition(".")
        if head != "layers":
            state[name] = torch.from_numpy(np.array(array, np.float32))
        elif int(number) in layers:
            place = layers.index(int(number))
            state[f"layers.{place}.{part}"] = torch.from_numpy(np.array(array, np.float32))
    return state
