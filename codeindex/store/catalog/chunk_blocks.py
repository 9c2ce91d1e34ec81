"""Read the texts of chunks, their page numbers, and whether they had secrets."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from typing import NamedTuple

from codeindex.store.catalog.sql_values import placeholders, value_batches

ChunkBlock = tuple[int, int, str]
"""A chunk's file id, the number of its first line, and its redacted text."""
_TEXT = "SELECT file_id, start_line, text FROM chunks"


def all_chunk_blocks(connection: sqlite3.Connection) -> Iterator[ChunkBlock]:
    """Yield (file id, first line, text) of every chunk, in the order of the table `chunks`."""
    yield from connection.execute(_TEXT)


def chunk_blocks_by_id(
    connection: sqlite3.Connection, ids: Collection[int]
) -> Iterator[ChunkBlock]:
    yield from _chunk_blocks_where(connection, "id", ids)


def chunk_blocks_in_files(
    connection: sqlite3.Connection, files: Collection[int]
) -> Iterator[ChunkBlock]:
    yield from _chunk_blocks_where(connection, "file_id", files)


def _chunk_blocks_where(
    connection: sqlite3.Connection, column: str, values: Collection[int]
) -> Iterator[ChunkBlock]:
    for part in value_batches(values):
        yield from connection.execute(f"{_TEXT} WHERE {column} IN ({placeholders(part)})", part)


def files_of_chunks(connection: sqlite3.Connection, chunks: Collection[int]) -> set[int]:
    """Return the ids of the files that contain at least one of the chunks with these ids."""
    return {
        file_id
        for part in value_batches(chunks)
        for (file_id,) in connection.execute(
            f"SELECT DISTINCT file_id FROM chunks WHERE id IN ({placeholders(part)})",  # noqa: S608 (marks)
            part,
        )
    }


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


class SectionChunk(NamedTuple):
    """A chunk of a document, with its lines and text.

    `page` is 0 if the document has no pages. `has_secrets` is 1 if a secret was redacted, else 0.
    """

    start_line: int
    end_line: int
    text: str
    heading: str
    page: int
    has_secrets: int


def document_sections(
    connection: sqlite3.Connection, path: str, *, limit: int
) -> list[SectionChunk]:
    """Return the first `limit` chunks of a document, in the order of their lines."""
    rows = connection.execute(
        "SELECT c.start_line, c.end_line, c.text, c.heading, c.page, c.has_secrets"
        " FROM chunks c JOIN files f ON f.id = c.file_id WHERE f.path = ?"
        " ORDER BY c.start_line LIMIT ?",
        (path, limit),
    )
    return [SectionChunk(*row) for row in rows]


def chunk_declaring_most(
    connection: sqlite3.Connection, file_id: int, names: Collection[str]
) -> int:
    """Return the id of the chunk of a file that declares the most symbols named in `names`.

    In a tie, it is the first chunk.
    """
    (chunk_id,) = connection.execute(
        "SELECT c.id FROM chunks c WHERE c.file_id = ? ORDER BY (SELECT count(*) FROM symbols s"  # noqa: S608 (marks)
        " WHERE s.file_id = c.file_id AND s.line BETWEEN c.start_line AND c.end_line"
        f" AND s.name IN ({placeholders(names)})) DESC, c.start_line LIMIT 1",
        (file_id, *names),
    ).fetchone()
    return int(chunk_id)
