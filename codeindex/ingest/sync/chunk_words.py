"""The words of chunks: of a file that was just prepared, or, should a segment be lost, again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from codeindex.ingest.chunk.header import name_fields
from codeindex.store.catalog.connection import Catalog, Generation, Segment
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import live_chunk_ids
from codeindex.store.segments.word_index import ChunkWords, WordIndex, write_words
from codeindex.text.words import joined
from codeindex.types import PreparedFile

if TYPE_CHECKING:
    import sqlite3

_AT_ONCE = 5000
"""Chunks whose words are made again at a time, so that memory does not grow with the index."""


def words_of_file(file: PreparedFile, ids: Iterable[int]) -> Iterator[ChunkWords]:
    """Yield the words of a file's chunks, which have these ids."""
    path = joined(file.path)
    for one, chunk_id in zip(file.chunks, ids, strict=True):
        yield ChunkWords(
            chunk_id,
            one.words,
            one.names,
            path,
            one.name,
            one.owner,
            one.signature,
            one.doc,
        )


def restore_missing_words(
    repository: Repository, catalog: Catalog, generation: Generation
) -> tuple[Segment, ...]:
    """Write the words of the chunks that this state has none of, from their stored text."""
    live = live_chunk_ids(catalog)
    known = WordIndex(repository.segments, generation.of_kind("words"), live)
    missing = live[~known.present].tolist()
    parts = (missing[start : start + _AT_ONCE] for start in range(0, len(missing), _AT_ONCE))
    return tuple(
        write_words(
            repository.segments, [words_from_catalog(catalog.connection, one) for one in part]
        )
        for part in parts
    )


def words_from_catalog(connection: sqlite3.Connection, chunk_id: int) -> ChunkWords:
    """Say what `ingest.prepare` said of a chunk, as far as words go, from its stored text."""
    path, text, heading, symbol, line, *place = connection.execute(
        "SELECT f.path, c.text, c.heading, c.symbol, c.line, f.id, c.start_line, c.end_line"
        " FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id = ?",
        (chunk_id,),
    ).fetchone()
    inside = connection.execute(
        "SELECT name FROM symbols WHERE file_id = ? AND line BETWEEN ? AND ? ORDER BY line, name",
        place,
    )
    names = joined(heading, symbol, *(name for (name,) in inside))
    signature, doc = connection.execute(
        "SELECT signature, doc FROM symbols WHERE file_id = ? AND qualified = ? AND line = ?",
        (place[0], symbol, line),
    ).fetchone() or ("", "")
    own = name_fields(symbol, heading, signature, doc)
    return ChunkWords(chunk_id, joined(text), names, joined(path), *own)
