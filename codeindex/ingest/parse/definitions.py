"""Read definitions, comments and wrappers from the matches of a language's `symbols` query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.ingest.parse.captures import argument_nodes
from codeindex.ingest.parse.comments import docstring_summary
from codeindex.ingest.parse.nesting import CapturedDefinition, LeadingComment, NodeExtent
from codeindex.ingest.parse.signatures import bare_name, one_line_signature, owner_path
from codeindex.languages import Language
from codeindex.text.words import normal_name
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeindex.ingest.parse.captures import Match
    from codeindex.ingest.parse.grammars import MatchList

_KIND_PREFIX = "symbol."
"""Captures of definitions are named after a `SymbolKind`: `@symbol.class`."""


def read_definitions(
    matches: MatchList, language: Language, source: bytes
) -> list[CapturedDefinition]:
    """Return the definitions that the query found, one for each captured name.

    If several patterns match a name node, the earliest pattern in the query decides.
    """
    best: dict[int, tuple[int, CapturedDefinition | None]] = {}
    for pattern, match in matches:
        kind = next((capture for capture in match if capture.startswith(_KIND_PREFIX)), "")
        for name in match.get("name", ()):
            known = best.get(name.start_byte)
            if known is None or pattern < known[0]:
                definition = _read_definition(kind, name, match, source, language) if kind else None
                best[name.start_byte] = (pattern, definition)
    return [definition for _, definition in best.values() if definition and definition.name]


def _read_definition(
    kind: str, name: Node, match: Match, source: bytes, language: Language
) -> CapturedDefinition:
    node = match[kind][0]
    body = match.get("body", [None])[0] or node.child_by_field_name("body")
    extent = match.get("extent", [node])[0]
    head_end = body.start_byte if body else _line_end(source, name.end_byte, extent.end_byte)
    doc = match.get("doc")
    written = _text(name, source)
    signature = _head(node, name.end_byte, head_end, language.leading, source)
    if normal_name(written) != written:  # readers look for the name in the signature
        signature = signature.replace(written, normal_name(written))
    parameters = node.child_by_field_name("parameters") if "receiver" in match else None
    if parameters:
        receiver = _text(match["receiver"][0], source)
        signature = _with_receiver(signature, _text(parameters, source), receiver)
    scope = ".".join(_text(part, source) for part in match.get("scope", ()))
    return CapturedDefinition(
        name=bare_name(normal_name(written)),
        scope=owner_path(normal_name(scope)),
        kind=SymbolKind(kind.removeprefix(_KIND_PREFIX)),
        line=name.start_point[0] + 1,
        start=node.start_byte,
        end=extent.end_byte,
        body=body.start_byte if body and body.type != ";" and "bodiless" not in match else -1,
        rows=(node.start_point[0] + 1, last_row(extent)),
        signature=one_line_signature(signature),
        doc=docstring_summary(_text(doc[0], source)) if doc else "",
        clause="clause" in match,
        spelling=language.other_spelling(written),
        parameters=len([*argument_nodes(match)]) if language.accepted_arguments else -1,
    )


def _with_receiver(head: str, parameters: str, receiver: str) -> str:
    """Return the head of an extension method with its receiver as the first parameter.

    `parameters` is the text of the parameter list, and `receiver` that of a parameter which code
    writes once for several methods.
    """
    comma = "" if not parameters.strip("() \n\t") else ", "
    return head.replace(parameters, f"(this {receiver}{comma}{parameters[1:]}", 1)


def _line_end(source: bytes, start: int, stop: int) -> int:
    """Return the offset of the first line end in `source[start:stop]`; `stop` if none."""
    newline = source.find(b"\n", start, stop)
    return stop if newline < 0 else newline


def _head(node: Node, name_end: int, end: int, leading: Sequence[str], source: bytes) -> str:
    """Return the source text of a definition's head, which ends at the byte `end`.

    Attributes before the name (`leading`), and comments after it, are left out.
    """
    start = node.start_byte
    for child in node.children:
        if child.type not in leading:
            continue
        if start <= child.start_byte < name_end:
            start = child.end_byte
        elif name_end <= child.start_byte < end:
            end = child.start_byte
    return source[start:end].decode("utf-8", "replace")


def read_leading_comments(matches: MatchList, source: bytes) -> dict[int, LeadingComment]:
    """Return the comments and attributes on lines without other code, by their last row.

    An attribute has an empty text, even if a comment follows it on its line.
    """
    texts: dict[Node, str] = {}
    for _, match in matches:
        for node in match.get("_leading", ()):
            parts = match.get("doc", [node] if "comment" in node.type else [])
            texts[node] = "".join(_text(part, source) for part in parts)
    comments: dict[int, LeadingComment] = {}
    for nodes in _group_by_line(texts):
        if _are_alone(nodes, source):
            text = texts[nodes[0]] if len(nodes) == 1 else ""
            comments[last_row(nodes[-1])] = LeadingComment(nodes[0].start_point[0] + 1, text)
    return comments


def _group_by_line(nodes: Iterable[Node]) -> list[list[Node]]:
    """Return nodes in the order of the source, those that share a line in one list."""
    groups: list[list[Node]] = []
    for node in sorted(nodes, key=lambda node: node.start_byte):
        if groups and last_row(groups[-1][-1]) == node.start_point[0] + 1:
            groups[-1].append(node)
        else:
            groups.append([node])
    return groups


def _are_alone(nodes: Sequence[Node], source: bytes) -> bool:
    """Tell whether no other code is on the lines of adjacent nodes.

    The last node may include its line end.
    """
    start = source.rfind(b"\n", 0, nodes[0].start_byte) + 1
    end = source.find(b"\n", nodes[-1].end_byte - 1)
    starts = [node.start_byte for node in nodes] + [end if end >= 0 else len(source)]
    ends = [start] + [node.end_byte for node in nodes]
    return not any(source[a:b].strip() for a, b in zip(ends, starts, strict=True))


def captured_nodes(matches: MatchList, capture: str) -> list[Node]:
    """Return the nodes that the query captured under this name, in the order of the matches."""
    return [node for _, match in matches if capture in match for node in match[capture]]


def definition_nodes(matches: MatchList) -> Iterator[Node]:
    """Yield the nodes that were captured as definitions, of any kind."""
    for _, match in matches:
        for capture, nodes in match.items():
            if capture.startswith(_KIND_PREFIX):
                yield from nodes


def node_extent(node: Node) -> NodeExtent:
    return NodeExtent(node.start_byte, node.end_byte, node.start_point[0] + 1, last_row(node))


def last_row(node: Node) -> int:
    """Return the 1-based last row of a node.

    A newline at the end of the node does not make the next row part of it.
    """
    row, column = node.end_point
    return max(row + (column > 0), node.start_point[0] + 1)


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
