"""Read the headings of a document, and the code that it mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


def document_headings(connection: sqlite3.Connection, path: str) -> list[str]:
    """Return the heading path of each chunk of a document, in order, like `Title > Section`."""
    rows = connection.execute(
        "SELECT c.heading FROM chunks c JOIN files f ON f.id = c.file_id"
        " WHERE f.path = ? AND c.heading != '' ORDER BY c.start_line",
        (path,),
    )
    return [heading for (heading,) in rows]


def read_document_targets(connection: sqlite3.Connection, path: str) -> list[tuple[str, str]]:
    """Return (edge kind, target) of the edges from a document, in the order of its lines.

    A target is a key of a file, `path`, or of a symbol, `path::qualified`.
    """
    rows = connection.execute(
        "SELECT e.kind, t.path, s.qualified FROM edges e JOIN files f ON f.id = e.source_file"
        " JOIN files t ON t.id = e.target_file LEFT JOIN symbols s ON s.id = e.target_symbol"
        " WHERE f.path = ? AND e.kind IN ('mentions', 'describes', 'entry_point')"
        " ORDER BY CAST(e.lines AS INTEGER), e.id",
        (path,),
    )
    return [(kind, f"{file}::{symbol}" if symbol else file) for kind, file, symbol in rows]


def read_unresolved_mentions(connection: sqlite3.Connection, path: str) -> tuple[str, ...]:
    """Return the names that a document mentions and that no edge links to code, each once.

    A name counts as linked if an edge to code starts on its line.
    """
    mentions = connection.execute(
        "SELECT m.name, m.line FROM mentions m JOIN files f ON f.id = m.file_id WHERE f.path = ?"
        " ORDER BY m.line",
        (path,),
    ).fetchall()
    edges = connection.execute(
        "SELECT e.lines FROM edges e JOIN files f ON f.id = e.source_file WHERE f.path = ?"
        " AND e.kind IN ('mentions', 'describes', 'entry_point')",
        (path,),
    )
    linked = {int(line) for (lines,) in edges for line in lines.split()}
    return tuple(dict.fromkeys(name for name, line in mentions if line not in linked))
