"""Convert the syntax tree of a pattern into pattern nodes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.structural.metavariables import Placeholder, SpelledPattern

if TYPE_CHECKING:
    from tree_sitter import Node

_SEPARATORS = frozenset({b",", b";", b"\n", b""})
"""Tokens that are ignored, so that trailing commas and optional semicolons make no difference."""
_BLANKS = b" \t\r\n\\;,"
"""Bytes between child nodes that do not count as text of the node."""
_MOST_LEVELS = 100
"""Maximum depth of a pattern, so that matching does not exhaust Python's stack."""


class PatternTooDeepError(ValueError):
    """The syntax tree of the pattern is too deep for the recursive matcher."""


@dataclass(frozen=True, slots=True)
class PatternNode:
    """A node of a parsed pattern, which is compared with a node of the code.

    A node without `children` is compared by its text. If `is_metavariable` is true, it matches any
    named node as a whole, and also a node of the same type by its `children`. `name` is the name of
    the metavariable, "" if it binds nothing. `is_many` is set for `$$$`.
    """

    type: str
    text: bytes = b""
    children: tuple[PatternNode, ...] = ()
    is_metavariable: bool = False
    name: str = ""
    is_many: bool = False
    is_sequence: bool = False
    """Whether the metavariable's node is a sequence without brackets, such as a block of Python. A
    single metavariable does not match a whole sequence of nodes."""
    field: str = ""
    """For a `$$$`, the grammar field that it is in, else "". It matches only nodes of this field: a
    body, but not the `else` after it."""


def significant_children(node: Node) -> list[Node]:
    """Return the children of a node without comments and separators."""
    return [
        child
        for child in node.children
        if not (
            child.is_extra and "comment" in child.type
            if child.is_named
            else (child.text or b"") in _SEPARATORS
        )
    ]


def is_text_node(node: Node, source: bytes) -> bool:
    """Tell whether a node must be compared by its text, because its child nodes do not cover it."""
    if not node.child_count:
        return True
    at = node.start_byte
    for child in node.children:
        if source[at : child.start_byte].strip(_BLANKS):
            return True
        at = max(at, child.end_byte)
    return bool(source[at : node.end_byte].strip(_BLANKS))


def pattern_roots(
    root: Node, spelled: SpelledPattern, sequences: Collection[str]
) -> tuple[PatternNode, ...]:
    """Return the topmost nodes of a parsed pattern; () if no nodes cover exactly its text.

    `root` is the syntax tree of `spelled.source`. A pattern has several topmost nodes if it is a
    part of a list without brackets, such as a Python block. `sequences` are the types of such
    lists.
    """
    nodes = nodes_between(root, spelled)
    builder = _Builder(spelled, sequences)
    return tuple(builder.build(node, field="", level=0) for node in nodes)


def nodes_between(root: Node, spelled: SpelledPattern) -> list[Node]:
    """Return the syntax nodes that cover the pattern exactly; [] if there are none.

    The result is the innermost single node that covers it; without such a node, several siblings.
    """
    start, end, source = spelled.start, spelled.end, spelled.source
    has_end = source[start:end].endswith((b";", b","))
    node, found = root, []
    while True:
        is_pattern = node != root and node.is_named and node.start_byte == start
        if is_pattern and _trimmed_end(node, spelled, has_end=has_end) == end:
            found = [node]
        inner = [child for child in node.children if _holds(child, start, end)]
        if not inner:
            break
        node = inner[0]
    if found:
        return found
    children = [
        child
        for child in significant_children(node)
        if child.start_byte >= start and child.end_byte <= end
    ]
    covers = (
        children
        and children[0].start_byte == start
        and _trimmed_end(children[-1], spelled, has_end=has_end)
        in {end, _before_separator(source, end)}
    )
    outside = [
        child
        for child in significant_children(node)
        if child not in children and child.start_byte < end and child.end_byte > start
    ]
    return children if covers and not outside and all(c.is_named for c in children) else []


def _before_separator(source: bytes, end: int) -> int:
    return len(source[:end].rstrip(b";,").rstrip())


