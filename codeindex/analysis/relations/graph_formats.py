"""Draw a dependency graph as Mermaid, DOT, JSON or HTML."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from codeindex.store.graph.dependencies import GraphNode
from codeindex.text.sanitize import escaped_json

_MERMAID_EDGES = 500
"""Mermaid refuses graphs with more edges, unless its setting `maxEdges` is raised."""


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A dependency of one node on another, by their ids, with the kinds and number of uses."""

    source: str
    target: str
    kinds: tuple[str, ...]
    uses: int


def draw_graph(
    form: str, nodes: Sequence[GraphNode], edges: Sequence[DrawnEdge], *, path: str = ""
) -> str:
    """Return the graph as text in the format `form`, one of the keys of `GRAPH_FORMATS`.

    `path` is the folder or file whose dependencies were followed; an HTML page shows its nodes
    first.
    """
    return _html(nodes, edges, path) if form == "html" else GRAPH_FORMATS[form](nodes, edges)


def _mermaid(nodes: Sequence[GraphNode], edges: Sequence[DrawnEdge]) -> str:
    return "\n".join(_mermaid_lines(nodes, edges))


def _mermaid_lines(nodes: Sequence[GraphNode], edges: Sequence[DrawnEdge]) -> Iterator[str]:
    yield "graph LR"
    if len(edges) > _MERMAID_EDGES:
        yield f"  %% {len(edges)} edges: raise maxEdges, narrow it by a path, or use --html"
    short = {node.id: f"n{number}" for number, node in enumerate(nodes)}
    for drawn_node in nodes:
        yield f'  {short[drawn_node.id]}["{_escape_mermaid(drawn_node.id)}"]'
    for link in edges:
        yield f"  {short[link.source]} --> {short[link.target]}"


def _escape_mermaid(text: str) -> str:
    """Escape the characters that would end a Mermaid label or count as markup."""
    return "".join(
        name if name.isalnum() or name in "/._-: ,()" else f"#{ord(name)};" for name in text
    )


def _dot(nodes: Sequence[GraphNode], edges: Sequence[DrawnEdge]) -> str:
    lines = ["digraph dependencies {", "  rankdir=LR;", "  node [shape=box];"]
    lines += [f"  {_quote_dot(node.id)};" for node in nodes]
    lines += [f"  {_quote_dot(edge.source)} -> {_quote_dot(edge.target)};" for edge in edges]
    return "\n".join([*lines, "}"])


def _quote_dot(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _json(nodes: Sequence[GraphNode], edges: Sequence[DrawnEdge]) -> str:
    data = {"nodes": [asdict(node) for node in nodes], "edges": [asdict(edge) for edge in edges]}
    return escaped_json(data, indent=1)


def _html(nodes: Sequence[GraphNode], edges: Sequence[DrawnEdge], path: str = "") -> str:
    """Return an HTML page that contains the graph.

    `<` and `&` are escaped, so that no path can end the script.
    """
    from importlib import resources

    number = {node.id: at for at, node in enumerate(nodes)}
    data: dict[str, object] = {
        "nodes": [[node.id, node.path, node.kind, node.lines, node.is_test] for node in nodes],
        "edges": [[number[edge.source], number[edge.target], edge.uses] for edge in edges],
    }
    if path:
        data["path"] = path
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")
    page = resources.files("codeindex.analysis.relations").joinpath("graph.html").read_text("utf-8")
    return page.replace("@GRAPH@", text)


GRAPH_FORMATS: Mapping[str, Callable[[Sequence[GraphNode], Sequence[DrawnEdge]], str]] = {
    "mermaid": _mermaid,
    "dot": _dot,
    "json": _json,
    "html": _html,
}
