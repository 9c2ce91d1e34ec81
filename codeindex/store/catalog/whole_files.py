"""Read all files with their chunks, one after the other, to export the whole index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple


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


_FILE_COLUMNS = 6
"""Columns of a row that belong to the file; those of the chunk follow."""


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
