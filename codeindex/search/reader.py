"""Read a published index: catalog connections, corpus and query vectors, cached between queries."""

from __future__ import annotations

import contextlib
import logging
import shlex
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.config import environment
from codeindex.embed.token_vectors import query_vector
from codeindex.errors import NotIndexedError, QueryError, StoreError
from codeindex.search.catalog_pool import CatalogPool, GraphCache, PooledCatalog
from codeindex.search.pipeline import QueryVectors
from codeindex.search.rank.tuned_weights import read_tuned_rows
from codeindex.search.retrieve.corpus import Corpus, load_corpus
from codeindex.store.catalog.connection import Catalog, Generation, translate_sqlite_errors
from codeindex.store.catalog.hidden_files import Redact, hides_files, redact_stored_text
from codeindex.store.datadir.home import Repository
from codeindex.types.array_types import Vector

if TYPE_CHECKING:
    from codeindex.embed.encoder import QueryEncoders
    from codeindex.store.exports.vector_store import OpenCollection


_VECTOR_STORE_RESULTS = 500
"""Nearest chunks to request from the store; a filter that keeps a fifth leaves 100 candidates."""


class IndexReader:
    """Reads an index, each time in its newest published state; safe to share between threads.

    `redaction` returns a function that redacts stored text again, or None for a generation whose
    files were redacted by today's rules.
    """

    def __init__(
        self,
        repository: Repository,
        *,
        exact_limit: int,
        redaction: Callable[[Generation], Redact | None],
    ) -> None:
        self.repository = repository
        self._exact_limit = exact_limit
        self._redaction = redaction
        self._lock = threading.Lock()
        """Held while `_pool` is replaced."""
        self._pool: CatalogPool | None = None
        self._local = threading.local()
        self._load_lock = threading.Lock()
        """Held while a corpus is loaded, so that threads that need it wait instead of loading."""
        self._corpus: tuple[CatalogPool, Corpus] | None = None
        self._store_lock = threading.Lock()
        """Held while the vector store is used."""
        self._vector_store: OpenCollection | None = None

    def close(self) -> None:
        with self._lock:
            if self._pool is not None:
                self._pool.close()
            self._pool = self._corpus = None
        with self._store_lock:
            self._close_vector_store()

    @contextlib.contextmanager
    def catalog(self) -> Iterator[tuple[Catalog, Generation]]:
        """Open a read transaction on the newest state; raise NotIndexedError if there is none.

        A thread opens one at a time.
        """
        with self._reading() as (_, catalog, generation):
            yield catalog, generation

    @contextlib.contextmanager
    def corpus(self) -> Iterator[tuple[Catalog, Corpus]]:
        """Yield the catalog and the corpus of the newest state.

        Each state's corpus is loaded once.
        """
        with self._reading() as (pool, catalog, generation):
            yield catalog, self._corpus_of(generation, pool, catalog)

    def graph(self) -> GraphCache:
        """Return the cache of the graph that earlier questions have filled.

        Call it inside `catalog`. While files are hidden, return an empty cache.
        """
        pooled: PooledCatalog = self._local.pooled
        if hides_files(pooled.catalog.connection):
            return GraphCache()
        return pooled.graph()

    def dense_scores(self, corpus: Corpus, vector: Vector) -> Vector:
        """Return the cosine of each chunk with the vector of a query, shape (chunks,).

        In an index of up to `search.exact_limit` chunks, all vectors are compared. For a larger
        index, the vector store returns the nearest chunks, and only these and newer chunks get a
        cosine. If the store cannot answer, all vectors are compared.
        """
        state = corpus.generation.chroma
        fits = state and state["model"] == corpus.generation.model
        if len(corpus.chunk_ids) <= self._exact_limit or not fits:
            return corpus.dense.scores(vector)
        from codeindex.store.exports.vector_store import OpenCollection  # few indexes need it

        with self._store_lock:
            try:
                if self._vector_store is None or self._vector_store.state != state:
                    self._close_vector_store()
                    self._vector_store = OpenCollection(
                        self.repository.folder, state, environment()
                    )
                ids, cosines = self._vector_store.query(vector, limit=_VECTOR_STORE_RESULTS)
            except StoreError as error:
                logging.getLogger(__name__).warning("%s Searching by a scan instead.", error)
                self._close_vector_store()
                return corpus.dense.scores(vector)
        return corpus.dense.scores_of(ids, cosines, vector, since=state["last"])

    def _close_vector_store(self) -> None:
        if self._vector_store is not None:
            self._vector_store.close()
            self._vector_store = None

    @contextlib.contextmanager
    def _reading(self) -> Iterator[tuple[CatalogPool, Catalog, Generation]]:
        if getattr(self._local, "pooled", None) is not None:
            raise RuntimeError("This thread has the catalog open: use that, which may hide files.")
        with translate_sqlite_errors(self.repository.catalog):
            pool = self._current_pool()
            with pool.borrow() as pooled, pooled.catalog.reading() as generation:
                if not generation.number:
                    raise NotIndexedError(_not_indexed(self.repository))
                redact = self._redaction(generation)
                self._local.pooled = pooled
                try:
                    with redact_stored_text(pooled.catalog.connection, redact):
                        yield pool, pooled.catalog, generation
                finally:
                    self._local.pooled = None

    def _current_pool(self) -> CatalogPool:
        """Return the connections to the catalog; to a new file if a rebuild has replaced it."""
        try:
            status = self.repository.catalog.stat()
        except (FileNotFoundError, NotADirectoryError):  # the data folder may be a file
            raise NotIndexedError(_not_indexed(self.repository)) from None
        file = (status.st_dev, status.st_ino)
        with self._lock:
            if self._pool is None or self._pool.file != file:
                if self._pool is not None:
                    self._pool.close()
                self._pool = CatalogPool(self.repository.catalog, file)
            return self._pool

    def _corpus_of(self, generation: Generation, pool: CatalogPool, catalog: Catalog) -> Corpus:
        with self._load_lock:
            known_pool, known = self._corpus or (pool, None)
            if known is not None and known.generation == generation:
                return known
            corpus = load_corpus(catalog, generation, self.repository.segments, former=known)
            tuned = read_tuned_rows(self.repository.folder, generation.vectors_of)
            corpus = replace(corpus, tuned_rows=tuned)
            is_older = (
                known is not None
                and known_pool is pool
                and known.generation.number > generation.number
            )
            if not is_older:
                self._corpus = (pool, corpus)
            return corpus


