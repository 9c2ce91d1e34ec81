"""The graph as plain values, for programs that know neither Python nor networkx."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from codeindex.analysis.file_selection import select_files
from codeindex.store.symbols.declarations import declarations_in

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class ExportedNode:
    """A file or a symbol; `id` is its path, or `path::qualified`."""

    id: str
    kind: str
    file: str
    line: int
    end_line: int
    language: str
    is_test: bool


@dataclass(frozen=True, slots=True)
class ExportedEdge:
    """An edge; `target` is a node, or a name if it leads outside or to one of many."""

    source: str
    target: str
    kind: str
    certainty: str
    lines: tuple[int, ...]
    inside: bool


class ExportedGraphDict(TypedDict):
    """What `ExportedGraph` is in JSON: node-link data, as networkx reads it."""

    directed: bool
    multigraph: bool
    nodes: list[Annotated[dict[str, Any], ExportedNode]]
    edges: list[Annotated[dict[str, Any], ExportedEdge]]


@dataclass(frozen=True, slots=True)
class ExportedGraph:
    """Nodes and edges of a place; edges may lead out of it."""

    path: str
    nodes: tuple[ExportedNode, ...]
    edges: tuple[ExportedEdge, ...]

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.nodes}

    def as_dict(self) -> ExportedGraphDict:
        return {
            "directed": True,
            "multigraph": True,
            "nodes": [asdict(one) for one in self.nodes],
            "edges": [asdict(one) for one in self.edges],
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (one.source, one.kind, one.target, one.certainty, " ".join(map(str, one.lines)))
            for one in self.edges
        ]
        return ("source", "kind", "target", "certainty", "lines"), rows

    def text(self) -> Iterator[str]:
        yield f"{len(self.nodes)} nodes, {len(self.edges)} edges"
        for one in self.edges:
            doubt = "" if one.certainty == "resolved" else "  (possible)"
            yield f"{one.source} {one.kind} {one.target}{doubt}"


def export_graph(connection: sqlite3.Connection, path: str = "") -> ExportedGraph:
    """Return the graph of a file, a folder or everything."""
    files = select_files(connection, path)
    nodes = [
        ExportedNode(one.path, "file", one.path, 1, one.lines, one.language, bool(one.is_test))
        for one in files
    ]
    nodes += [
        ExportedNode(
            one.key, one.kind, one.path, one.line, one.end_line, one.language, bool(one.is_test)
        )
        for one in declarations_in(connection, [one.id for one in files])
    ]
    wanted = {one.path for one in files}
    return ExportedGraph(path, tuple(nodes), tuple(_arrows(connection, wanted)))


def _arrows(connection: sqlite3.Connection, wanted: set[str]) -> Iterator[ExportedEdge]:
    rows = connection.execute(
        "SELECT f.path, s.qualified, e.kind, e.certainty, g.path, t.qualified, e.target_name,"
        " e.lines FROM edges e JOIN files f ON f.id = e.source_file"
        " LEFT JOIN symbols s ON s.id = e.source_symbol LEFT JOIN files g ON g.id = e.target_file"
        " LEFT JOIN symbols t ON t.id = e.target_symbol ORDER BY f.path, e.id"
    )
    for path, source, kind, certainty, target_path, target, name, lines in rows:
        if path in wanted:
            yield ExportedEdge(
                source=f"{path}::{source}" if source else path,
                target=_named(target_path, target) if target_path else name,
                kind=kind,
                certainty=certainty,
                lines=tuple(map(int, lines.split())),
                inside=bool(target_path),
            )


def _named(path: str, qualified: str | None) -> str:
    return f"{path}::{qualified}" if qualified else path
