"""Choose the implementation of the vector store; all other modules use `VECTOR_STORE`."""

from __future__ import annotations

from codeindex.store.exports.chroma import ChromaStore
from codeindex.store.protocols import VectorStore

VECTOR_STORE: VectorStore = ChromaStore()
