"""Read chunks by id: text, packed token counts, and the fields from which words are indexed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from codeindex.secrets import mark_as_safe
from codeindex.types import Chunk, SafeText


class ChunkFields(NamedTuple):
    """The texts from which the indexed words of a chunk are taken."""

    path: str
    text: SafeText
    heading: str
    symbol: str
    names: tuple[str, ...]
    """Names of the symbols defined in the chunk, in the order of their lines."""
    signature: str
    doc: str


def chunk_ids(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of all chunks in ascending order."""
    return [chunk_id for (chunk_id,) in connection.execute("SELECT id FROM chunks ORDER BY id")]


def ids_of_chunks_with_file(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of the chunks whose file is in the catalog, ascending.

    Only a damaged catalog has chunks without a file.
    """
    rows = connection.execute(
        "SELECT c.id FROM chunks c JOIN files f ON f.id = c.file_id ORDER BY c.id"
    )
    return [chunk_id for (chunk_id,) in rows]


def chunk_ids_by_length(connection: sqlite3.Connection, *, max_characters: int) -> list[int]:
    """Return the ids of all chunks, shortest text first.

    Texts of more than `max_characters` count as equally long; their chunks are ordered by id.
    """
    rows = connection.execute(
        "SELECT id FROM chunks ORDER BY min(length(text), ?), id", (max_characters,)
    )
    return [chunk_id for (chunk_id,) in rows]


def chunk_ids_by_centrality(connection: sqlite3.Connection) -> Iterator[int]:
    """Yield the ids of all chunks, those in files that many other files use first.

    Chunks of files without a grammar come after those of parsed files, chunks of tests last.
    """
    rows = connection.execute(
        "SELECT c.id FROM chunks c JOIN files f ON f.id = c.file_id"
        " ORDER BY f.is_test, f.status = 'plain', f.centrality DESC, f.path, c.start_line"
    )
    return (chunk_id for (chunk_id,) in rows)


def chunk_tokens(connection: sqlite3.Connection) -> Iterator[bytes]:
    """Yield the token counts of all chunks as bytes (`PreparedChunk.tokens`), ascending by id."""
    rows = connection.execute("SELECT tokens FROM chunks ORDER BY id")
    return (tokens for (tokens,) in rows)


def stored_chunk(connection: sqlite3.Connection, chunk_id: int) -> tuple[str, Chunk]:
    """Return the path of a chunk's file, and the chunk with its text."""
    row = connection.execute(
        "SELECT f.path, c.start_line, c.end_line, c.kind, c.text, c.symbol, c.heading"
        " FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id = ?",
        (chunk_id,),
    ).fetchone()
    path, start, end, kind, text, symbol, heading = row
    return path, Chunk(start, end, kind, mark_as_safe(text), symbol, heading)


def chunk_fields(connection: sqlite3.Connection, chunk_id: int) -> ChunkFields:
    """Return the texts from which the indexed words of a chunk are taken."""
    path, text, heading, symbol, line, *extent = connection.execute(
        "SELECT f.path, c.text, c.heading, c.symbol, c.line, f.id, c.start_line, c.end_line"
        " FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id = ?",
        (chunk_id,),
    ).fetchone()
    names = connection.execute(
        "SELECT name FROM symbols WHERE file_id = ? AND line BETWEEN ? AND ? ORDER BY line, name",
        extent,
    )
    signature, doc = connection.execute(
        "SELECT signature, doc FROM symbols WHERE file_id = ? AND qualified = ? AND line = ?",
        (extent[0], symbol, line),
    ).fetchone() or ("", "")
    inside = tuple(name for (name,) in names)
    return ChunkFields(path, mark_as_safe(text), heading, symbol, inside, signature, doc)