def usable_corpus(whole: Corpus, encoders: QueryEncoders, *, has_vector: bool = False) -> Corpus:
    """Return the corpus without the kinds of vectors with which queries cannot be compared.

    These are the kinds for which `encoders` has no model. `has_vector` is true if the caller
    supplies the query's vector, so that the model's vectors are usable without the model.
    """
    has_dense = encoders.dense is not None or has_vector
    return whole.with_vectors(dense=has_dense, token=encoders.static is not None)


def query_vectorizer(
    corpus: Corpus, encoders: QueryEncoders, *, given: Vector | None = None
) -> Callable[[str], QueryVectors]:
    """Return a function that turns a query into a vector of each kind that the corpus has.

    `given` replaces the model's vector; raise QueryError if its dimension is wrong.
    """
    if given is not None and len(given) != corpus.dense.dimension:
        held = f"vectors of {corpus.dense.dimension} numbers" if corpus.dense.dimension else "none"
        raise QueryError(f"vector has {len(given)} numbers: this index has {held}.")

    def vectors(text: str) -> QueryVectors:
        dense, static = given, encoders.static
        if dense is None and encoders.dense is not None and corpus.dense.present.any():
            dense = encoders.dense.dense_query(text)
        if static is None or corpus.statistics is None:
            return QueryVectors(dense)
        return QueryVectors(dense, query_vector(text, corpus.statistics, static))

    return vectors


def _not_indexed(repository: Repository) -> str:
    root = str(repository.root)
    return f"'{root}' is not indexed yet: run `codeindex index {shlex.quote(root)}`."