def _trimmed_end(node: Node, spelled: SpelledPattern, *, has_end: bool) -> int:
    """Return the end offset of a node, without text that the context added after the pattern.

    This text is line ends and a separator. `has_end` is true if the pattern itself ends with a
    separator.
    """
    at = len(spelled.source[: node.end_byte].rstrip())
    if at == spelled.end or has_end:
        return at
    for child in reversed(node.children):
        if child.is_named or (child.text or b"") not in _SEPARATORS:
            return child.end_byte
    return at


def _holds(child: Node, start: int, end: int) -> bool:
    """Tell whether a node contains the byte range from `start` to `end`."""
    return child.start_byte <= start and child.end_byte >= end


def placeholder_of(node: Node, spelled: SpelledPattern) -> Placeholder | None:
    """Return the placeholder that a node consists of, or None.

    A final separator in the node does not count.
    """
    for placeholder in spelled.placeholders:
        if placeholder.start == node.start_byte:
            ends = {_unseparated(spelled.source, at) for at in (placeholder.end, node.end_byte)}
            return placeholder if len(ends) == 1 and node.is_named else None
    return None


def count_split_placeholders(nodes: Sequence[Node], spelled: SpelledPattern) -> int:
    """Count the placeholders that the grammar did not parse as one node.

    Only placeholders of several tokens, such as `name()`, can be split.
    """
    split = {
        placeholder.start
        for placeholder in spelled.placeholders
        if not spelled.source[placeholder.start : placeholder.end].isalnum()
    }
    pending = [*nodes] if split else []
    while pending:
        node = pending.pop()
        if placeholder := placeholder_of(node, spelled):
            split.discard(placeholder.start)
        else:
            pending += node.children
    return len(split)


def _unseparated(source: bytes, end: int) -> int:
    return len(source[:end].rstrip(b";, \n"))


class _Builder:
    """Builds the nodes of a pattern from syntax nodes.

    A node that is exactly a placeholder becomes a metavariable.
    """

    def __init__(self, spelled: SpelledPattern, sequences: Collection[str]) -> None:
        self._spelled, self._source = spelled, spelled.source
        self._sequences = sequences

    def build(self, node: Node, *, field: str, level: int) -> PatternNode:
        if level > _MOST_LEVELS:
            raise PatternTooDeepError
        placeholder = placeholder_of(node, self._spelled)
        if placeholder is None and is_text_node(node, self._source):
            return PatternNode(node.type, self._text(node))
        children = self._children(node, placeholder, level)
        if placeholder is None:
            return PatternNode(node.type, b"", children)
        use = placeholder.use
        own = field if use.is_many else ""
        return PatternNode(
            node.type,
            children=children,
            is_metavariable=True,
            name=use.name,
            is_many=use.is_many,
            is_sequence=node.type in self._sequences,
            field=own,
        )

    def _children(
        self, node: Node, placeholder: Placeholder | None, level: int
    ) -> tuple[PatternNode, ...]:
        children = significant_children(node)
        if placeholder is not None and not (
            len(children) == 1 and placeholder_of(children[0], self._spelled) is placeholder
        ):
            return ()
        fields = {
            child.id: node.field_name_for_child(number)
            for number, child in enumerate(node.children)
        }
        return tuple(
            self.build(child, field=fields[child.id] or "", level=level + 1) for child in children
        )

    def _text(self, node: Node) -> bytes:
        """Return the text of a node as the user wrote it, with `$NAME` instead of identifiers."""
        text = self._source[node.start_byte : node.end_byte]
        for placeholder in self._spelled.placeholders:
            if node.start_byte <= placeholder.start and placeholder.end <= node.end_byte:
                spelled = self._source[placeholder.start : placeholder.end]
                dollars = b"$$$" if placeholder.use.is_many else b"$"
                text = text.replace(spelled, dollars + (placeholder.use.name or "_").encode(), 1)
        return text


def literal_words(roots: Sequence[PatternNode]) -> frozenset[bytes]:
    """Return the words in the fixed text of a pattern; every match contains them."""
    return frozenset(word for node in _leaves(roots) for word in re.findall(rb"\S+", node.text))


def _leaves(nodes: Sequence[PatternNode]) -> Iterator[PatternNode]:
    for node in nodes:
        if not node.is_metavariable:
            yield from _leaves(node.children) if node.children else (node,)
