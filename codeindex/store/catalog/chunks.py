"""Read the table `chunks`: for hits, for scans of all texts, for vectors and for exports."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from codeindex.secrets import mark_as_safe
from codeindex.store.catalog.sql_values import escape_like, placeholders, select_in
from codeindex.store.catalog.trigrams import chunks_with_substrings
from codeindex.text.words import normal_form
from codeindex.types import Chunk, SafeText

ChunkBlock = tuple[int, int, str]
"""A chunk's file id, the number of its first line, and its redacted text."""
_TEXT = "SELECT file_id, start_line, text FROM chunks"
_FILE_COLUMNS = 6
"""Columns of a row that belong to the file; those of the chunk follow."""


class StoredChunk(NamedTuple):
    """A chunk with its text, and columns of its file.

    `page` is a page of a PDF or a cell of a notebook, 0 in other files. `has_secrets` is 1 if a
    secret was redacted, else 0. `line` is the line that defines the chunk's symbol, 0 if that line
    is not in the chunk.
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
    is_generated: int
    has_secrets: int
    heading: str
    page: int
    line: int


def test_texts_containing(connection: sqlite3.Connection, text: str) -> list[ChunkBlock]:
    """Return the chunks of test files that may contain `text`.

    These are all chunks of test files if `text` is too short for the trigram index.
    """
    ids = chunks_with_substrings(connection, ((text,),))
    of_tests = (
        "SELECT c.file_id, c.start_line, c.text FROM chunks c JOIN files f ON f.id = c.file_id"
        " WHERE f.is_test"
    )
    if ids is None:
        return connection.execute(of_tests).fetchall()
    return [
        (file, line, code)
        for file, line, code in select_in(connection, f"{of_tests} AND c.id IN (...)", ids)
    ]


def stored_chunks(connection: sqlite3.Connection, ids: Collection[int]) -> dict[int, StoredChunk]:
    """Return {chunk id: chunk} for these ids."""
    chunks = _chunks_where(connection, f"c.id IN ({placeholders(ids)})", ids)
    return {chunk.chunk_id: chunk for chunk in chunks}


def _chunks_where(
    connection: sqlite3.Connection, condition: str, values: Iterable[object]
) -> list[StoredChunk]:
    rows = connection.execute(
        "SELECT c.id, f.id, f.path, c.start_line, c.end_line, c.text, c.symbol, c.kind, f.language,"  # noqa: S608 (constants)
        " f.module, f.is_test, f.is_generated, c.has_secrets, c.heading, c.page, c.line"
        f" FROM chunks c JOIN files f ON f.id = c.file_id WHERE {condition}",
        tuple(values),
    )
    return [StoredChunk(*row) for row in rows]


def chunk_texts(connection: sqlite3.Connection, ids: Collection[int]) -> list[tuple[int, str]]:
    """Return (id, text) of these chunks, ascending by id."""
    rows = connection.execute(
        f"SELECT id, text FROM chunks WHERE id IN ({placeholders(ids)}) ORDER BY id",  # noqa: S608 (placeholders)
        tuple(ids),
    )
    return rows.fetchall()


def code_first_chunks(connection: sqlite3.Connection, ids: Collection[int]) -> list[StoredChunk]:
    """Return the chunks with these ids, non-test code first.

    They are sorted by: test or not, document section or not, path, line.
    """
    return sorted(
        stored_chunks(connection, ids).values(),
        key=lambda chunk: (chunk.is_test, chunk.kind == "section", chunk.path, chunk.start_line),
    )


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


def prototype_chunks(
    connection: sqlite3.Connection, ids: Collection[int], kinds: Collection[str]
) -> list[StoredChunk]:
    """Return the chunks among `ids` that declare a symbol of these kinds without a body.

    An example is the prototype of a function in a C header.
    """
    condition = (
        f"c.id IN ({placeholders(ids)}) AND c.complexity = 0 AND c.line"
        f" AND c.kind IN ({placeholders(kinds)})"
    )
    return _chunks_where(connection, condition, (*ids, *kinds))


def definition_chunks(
    connection: sqlite3.Connection, folded: str, prototype: StoredChunk
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


def all_chunk_blocks(connection: sqlite3.Connection) -> Iterator[ChunkBlock]:
    """Yield (file id, first line, text) of every chunk, in the order of the table `chunks`."""
    yield from connection.execute(_TEXT)


def chunk_blocks_by_id(
    connection: sqlite3.Connection, ids: Collection[int]
) -> Iterator[ChunkBlock]:
    yield from select_in(connection, f"{_TEXT} WHERE id IN (...)", ids)


def chunk_blocks_in_files(
    connection: sqlite3.Connection, files: Collection[int]
) -> Iterator[ChunkBlock]:
    yield from select_in(connection, f"{_TEXT} WHERE file_id IN (...)", files)


def files_of_chunks(connection: sqlite3.Connection, chunks: Collection[int]) -> set[int]:
    """Return the ids of the files that contain at least one of the chunks with these ids."""
    rows = select_in(connection, "SELECT DISTINCT file_id FROM chunks WHERE id IN (...)", chunks)
    return {file_id for (file_id,) in rows}


class FlaggedChunk(NamedTuple):
    """The line range of a chunk that has a page number or a redacted secret.

    `page` is a page of a PDF or a cell of a notebook, 0 in other files. `has_secrets` is 0 or 1.
    """

    start_line: int
    end_line: int
    has_secrets: int
    page: int


def flagged_chunks(connection: sqlite3.Connection, file_id: int) -> list[FlaggedChunk]:
    """Return the chunks of a file that have a page number or a redacted secret."""
    rows = connection.execute(
        "SELECT start_line, end_line, has_secrets, page FROM chunks"
        " WHERE file_id = ? AND (has_secrets OR page)",
        (file_id,),
    )
    return [FlaggedChunk(*row) for row in rows]


def document_sections(
    connection: sqlite3.Connection, path: str, *, limit: int
) -> list[StoredChunk]:
    """Return the first `limit` chunks of a document, in the order of their lines."""
    return _chunks_where(connection, "f.path = ? ORDER BY c.start_line LIMIT ?", (path, limit))


def chunk_declaring_most(connection: sqlite3.Connection, path: str, names: Collection[str]) -> int:
    """Return the id of the chunk in a file that declares the most symbols with a name in `names`.

    If several chunks declare equally many, return the first of them.
    """
    (chunk_id,) = connection.execute(
        "SELECT c.id FROM chunks c JOIN files f ON f.id = c.file_id"  # noqa: S608 (marks)
        " WHERE f.path = ? ORDER BY (SELECT count(*) FROM symbols s"
        " WHERE s.file_id = c.file_id AND s.line BETWEEN c.start_line AND c.end_line"
        f" AND s.name IN ({placeholders(names)})) DESC, c.start_line LIMIT 1",
        (path, *names),
    ).fetchone()
    return int(chunk_id)


class ChunkFields(NamedTuple):
    """The texts from which the indexed words of a chunk are taken."""

    path: str
    text: SafeText
    heading: str
    symbol: str
    names: tuple[str, ...]
    """Names of the symbols that the chunk defines, by line."""
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


def stored_chunk(connection: sqlite3.Connection, chunk_id: int) -> tuple[str, Chunk]:
    """Return the path of a chunk's file, and the chunk with its text."""
    row = stored_chunks(connection, (chunk_id,))[chunk_id]
    text = mark_as_safe(row.text)
    return row.path, Chunk(row.start_line, row.end_line, row.kind, text, row.symbol, row.heading)


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


