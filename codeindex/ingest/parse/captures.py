"""What a query caught in a file, by the names of its captures; earlier patterns go first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from codeindex.graph.expression_table import PATH_SEPARATOR
from codeindex.graph.expressions import ExpressionNode
from codeindex.graph.scopes import BindingKind, BindingSource

if TYPE_CHECKING:
    from tree_sitter import Node

    Match = dict[str, list[Node]]
    Matches = Sequence[tuple[int, Match]]

_OPERATIONS = (
    *("skip", "named", "bind", "self", "cls", "name", "this", "super", "quoted", "member", "call"),
    *("item", "same", "either", "own", "holding", "generic", "instance", "object", "defined"),
    "unwrapped",
)
"""Captures that say what a node is; of one pattern, the first of these counts."""
_NAMING = frozenset({"name", "quoted", "member", "own", "skip"})
_HELD: tuple[BindingKind, ...] = ("value", "type", "each", "enter")


class Captures:
    """All matches of one query in one file."""

    def __init__(self, matches: Matches, source: bytes) -> None:
        self._source = source
        by_pattern: defaultdict[int, list[Match]] = defaultdict(list)
        for pattern, match in matches:
            by_pattern[pattern].append(match)
        self._matches = {pattern: by_pattern[pattern] for pattern in sorted(by_pattern)}
        self._names = {
            pattern: frozenset(chain.from_iterable(found))
            for pattern, found in self._matches.items()
        }

    def having(self, *captures: str) -> Iterator[Match]:
        """Yield matches of the patterns that have one of these captures."""
        for pattern, found in self._matches.items():
            if not self._names[pattern].isdisjoint(captures):
                yield from found

    def caught(self, capture: str) -> Iterator[Node]:
        """Yield every node that a capture caught."""
        for match in self.having(capture):
            yield from match.get(capture, ())

    def bound(self, capture: str) -> Iterator[tuple[Node, BindingSource]]:
        """Yield the nodes of a capture, each once, with what their names are bound to."""
        seen: set[int] = set()
        for match in self.having(capture):
            for node in match.get(capture, ()):
                if node.id not in seen:
                    seen.add(node.id)
                    yield node, self.held(match)

    def text(self, node: Node) -> str:
        """Return the source of a node."""
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def said(self, match: Match, parts: Iterable[str]) -> dict[str, str]:
        """Return the text of some captures of a match."""
        return {part: self.text(match[part][0]) for part in parts if part in match}

    def held(self, match: Match) -> BindingSource:
        """Return what a match says that its name is bound to."""
        part = self.text(match["part"][0]) if "part" in match else ""
        known = (BindingSource(how, match[how][0], part=part) for how in _HELD if how in match)
        return next(known, BindingSource("unknown"))

    def shapes(self) -> dict[int, ExpressionNode]:
        """Return the operation that each node is, by the ids of the nodes."""
        shapes: dict[int, ExpressionNode] = {}
        for pattern, found in self._matches.items():
            for operation in (one for one in _OPERATIONS if one in self._names[pattern]):
                for match in found:
                    for node in match.get(operation, ()):
                        number = node.id
                        if number not in shapes:
                            shapes[number] = self._shape(operation, node, match)
        return shapes

    def _shape(self, operation: str, node: Node, match: Match) -> ExpressionNode:
        naming = operation in _NAMING
        if len(match) == 1:  # by far the most: names
            return ExpressionNode(
                operation, node, name=node, text=self.text(node) if naming else ""
            )
        named = match["attribute"][0] if "attribute" in match else node
        return ExpressionNode(
            operation,
            node,
            name=named,
            text=self.text(named) + _suffix(match) if naming else "",
            operands=tuple(match.get("of", ())),
            arguments=tuple(match.get("argument", ())),
        )


def _suffix(match: Match) -> str:
    return "()" if "method" in match else PATH_SEPARATOR if "path" in match else ""
