"""Compute the words of chunks from prepared files, or from the catalog if a segment is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from codeindex.ingest.chunk.header import name_fields
from codeindex.store.catalog.chunks import chunk_fields
from codeindex.store.catalog.connection import Catalog, Generation, Segment
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import live_chunk_ids
from codeindex.store.segments.word_index import ChunkWords, WordIndex, write_words
from codeindex.text.words import stemmed_text
from codeindex.types import PreparedFile

_SEGMENT_CHUNKS = 5000
"""Most chunks of a restored segment: bounds the memory for large indexes."""


def words_of_file(file: PreparedFile, ids: Iterable[int]) -> Iterator[ChunkWords]:
    """Yield the words of each chunk of a file; `ids` are the chunk ids in the same order."""
    path = stemmed_text(file.path)
    for prepared, chunk_id in zip(file.chunks, ids, strict=True):
        yield ChunkWords(
            chunk_id,
            prepared.words,
            prepared.names,
            path,
            prepared.name,
            prepared.owner,
            prepared.signature,
            prepared.doc,
        )


def restore_missing_words(
    repository: Repository, catalog: Catalog, generation: Generation
) -> tuple[Segment, ...]:
    """Write word segments for chunks that are in no word segment.

    Their words come from the text in the catalog. Return the new segments, which are not published
    yet.
    """
    live = live_chunk_ids(catalog)
    known = WordIndex(repository.segments, generation.of_kind("words"), live)
    missing = live[~known.present].tolist()
    parts = (
        missing[start : start + _SEGMENT_CHUNKS]
        for start in range(0, len(missing), _SEGMENT_CHUNKS)
    )
    return tuple(
        write_words(
            repository.segments,
            [words_from_catalog(catalog.connection, chunk_id) for chunk_id in part],
        )
        for part in parts
    )


def words_from_catalog(connection: sqlite3.Connection, chunk_id: int) -> ChunkWords:
    """Return the words of a stored chunk, computed from its text in the catalog.

    They are the same as those that a worker computes when it prepares the file.
    """
    chunk = chunk_fields(connection, chunk_id)
    names = stemmed_text(chunk.heading, chunk.symbol, *chunk.names)
    fields = name_fields(chunk.symbol, chunk.heading, chunk.signature, chunk.doc)
    return ChunkWords(chunk_id, stemmed_text(chunk.text), names, stemmed_text(chunk.path), *fields)
