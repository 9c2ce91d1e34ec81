"""Open the session, token table and tokenizer of a model on first use."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.embed.installed import tokenizer_file
from codeindex.embed.lock import Model
from codeindex.embed.onnx import OnnxEmbedder
from codeindex.embed.packing import pack_counts
from codeindex.embed.token_table import token_table
from codeindex.embed.token_vectors import token_vectors
from codeindex.embed.tokens import replace_surrogates, tokenizer_for

if TYPE_CHECKING:
    from codeindex.embed.token_vectors import TokenStatistics
    from codeindex.types import Matrix


class Encoder:
    """A model for indexing and queries; safe to share between threads."""

    def __init__(self, home: Path, model: Model, *, threads: int) -> None:
        self.model = model
        self._home = home
        self._threads = threads
        self._lock = threading.Lock()
        self._embedder: OnnxEmbedder | None = None
        self._table: Matrix | None = None
        self._has_queried = False
        self._last: tuple[str, Matrix] | None = None

    def close(self) -> None:
        with self._lock:
            if self._embedder is not None:
                self._embedder.close()
            self._embedder = self._table = None

    def embedder(self) -> OnnxEmbedder:
        """Return the loaded model; the first call takes 0.5 s."""
        with self._lock:
            if self._embedder is None:
                self._embedder = OnnxEmbedder(self._home, self.model, threads=self._threads)
            return self._embedder

    def table(self) -> Matrix:
        """Return the memory-mapped token table: one row per token id."""
        with self._lock:
            if self._table is None:
                self._table = token_table(self._home, self.model)
            return self._table

    @property
    def tokenizer_file(self) -> Path | None:
        return tokenizer_file(self._home, self.model)

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

    def token_query(self, text: str, statistics: TokenStatistics) -> Matrix:
        """Return the token vector of a query, which is comparable with `token_vectors`."""
        # the same tokenizer as `dense_query`: loading another takes 20 ms
        tokenizer = tokenizer_for(self.tokenizer_file, max_tokens=self.model.window)
        ids = Counter(tokenizer.encode(replace_surrogates(text), add_special_tokens=False).ids)
        row: Matrix = token_vectors([pack_counts(ids)], statistics, self.table())[0]
        return row
