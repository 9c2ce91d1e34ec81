"""Extract a model's table of token vectors once, and map it into memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeindex.embed.installed import model_folder, tokenizer_file, verified_folder
from codeindex.embed.lock import Model
from codeindex.embed.onnx import onnx_errors, open_onnx_session
from codeindex.embed.tokens import tokenizer_for
from codeindex.errors import ModelError
from codeindex.files.digest import sha256_of

if TYPE_CHECKING:
    import numpy as np
    import onnx

    from codeindex.types import Matrix

_TABLE_FILE = "token-table.npy"
_RECORD_FILE = "token-table.json"
_IDS_PER_RUN = 4096  # 6 MB of 384 floats each
_SHAPE_OPERATORS = {"Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Clip", "Flatten"}
_DEQUANTISE_OPERATORS = {"DequantizeLinear", "Cast", "Mul", "Sub", "Identity"}
_FLOAT_TYPE = 1  # onnx.TensorProto.FLOAT


def token_table(home: Path, model: Model) -> Matrix:
    """Return the table with one row per token id, mapped read-only; extract it on first use."""
    folder = model_folder(home, model)
    if not _is_current(folder, model):
        _extract_table(home, model, folder)
    return _map_table(folder / _TABLE_FILE)


def _map_table(file: Path) -> Matrix:
    from codeindex.files.arrays import map_array

    return map_array(file)


def _identity(model: Model) -> dict[str, object]:
    return {"model": model.file(model.onnx).sha256, "fingerprint": model.fingerprint}


def _is_current(folder: Path, model: Model) -> bool:
    """Tell whether the stored table was made from this model and has not changed since."""
    try:
        record: Any = json.loads((folder / _RECORD_FILE).read_text("utf-8"))
        status = (folder / _TABLE_FILE).stat()
    except (OSError, ValueError):
        return False
    wanted = {**_identity(model), "size": status.st_size, "mtime_ns": status.st_mtime_ns}
    return isinstance(record, dict) and wanted.items() <= record.items()


def _extract_table(home: Path, model: Model, folder: Path) -> None:
    import numpy as np

    source = verified_folder(home, model)
    size = tokenizer_for(tokenizer_file(home, model)).get_vocab_size()
    table = np.concatenate(list(_rows(source / model.onnx, size)))
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = folder / f".{_TABLE_FILE}.{os.getpid()}"
    partial.touch(mode=0o600)
    with partial.open("wb") as stream:
        np.save(stream, table, allow_pickle=False)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(folder / _TABLE_FILE)
    _write_record(folder, model, table)


def _write_record(folder: Path, model: Model, table: Matrix) -> None:
    status = (folder / _TABLE_FILE).stat()
    record = _identity(model) | {
        "shape": list(table.shape),
        "sha256": sha256_of(folder / _TABLE_FILE),
        "size": status.st_size,
        "mtime_ns": status.st_mtime_ns,
    }
    partial = folder / f".{_RECORD_FILE}.{os.getpid()}"
    partial.touch(mode=0o600)
    partial.write_text(json.dumps(record), "utf-8")
    partial.replace(folder / _RECORD_FILE)


def _rows(file: Path, size: int) -> Iterator[Matrix]:
    """Yield the token vectors of all ids in batches, from the part of the model that makes them."""
    import numpy as np

    session = open_onnx_session(_token_vector_model(file))
    (declared,) = session.get_inputs()
    kind: type[np.signedinteger[Any]] = np.int32 if "int32" in declared.type else np.int64
    for start in range(0, size, _IDS_PER_RUN):
        ids = np.arange(start, min(start + _IDS_PER_RUN, size), dtype=kind)
        try:
            (rows,) = session.run(None, {declared.name: ids[None, :]})
        except onnx_errors() as error:
            raise ModelError(
                f"{file.as_posix()} has fewer token vectors than tokens; use another model."
            ) from error
        yield np.asarray(rows, np.float32).reshape(len(ids), -1)


def _token_vector_model(file: Path) -> bytes:
    """Return the sub-graph from `input_ids` to the token vectors as a serialized model."""
    import onnx
    from onnx.utils import Extractor

    model = onnx.load(str(file))
    output = _token_vectors_output(model.graph)
    if not output:
        raise ModelError(f"{file.as_posix()} has no table of token vectors; use another model.")
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
