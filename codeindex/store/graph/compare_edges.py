"""Compare the stored edges of files and documents with edges computed from the index as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from codeindex.store.catalog.document_mentions import MENTION_KINDS
from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.graph.write_edges import (
    MentionEdge,
    has_edges,
    join_lines,
    pack_dependencies,
)
from codeindex.types import FileResolution


def is_stored(connection: sqlite3.Connection, resolution: FileResolution) -> bool:
    """Tell whether what is stored of a file equals its new `resolution`: edges and dependencies."""
    dependencies = connection.execute(
        "SELECT asked, found, consulted FROM relations WHERE file_id = ?", (resolution.file_id,)
    ).fetchone()
    return has_edges(connection, resolution) and dependencies == pack_dependencies(resolution)


def documents_with_other_edges(
    connection: sqlite3.Connection, edges: Iterable[MentionEdge]
) -> set[int]:
    """Return the file ids of documents whose stored mention edges are not those in `edges`.

    `edges` are the mention edges of all documents, computed from the index as it is.
    """
    expected = {(*edge[:-1], join_lines(edge.lines)) for edge in edges}
    rows = connection.execute(
        "SELECT source_file, kind, target_file, target_symbol, lines FROM edges"  # noqa: S608 (marks)
        f" WHERE kind IN ({placeholders(MENTION_KINDS)})",
        MENTION_KINDS,
    )
    return {row[0] for row in expected.symmetric_difference(rows)}
