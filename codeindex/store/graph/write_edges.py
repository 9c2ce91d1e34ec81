"""Write edges: those of resolved files, and those from documents to the code that they mention."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.document_mentions import MENTION_KINDS
from codeindex.store.catalog.relations import pack_ids, pack_lookups
from codeindex.store.catalog.sql_values import placeholders, select_in
from codeindex.store.symbols.written_names import last_part

if TYPE_CHECKING:
    from codeindex.types import FileResolution

_EDGE_COLUMNS = (
    "source_symbol, kind, certainty, target_file, target_symbol, target_name, lines, compiler,"
    " receiver, arguments"
)
_STORED_COLUMNS = (
    "source_symbol, kind_code, is_ambiguous, target_file, target_symbol, name_id, lines, compiler,"
    " receiver, arguments"
)
"""The columns from which SQLite computes `_EDGE_COLUMNS`."""
_KIND_CODES = {
    kind: code
    for code, kind in enumerate(("references", "calls", "imports", "extends", *MENTION_KINDS))
}
"""The values of `edges.kind_code`; `schema.sql` lists them, too."""


def store_resolution(connection: sqlite3.Connection, resolution: FileResolution) -> None:
    """Store the edges of a file, and mark the file as resolved."""
    file_id = resolution.file_id
    if not has_edges(connection, resolution):  # it mostly has: saves updating six SQL indexes
        connection.execute("DELETE FROM edge_rows WHERE source_file = ?", (file_id,))
        ids = _put_names(connection, {name for _, _, _, _, _, name, *_ in resolution.edges} - {""})
        connection.executemany(
            f"INSERT INTO edge_rows (source_file, {_STORED_COLUMNS})"  # noqa: S608 (constants)
            f" VALUES ({file_id:d}, {', '.join('?' * 10)})",
            (
                (
                    *(source, _KIND_CODES[kind], certainty == "ambiguous", file, symbol),
                    *(ids[name], *others),
                )
                for source, kind, certainty, file, symbol, name, *others in resolution.edges
            ),
        )
    # One statement: each UPDATE rewrites the whole row, with its large blobs.
    connection.execute(
        "UPDATE relations SET resolved = 1, shown = interface, asked = ?, found = ?, consulted = ?"
        " WHERE file_id = ?",
        (*pack_dependencies(resolution), file_id),
    )


def has_edges(connection: sqlite3.Connection, resolution: FileResolution) -> bool:
    """Tell whether the stored edges of a file equal those of its new `resolution`.

    Edges from a document to what it mentions do not count.
    """
    stored = connection.execute(
        f"SELECT {_EDGE_COLUMNS} FROM edges WHERE source_file = ?"  # noqa: S608 (constants)
        f" AND kind NOT IN ({placeholders(MENTION_KINDS)})",
        (resolution.file_id, *MENTION_KINDS),
    )
    return Counter(stored) == Counter(map(tuple, resolution.edges))


def pack_dependencies(resolution: FileResolution) -> tuple[bytes, str, bytes]:
    """Return what a file's edges depend on, packed for the table `relations`.

    These are its columns `asked`, `found` and `consulted`, in this order.
    """
    queries = pack_lookups(resolution.import_queries)
    return queries, resolution.import_digest, pack_ids(resolution.consulted)


def _put_names(connection: sqlite3.Connection, names: Collection[str]) -> dict[str, int]:
    """Store the names of edges; return {name: `name_id`}, which is 0 for ""."""
    connection.executemany(
        "INSERT OR IGNORE INTO edge_names (name, last) VALUES (?, ?)",
        ((name, last_part(name)) for name in names),
    )
    rows = select_in(connection, "SELECT name, id FROM edge_names WHERE name IN (...)", names)
    return {"": 0, **dict(rows)}


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
        f"DELETE FROM edge_rows WHERE kind IN ({placeholders(MENTION_KINDS)}) AND source_file IN"  # noqa: S608 (marks)
        f" (SELECT id FROM files WHERE language IN ({placeholders(languages)}))",
        (*MENTION_KINDS, *languages),
    )


def put_mention_edges(connection: sqlite3.Connection, edges: Iterable[MentionEdge]) -> None:
    """Store edges with the certainty `resolved`; their lines are sorted and deduplicated."""
    connection.executemany(
        "INSERT INTO edge_rows (source_file, kind_code, is_ambiguous, target_file, target_symbol,"
        " name_id, lines) VALUES (?, ?, 0, ?, ?, 0, ?)",
        (
            (source, _KIND_CODES[kind], *target, join_lines(lines))
            for source, kind, *target, lines in edges
        ),
    )


def join_lines(lines: Iterable[int]) -> str:
    """Return the value of `edges.lines` for line numbers: "3 17", sorted and without repeats."""
    return " ".join(map(str, sorted(set(lines))))
