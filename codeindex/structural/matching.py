"""Match the nodes of a pattern with the nodes of a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codeindex.structural.pattern_nodes import PatternNode, is_text_node, significant_children

if TYPE_CHECKING:
    from tree_sitter import Node

Bindings = Mapping[str, bytes]
"""{name of a metavariable: text that it matched}."""
_NAME_TYPES = ("identifier", "name", "constant", "variable", "word", "symbol")
"""Suffixes of node types for names. A name in a pattern matches the same name in a node of any such
type, for example an `identifier` a `field_identifier`."""


class TreeMatcher:
    """Matches pattern nodes with the syntax nodes of one source text."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._children: dict[int, list[Node]] = {}

    def match_at(self, roots: Sequence[PatternNode], node: Node) -> tuple[Node, Node] | None:
        """Match the pattern nodes `roots` with `node` and its following siblings.

        Return (first node, last node) of the first match, or None.
        """
        if len(roots) == 1:
            return (node, node) if any(True for _ in self._node(roots[0], node, {})) else None
        if node.parent is None:
            return None
        siblings = self._significant(node.parent)
        at = next((number for number, sibling in enumerate(siblings) if sibling == node), None)
        if at is None:
            return None
        for end, _ in self._sequence(roots, siblings, 0, at, {}):
            return siblings[at], siblings[max(end - 1, at)]
        return None

    def _node(self, pattern: PatternNode, node: Node, bound: Bindings) -> Iterator[Bindings]:
        if pattern.is_metavariable:
            is_same = bool(pattern.children) and node.type == pattern.type
            if is_same:
                yield from self._all_children(pattern, node, bound)
            if node.is_named and not (is_same and pattern.is_sequence):
                yield from self._bind(pattern, node.text or b"", bound)
        elif not pattern.children:
            if (
                (node.text or b"") == pattern.text
                and _is_same_type(pattern.type, node.type)
                and is_text_node(node, self._source)
            ):
                yield bound
        elif node.type == pattern.type:
            yield from self._all_children(pattern, node, bound)

    def _all_children(
        self, pattern: PatternNode, node: Node, bound: Bindings
    ) -> Iterator[Bindings]:
        nodes = self._significant(node)
        for end, bindings in self._sequence(pattern.children, nodes, 0, 0, bound):
            if end == len(nodes):
                yield bindings

    def _sequence(
        self,
        patterns: Sequence[PatternNode],
        nodes: Sequence[Node],
        first: int,
        at: int,
        bound: Bindings,
    ) -> Iterator[tuple[int, Bindings]]:
        """Yield (end, bindings) for each way in which `patterns[first:]` match `nodes[at:end]`.

        `bound` and the yielded bindings map metavariables to the code for which they stand.
        """
        if first == len(patterns):
            yield at, bound
            return
        pattern = patterns[first]
        for end, bindings in self._taken(pattern, nodes, at, bound):
            yield from self._sequence(patterns, nodes, first + 1, end, bindings)

    def _taken(
        self, pattern: PatternNode, nodes: Sequence[Node], at: int, bound: Bindings
    ) -> Iterator[tuple[int, Bindings]]:
        """Yield (end, bindings) for each way in which one pattern matches `nodes[at:end]`.

        `bound` and the yielded bindings map metavariables to the code for which they stand.
        """
        if not pattern.is_many:
            if at < len(nodes):
                for bindings in self._node(pattern, nodes[at], bound):
                    yield at + 1, bindings
            return
        for end in range(at, len(nodes) + 1):
            if end > at and pattern.field and _field(nodes[end - 1]) != pattern.field:
                return
            text = self._source[nodes[at].start_byte : nodes[end - 1].end_byte] if end > at else b""
            for bindings in self._bind(pattern, text, bound):
                yield end, bindings

    def _bind(self, pattern: PatternNode, text: bytes, bound: Bindings) -> Iterator[Bindings]:
        if not pattern.name:
            yield bound
        elif pattern.name not in bound:
            yield {**bound, pattern.name: text}
        elif bound[pattern.name] == text:
            yield bound

    def _significant(self, node: Node) -> list[Node]:
        children = self._children.get(node.id)
        if children is None:
            children = self._children[node.id] = significant_children(node)
        return children


def _is_same_type(wanted: str, found: str) -> bool:
    return wanted == found or (wanted.endswith(_NAME_TYPES) and found.endswith(_NAME_TYPES))


def _field(node: Node) -> str | None:
    """Return the name of the grammar field of a node within its parent, None if it has none."""
    parent = node.parent
    number = parent.children.index(node) if parent else 0
    return parent.field_name_for_child(number) if parent else None
