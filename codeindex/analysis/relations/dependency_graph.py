"""What depends on what, as a drawing or as data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.relations import graph_formats
from codeindex.errors import QueryError
from codeindex.store.graph.dependencies import (
    Dependency,
    GraphVertex,
    file_dependencies,
    file_vertices,
    symbol_dependencies,
    symbol_vertices,
)

if TYPE_CHECKING:
    import sqlite3

GRAPH_LEVELS = ("file", "symbol")
UNLIMITED_DEPTH = 0
"""The depth that follows dependencies to their ends."""


class DependencyGraphDict(TypedDict, total=False):
    """What `DependencyGraph` is in JSON: drawn as `graph`, or as `nodes` and `edges`."""

    path: str
    level: str
    format: str
    node_count: int
    edge_count: int
    graph: str
    nodes: list[Annotated[dict[str, Any], graph_formats.DrawnNode]]
    edges: list[Annotated[dict[str, Any], graph_formats.DrawnEdge]]


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """Nodes by key, edges by keys of their ends; `format` is how `text` draws it."""

    path: str
    level: str
    format: str
    nodes: tuple[graph_formats.DrawnNode, ...]
    edges: tuple[graph_formats.DrawnEdge, ...]

    @property
    def paths(self) -> set[str]:
        return {one.path for one in self.nodes}

    def as_dict(self) -> DependencyGraphDict:
        data: DependencyGraphDict = {
            "path": self.path,
            "level": self.level,
            "format": self.format,
            "node_count": len(self.nodes),
            "edge_count": len(self.edges),
        }
        if self.format == "json":
            data["nodes"] = [asdict(one) for one in self.nodes]
            data["edges"] = [asdict(one) for one in self.edges]
        else:
            data["graph"] = self.drawn()
        return data

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(one.source, one.target, ",".join(one.kinds), str(one.uses)) for one in self.edges]
        return ("source", "target", "kinds", "uses"), rows

    def text(self) -> Iterator[str]:
        yield from self.drawn().split("\n")

    def drawn(self, form: str = "") -> str:
        """Return the graph in its format, or in another one."""
        return graph_formats.draw_graph(form or self.format, self.nodes, self.edges)


def make_dependency_graph(
    connection: sqlite3.Connection, *, path: str, level: str, form: str, depth: int, calls: bool
) -> DependencyGraph:
    """Return what is in a place and what that depends on, up to `depth` steps away."""
    _check(level=level, form=form, depth=depth)
    known, links = (
        (file_vertices(connection), file_dependencies(connection))
        if level == "file"
        else (symbol_vertices(connection), symbol_dependencies(connection, calls=calls))
    )
    links = [one for one in links if one.source in known and one.target in known]
    start = set(known)
    if path.strip() not in {"", "."}:
        within = {one.path for one in select_files(connection, path)}
        start = {one.id for one in known.values() if one.path in within}
    near = _reached(start, links, depth)
    shown = [one for one in links if one.source in near and one.target in near]
    ends = {end for one in shown for end in (one.source, one.target)}
    return DependencyGraph(
        path=path,
        level=level,
        format=form,
        nodes=tuple(_node(one) for one in known.values() if one.id in ends),
        edges=tuple(_edges(shown, known)),
    )


def _check(*, level: str, form: str, depth: int) -> None:
    if level not in GRAPH_LEVELS:
        raise QueryError(f"level is {level!r}: use one of {', '.join(GRAPH_LEVELS)}.")
    if form not in graph_formats.GRAPH_FORMATS:
        raise QueryError(
            f"format is {form!r}: use one of {', '.join(graph_formats.GRAPH_FORMATS)}."
        )
    if type(depth) is not int or depth < 0:
        raise QueryError(f"depth is {depth!r}: use a whole number of steps, 0 for all.")


def _reached(start: Collection[int], links: Iterable[Dependency], depth: int) -> set[int]:
    """Follow dependencies from what they start at."""
    targets: dict[int, list[int]] = defaultdict(list)
    for one in links:
        targets[one.source].append(one.target)
    reached, edge = set(start), set(start)
    step = 0
    while edge and (depth == UNLIMITED_DEPTH or step < depth):
        edge = {target for one in edge for target in targets[one]} - reached
        reached |= edge
        step += 1
    return reached


def _node(one: GraphVertex) -> graph_formats.DrawnNode:
    return graph_formats.DrawnNode(
        one.key, one.path, one.kind, one.lines, is_test=bool(one.is_test)
    )


def _edges(
    links: Iterable[Dependency], known: Mapping[int, GraphVertex]
) -> list[graph_formats.DrawnEdge]:
    found = [
        graph_formats.DrawnEdge(known[one.source].key, known[one.target].key, one.kinds, one.uses)
        for one in links
    ]
    return sorted(found, key=lambda one: (one.source, one.target))
