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
from codeindex.search.pipeline import QueryVectors
from codeindex.search.rank.tuned_weights import read_tuned_rows
from codeindex.search.retrieve.corpus import Corpus, load_corpus
from codeindex.store.catalog.connection import Catalog, Generation, translate_sqlite_errors
from codeindex.store.datadir.home import Repository
from codeindex.store.graph.user_links import UserLinks

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    import numpy.typing as npt

    from codeindex.embed.encoder import QueryEncoders
    from codeindex.store.protocols import OpenVectorStore

    Vector = npt.NDArray[np.float32]

_VECTOR_STORE_RESULTS = 500
"""Nearest chunks to request from the store; a filter that keeps a fifth leaves 100 candidates."""

_MAX_USER_LINKS = 400_000
"""Most graph links that a thread caches between questions; they take up to 60 MB."""


class IndexReader:
    """Reads an index, each time in its newest published state; safe to share between threads."""

    def __init__(self, repository: Repository, *, exact_limit: int) -> None:
        self.repository = repository
        self._exact_limit = exact_limit
        self._vector_store: OpenVectorStore | None = None
        self._local = threading.local()
        self._open: list[tuple[threading.Thread, Catalog]] = []
        """The open connections, each with the thread that uses it."""
        self._lock = threading.Lock()
        self._corpus: Corpus | None = None
        self._corpus_lock = threading.Lock()
        self._vector_store_lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            for _, catalog in self._open:
                catalog.close()
            self._open, self._corpus = [], None
            self._local = threading.local()
        with self._vector_store_lock:
            self._close_vector_store()

    @contextlib.contextmanager
    def catalog(self) -> Iterator[tuple[Catalog, Generation]]:
        """Open a read transaction on the newest state; raise NotIndexedError if there is none."""
        with translate_sqlite_errors(self.repository.catalog):
            catalog = self._thread_catalog()
            with catalog.reading() as generation:
                if not generation.number:
                    raise NotIndexedError(_not_indexed(self.repository))
                yield catalog, generation

    @contextlib.contextmanager
    def corpus(self) -> Iterator[tuple[Catalog, Corpus]]:
        """Yield the catalog and the corpus of the newest state.

        Each state's corpus is loaded once.
        """
        with self.catalog() as (catalog, generation):
            yield catalog, self._corpus_of(catalog, generation)

    def _corpus_of(self, catalog: Catalog, generation: Generation) -> Corpus:
        known = self._corpus
        if known is not None and known.generation == generation:
            return known
        with self._corpus_lock:  # of several threads, one loads the corpus
            known = self._corpus
            if known is None or known.generation != generation:
                loaded = load_corpus(catalog, generation, self.repository.segments, former=known)
                tuned = read_tuned_rows(self.repository.folder, generation.vectors_of)
                self._corpus = known = replace(loaded, tuned_rows=tuned)
            return known

    def user_links(self) -> UserLinks:
        """Return this thread's cache of the users of symbols, as earlier questions have read them.

        Call it inside `catalog`. The cache is emptied after another connection has written; while
        files are hidden, nothing is cached.
        """
        connection = self._thread_catalog().connection
        hides = "SELECT 1 FROM sqlite_temp_master WHERE name = 'hidden'"
        if connection.execute(hides).fetchone():
            return UserLinks()
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        known: tuple[sqlite3.Connection, int, UserLinks] | None = getattr(
            self._local, "user_links", None
        )
        if known and known[:2] == (connection, version) and known[2].size < _MAX_USER_LINKS:
            return known[2]
        links = UserLinks()
        self._local.user_links = (connection, version, links)
        return links

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
        from codeindex.store.exports.vector_store import VECTOR_STORE  # few indexes need it

        with self._vector_store_lock:
            try:
                if self._vector_store is None or self._vector_store.state != state:
                    self._close_vector_store()
                    self._vector_store = VECTOR_STORE.open(
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

    def _thread_catalog(self) -> Catalog:
        """Return this thread's connection; open a new one if a rebuild has replaced the file."""
        try:
            status = self.repository.catalog.stat()
        except (FileNotFoundError, NotADirectoryError):  # the data folder may be a file
            raise NotIndexedError(_not_indexed(self.repository)) from None
        file = (status.st_dev, status.st_ino)
        if getattr(self._local, "file", None) != file:
            catalog = Catalog.open(self.repository.catalog)
            with self._lock:
                self._close_unused(former=getattr(self._local, "catalog", None))
                self._open.append((threading.current_thread(), catalog))
            self._local.catalog, self._local.file = catalog, file
        own: Catalog = self._local.catalog
        return own

    def _close_unused(self, *, former: Catalog | None) -> None:
        """Close this thread's `former` connection, and those of threads that have ended."""
        used = []
        for thread, catalog in self._open:
            if catalog is former or not thread.is_alive():
                catalog.close()
            else:
                used.append((thread, catalog))
        self._open = used


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
