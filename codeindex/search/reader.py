"""The reading side of an index: connections, columns and query vectors, kept between queries."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from codeindex.errors import NotIndexedError
from codeindex.search.corpus import Corpus, load_corpus
from codeindex.search.run import QueryVectors
from codeindex.store.catalog import Catalog, Generation
from codeindex.store.home import Repository

if TYPE_CHECKING:
    from codeindex.embed.encoder import Encoder


class Reader:
    """Sees the newest published state at each use; safe to share between threads."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._local = threading.local()
        self._open: list[Catalog] = []
        self._lock = threading.Lock()
        self._corpus: Corpus | None = None

    def close(self) -> None:
        with self._lock:
            for catalog in self._open:
                catalog.close()
            self._open, self._corpus = [], None
            self._local = threading.local()

    @contextlib.contextmanager
    def catalog(self) -> Iterator[tuple[Catalog, Generation]]:
        """One state of the catalog for as long as the block lasts; NotIndexedError without one."""
        catalog = self._mine()
        with catalog.reading() as generation:
            if not generation.number:
                raise NotIndexedError(_not_indexed(self.repository))
            yield catalog, generation

    @contextlib.contextmanager
    def corpus(self) -> Iterator[tuple[Catalog, Corpus]]:
        """The catalog and its columns, which are loaded once a published state."""
        with self.catalog() as (catalog, generation):
            with self._lock:
                known = self._corpus
            if known is None or known.generation.number != generation.number:
                known = load_corpus(catalog, generation, self.repository.vectors)
                with self._lock:
                    self._corpus = known
            yield catalog, known

    def _mine(self) -> Catalog:
        catalog: Catalog | None = getattr(self._local, "catalog", None)
        if catalog is None:
            if not self.repository.catalog.exists():
                raise NotIndexedError(_not_indexed(self.repository))
            catalog = self._local.catalog = Catalog.open(self.repository.catalog)
            with self._lock:
                self._open.append(catalog)
        return catalog


def query_vectors(corpus: Corpus, encoder: Encoder | None) -> Callable[[str], QueryVectors]:
    """Return what turns a query into vectors, as far as this corpus has any to compare with."""

    def vectors(text: str) -> QueryVectors:
        if encoder is None:
            return QueryVectors()
        has_dense = bool(corpus.dense.present.any())
        return QueryVectors(
            dense=encoder.embedder().query(text) if has_dense else None,
            token=encoder.token_query(text, corpus.statistics) if corpus.statistics else None,
        )

    return vectors


def _not_indexed(repository: Repository) -> str:
    return f"{repository.root} is not indexed yet: run `codeindex index {repository.root}`."
