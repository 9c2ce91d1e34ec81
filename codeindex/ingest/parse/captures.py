"""Index the matches of a tree-sitter query in one file by the names of its captures.

Matches of patterns that come earlier in the query come first. Texts of nodes are normalised by
`normal_name`, so that a name is found in whatever Unicode form the code has it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from codeindex.graph.expression_nodes import DeclaredParameter, ExpectedType, ExpressionNode
from codeindex.graph.expression_table import APPLIED, MACRO_SUFFIX, PATH_SEPARATOR, SETTER_SUFFIX
from codeindex.graph.scopes import BindingKind, BindingSource
from codeindex.text.words import normal_name

if TYPE_CHECKING:
    from tree_sitter import Node

    Match = dict[str, list[Node]]
    Matches = Sequence[tuple[int, Match]]

_OPERATIONS = (
    *("skip", "named", "bind", "self", "cls", "name", "this", "super", "quoted", "member", "made"),
    *("own_type", "own_instance"),
    "qualified",
    *(
        "call",
        "item",
        "same",
        "either",
        "own",
        "holding",
        "generic",
        "instance",
        "object",
        "defined",
        "parts",
    ),
    *("unwrapped", "array", "builtin", "literal", "operation", "closure", "label"),
    *("labelled", "signature", "mapped", "record", "bounds", "documented"),
)
"""Captures that decide the operation of a node; if a pattern has several of them, the first in this
list decides."""
_OPERATIONS_WITH_TEXT = frozenset(
    {
        "name",
        "quoted",
        "qualified",
        "member",
        "own",
        "skip",
        "builtin",
        "literal",
        "operation",
        "label",
        "labelled",
        "documented",
    }
)
_SEVERAL = frozenset({"remaining_field_pattern", "list_splat_pattern"})
_UNKNOWN_SOURCE = BindingSource("unknown")
_BINDING_KINDS: tuple[BindingKind, ...] = (
    *("value", "type", "each", "enter", "spread", "expected", "called", "within"),
)
_EXPECTED_KINDS = ("callee", "whole", "list", "each", "type", "value", "expected")


class Captures:
    """The matches of one query in one file, by pattern and capture."""

    def __init__(self, matches: Matches, source: bytes, *, typed_arguments: bool = False) -> None:
        """Group `matches` of a query in the text `source` by pattern.

        With `typed_arguments`, a call keeps its argument nodes.
        """
        self._source = source
        self._ascii = source.decode("ascii") if source.isascii() else None
        """The source as text if it is ASCII: byte offsets are then character offsets, and no node
        has to be decoded."""
        self._typed_arguments = typed_arguments
        by_pattern: defaultdict[int, list[Match]] = defaultdict(list)
        for pattern, match in matches:
            by_pattern[pattern].append(match)
        self._matches = {pattern: by_pattern[pattern] for pattern in sorted(by_pattern)}
        self._names: dict[int, frozenset[str]] = {
            pattern: frozenset(chain.from_iterable(matches))
            for pattern, matches in self._matches.items()
        }
        self._patterns: defaultdict[str, list[int]] = defaultdict(list)
        for pattern, names in self._names.items():
            for name in names:
                self._patterns[name].append(pattern)
        self._receivers = frozenset(node.id for node in self.nodes("receiver"))

    def matches_with(self, *captures: str) -> Iterator[Match]:
        """Yield the matches of patterns that have one of these captures."""
        patterns = {pattern for capture in captures for pattern in self._patterns.get(capture, ())}
        for pattern in sorted(patterns):
            yield from self._matches[pattern]

    def nodes(self, capture: str) -> Iterator[Node]:
        """Yield every node that the query captured under this name."""
        for match in self.matches_with(capture):
            if capture in match:
                yield from match[capture]

    def bound_nodes(self, capture: str) -> Iterator[tuple[Node, BindingSource]]:
        """Yield each node with this capture, and where the value or type of its name comes from."""
        yielded: set[int] = set()
        for match in self.matches_with(capture):
            for node in match.get(capture, ()):
                if node.id not in yielded:
                    yielded.add(node.id)
                    yield node, self.binding_source(match)

    @property
    def is_ascii(self) -> bool:
        """Whether the source has only ASCII characters, so that all names are in normal form."""
        return self._ascii is not None

    def text(self, node: Node) -> str:
        """Return the source text of a node, normalised by `normal_name` (NFKC, not operators)."""
        if self._ascii is not None:
            return self._ascii[node.start_byte : node.end_byte]
        return normal_name(self.text_as_written(node))

    def text_as_written(self, node: Node) -> str:
        """Return the source text of a node without normalising it."""
        if self._ascii is not None:
            return self._ascii[node.start_byte : node.end_byte]
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def is_before(self, node: Node, following: bytes) -> bool:
        """Tell whether the bytes `following` come directly after a node in the source text."""
        return self._source.startswith(following, node.end_byte)

    def text_before_end(self, node: Node, most: int = 200) -> str:
        """Return the last `most` bytes of a node's source text, or all of it if it is shorter."""
        end = node.end_byte
        start = max(node.start_byte, end - most)
        if self._ascii is not None:
            return self._ascii[start:end]
        return normal_name(self._source[start:end].decode("utf-8", "replace"))

    def texts_as_written(self, match: Match, captures: Iterable[str]) -> dict[str, str]:
        """Return {capture: source text of its first node} for the captures that the match has."""
        present = (capture for capture in captures if capture in match)
        return {capture: self.text_as_written(match[capture][0]) for capture in present}

    def binding_source(self, match: Match) -> BindingSource:
        """Return what a match binds its name to: the source of the name's value or type.

        It is a kind, like `value` or `type`, and a node; the kind is `unknown` if the match has
        none.
        """
        part = self.text(match["part"][0]) if "part" in match else ""
        if "nth" in match:
            part = _position(match["nth"][0])
            if not part:
                return _UNKNOWN_SOURCE
        for kind in _BINDING_KINDS:
            if kind in match:
                at = self.position(match["positional"][0]) if "positional" in match else 0
                return BindingSource(kind, match[kind][0], part=part, position=at)
        return _UNKNOWN_SOURCE

    def position(self, node: Node) -> int:
        """Return the 0-based position of a parameter or argument in its list.

        Comments and the receiver, such as `self`, are not counted.
        """
        before: Sequence[Node] = node.parent.named_children if node.parent else ()
        return sum(
            sibling.end_byte <= node.start_byte
            and sibling.type != "comment"
            and sibling.id not in self._receivers
            for sibling in before
        )

    def parameter_types(self) -> dict[int, list[DeclaredParameter]]:
        """Return the parameters with declared types, by the node id of their parameter list."""
        types: dict[int, list[DeclaredParameter]] = {}
        for match in self.matches_with("positional"):
            if "positional" in match and "type" in match and match["positional"][0].parent:
                node = match["positional"][0]
                known = types.setdefault(node.parent.id, []) if node.parent else []
                known.append(
                    DeclaredParameter(self.position(node), match["type"][0], node.start_byte)
                )
        return types

    def expected_types(self) -> dict[int, ExpectedType]:
        """Return {node id: the type that the surrounding code expects at this node}.

        For an argument, for example, it is the type of a parameter of the called function.
        """
        expected: dict[int, ExpectedType] = {}
        for match in self.matches_with("passed"):
            for node in match.get("passed", ()):
                kind = next(kind for kind in _EXPECTED_KINDS if kind in match)
                part = self.text(match["part"][0]) if "part" in match else ""
                placed = match.get("positional", [node])[0]
                position = self.position(placed) if kind in {"callee", "expected"} else 0
                source = ExpectedType(kind, match[kind][0], position, part)
                expected.setdefault(node.id, source)
        return expected

    def expression_nodes(self) -> dict[int, ExpressionNode]:
        """Return {node id: expression} for the nodes that are expressions.

        An expression has an operation, such as `call`, and operands.
        """
        expressions: dict[int, ExpressionNode] = {}
        for pattern, matches in self._matches.items():
            names = self._names[pattern]
            for operation in (name for name in _OPERATIONS if name in names):
                add = self._add_bare_nodes if len(names) == 1 else self._add_nodes
                add(expressions, operation, matches)
        return expressions

    def _add_bare_nodes(
        self, expressions: dict[int, ExpressionNode], operation: str, matches: Iterable[Match]
    ) -> None:
        """Add expressions from patterns that capture only the expression's own node.

        Most patterns do; `operation` is the name of the capture, and the key in `expressions` is a
        node's id.
        """
        read = self.text if operation in _OPERATIONS_WITH_TEXT else _no_text
        for match in matches:
            for node in match[operation]:
                node_id = node.id
                if node_id not in expressions:
                    expressions[node_id] = ExpressionNode(operation, node, node, read(node))

    def _add_nodes(
        self, expressions: dict[int, ExpressionNode], operation: str, matches: Iterable[Match]
    ) -> None:
        """Add expressions from patterns that also capture operands, or the name of an attribute.

        `operation` is the name of the capture, and the key in `expressions` is a node's id.
        """
        has_text = operation in _OPERATIONS_WITH_TEXT
        for match in matches:
            for node in match.get(operation, ()):
                node_id = node.id
                if node_id not in expressions:
                    name = match["attribute"][0] if "attribute" in match else node
                    text = self.text(name) + _name_suffix(match) if has_text else ""
                    text = text.removeprefix(":") if "symbolic" in match else text
                    if "applied" in match:
                        name, text = match["applied"][0], APPLIED
                    operands = tuple(match["of"]) if "of" in match else ()
                    arguments = self._arguments(operation, match)
                    expressions[node_id] = ExpressionNode(
                        operation, node, name, text, operands, arguments
                    )

    def _arguments(self, operation: str, match: Match) -> tuple[Node, ...]:
        if operation == "call" and self._typed_arguments:
            return (*argument_nodes(match), *match.get("given", ()))
        return tuple(match.get("argument", ()))


