"""A graph as text that other programs draw, or as a page that draws itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from codeindex.text.sanitize import escaped_json

_MERMAID_EDGES = 500
"""Mermaid refuses more unless its `maxEdges` is raised."""


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A file or a symbol; `id` is `path` or `path::qualified`."""

    id: str
    path: str
    kind: str
    lines: int
    is_test: bool


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """One thing's dependency on another, by their ids, with how and how often it shows."""

    source: str
    target: str
    kinds: tuple[str, ...]
    uses: int


def draw_graph(form: str, nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> str:
    """Return the graph in one of the formats of `GRAPH_FORMATS`."""
    return GRAPH_FORMATS[form](nodes, edges)


def _mermaid(nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> str:
    return "\n".join(_mermaid_lines(nodes, edges))


def _mermaid_lines(nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> Iterator[str]:
    yield "graph LR"
    if len(edges) > _MERMAID_EDGES:
        yield f"  %% {len(edges)} edges: raise maxEdges, narrow it by a path, or use --html"
    short = {one.id: f"n{number}" for number, one in enumerate(nodes)}
    for one in nodes:
        yield f'  {short[one.id]}["{_entities(one.id)}"]'
    for link in edges:
        yield f"  {short[link.source]} --> {short[link.target]}"


def _entities(text: str) -> str:
    """Write as Mermaid's entities what ends a label or is markup in one."""
    return "".join(one if one.isalnum() or one in "/._-: ,()" else f"#{ord(one)};" for one in text)


def _dot(nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> str:
    lines = ["digraph dependencies {", "  rankdir=LR;", "  node [shape=box];"]
    lines += [f"  {_quoted(one.id)};" for one in nodes]
    lines += [f"  {_quoted(one.source)} -> {_quoted(one.target)};" for one in edges]
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _json(nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> str:
    data = {"nodes": [asdict(one) for one in nodes], "edges": [asdict(one) for one in edges]}
    return escaped_json(data, indent=1)


def _html(nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> str:
    """Put the graph into the page, in which no name of a file can end its script."""
    from importlib import resources

    number = {one.id: at for at, one in enumerate(nodes)}
    data = {
        "nodes": [[one.id, one.path, one.kind, one.lines, one.is_test] for one in nodes],
        "edges": [[number[one.source], number[one.target], one.uses] for one in edges],
    }
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")
    page = resources.files("codeindex.analysis.relations").joinpath("graph.html").read_text("utf-8")
    return page.replace("@GRAPH@", text)


GRAPH_FORMATS: Mapping[str, Callable[[Sequence[DrawnNode], Sequence[DrawnEdge]], str]] = {
    "mermaid": _mermaid,
    "dot": _dot,
    "json": _json,
    "html": _html,
}
