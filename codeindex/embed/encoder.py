"""Keep a transformer whose session opens on first use."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.embed.lock import Model
from codeindex.embed.onnx import OnnxEmbedder
from codeindex.types.array_types import Matrix

if TYPE_CHECKING:
    from codeindex.embed.static_model import StaticModel


_RECENT_QUERIES = 64
"""Most query vectors in the cache: enough for all unrelated topics and as many queries."""


class Encoder:
    """A transformer for indexing and queries; safe to share between threads."""

    def __init__(self, home: Path, model: Model, *, threads: int) -> None:
        self.model = model
        self._home = home
        self._threads = threads
        self._lock = threading.Lock()
        self._embedder: OnnxEmbedder | None = None
        self._has_queried = False
        self._recent = lru_cache(_RECENT_QUERIES)(self._dense_query)

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

        Recent vectors are cached, because a search over several repositories asks for the same
        vector once per repository. The first query of a process uses a session without graph
        optimisation, because it may be the only query: such a session opens five times as fast but
        runs slower. If `embedder` has been opened already, it is used instead.
        """
        return self._recent(text)

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
    """The models that made the vectors of an index.

    A field is None if the index lacks such vectors, or if their model is missing.
    """

    dense: Encoder | None = None
    static: StaticModel | None = None
