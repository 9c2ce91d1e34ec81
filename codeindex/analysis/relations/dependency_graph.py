"""Build the dependency graph of files or of symbols."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, TypedDict

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.relations import graph_formats
from codeindex.store.graph.dependencies import (
    Dependency,
    GraphNode,
    file_dependencies,
    file_graph_nodes,
    symbol_dependencies,
    symbol_graph_nodes,
)
from codeindex.types.report import Table


class DependencyGraphDict(TypedDict, total=False):
    """The JSON form of `DependencyGraph`: a drawing as `graph`, or `nodes` and `edges`."""

    path: str
    level: str
    format: str
    node_count: int
    edge_count: int
    graph: str
    nodes: list[Annotated[dict[str, Any], GraphNode]]
    edges: list[Annotated[dict[str, Any], graph_formats.DrawnEdge]]


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """The nodes and edges of a graph; `format` is the format in which `text` draws it."""

    path: str
    level: str
    format: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[graph_formats.DrawnEdge, ...]

    @property
    def paths(self) -> set[str]:
        return {node.path for node in self.nodes}

    def as_dict(self) -> DependencyGraphDict:
        data: DependencyGraphDict = {
            "path": self.path,
            "level": self.level,
            "format": self.format,
            "node_count": len(self.nodes),
            "edge_count": len(self.edges),
        }
        if self.format == "json":
            data["nodes"] = [asdict(node) for node in self.nodes]
            data["edges"] = [asdict(edge) for edge in self.edges]
        else:
            data["graph"] = self.drawn()
        return data

    def columns(self) -> Table:
        rows = [
            (edge.source, edge.target, ",".join(edge.kinds), str(edge.uses)) for edge in self.edges
        ]
        return ("source", "target", "kinds", "uses"), rows

    def text(self) -> Iterator[str]:
        yield from self.drawn().split("\n")

    def drawn(self, form: str = "") -> str:
        """Return a drawing of the graph as text, in the format `form` or else `self.format`."""
        path = self.path.strip("/. ")
        return graph_formats.draw_graph(form or self.format, self.nodes, self.edges, path=path)


def make_dependency_graph(
    connection: sqlite3.Connection, *, path: str, level: str, form: str, depth: int, calls: bool
) -> DependencyGraph:
    """Return the graph of the files or symbols below `path` and of what they depend on.

    `level` is `file` or `symbol`; `form` is the format of the drawing. Dependencies are followed
    for up to `depth` steps; 0 means no limit. Nodes without an edge are left out. A graph of
    symbols has subtype edges and, with `calls`, call edges.
    """
    nodes, links = (
        (file_graph_nodes(connection), file_dependencies(connection))
        if level == "file"
        else (symbol_graph_nodes(connection), symbol_dependencies(connection, calls=calls))
    )
    links = [
        dependency
        for dependency in links
        if dependency.source in nodes and dependency.target in nodes
    ]
    start = set(nodes)
    if path.strip() not in {"", "."}:
        within = {file.path for file in select_files(connection, path)}
        start = {number for number, node in nodes.items() if node.path in within}
    near = _follow_dependencies(start, links, depth)
    dependencies = [
        dependency
        for dependency in links
        if dependency.source in near and dependency.target in near
    ]
    ends = {end for dependency in dependencies for end in (dependency.source, dependency.target)}
    return DependencyGraph(
        path=path,
        level=level,
        format=form,
        nodes=tuple(node for number, node in nodes.items() if number in ends),
        edges=tuple(_draw_edges(dependencies, nodes)),
    )


def _follow_dependencies(
    start: Collection[int], links: Iterable[Dependency], depth: int
) -> set[int]:
    """Return the ids in `start` and of all that they depend on within `depth` steps; 0 for any."""
    targets: dict[int, list[int]] = defaultdict(list)
    for dependency in links:
        targets[dependency.source].append(dependency.target)
    reached, edge = set(start), set(start)
    step = 0
    while edge and (not depth or step < depth):
        edge = {target for number in edge for target in targets[number]} - reached
        reached |= edge
        step += 1
    return reached


def _draw_edges(
    links: Iterable[Dependency], nodes: Mapping[int, GraphNode]
) -> list[graph_formats.DrawnEdge]:
    edges = [
        graph_formats.DrawnEdge(
            nodes[dependency.source].id,
            nodes[dependency.target].id,
            dependency.kinds,
            dependency.uses,
        )
        for dependency in links
    ]
    return sorted(edges, key=lambda edge: (edge.source, edge.target))
