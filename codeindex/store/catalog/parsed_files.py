"""Read files, symbols and chunks from the catalog in the form in which bundles store them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from codeindex.store.catalog.packed_chunks import packed_columns


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


class ParsedSymbol(NamedTuple):
    """A stored symbol, with the fields of `types.Symbol` in their order."""

    name: str
    qualified: str
    kind: str
    line: int
    start_line: int
    end_line: int
    signature: str
    doc: str
    cyclomatic: int
    max_nesting: int
    param_count: int
    body_lines: int


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


def parsed_symbols(connection: sqlite3.Connection, file_id: int) -> list[ParsedSymbol]:
    """Return the symbols of a file in source order."""
    rows = connection.execute(
        f"SELECT {', '.join(ParsedSymbol._fields)} FROM symbols WHERE file_id = ? ORDER BY number",  # noqa: S608 (constant)
        (file_id,),
    )
    return [ParsedSymbol._make(row) for row in rows]


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