class ExportedChunk(NamedTuple):
    """A chunk of a file with its redacted text; `line` is where its symbol is defined, or 0."""

    start_line: int
    end_line: int
    line: int
    kind: str
    symbol: str
    heading: str
    text: str


class ExportedFile(NamedTuple):
    """An indexed file with its chunks, which together cover its lines and may overlap."""

    id: int
    path: str
    language: str
    module: str
    lines: int
    is_test: int
    chunks: tuple[ExportedChunk, ...]

    def text(self) -> str:
        """Return the redacted text of the file; lines that no chunk covers are empty."""
        texts: dict[int, str] = {}
        for chunk in self.chunks:
            texts.update(enumerate(chunk.text.split("\n"), chunk.start_line))
        return "\n".join(texts.get(number, "") for number in range(1, max(texts, default=0) + 1))


def exported_files(connection: sqlite3.Connection) -> Iterator[ExportedFile]:
    """Yield the files that have chunks, with their chunks, sorted by path."""
    rows = connection.execute(
        "SELECT f.id, f.path, f.language, f.module, f.lines, f.is_test,"
        " c.start_line, c.end_line, c.line, c.kind, c.symbol, c.heading, c.text"
        " FROM chunks c JOIN files f ON f.id = c.file_id ORDER BY f.path, c.start_line, c.id"
    )
    for columns, group in groupby(rows, key=lambda row: row[:_FILE_COLUMNS]):
        chunks = tuple(ExportedChunk._make(row[_FILE_COLUMNS:]) for row in group)
        yield ExportedFile._make((*columns, chunks))
