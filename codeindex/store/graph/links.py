"""Read links: edges with the node at the other end, in the form that results show."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from codeindex.store.catalog.sql_values import placeholders, select_in
from codeindex.store.graph.edges import (
    StoredEdge,
    edges_to,
    edges_to_external_names,
    edges_to_files,
)
from codeindex.store.symbols.nodes import NODE_COLUMNS, nodes_by_id
from codeindex.types import Neighbor, Node

EDGE_COLUMNS = "e.kind, e.certainty, e.lines, e.target_name, e.compiler"


def links_to(connection: sqlite3.Connection, symbols: Iterable[int], *kinds: str) -> list[Neighbor]:
    """Return the edges to these symbols, each with the node that uses the symbol.

    `symbols` are ids. With `kinds`, only edges of these kinds. They are sorted by path and line.
    """
    return linked_edges(connection, edges_to(connection, symbols, *kinds))


def links_to_files(
    connection: sqlite3.Connection, files: Iterable[int], *kinds: str
) -> list[Neighbor]:
    """Return the edges to these files used as modules, each with the node that uses the file.

    Most are imports. `files` are ids. With `kinds`, only edges of these kinds. They are sorted by
    path and line.
    """
    return linked_edges(connection, edges_to_files(connection, files, *kinds))


def links_to_external_names(connection: sqlite3.Connection, names: Iterable[str]) -> list[Neighbor]:
    """Return the edges to these external names, each with the node that uses the name."""
    return linked_edges(connection, edges_to_external_names(connection, names))


def linked_edges(connection: sqlite3.Connection, edges: Sequence[StoredEdge]) -> list[Neighbor]:
    """Convert edges to `Neighbor`s: each with the node at its source, sorted by path and line.

    Edges whose source file is not in the catalog are left out.
    """
    nodes = nodes_by_id(connection, ((edge.file, edge.symbol) for edge in edges))
    links = [
        Neighbor(edge.kind, edge.certainty, edge.at, edge.name, nodes[edge.file, edge.symbol])
        for edge in edges
        if (edge.file, edge.symbol) in nodes
    ]
    return sorted(links, key=lambda link: (link.node.path if link.node else "", link.lines))


def links_by_edge(connection: sqlite3.Connection, edges: Iterable[int]) -> dict[int, Neighbor]:
    """Return {edge id: edge} of the edges with these ids that exist; their `node` is None."""
    rows = select_in(
        connection,
        f"SELECT e.id, {EDGE_COLUMNS} FROM edges e WHERE e.id IN (...)",  # noqa: S608 (constant)
        edges,
    )
    return {edge: link_from_row((*row, 0, None)) for edge, *row in rows}


def links_from(connection: sqlite3.Connection, node: Node, *kinds: str) -> list[Neighbor]:
    """Return the edges from a file or symbol with the nodes at their targets, by `link_order`.

    The edges of a symbol include those of all symbols defined inside it. With `kinds`, only edges
    of these kinds.
    """
    inside = ""
    if node.id:
        inside = (
            " AND e.source_symbol IN (SELECT id FROM symbols WHERE file_id = ?"
            " AND (id = ? OR qualified >= ? AND qualified < ?))"
        )
    of_kind = f" AND e.kind IN ({placeholders(kinds)})" if kinds else ""
    prefix = f"{node.qualified}."
    parameters: list[Any] = [node.file_id]
    parameters += [node.file_id, node.id, prefix, f"{prefix}\U0010ffff"] if node.id else []
    rows = connection.execute(
        f"SELECT {EDGE_COLUMNS}, {NODE_COLUMNS} FROM edges e"  # noqa: S608 (placeholders)
        " LEFT JOIN files f ON f.id = e.target_file"
        " LEFT JOIN symbols s ON s.id = e.target_symbol"
        f" WHERE e.source_file = ?{inside}{of_kind}",
        (*parameters, *kinds),
    )
    return sorted(map(link_from_row, rows), key=link_order)


def link_order(link: Neighbor) -> tuple[object, ...]:
    """Return a sort key by lines, then by name and by the place of the node.

    It is the same in all indexes of one tree, unlike ids and the order of rows.
    """
    node = link.node
    place = (node.path, node.line, node.qualified) if node else ("", 0, "")
    return (link.lines, link.name, *place, link.kind, link.certainty)


def link_from_row(row: Sequence[Any]) -> Neighbor:
    """Build a `Neighbor` from a row with the columns `EDGE_COLUMNS` and `NODE_COLUMNS`."""
    kind, certainty, lines, name, compiler, *rest = row
    return Neighbor(
        kind=kind,
        certainty=certainty,
        lines=tuple(map(int, lines.split())),
        name=name,
        node=Node(*rest) if rest[1] is not None else None,
        compiler=tuple(map(int, compiler.split())),
    )
