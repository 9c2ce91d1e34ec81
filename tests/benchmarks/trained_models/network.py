"""The network that `train_encoder.py` trains: BERT's layers with a mean over the tokens."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from base_weights import EPSILON, HEADS, LONGEST, SIZE, WIDE
from torch import Tensor, nn
from torch.nn import functional


class Layer(nn.Module):
    """One layer of BERT: attention between the tokens, then a two-layer network for each token.

    The input of each of the two is added to its output, and the sum normalised.
    """

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(SIZE, SIZE) for _ in range(3))
        self.mix, self.mix_norm = nn.Linear(SIZE, SIZE), nn.LayerNorm(SIZE, EPSILON)
        self.widen, self.narrow = nn.Linear(SIZE, WIDE), nn.Linear(WIDE, SIZE)
        self.narrow_norm = nn.LayerNorm(SIZE, EPSILON)

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
    """Makes a unit vector of each text: token ids and mask (count, length) -> (count, SIZE).

    With `factored` above 0, the table of token vectors has so many columns instead of SIZE, and a
    trained matrix widens them.
    """

    def __init__(self, layers: int, tokens: int, factored: int = 0) -> None:
        super().__init__()
        self.words: nn.Module = nn.Embedding(tokens, factored or SIZE)
        if factored:
            self.words = nn.Sequential(self.words, nn.Linear(factored, SIZE, bias=False))
        self.positions = nn.Embedding(LONGEST, SIZE)
        self.segment = nn.Parameter(torch.zeros(SIZE))
        self.norm = nn.LayerNorm(SIZE, EPSILON)
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
    """Return the `state_dict` of an `Encoder` that has only these layers of `weights`."""
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
