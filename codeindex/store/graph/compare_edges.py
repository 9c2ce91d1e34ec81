"""Compare the stored edges of files and documents with edges that were made again."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable

from codeindex.store.catalog.document_mentions import MENTION_KINDS
from codeindex.store.catalog.relations import pack_ids, pack_lookups
from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.graph.write_edges import MentionEdge, join_lines
from codeindex.types import FileResolution


def is_stored(connection: sqlite3.Connection, resolution: FileResolution) -> bool:
    """Tell whether a file's stored edges and dependencies equal those of its new `resolution`."""
    edges = connection.execute(
        "SELECT source_symbol, kind, certainty, target_file, target_symbol, target_name, lines,"  # noqa: S608 (marks)
        " compiler, receiver, arguments FROM edges WHERE source_file = ?"
        f" AND kind NOT IN ({placeholders(MENTION_KINDS)})",
        (resolution.file_id, *MENTION_KINDS),
    )
    depends = connection.execute(
        "SELECT asked, found, consulted FROM relations WHERE file_id = ?", (resolution.file_id,)
    ).fetchone()
    return Counter(edges) == Counter(map(tuple, resolution.edges)) and depends == (
        pack_lookups(resolution.import_queries),
        resolution.import_digest,
        pack_ids(resolution.consulted),
    )


def documents_with_other_edges(
    connection: sqlite3.Connection, edges: Iterable[MentionEdge]
) -> set[int]:
    """Return the ids of the documents whose stored edges differ from those in `edges`.

    `edges` are the new edges of all documents.
    """
    expected = {(*edge[:-1], join_lines(edge.lines)) for edge in edges}
    rows = connection.execute(
        "SELECT source_file, kind, target_file, target_symbol, lines FROM edges"  # noqa: S608 (marks)
        f" WHERE kind IN ({placeholders(MENTION_KINDS)})",
        MENTION_KINDS,
    )
    return {row[0] for row in expected.symmetric_difference(rows)}
