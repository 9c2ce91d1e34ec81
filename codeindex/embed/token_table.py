"""The model's own table of token vectors, taken out once and mapped into memory after."""

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

_TABLE = "token-table.npy"
_RECORD = "token-table.json"
_SLICE = 4096  # ids a run: 6 MB of 384 floats
_SHAPING = {"Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Clip", "Flatten"}
_QUANTISED = {"DequantizeLinear", "Cast", "Mul", "Sub", "Identity"}
_FLOAT = 1  # onnx.TensorProto.FLOAT


def token_table(home: Path, model: Model) -> Matrix:
    """Return one row for each token id, mapped read-only; made on first use."""
    folder = model_folder(home, model)
    if not _current(folder, model):
        _make(home, model, folder)
    return _mapped(folder / _TABLE)


def _mapped(file: Path) -> Matrix:
    from codeindex.files.arrays import map_array

    return map_array(file)


def _identity(model: Model) -> dict[str, object]:
    return {"model": model.file(model.onnx).sha256, "fingerprint": model.fingerprint}


def _current(folder: Path, model: Model) -> bool:
    """Tell whether the table was made from this very model, and is as it was written."""
    try:
        record: Any = json.loads((folder / _RECORD).read_text("utf-8"))
        status = (folder / _TABLE).stat()
    except (OSError, ValueError):
        return False
    wanted = {**_identity(model), "size": status.st_size, "mtime_ns": status.st_mtime_ns}
    return isinstance(record, dict) and wanted.items() <= record.items()


def _make(home: Path, model: Model, folder: Path) -> None:
    import numpy as np

    source = verified_folder(home, model)
    size = tokenizer_for(tokenizer_file(home, model)).get_vocab_size()
    table = np.concatenate(list(_rows(source / model.onnx, size)))
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = folder / f".{_TABLE}.{os.getpid()}"
    partial.touch(mode=0o600)
    with partial.open("wb") as stream:
        np.save(stream, table, allow_pickle=False)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(folder / _TABLE)
    _record(folder, model, table)


def _record(folder: Path, model: Model, table: Matrix) -> None:
    status = (folder / _TABLE).stat()
    record = _identity(model) | {
        "shape": list(table.shape),
        "sha256": sha256_of(folder / _TABLE),
        "size": status.st_size,
        "mtime_ns": status.st_mtime_ns,
    }
    partial = folder / f".{_RECORD}.{os.getpid()}"
    partial.touch(mode=0o600)
    partial.write_text(json.dumps(record), "utf-8")
    partial.replace(folder / _RECORD)


def _rows(file: Path, size: int) -> Iterator[Matrix]:
    """Run the part of the model between the ids and their vectors over all ids."""
    import numpy as np

    session = open_onnx_session(_cut(file))
    (declared,) = session.get_inputs()
    kind: type[np.signedinteger[Any]] = np.int32 if "int32" in declared.type else np.int64
    for start in range(0, size, _SLICE):
        ids = np.arange(start, min(start + _SLICE, size), dtype=kind)
        try:
            (rows,) = session.run(None, {declared.name: ids[None, :]})
        except onnx_errors() as error:
            raise ModelError(
                f"{file.as_posix()} has fewer token vectors than tokens; use another model."
            ) from error
        yield np.asarray(rows, np.float32).reshape(len(ids), -1)


def _cut(file: Path) -> bytes:
    """Return the sub-graph from `input_ids` to the vectors as a model of its own."""
    import onnx
    from onnx.utils import Extractor

    model = onnx.load(str(file))
    output = _vectors(model.graph)
    if not output:
        raise ModelError(f"{file.as_posix()} has no table of token vectors; use another model.")
    known = {item.name for item in model.graph.value_info}
    if output not in known:
        value = onnx.helper.make_tensor_value_info(output, _FLOAT, None)
        model.graph.value_info.append(value)
    part: bytes = Extractor(model).extract_model(["input_ids"], [output]).SerializeToString()
    return part


def _vectors(graph: onnx.GraphProto) -> str:
    """Name the float tensor that the ids select from the table, after de-quantisation."""
    ids, found = {"input_ids"}, ""
    for node in graph.node:  # the standard demands topological order
        source = node.input[0] if node.input else ""
        if node.op_type in _SHAPING and source in ids:
            ids.update(node.output)
        elif _selects(node, ids) or (found in node.input and node.op_type in _QUANTISED and found):
            found = node.output[0]
    return found


def _selects(node: onnx.NodeProto, ids: set[str]) -> bool:
    return node.op_type.startswith("Gather") and len(node.input) > 1 and node.input[1] in ids
