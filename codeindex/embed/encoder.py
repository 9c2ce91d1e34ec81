"""Open the session of a transformer on first use."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.embed.lock import Model
from codeindex.embed.onnx import OnnxEmbedder

if TYPE_CHECKING:
    from codeindex.embed.static_model import StaticModel
    from codeindex.types import Matrix


class Encoder:
    """A transformer for indexing and queries; safe to share between threads."""

    def __init__(self, home: Path, model: Model, *, threads: int) -> None:
        self.model = model
        self._home = home
        self._threads = threads
        self._lock = threading.Lock()
        self._embedder: OnnxEmbedder | None = None
        self._has_queried = False
        self._last: tuple[str, Matrix] | None = None

    def close(self) -> None:
        with self._lock:
            if self._embedder is not None:
                self._embedder.close()
            self._embedder = None

    def embedder(self) -> OnnxEmbedder:
        """Return the loaded model; the first call takes 0.5 s."""
        with self._lock:
            if self._embedder is None:
                self._embedder = OnnxEmbedder(self._home, self.model, threads=self._threads)
            return self._embedder

    def dense_query(self, text: str) -> Matrix:
        """Return the model's vector of a query.

        The last vector is cached, because a search asks for it once per repository. The first query
        of a process may be its only query. Unless `embedder` has been opened, the first query uses
        a session without graph optimisation, which opens five times as fast but runs slower.
        """
        last = self._last
        if last is None or last[0] != text:
            self._last = last = (text, self._dense_query(text))
        return last[1]

    def _dense_query(self, text: str) -> Matrix:
        with self._lock:
            first = not self._has_queried and self._embedder is None
            self._has_queried = True
        if not first:
            return self.embedder().query(text)
        with OnnxEmbedder(self._home, self.model, optimised=False) as quick:
            return quick.query(text)


@dataclass(frozen=True, slots=True)
class QueryEncoders:
    """The models that made the vectors of an index; None where vectors or model are missing."""

    dense: Encoder | None = None
    static: StaticModel | None = None
