"""Write the rows of files, with their symbols, chunks and relations, into the catalog.

Files and symbols keep their ids when they change, because edges of other files refer to the ids.
"""

from __future__ import annotations

import json
import sqlite3
import struct
from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeindex.store.catalog.packed_chunks import put_packed_chunks
from codeindex.store.catalog.relations import replace_relations, replace_shown_names
from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.catalog.trigrams import add_trigrams
from codeindex.text.words import fold_name, stemmed_parts
from codeindex.types.base import CHUNK_KINDS
from codeindex.types.files import unqualified_name

if TYPE_CHECKING:
    from codeindex.types import PreparedFile, Symbol

CHUNK_LAYOUT = np.dtype(
    [
        ("id", "<i8"),
        ("first", "<i4"),
        ("last", "<i4"),
        ("line", "<i4"),
        ("kind", "u1"),
        ("name_words", "u1"),
        ("complexity", "u1"),
        ("traits", "u1"),
    ]
)
"""The columns that a search reads of every chunk. They are packed in `files.layout`, because
reading rows of `chunks` would take ten times as long. `kind` is an index in `CHUNK_KINDS`,
`name_words` the number of words in the symbol's name."""
_BYTE = 255
_OF_FILE = (
    *("path", "language", "digest", "size", "mtime_ns", "ctime_ns", "lines", "status", "reason"),
    *("lost", "is_test", "is_generated"),
)
"""Columns of `files` that are attributes of a `PreparedFile`."""
_OF_SYMBOL = (
    *("name", "qualified", "kind", "line", "start_line", "end_line", "signature", "doc"),
    *("cyclomatic", "max_nesting", "param_count", "body_lines"),
)
"""Columns of `symbols` that are attributes of a `Symbol`."""
_OF_CHUNK = (
    *("start_line", "end_line", "kind", "symbol", "heading", "has_secrets", "page", "line"),
    *("complexity", "traits", "text"),
)
"""Columns of `chunks` that are attributes of a `Chunk`."""


def _upsert(table: str, key: str, columns: Sequence[str], others: str = "") -> str:
    """Return the statement that inserts a row, or updates the row with the same `key`."""
    updates = ", ".join(f"{column} = excluded.{column}" for column in columns if column != key)
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders(columns)})"  # noqa: S608 (constants)
        f" ON CONFLICT ({key}) DO UPDATE SET {updates}{others}"
    )


_PUT_FILE = _upsert(
    "files",
    "path",
    (*_OF_FILE, "is_navigation", "module", "identifiers", "findings"),
    ", surveyed = 0 RETURNING id",
)
_PUT_SYMBOL = _upsert("symbols", "id", ("id", "file_id", "number", "folded", *_OF_SYMBOL))
_PUT_CHUNK = (
    f"INSERT INTO chunks (file_id, {', '.join(_OF_CHUNK)})"  # noqa: S608 (constants)
    f" VALUES (?, {placeholders(_OF_CHUNK)})"
)
_file_values = attrgetter(*_OF_FILE)
_symbol_values = attrgetter(*_OF_SYMBOL)
_chunk_values = attrgetter(*_OF_CHUNK)


def delete_files(connection: sqlite3.Connection, ids: Iterable[int]) -> int:
    """Delete files with their symbols, chunks and outgoing edges.

    `ids` are the ids of the files. Return how many chunks were deleted.
    """
    chunks = 0
    for id_ in ids:
        chunks += _remove_chunks(connection, id_)
        connection.execute("DELETE FROM edge_rows WHERE source_file = ?", (id_,))
        connection.execute("DELETE FROM files WHERE id = ?", (id_,))
    return chunks


def update_file_stats(
    connection: sqlite3.Connection, stats: Iterable[tuple[int, int, int, int]]
) -> None:
    """Store new sizes and times of files whose content did not change.

    Each item of `stats` is (size, mtime_ns, ctime_ns, file id).
    """
    connection.executemany(
        "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ? WHERE id = ?", stats
    )


class StoredFile(NamedTuple):
    """A stored file: ids of its new chunks in source order, number of replaced chunks."""

    chunks: list[int]
    replaced: int


class FilePlace(NamedTuple):
    """A file to store: the prepared file, the name of its module, and its role.

    `is_navigation` is true for a document such as README.md.
    """

    file: PreparedFile
    module: str
    is_navigation: bool


