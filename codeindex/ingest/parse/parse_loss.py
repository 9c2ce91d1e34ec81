"""Measure how much of a file its parser did not understand.

A syntax error alone is a weak signal. An unknown macro costs one line, and the code around it is
parsed. A bracket that is never closed can cost the rest of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

_MIN_LINES = 3
_LINES_PER_LOST_LINE = 100
"""A loss is reported above 3 lines and above 1 % of the file. In redis, 186 of 706 files have an
error; 76 of them lose at most 3 lines, 24 more less than 1 %: macros."""
_DEFINITION_KEYWORDS = frozenset(
    {
        *("class", "constructor", "def", "defmodule", "enum", "fn", "fun", "func", "function"),
        *("impl", "interface", "method", "module", "object", "protocol", "trait"),
    }
)
"""If an error node directly contains one of these keywords, a definition was lost."""


class ParseLoss(NamedTuple):
    """How much of a file the parser did not understand: the number of `lines`.

    `line` is the 1-based line of the first syntax error, 0 without an error.
    """

    line: int = 0
    lines: int = 0
    definition: bool = False
    """Whether an error contains the keyword of a definition."""

    def matters(self, line_count: int) -> bool:
        """Tell whether so much was lost that it is reported, for a file of `line_count` lines."""
        return self.definition or self.lines > max(_MIN_LINES, line_count // _LINES_PER_LOST_LINE)


class LostText(NamedTuple):
    """Text that one parse did not understand: 0-based `rows`, and whether they define something.

    `definition` is true if these rows contain the keyword of a definition, like `class`.
    """

    rows: frozenset[int] = frozenset()
    definition: bool = False


def lost_text(roots: Iterable[Node], defined: Iterable[Node]) -> LostText:
    """Return the rows in error nodes, less the rows of definitions and comments inside them.

    `defined` are the nodes of definitions that were recognized.
    """
    defined_ids = {node.id for node in defined}
    rows: set[int] = set()
    definition = False
    for node in _errors_and_recovered(roots, defined_ids):
        covered = range(node.start_point[0], node.end_point[0] + (node.end_point[1] > 0))
        if node.is_error:
            rows.update(covered)
            keywords = (child.type for child in node.children)
            definition = definition or any(name in _DEFINITION_KEYWORDS for name in keywords)
        else:
            rows.difference_update(covered)
    return LostText(frozenset(rows), definition)


def _errors_and_recovered(roots: Iterable[Node], defined_ids: set[int]) -> Iterator[Node]:
    """Yield nodes of syntax errors, and definitions and comments in them, outer ones first."""
    stack = [(root, False) for root in roots]
    while stack:
        node, inside = stack.pop()
        if node.is_error or (inside and (node.is_extra or node.id in defined_ids)):
            yield node
        inside = inside or node.is_error
        if inside or node.has_error:
            stack += [(child, inside) for child in node.children]


def error_rows(root: Node) -> frozenset[int]:
    """Return the 0-based rows where the syntax is wrong: a missing token, or tokens in an error.

    All rows of an error count if it has no tokens of its own, only whole expressions.
    """
    rows: set[int] = set()
    stack = [root] if root.has_error else []
    while stack:
        node = stack.pop()
        children = node.children
        tokens = [child for child in children if child.child_count == 0] or [node]
        for token in tokens if node.is_error else (node,) if node.is_missing else ():
            rows.update(range(token.start_point[0], token.end_point[0] + 1))
        stack += [child for child in children if child.has_error or child.is_missing]
    return frozenset(rows)
