"""Write a trained encoder as an ONNX model: `export_encoder.py WEIGHTS.npz OUT.onnx`.

WEIGHTS.npz is what `train_encoder.py` wrote. The model takes `input_ids` (1, tokens) and gives a
vector for each token. Matrices are int8, with a factor for each column; what they are multiplied
with is rounded to 8 bits for each text. Prints the entry for `models.lock`. Needs onnx.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from base_weights import EPSILON, HEADS, SIZE
from lock_entry import lock_entry
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

_VERSIONS = {"": 20, "com.microsoft": 1}

Weights = Mapping[str, np.ndarray]


class Graph:
    """An ONNX graph in the making; each method adds to it and returns the name of the result."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}

    def constant(self, name: str, array: np.ndarray) -> str:
        self.constants[name] = np.ascontiguousarray(array)
        return name

    def add(self, kind: str, inputs: list[str], name: str, domain: str = "", **how: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [name], name, domain=domain, **how))
        return name

    def product(self, rows: str, name: str, matrix: np.ndarray) -> str:
        return self.add("MatMul", [rows, self.constant(f"{name}.weight", matrix)], name)

    def skip_norm(self, rows: str, more: str, name: str, weights: Weights, bias: str) -> str:
        inputs = [
            *(rows, more),
            self.constant(f"{name}.norm", weights[f"{name}.weight"]),
            self.constant(f"{name}.shift", weights[f"{name}.bias"]),
            self.constant(f"{name}.bias", weights[bias]),
        ]
        return self.add("SkipLayerNormalization", inputs, name, "com.microsoft", epsilon=EPSILON)


def embedded(graph: Graph, weights: Weights) -> str:
    """Add the nodes that make the layers' input of `input_ids`; return the name of their output.

    The input is the sum of the vectors of each token and of its place, normalised.
    """
    table = weights["words.0.weight" if "words.0.weight" in weights else "words.weight"]
    factors = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / 127
    codes = np.rint(table / factors).astype(np.int8)
    one = graph.add("Gather", [graph.constant("codes", codes), "input_ids"], "picked")
    one = graph.add("Cast", [one], "picked.float", to=TensorProto.FLOAT)
    scale = graph.add(
        "Gather", [graph.constant("factors", factors.astype(np.float32)), "input_ids"], "scale"
    )
    one = graph.add("Mul", [one, scale], "tokens")
    if "words.1.weight" in weights:
        one = graph.product(one, "widened", weights["words.1.weight"].T)
    places = weights["positions.weight"] + weights["segment"]
    zero, second = (graph.constant(name, np.array([at])) for name, at in (("0", 0), ("1", 1)))
    shape = graph.add("Shape", ["input_ids"], "shape")
    length = graph.add("Slice", [shape, second, graph.constant("2", np.array([2]))], "length")
    place = graph.add("Slice", [graph.constant("places", places), zero, length], "place")
    one = graph.add("Add", [one, place], "placed")
    norm = [graph.constant("first.norm", weights["norm.weight"])]
    norm.append(graph.constant("first.shift", weights["norm.bias"]))
    return graph.add("LayerNormalization", [one, *norm], "first", epsilon=EPSILON)


def layer(graph: Graph, rows: str, at: int, weights: Weights) -> str:
    """Add the nodes of layer number `at` after the output `rows`; return the name of theirs."""
    prefix = f"layers.{at}"
    names = [f"{prefix}.{name}" for name in ("query", "key", "value")]
    merged = np.concatenate([weights[f"{name}.weight"] for name in names]).T
    shift = np.concatenate([weights[f"{name}.bias"] for name in names])
    one = graph.product(rows, f"{prefix}.three", merged)
    one = graph.add("Add", [one, graph.constant(f"{prefix}.three.bias", shift)], f"{prefix}.all")
    parts = [f"{prefix}.part{number}" for number in range(3)]
    graph.nodes.append(helper.make_node("Split", [one], parts, axis=2, num_outputs=3))
    seen = graph.add(
        "MultiHeadAttention", parts, f"{prefix}.seen", "com.microsoft", num_heads=HEADS
    )
    mixed = graph.product(seen, f"{prefix}.mix", weights[f"{prefix}.mix.weight"].T)
    rows = graph.skip_norm(mixed, rows, f"{prefix}.mix_norm", weights, f"{prefix}.mix.bias")
    wide = graph.product(rows, f"{prefix}.widen", weights[f"{prefix}.widen.weight"].T)
    bias = graph.constant(f"{prefix}.widen.bias", weights[f"{prefix}.widen.bias"])
    wide = graph.add("BiasGelu", [wide, bias], f"{prefix}.gelu", "com.microsoft")
    narrow = graph.product(wide, f"{prefix}.narrow", weights[f"{prefix}.narrow.weight"].T)
    return graph.skip_norm(narrow, rows, f"{prefix}.narrow_norm", weights, f"{prefix}.narrow.bias")


def encoder_model(weights: Weights, window: int) -> onnx.ModelProto:
    """Return an ONNX model whose matrices are floats, for texts of up to `window` tokens."""
    weights = {**weights, "positions.weight": weights["positions.weight"][:window]}
    graph = Graph()
    rows = embedded(graph, weights)
    count = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    for at in range(count):
        rows = layer(graph, rows, at, weights)
    taken = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])
    given = helper.make_tensor_value_info(rows, TensorProto.FLOAT, [1, "tokens", SIZE])
    constants = [numpy_helper.from_array(array, name) for name, array in graph.constants.items()]
    made = helper.make_graph(graph.nodes, "encoder", [taken], [given], constants)
    versions = [helper.make_opsetid(domain, number) for domain, number in _VERSIONS.items()]
    return helper.make_model(made, opset_imports=versions, ir_version=9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--window", type=int, default=256)
    parser.add_argument("--floats", action="store_true", help="do not round the matrices")
    args = parser.parse_args()
    with np.load(args.weights) as stored:
        model = encoder_model(dict(stored), args.window)
    if args.floats:
        onnx.save(model, str(args.out))
    else:
        quantize_dynamic(
            model,
            args.out,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
    print(lock_entry(args.out))


if __name__ == "__main__":
    main()
