"""Export the graph of files and symbols as node-link data."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from codeindex.analysis.file_selection import select_files
from codeindex.store.graph.usage import read_edges
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types.report import DataReport, Table, plural


@dataclass(frozen=True, slots=True)
class ExportedNode:
    """A file or a symbol; `id` is `path` or `path::qualified name`."""

    id: str
    kind: str
    file: str
    line: int
    end_line: int
    language: str
    is_test: bool


@dataclass(frozen=True, slots=True)
class ExportedEdge:
    """An edge; `inside` tells whether the repository defines its target.

    If so, `target` is the id of a node, otherwise a bare name.
    """

    source: str
    target: str
    kind: str
    certainty: str
    lines: tuple[int, ...]
    inside: bool


@dataclass(frozen=True, slots=True)
class ExportedGraph(DataReport):
    """The nodes below a path and the edges from them, which may lead outside of the path.

    Its JSON form is node-link data that networkx can read.
    """

    directed: bool
    multigraph: bool
    nodes: tuple[ExportedNode, ...]
    edges: tuple[ExportedEdge, ...]

    def columns(self) -> Table:
        rows = [
            (edge.source, edge.kind, edge.target, edge.certainty, " ".join(map(str, edge.lines)))
            for edge in self.edges
        ]
        return ("source", "kind", "target", "certainty", "lines"), rows

    def text(self) -> Iterator[str]:
        yield f"{plural(len(self.nodes), 'node')}, {plural(len(self.edges), 'edge')}"
        for edge in self.edges:
            doubt = "" if edge.certainty == "resolved" else "  (possible)"
            yield f"{edge.source} {edge.kind} {edge.target}{doubt}"


def export_graph(connection: sqlite3.Connection, path: str = "") -> ExportedGraph:
    """Return the graph of a file or a folder; '' stands for the whole repository."""
    files = select_files(connection, path)
    nodes = [
        ExportedNode(file.path, "file", file.path, 1, file.lines, file.language, bool(file.is_test))
        for file in files
    ]
    nodes += [
        ExportedNode(
            node.key,
            node.kind,
            node.path,
            node.line,
            node.end_line,
            node.language,
            bool(node.is_test),
        )
        for node in declarations_in(connection, [file.id for file in files])
    ]
    wanted = {file.path for file in files}
    return ExportedGraph(True, True, tuple(nodes), tuple(_arrows(connection, wanted)))


def _arrows(connection: sqlite3.Connection, wanted: set[str]) -> Iterator[ExportedEdge]:
    for edge in read_edges(connection):
        if edge.path in wanted:
            yield ExportedEdge(
                source=_node_id(edge.path, edge.source),
                target=_node_id(edge.target_path, edge.target)
                if edge.target_path
                else edge.target_name,
                kind=edge.kind,
                certainty=edge.certainty,
                lines=edge.lines,
                inside=bool(edge.target_path),
            )


def _node_id(path: str, qualified: str | None) -> str:
    return f"{path}::{qualified}" if qualified else path