def store_batch(connection: sqlite3.Connection, places: Sequence[FilePlace]) -> list[StoredFile]:
    """Store distinct files in place of their earlier versions; return one result per file.

    Trigrams are written last: most other statements make FTS5 write its buffer to the file first.
    """
    stored = [_store_file(connection, *place) for place in places]
    texts = (
        (number, prepared.chunk.text)
        for place, result in zip(places, stored, strict=True)
        for number, prepared in zip(result.chunks, place.file.chunks, strict=True)
    )
    add_trigrams(connection, texts)
    return stored


def _store_file(
    connection: sqlite3.Connection, file: PreparedFile, module: str, is_navigation: bool
) -> StoredFile:
    """Store the row, chunks and symbols of a file; the caller stores the trigrams of its chunks."""
    values = (
        *_file_values(file),
        is_navigation,
        module,
        struct.pack(f"<{len(file.identifiers)}I", *file.identifiers),
        json.dumps(file.findings),
    )
    (file_id,) = connection.execute(_PUT_FILE, values).fetchone()
    replaced = _remove_chunks(connection, file_id)
    _put_symbols(connection, file_id, file.symbols)
    replace_relations(connection, file_id, file.relations)
    replace_shown_names(connection, file_id, file.relations)
    ids = _add_chunks(connection, file_id, file)
    put_packed_chunks(connection, file_id, file.chunks)
    connection.execute("UPDATE files SET layout = ? WHERE id = ?", (_layout(file, ids), file_id))
    return StoredFile(ids, replaced)


def _remove_chunks(connection: sqlite3.Connection, file_id: int) -> int:
    return connection.execute("DELETE FROM chunks WHERE file_id = ?", (file_id,)).rowcount


def _put_symbols(connection: sqlite3.Connection, file_id: int, symbols: Iterable[Symbol]) -> None:
    """Store the symbols of a file; a symbol whose qualified name was known keeps its id.

    If several symbols share a qualified name, the nth of them keeps the id of the nth stored one.
    """
    known: dict[str, list[int]] = defaultdict(list)
    for item_id, qualified in connection.execute(
        "SELECT id, qualified FROM symbols WHERE file_id = ? ORDER BY number DESC", (file_id,)
    ):
        known[qualified].append(item_id)
    connection.executemany(
        _PUT_SYMBOL,
        [
            (
                known[item.qualified].pop() if known[item.qualified] else None,
                file_id,
                number,
                fold_name(item.name),
                *_symbol_values(item),
            )
            for number, item in enumerate(symbols)
        ],
    )
    gone = [(item,) for rest in known.values() for item in rest]
    connection.executemany("DELETE FROM symbols WHERE id = ?", gone)


def _add_chunks(connection: sqlite3.Connection, file_id: int, file: PreparedFile) -> list[int]:
    ids = []
    for prepared in file.chunks:
        row = connection.execute(_PUT_CHUNK, (file_id, *_chunk_values(prepared.chunk)))
        ids.append(row.lastrowid or 0)
    return ids


def _layout(file: PreparedFile, ids: Iterable[int]) -> bytes:
    values = attrgetter(*ChunkRow._fields[1:])
    rows = zip(ids, (values(prepared.chunk) for prepared in file.chunks), strict=True)
    return pack_layout(ChunkRow(number, *columns) for number, columns in rows)


class ChunkRow(NamedTuple):
    """The columns of a chunk from which its `CHUNK_LAYOUT` record is made."""

    id: int
    start_line: int
    end_line: int
    line: int
    kind: str
    symbol: str
    heading: str
    complexity: int
    traits: int


def pack_layout(chunks: Iterable[ChunkRow]) -> bytes:
    """Pack chunks into bytes for the column `files.layout`: one `CHUNK_LAYOUT` record per chunk."""
    rows = [
        (
            chunk.id,
            chunk.start_line,
            chunk.end_line,
            chunk.line,
            CHUNK_KINDS.index(chunk.kind),
            min(len(stemmed_parts(unqualified_name(chunk.symbol, chunk.heading))), _BYTE),
            min(chunk.complexity, _BYTE),
            chunk.traits,
        )
        for chunk in chunks
    ]
    return np.array(rows, dtype=CHUNK_LAYOUT).tobytes()
