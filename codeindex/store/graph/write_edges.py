"""Write edges: those of resolved files, and those from documents to the code that they mention."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.document_mentions import MENTION_KINDS
from codeindex.store.catalog.relations import pack_ids, pack_lookups
from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.symbols.written_names import last_part

if TYPE_CHECKING:
    from codeindex.types import EdgeRecord, FileResolution

_TARGET_COLUMNS = "target_file, target_symbol, target_name, lines, compiler, receiver, arguments"
_EDGE_COLUMNS = f"source_symbol, kind, certainty, {_TARGET_COLUMNS}"
_STORED_COLUMNS = f"source_symbol, kind_code, is_ambiguous, {_TARGET_COLUMNS}"
"""The columns from which SQLite computes `_EDGE_COLUMNS`."""
_KIND_CODES = {
    kind: code
    for code, kind in enumerate(("references", "calls", "imports", "extends", *MENTION_KINDS))
}
"""The values of `edges.kind_code`; `schema.sql` lists them, too."""


def store_resolution(connection: sqlite3.Connection, resolution: FileResolution) -> None:
    """Store the edges of a file, and mark the file as resolved."""
    file_id = resolution.file_id
    known = connection.execute(
        f"SELECT {_EDGE_COLUMNS} FROM edges WHERE source_file = ?",  # noqa: S608 (constant)
        (file_id,),
    ).fetchall()
    made = map(tuple, resolution.edges)
    if Counter(known) != Counter(made):  # mostly equal: saves updating six SQL indexes
        connection.execute("DELETE FROM edges WHERE source_file = ?", (file_id,))
        connection.executemany(
            f"INSERT INTO edges (source_file, {_STORED_COLUMNS})"  # noqa: S608 (constants)
            f" VALUES ({file_id:d}, {', '.join('?' * 10)})",
            (
                (source, _KIND_CODES[kind], certainty == "ambiguous", *others)
                for source, kind, certainty, *others in resolution.edges
            ),
        )
        _note_outer_names(connection, resolution.edges)
    # One statement: each UPDATE rewrites the whole row, with its large blobs.
    connection.execute(
        "UPDATE relations SET resolved = 1, shown = interface, asked = ?, found = ?, consulted = ?"
        " WHERE file_id = ?",
        (
            pack_lookups(resolution.import_queries),
            resolution.import_digest,
            pack_ids(resolution.consulted),
            file_id,
        ),
    )


def _note_outer_names(connection: sqlite3.Connection, edges: Iterable[EdgeRecord]) -> None:
    """Store the names of edges that leave the repository (table `outer_names`).

    A trigger would do this for each edge, which takes longer; a trigger deletes unused names.
    """
    names = {name for _, _, _, target_file, _, name, *_ in edges if target_file is None}
    connection.executemany(
        "INSERT OR IGNORE INTO outer_names VALUES (?, ?)",
        ((last_part(name), name) for name in names),
    )


class MentionEdge(NamedTuple):
    """An edge from a document to a file (`target_symbol` is None) or to a symbol in the file."""

    source_file: int
    kind: str
    target_file: int
    target_symbol: int | None
    lines: Sequence[int]


def delete_mention_edges(connection: sqlite3.Connection, languages: Sequence[str]) -> None:
    """Delete the edges that start at documents of these languages."""
    connection.execute(
        f"DELETE FROM edges WHERE kind IN ({placeholders(MENTION_KINDS)}) AND source_file IN"  # noqa: S608 (marks)
        f" (SELECT id FROM files WHERE language IN ({placeholders(languages)}))",
        (*MENTION_KINDS, *languages),
    )


def put_mention_edges(connection: sqlite3.Connection, edges: Iterable[MentionEdge]) -> None:
    """Store edges with the certainty `resolved`; their lines are sorted and deduplicated."""
    connection.executemany(
        "INSERT INTO edges (source_file, kind_code, is_ambiguous, target_file, target_symbol,"
        " target_name, lines) VALUES (?, ?, 0, ?, ?, '', ?)",
        (
            (source, _KIND_CODES[kind], *target, join_lines(lines))
            for source, kind, *target, lines in edges
        ),
    )


def join_lines(lines: Iterable[int]) -> str:
    """Return line numbers as an edge stores them, such as `3 17`: sorted, without repeats."""
    return " ".join(map(str, sorted(set(lines))))
