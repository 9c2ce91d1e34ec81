"""Read files, symbols and chunks from the catalog in the form in which bundles store them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

from codeindex.store.catalog.packed_chunks import packed_columns
from codeindex.types import Symbol


class ParsedChunk(NamedTuple):
    """The columns of a stored chunk; `tokens` are its token counts, packed by `pack_counts`."""

    start_line: int
    end_line: int
    kind: str
    symbol: str
    heading: str
    context: str
    page: int
    line: int
    complexity: int
    traits: int
    text: str
    tokens: bytes


class ParsedFile(NamedTuple):
    """An indexed file, with what the parser found in it.

    `declared` has its declarations and `used` its uses of names, both serialized (see
    `EncodedRelations`). `lost` counts the lines that the parser could not read; `reason` says where
    or why.
    """

    id: int
    path: str
    language: str
    digest: str
    reason: str
    lost: int
    declared: bytes
    used: bytes


def parsed_files(connection: sqlite3.Connection) -> Iterator[ParsedFile]:
    """Yield every indexed file, sorted by path."""
    rows = connection.execute(
        "SELECT f.id, f.path, f.language, f.digest, f.reason, f.lost, r.declared, r.used"
        " FROM files f JOIN relations r ON r.file_id = f.id"
        " WHERE f.status IN ('indexed', 'plain') ORDER BY f.path"
    )
    yield from map(ParsedFile._make, rows)


def parsed_symbols(connection: sqlite3.Connection, file_id: int) -> list[tuple[Any, ...]]:
    """Return the fields of each `types.Symbol` of a file, in their order and in source order."""
    columns = ", ".join(field.name for field in fields(Symbol))
    return connection.execute(
        f"SELECT {columns} FROM symbols WHERE file_id = ? ORDER BY number",  # noqa: S608 (constant)
        (file_id,),
    ).fetchall()


def parsed_chunks(connection: sqlite3.Connection, file_id: int) -> list[ParsedChunk]:
    """Return the chunks of a file in the order of their ids."""
    rows = connection.execute(
        "SELECT start_line, end_line, kind, symbol, heading, '', page, line, complexity, traits,"
        " text, x'' FROM chunks WHERE file_id = ? ORDER BY id",
        (file_id,),
    )
    packed = packed_columns(connection, file_id)
    return [
        ParsedChunk._make(row)._replace(context=context, tokens=tokens)
        for row, (context, tokens) in zip(rows, packed, strict=True)
    ]
