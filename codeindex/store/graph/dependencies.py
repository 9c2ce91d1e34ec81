"""Read the whole dependency graph, of files or of symbols, in SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of the dependency graph, which is a file or a symbol.

    `id` is `path` or `path::qualified name`, `kind` the language of a file or the kind of a symbol.
    """

    id: str
    path: str
    kind: str
    lines: int
    is_test: bool


class Dependency(NamedTuple):
    """All resolved edges from `source` to `target` as one edge.

    `source` and `target` are ids of two files or of two symbols. `uses` is the number of the edges,
    and `kinds` has their kinds, sorted.
    """

    source: int
    target: int
    kinds: tuple[str, ...]
    uses: int


def file_graph_nodes(connection: sqlite3.Connection) -> dict[int, GraphNode]:
    """Return {id of a file: its node} of every indexed file."""
    rows = connection.execute(
        "SELECT id, path, path, language, lines, is_test FROM files"
        " WHERE status IN ('indexed', 'plain') ORDER BY path"
    )
    return _nodes(rows)


def file_dependencies(connection: sqlite3.Connection) -> list[Dependency]:
    """Return the resolved dependencies between different files, without mentions in documents.

    They are sorted by the paths of source and target: ids depend on the history of the index.
    """
    return _dependencies(
        connection,
        "SELECT source_file, target_file, group_concat(DISTINCT kind), count(*) FROM edges"
        " JOIN files source ON source.id = source_file JOIN files target ON target.id = target_file"
        " WHERE kind IN ('imports', 'calls', 'extends', 'references')"  # not mentions in documents
        " AND certainty = 'resolved' AND target_file != source_file"
        " GROUP BY source_file, target_file ORDER BY source.path, target.path",
    )


def symbol_graph_nodes(connection: sqlite3.Connection) -> dict[int, GraphNode]:
    """Return {id of a symbol: its node} of every symbol."""
    rows = connection.execute(
        "SELECT s.id, f.path || '::' || s.qualified, f.path, s.kind, s.end_line - s.line + 1,"
        " f.is_test FROM symbols s JOIN files f ON f.id = s.file_id ORDER BY f.path, s.number"
    )
    return _nodes(rows)


def symbol_dependencies(connection: sqlite3.Connection, *, calls: bool) -> list[Dependency]:
    """Return the resolved `extends` dependencies between symbols; with `calls`, also the calls."""
    kinds = "'extends', 'calls'" if calls else "'extends'"
    return _dependencies(
        connection,
        "SELECT source_symbol, target_symbol, group_concat(DISTINCT kind), count(*) FROM edges"  # noqa: S608 (constants)
        " WHERE certainty = 'resolved' AND source_symbol IS NOT NULL"
        " AND target_symbol IS NOT NULL AND target_symbol != source_symbol"
        f" AND kind IN ({kinds}) GROUP BY source_symbol, target_symbol",
    )


def _nodes(rows: Iterable[tuple[Any, ...]]) -> dict[int, GraphNode]:
    return {
        number: GraphNode(key, path, kind, lines, is_test=bool(is_test))
        for number, key, path, kind, lines, is_test in rows
    }


def _dependencies(connection: sqlite3.Connection, question: str) -> list[Dependency]:
    return [
        Dependency(source, target, tuple(sorted(kinds.split(","))), uses)
        for source, target, kinds, uses in connection.execute(question)
    ]