def argument_nodes(match: Match) -> Iterator[Node]:
    """Yield the argument nodes of a call: those in its list, and one that follows the list.

    The latter is a trailing block or lambda, for example in Kotlin.
    """
    for arguments in match.get("arguments", ()):
        children = arguments.named_children
        lists = [child for child in children if child.type == "value_arguments"]
        inside = [argument for value_list in lists for argument in value_list.named_children]
        beside = [child for child in children if child not in lists] if lists else children
        for node in (*inside, *beside):
            if not node.type.endswith("comment") and node.type != "type_arguments":
                yield node


def _no_text(_node: Node) -> str:
    return ""


def _position(node: Node) -> str:
    """Return the index of a node in its list, as text; "" if the index is unknown.

    It is unknown if something before the node, like `*rest`, stands for several elements.
    """
    before = [child.type for child in node.parent.children] if node.parent else []
    ends = [child.end_byte for child in node.parent.children] if node.parent else []
    before = before[: bisect_right(ends, node.start_byte)]
    return "" if _SEVERAL.intersection(before) else str(before.count(","))


def _name_suffix(match: Match) -> str:
    if "macro" in match:
        return MACRO_SUFFIX
    if "setter" in match:
        return SETTER_SUFFIX
    return "()" if "method" in match else PATH_SEPARATOR if "path" in match else ""
