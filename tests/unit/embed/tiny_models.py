"""A model small enough to be checked by hand, and a model hub on this machine."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from codeindex.embed.lock import Model, ModelFile, Pooling

REVISION = "0123456789abcdef0123456789abcdef01234567"
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "ask", "retry", "payment", "colour", "window", "tree")
DIMENSION = 8
_SCALE, _ZERO = np.float32(0.05), np.uint8(128)
_STEPS = np.random.default_rng(7).integers(0, 256, (len(WORDS), DIMENSION), np.uint8)
TABLE = (_STEPS.astype(np.float32) - np.float32(_ZERO)) * _SCALE


def tiny_onnx(variant: str = "float") -> bytes:
    """Build ids -> table rows -> sums from each token to the last: first and mean differ.

    `float` holds the table as it is, `after` selects bytes and then scales them, `before` scales
    the whole table; the latter two want int32 ids.
    """
    kind = TensorProto.INT64 if variant == "float" else TensorProto.INT32
    names = ["input_ids"] if variant == "before" else ["input_ids", "attention_mask"]
    constants = {"steps": _STEPS, "scale": _SCALE, "zero": _ZERO, "one": np.int64(1)}
    nodes = {
        "float": [helper.make_node("Gather", ["table", "input_ids"], ["rows"])],
        "after": [
            helper.make_node("Gather", ["steps", "input_ids"], ["chosen"]),
            helper.make_node("DequantizeLinear", ["chosen", "scale", "zero"], ["rows"]),
        ],
        "before": [
            helper.make_node("DequantizeLinear", ["steps", "scale", "zero"], ["table"]),
            helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        ],
    }[variant]
    if variant == "float":
        constants = {"table": TABLE, "one": np.int64(1)}
    graph = helper.make_graph(
        [*nodes, helper.make_node("CumSum", ["rows", "one"], ["last_hidden_state"], reverse=1)],
        "tiny",
        [helper.make_tensor_value_info(name, kind, ["batch", "length"]) for name in names],
        [
            helper.make_tensor_value_info(
                "last_hidden_state", TensorProto.FLOAT, ["batch", "length", DIMENSION]
            )
        ],
        [numpy_helper.from_array(np.asarray(v), name=k) for k, v in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def tiny_tokenizer() -> bytes:
    """Build a tokenizer that was saved with padding and a cut at four, as real ones are."""
    tokenizer = Tokenizer(
        models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.enable_padding(length=16)
    tokenizer.enable_truncation(4)
    return tokenizer.to_str().encode()


VALUES = np.arange(len(WORDS), dtype=np.float32)[:, None] - 4
"""What a word adds to the score of a text that has it, by the tiny cross-encoder."""


def tiny_pair_onnx(labels: int = 1) -> bytes:
    """Build (question, text) -> the sum of the text's words; of several labels, the last has it."""
    nodes = [
        helper.make_node("Gather", ["values", "input_ids"], ["rows"]),
        helper.make_node("Unsqueeze", ["token_type_ids", "last"], ["kinds"]),
        helper.make_node("Cast", ["kinds"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["rows", "mask"], ["own"]),
        helper.make_node("ReduceSum", ["own", "middle"], ["logits"], keepdims=0),
    ]
    values = np.pad(VALUES, ((0, 0), (labels - 1, 0)))
    constants = {"values": values, "last": np.array([2]), "middle": np.array([1])}
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        nodes,
        "tiny pair",
        [helper.make_tensor_value_info(one, TensorProto.INT64, ["b", "l"]) for one in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", labels])],
        [numpy_helper.from_array(np.asarray(v), name=k) for k, v in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def tiny_pair_files(labels: int = 1) -> dict[str, bytes]:
    return {"onnx/model.onnx": tiny_pair_onnx(labels), "tokenizer.json": tiny_tokenizer()}


def tiny_reranker(files: Mapping[str, bytes]) -> Model:
    return replace(tiny_model(files), id="tiny-pair", kind="reranker", dimension=0, query_prefix="")


def tiny_files(variant: str = "float") -> dict[str, bytes]:
    return {"onnx/model.onnx": tiny_onnx(variant), "tokenizer.json": tiny_tokenizer()}


def tiny_model(
    files: Mapping[str, bytes], *, pooling: Pooling = "cls", query_prefix: str = "ask "
) -> Model:
    return Model(
        id="tiny",
        source="hub",
        repo="people/tiny",
        revision=REVISION,
        onnx="onnx/model.onnx",
        tokenizer="tokenizer.json",
        dimension=DIMENSION,
        window=32,
        pooling=pooling,
        query_prefix=query_prefix,
        files=tuple(
            ModelFile(name, len(data), hashlib.sha256(data).hexdigest())
            for name, data in files.items()
        ),
    )


def install(home: Path, model: Model, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        target = home / "models" / model.id / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


@dataclass
class Hub:
    """What the hub serves, how it misbehaves, and what it was asked."""

    files: dict[str, bytes]
    endpoint: str = ""
    status: int = 200
    break_once_at: int = 0
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)

    def gets(self) -> list[tuple[str, str]]:
        return [
            (path.rsplit("/resolve/", 1)[-1], span)
            for method, path, span in self.asked
            if method == "GET"
        ]


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer()

        def do_GET(self) -> None:
            data = self._answer()
            if hub.break_once_at and len(data) > hub.break_once_at:
                data, hub.break_once_at = data[: hub.break_once_at], 0
                self.close_connection = True
            self.wfile.write(data)

        def _answer(self) -> bytes:
            span = self.headers.get("Range", "")
            hub.asked.append((self.command, self.path, span))
            hub.headers.append(dict(self.headers))
            data = hub.files.get(self.path.partition(f"/people/tiny/resolve/{REVISION}/")[2], b"")
            code = hub.status if data or hub.status >= 400 else 404
            start = int(span.removeprefix("bytes=").rstrip("-")) if span else 0
            self.send_response(206 if span and code == 200 else code)
            self.send_header("X-Repo-Commit", REVISION)
            self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
            self.send_header("Content-Length", str(len(data) - start))
            if span:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.end_headers()
            return data[start:]

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    hub.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
