"""Store the names that documents mention, their edges to code, and read both again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

MENTION_KINDS = ("mentions", "describes", "entry_point")
"""Kinds of edges that start at a document."""
_MENTIONING = ", ".join(f"'{kind}'" for kind in MENTION_KINDS)


class MentionRow(NamedTuple):
    """A name that a document mentions; `path` is the document, `kind` one of `MENTION_KINDS`."""

    file_id: int
    path: str
    line: int
    kind: str
    name: str


def replace_mentions(
    connection: sqlite3.Connection, file_id: int, mentions: Iterable[tuple[int, str, str]]
) -> None:
    """Replace the stored mentions of a document by `mentions`: (line, kind, name)."""
    connection.execute("DELETE FROM mentions WHERE file_id = ?", (file_id,))
    connection.executemany(
        "INSERT INTO mentions VALUES (?, ?, ?, ?)", ((file_id, *mention) for mention in mentions)
    )


def all_mentions(connection: sqlite3.Connection) -> list[MentionRow]:
    """Return all mentions, sorted by file id and line."""
    rows = connection.execute(
        "SELECT m.file_id, f.path, m.line, m.kind, m.name FROM mentions m"
        " JOIN files f ON f.id = m.file_id ORDER BY m.file_id, m.line"
    )
    return [MentionRow(*row) for row in rows]


def content_digests(connection: sqlite3.Connection) -> list[tuple[str, str, str, str | None]]:
    """Return (path, language, digest, interface digest) of every file, sorted by path.

    The interface digest covers what other files can see of a file; it is None for a file without
    relations.
    """
    return connection.execute(
        "SELECT path, language, digest, interface FROM files LEFT JOIN relations"
        " ON file_id = id ORDER BY path"
    ).fetchall()


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
        "SELECT e.kind, t.path, s.qualified FROM edges e JOIN files f ON f.id = e.source_file"  # noqa: S608 (constants)
        " JOIN files t ON t.id = e.target_file LEFT JOIN symbols s ON s.id = e.target_symbol"
        f" WHERE f.path = ? AND e.kind IN ({_MENTIONING})"
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
        "SELECT e.lines FROM edges e JOIN files f ON f.id = e.source_file WHERE f.path = ?"  # noqa: S608 (constants)
        f" AND e.kind IN ({_MENTIONING})",
        (path,),
    )
    linked = {int(line) for (lines,) in edges for line in lines.split()}
    return tuple(dict.fromkeys(name for name, line in mentions if line not in linked))
