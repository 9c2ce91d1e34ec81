"""Highlight syntax in a child process: `python -m codeindex.ingest.parse.syntax_child`.

It reads the texts of one answer as a JSON line, writes the spans of each line as a JSON line, and
ends. It gets no other data, and its memory and time are limited, because grammars hang and crash on
hostile input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from codeindex.child_process.limits import limit_memory, reserve_stdout, set_orphan_alarm
from codeindex.ingest.parse.components import parse_script
from codeindex.ingest.parse.grammars import create_parser, parse_source
from codeindex.languages import LANGUAGES

if TYPE_CHECKING:
    from tree_sitter import Node, TreeCursor

SyntaxKind = Literal["keyword", "string", "comment", "number", "type", "name"]
SyntaxSpan = tuple[int, int, SyntaxKind]
"""Start and end column in a line, and the kind; the end is excluded."""
_MEMORY_MB = 1024
"""Memory limit: ten times what a grammar and the tree of a few kilobytes take."""
_SECONDS = 5
"""Seconds after which a child without a parent ends itself."""
_STRINGS = ("string", "char_literal", "character", "rune_literal", "heredoc", "regex", "quoted")
_CONSTANTS = frozenset(
    {"true", "false", "none", "null", "nil", "null_literal", "boolean_literal", "boolean"}
)
_NUMBERS = ("integer", "int_literal", "float", "number", "decimal")
_TYPES = frozenset({"type_identifier", "constant"})
_DEFINING = ("definition", "declaration", "item", "method", "class", "module")


def syntax_spans(language: str, text: str) -> list[list[SyntaxSpan]]:
    """Return the highlighted spans of each line of `text`: (start column, end column, kind)."""
    source, parser = text.encode(), create_parser(language)
    rows: list[list[SyntaxSpan]] = [[] for _ in text.split("\n")]
    lines = source.split(b"\n")
    if b"<script" in source:  # perhaps a whole component, not a part of its script
        _, root = parse_script(source, LANGUAGES[language], parser, with_bound=True)
    else:
        root = parse_source(parser, source)
    for node, kind in _highlighted_nodes(root.walk()):
        (first, start), (last, end) = node.start_point, node.end_point
        for row in range(first, min(last + 1, len(rows))):
            line = lines[row]
            left = _column(line, start if row == first else 0)
            right = _column(line, end if row == last else len(line))
            if left < right:
                rows[row].append((left, right, kind))
    return rows


def _column(line: bytes, offset: int) -> int:
    return len(line[:offset].decode("utf-8", "replace"))


def _highlighted_nodes(cursor: TreeCursor) -> Iterator[tuple[Node, SyntaxKind]]:
    """Yield (node, kind) of the outermost nodes to colour, in source order."""
    while True:
        node = cursor.node
        kind = _kind(node, cursor.field_name) if node else None
        if node and kind:
            yield node, kind
        inside = kind is None and cursor.goto_first_child()
        while not inside and not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _kind(node: Node, field: str | None) -> SyntaxKind | None:
    """Return the highlighting kind of a node by its type; None for a node without colour.

    Unnamed nodes are tokens, such as `if`.
    """
    name = node.type
    if not node.is_named:
        return "keyword" if name.isalpha() and name.isascii() else None
    if "comment" in name:
        return "comment"
    if any(part in name for part in _STRINGS) and "content" not in name:
        return "string"
    return None if node.child_count else _leaf_kind(node, field)


def _leaf_kind(node: Node, field: str | None) -> SyntaxKind | None:
    name = node.type
    if name in _CONSTANTS or name.startswith(_NUMBERS):
        return "number"
    if name.endswith("type") or name in _TYPES:
        return "type"
    above = node.parent
    if above is None or field != "name" or above.type.startswith("parameter"):
        return None
    return "name" if above.type.endswith(_DEFINING) else None


def highlight_texts(texts: Sequence[Sequence[str]]) -> str:
    """Return the highlighted spans of each (language, text) as one JSON text.

    The list of a text that cannot be parsed is empty.
    """
    spans = []
    for language, text in texts:
        try:
            spans.append(syntax_spans(language, text))
        except (ValueError, KeyError, ImportError):
            spans.append([])
    return json.dumps(spans)


def main() -> None:
    limit_memory(_MEMORY_MB)
    replies = reserve_stdout()
    texts = json.loads(sys.stdin.buffer.readline())
    set_orphan_alarm(_SECONDS)
    replies.write(highlight_texts(texts).encode() + b"\n")
    replies.flush()


if __name__ == "__main__":
    main()
