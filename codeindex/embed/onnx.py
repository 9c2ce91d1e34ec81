"""Run embedding models; only this module opens sessions of onnxruntime."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from codeindex.config import disable_onnx_telemetry
from codeindex.embed.installed import tokenizer_file, verified_folder
from codeindex.embed.lock import Model
from codeindex.embed.tokens import replace_surrogates, tokenizer_for
from codeindex.errors import ModelError
from codeindex.types import SafeText
from codeindex.types.array_types import Matrix

if TYPE_CHECKING:
    import onnxruntime as ort


_MAX_THREADS = 8  # more threads compete for memory bandwidth
_QUEUED_PER_THREAD = 16  # texts in the pool; enough that no thread waits
_SHRINK_EVERY = 64  # runs; an arena that is never shrunk held 2.9 GB after one large run
_SHRINK_TOKENS = 256  # the arena is shrunk after texts beyond this: memory grows with the square
MAX_CHARS_PER_TOKEN = 32  # code has 3 to 4; text beyond window * 32 cannot be in the window
_TENSOR_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_TOKEN_VECTORS_RANK = 3  # batch, sequence, dimension


class OnnxModel:
    """A loaded model with a pool of threads; safe to share between threads."""

    def __init__(
        self, home: Path, model: Model, *, threads: int = 1, optimised: bool = True
    ) -> None:
        folder = verified_folder(home, model)
        self.model = model
        self._tokenizer = tokenizer_file(home, model)
        self._session = open_onnx_session(folder / model.onnx, optimised=optimised)
        self._inputs = _session_inputs(self._session, model)
        self._threads = max(1, min(threads, _MAX_THREADS))
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="codeindex-model")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class OnnxEmbedder(OnnxModel):
    """A loaded embedding model; the same text always gives the same vector.

    Each run embeds one text, because the vectors of int8 models depend on the other texts of a
    batch. Running single texts in parallel was also faster than batches.
    """

    def __init__(
        self, home: Path, model: Model, *, threads: int = 1, optimised: bool = True
    ) -> None:
        super().__init__(home, model, threads=threads, optimised=optimised)
        self._output = _output(self._session)
        self._runs = itertools.count(1)
        self._plain, self._shrinking = _run_options()

    @property
    def id(self) -> str:
        return self.model.id

    @property
    def dimension(self) -> int:
        return self.model.dimension

    def documents(self, texts: Sequence[SafeText], *, max_tokens: int) -> Matrix:
        """Return the unit vectors of texts, shape (texts, dimension).

        Only the first `max_tokens` tokens of a text count.
        """
        import numpy as np

        matrix = np.empty((len(texts), self.dimension), np.float32)
        for index, row in enumerate(self.stream(texts, max_tokens=max_tokens)):
            matrix[index] = row
        return matrix

    def stream(self, texts: Iterable[SafeText], *, max_tokens: int) -> Iterator[Matrix]:
        """Yield the vector of each text, as `documents` returns it, in the order of `texts`.

        Later texts are embedded in the background while a vector is yielded.
        """
        pending: deque[Future[Matrix]] = deque()
        try:
            for text in texts:
                pending.append(self._pool.submit(self._vector, text, max_tokens))
                if len(pending) > self._threads * _QUEUED_PER_THREAD:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()

    def query(self, text: str) -> Matrix:
        """Return the vector of a query, with the prefix that some models require for queries."""
        return self._vector(self.model.query_prefix + text, self.model.window)

    def _vector(self, text: str, max_tokens: int) -> Matrix:
        limit = min(max_tokens, self.model.window)
        tokenizer = tokenizer_for(self._tokenizer, max_tokens=limit)
        encoding = tokenizer.encode(replace_surrogates(text[: limit * MAX_CHARS_PER_TOKEN]))
        shrink = len(encoding.ids) > _SHRINK_TOKENS or next(self._runs) % _SHRINK_EVERY == 0
        options = self._shrinking if shrink else self._plain
        (output,) = self._session.run(
            [self._output], session_feeds(self._inputs, encoding), options
        )
        return _unit(_pooled(output, self.model))


def session_feeds(inputs: Mapping[str, str], encoding: Any) -> dict[str, Any]:
    """Return the input arrays of a session, by input name, for an encoded text or pair of texts."""
    import numpy as np

    values = {
        "input_ids": encoding.ids,
        "attention_mask": encoding.attention_mask,
        "token_type_ids": encoding.type_ids,
        "position_ids": range(len(encoding.ids)),
    }
    return {name: np.array([values[name]], kind) for name, kind in inputs.items()}


def open_onnx_session(model: Path | bytes, *, optimised: bool = True) -> ort.InferenceSession:
    """Open a model from a file or from memory; each run uses one thread.

    Optimising the graph takes 160 of 200 ms, and saves 20 ms per short text.
    """
    disable_onnx_telemetry()
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1  # two threads for one text waste 60 % of the processor
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if not optimised:
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Without it, int8 products overflow on some processors that lack VNNI.
    options.add_session_config_entry("session.x64quantprecision", "1")
    source = str(model) if isinstance(model, Path) else model
    try:
        return ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except onnx_errors() as error:
        name = model.as_posix() if isinstance(model, Path) else "The model"
        reason = str(error).split("\n", 1)[0]
        raise ModelError(f"{name} cannot be loaded: {reason}.") from error


def onnx_errors() -> tuple[type[Exception], ...]:
    """Return the exception types of onnxruntime, which have no common base."""
    disable_onnx_telemetry()
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    names = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NoSuchFile")
    more = ("NoModel", "NotImplemented", "RuntimeException", "EPFail", "ModelLoaded")
    return tuple(getattr(state, name) for name in (*names, *more) if hasattr(state, name))


def _run_options() -> tuple[ort.RunOptions, ort.RunOptions]:
    import onnxruntime as ort

    plain, shrinking = ort.RunOptions(), ort.RunOptions()
    shrinking.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return plain, shrinking


def _session_inputs(session: ort.InferenceSession, model: Model) -> dict[str, str]:
    """Return the integer type of each input, by name; raise ModelError if an input is unknown."""
    known = {"input_ids", "attention_mask", "token_type_ids", "position_ids"}
    types = {value.name: _TENSOR_TYPES.get(value.type, "") for value in session.get_inputs()}
    if "input_ids" not in types or types.keys() - known or not all(types.values()):
        raise ModelError(
            f"Model {model.id} needs the inputs {', '.join(types)}; choose one that reads text."
        )
    return types


def _output(session: ort.InferenceSession) -> str:
    """Return the name of the model's output that holds token vectors.

    Without such an output, it is the first one.
    """
    outputs = session.get_outputs()
    ranks = [
        output.name
        for output in outputs
        if output.shape and len(output.shape) == _TOKEN_VECTORS_RANK
    ]
    return str(ranks[0] if ranks else outputs[0].name)


def _pooled(output: Any, model: Model) -> Any:
    if output.ndim != _TOKEN_VECTORS_RANK:
        return output[0]
    # A single text is never padded: the attention mask is all ones.
    return output[0, 0] if model.pooling == "cls" else output[0].mean(axis=0)


def _unit(vector: Any) -> Matrix:
    import numpy as np

    row: Matrix = np.asarray(vector, np.float32)
    norm = float(np.linalg.norm(row))
    if not np.isfinite(norm):
        raise ModelError("The model gave a vector that is not a number; verify or replace it.")
    return row / np.float32(norm or 1.0)
