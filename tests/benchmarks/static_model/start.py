"""Read the vectors that `train.py` starts from: the input embeddings of the offline model.

Needs `pip install onnx`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx.utils import Extractor

from codeindex.embed.installed import verified_folder
from codeindex.embed.lock import OFFLINE_MODEL, load_lock
from codeindex.embed.onnx import open_onnx_session
from codeindex.embed.tokens import tokenizer_for

Matrix = npt.NDArray[np.float32]

_IDS_PER_RUN = 4096  # 6 MB of 384 floats each
_SHAPE_OPERATORS = {"Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Clip", "Flatten"}
_DEQUANTISE_OPERATORS = {"DequantizeLinear", "Cast", "Mul", "Sub", "Identity"}
_FLOAT_TYPE = 1  # onnx.TensorProto.FLOAT


def start_vectors(home: Path) -> Matrix:
    """Return the input embedding of each token of the vocabulary in the offline model."""
    model = load_lock()[OFFLINE_MODEL]
    folder = verified_folder(home, model)
    size = tokenizer_for(None).get_vocab_size()
    return np.concatenate(list(_rows(folder / model.onnx, size)))


def _rows(file: Path, size: int) -> Iterator[Matrix]:
    """Yield the token vectors of all ids in batches, from the part of the model that makes them."""
    session = open_onnx_session(_token_vector_model(file))
    (declared,) = session.get_inputs()
    kind: type[np.signedinteger[Any]] = np.int32 if "int32" in declared.type else np.int64
    for start in range(0, size, _IDS_PER_RUN):
        ids = np.arange(start, min(start + _IDS_PER_RUN, size), dtype=kind)
        (rows,) = session.run(None, {declared.name: ids[None, :]})
        yield np.asarray(rows, np.float32).reshape(len(ids), -1)


def _token_vector_model(file: Path) -> bytes:
    """Return the sub-graph from `input_ids` to the token vectors as a serialized model."""
    model = onnx.load(str(file))
    output = _token_vectors_output(model.graph)
    if not output:
        raise SystemExit(f"{file.as_posix()} has no table of token vectors; use another model.")
    known = {value.name for value in model.graph.value_info}
    if output not in known:
        value = onnx.helper.make_tensor_value_info(output, _FLOAT_TYPE, None)
        model.graph.value_info.append(value)
    part: bytes = Extractor(model).extract_model(["input_ids"], [output]).SerializeToString()
    return part


def _token_vectors_output(graph: onnx.GraphProto) -> str:
    """Return the name of the graph's value with the token vectors, "" if there is none.

    The token vectors are the rows that `input_ids` select from a table, de-quantised.
    """
    ids, vectors = {"input_ids"}, ""
    for node in graph.node:  # the standard demands topological order
        source = node.input[0] if node.input else ""
        if node.op_type in _SHAPE_OPERATORS and source in ids:
            ids.update(node.output)
        elif _selects(node, ids) or _dequantises(node, vectors):
            vectors = node.output[0]
    return vectors


def _selects(node: onnx.NodeProto, ids: set[str]) -> bool:
    return node.op_type.startswith("Gather") and len(node.input) > 1 and node.input[1] in ids


def _dequantises(node: onnx.NodeProto, vectors: str) -> bool:
    return bool(vectors) and vectors in node.input and node.op_type in _DEQUANTISE_OPERATORS
