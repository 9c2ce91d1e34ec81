"""Read chunks: texts, the columns that a hit shows, and prototypes with their definitions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.sql_values import escape_like, placeholders
from codeindex.text.words import normal_form

if TYPE_CHECKING:
    from codeindex.types import SafeText


class ShownChunk(NamedTuple):
    """The columns of a chunk and of its file that are needed to show a search hit.

    `line` is the line that defines the chunk's symbol, 0 if that line is not in the chunk.
    """

    chunk_id: int
    file_id: int
    path: str
    start_line: int
    end_line: int
    text: SafeText
    """It is a `SafeText`, because only redacted text enters the catalog."""
    symbol: str
    kind: str
    language: str
    module: str
    is_test: int
    has_secrets: int
    heading: str
    page: int
    line: int


class PathChunk(NamedTuple):
    """The text of a chunk, with the number of its first line and the path of its file."""

    file_id: int
    path: str
    start_line: int
    text: str
    is_test: int


def shown_chunks(connection: sqlite3.Connection, ids: Collection[int]) -> dict[int, ShownChunk]:
    """Return {chunk id: chunk} for these ids."""
    rows = connection.execute(
        "SELECT c.id, f.id, f.path, c.start_line, c.end_line, c.text, c.symbol, c.kind, f.language,"  # noqa: S608 (placeholders)
        " f.module, f.is_test, c.has_secrets, c.heading, c.page, c.line"
        f" FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id IN ({placeholders(ids)})",
        tuple(ids),
    )
    return {row[0]: ShownChunk._make(row) for row in rows}


def chunk_texts(connection: sqlite3.Connection, ids: Collection[int]) -> list[tuple[int, str]]:
    """Return (id, text) of these chunks, ascending by id."""
    rows = connection.execute(
        f"SELECT id, text FROM chunks WHERE id IN ({placeholders(ids)}) ORDER BY id",  # noqa: S608 (placeholders)
        tuple(ids),
    )
    return rows.fetchall()


def code_first_chunks(connection: sqlite3.Connection, ids: Collection[int]) -> list[PathChunk]:
    """Return the chunks with these ids, non-test code first.

    They are sorted by: test or not, document section or not, path, line.
    """
    rows = connection.execute(
        "SELECT f.id, f.path, c.start_line, c.text, f.is_test FROM chunks c"  # noqa: S608 (placeholders)
        f" JOIN files f ON f.id = c.file_id WHERE c.id IN ({placeholders(ids)})"
        " ORDER BY f.is_test, c.kind = 'section', f.path, c.start_line",
        tuple(ids),
    )
    return [PathChunk._make(row) for row in rows]


def chunks_containing(connection: sqlite3.Connection, text: str) -> list[tuple[int, int]]:
    """Return (chunk id, line of the first match) of the chunks that contain `text`.

    The search is case-sensitive. Chunks are sorted by id.
    """
    rows = connection.execute(
        "SELECT id, start_line, text FROM chunks WHERE instr(text, ?) ORDER BY id", (text,)
    )
    return [
        (chunk, start + content.count("\n", 0, content.find(text)))
        for chunk, start, content in rows
    ]


def is_text_in_chunks(
    connection: sqlite3.Connection, text: str, file_ids: Sequence[int] | None
) -> bool:
    """Tell whether any chunk of the files `file_ids` contains `text`; None means all files.

    The comparison ignores case, and Unicode differences that NFKC removes. It reads all texts: 20
    ms for 10 MB.
    """
    condition, ids = "", []
    if file_ids is not None:
        ids = [json.dumps(file_ids)]
        condition = " AND file_id IN (SELECT value FROM json_each(?))"
    (is_there,) = connection.execute(
        f"SELECT EXISTS (SELECT 1 FROM chunks WHERE text LIKE ? ESCAPE '\\'{condition})",  # noqa: S608 (constants)
        (f"%{escape_like(text)}%", *ids),
    ).fetchone()
    if is_there:
        return True
    wanted = normal_form(text).lower()
    others = connection.execute(
        f"SELECT text FROM chunks WHERE length(text) != length(CAST(text AS BLOB)){condition}",  # noqa: S608 (constants)
        ids,
    )
    return any(wanted in normal_form(other).lower() for (other,) in others)


def chunk_ids_of_kinds(connection: sqlite3.Connection, kinds: Collection[str]) -> set[int]:
    rows = connection.execute(
        f"SELECT id FROM chunks WHERE kind IN ({placeholders(kinds)})",  # noqa: S608 (placeholders)
        tuple(kinds),
    )
    return {chunk for (chunk,) in rows}


class PrototypeChunk(NamedTuple):
    """A chunk that declares a function without a body, such as a prototype in a C header."""

    chunk_id: int
    path: str
    file_id: int
    symbol: str
    kind: str


def prototype_chunks(
    connection: sqlite3.Connection, ids: Collection[int], kinds: Collection[str]
) -> list[PrototypeChunk]:
    """Return the chunks among `ids` that declare a symbol of these kinds without a body."""
    rows = connection.execute(
        "SELECT c.id, f.path, f.id, c.symbol, c.kind FROM chunks c JOIN files f ON f.id = c.file_id"  # noqa: S608 (placeholders)
        f" WHERE c.id IN ({placeholders(ids)}) AND c.complexity = 0 AND c.line"
        f" AND c.kind IN ({placeholders(kinds)})",
        (*ids, *kinds),
    )
    return [PrototypeChunk._make(row) for row in rows]


def definition_chunks(
    connection: sqlite3.Connection, folded: str, prototype: PrototypeChunk
) -> list[int]:
    """Return ids of the chunks in other files that define the function of a prototype.

    `folded` is the function's folded name (`fold_name`). Chunks outside of tests come first, then
    those in files that many other files use. A definition in a test file counts only if the
    prototype is in a test file.
    """
    rows = connection.execute(
        "SELECT c.id FROM symbols s JOIN files f ON f.id = s.file_id"
        " JOIN chunks c ON c.file_id = s.file_id AND c.symbol = s.qualified AND c.line = s.line"
        " WHERE s.folded = ? AND s.qualified = ? AND s.kind = ? AND s.cyclomatic AND f.id != ?"
        " AND f.is_test <= (SELECT is_test FROM files WHERE id = ?)"
        " ORDER BY f.is_test, f.centrality DESC, f.path",
        (folded, prototype.symbol, prototype.kind, prototype.file_id, prototype.file_id),
    )
    return [chunk for (chunk,) in rows]
