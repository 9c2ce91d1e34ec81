"""Places that a question cites, as lines of files that are here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codeindex.search.cited import Cited, cited, nearest
from codeindex.search.named import EXACT, Named
from codeindex.words import fold

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

_ALIKE = 5
"""Files of the same name of which a cited one may be any; of more it says too little."""


def traced(
    connection: sqlite3.Connection, files: Mapping[str, int], text: str
) -> tuple[Named, ...]:
    """Return the lines that a text cites among other words; one that is all of it is a name."""
    if " " not in text.strip():
        return ()
    return tuple(_traced(connection, files, text))


def _traced(connection: sqlite3.Connection, files: Mapping[str, int], text: str) -> Iterator[Named]:
    for place in cited(text):
        near = nearest(place.path, files)
        for path in near if len(near) <= _ALIKE else ():
            if line := _line_of(connection, files[path], place):
                yield Named(files[path], line, EXACT, "a line that it cites")


def _line_of(connection: sqlite3.Connection, file_id: int, place: Cited) -> int:
    """Return the line, or where its function is if that has moved; 0 without either."""
    rows = connection.execute(
        "SELECT line, start_line, end_line FROM symbols WHERE file_id = ? AND folded = ?",
        (file_id, fold(place.function)),
    ).fetchall()
    if rows and not any(start <= place.line <= end for _, start, end in rows):
        return int(rows[0][0])
    (lines,) = connection.execute("SELECT lines FROM files WHERE id = ?", (file_id,)).fetchone()
    return place.line if place.line <= lines else 0
