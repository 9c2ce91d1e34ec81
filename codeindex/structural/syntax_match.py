"""Find the matches of a pattern in one text; this runs only in the child process."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codeindex.ingest.parse.grammars import captured_in, create_parser
from codeindex.ingest.parse.parser import blank_unparsable
from codeindex.languages import LANGUAGES, Language
from codeindex.structural.compile import SyntaxPattern, compile_syntax, count_errors
from codeindex.structural.pattern_nodes import PatternNode, is_text_node, significant_children
from codeindex.structural.syntax_reply import SyntaxMatch

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@functools.cache
def compiled_syntax(pattern: str, language: str) -> SyntaxPattern | None:
    """Parse a pattern in a language; None if it does not parse."""
    return compile_syntax(pattern, LANGUAGES[language], _parser(language, ""))


def find_matches(
    patterns: Sequence[SyntaxPattern], language: str, path: str, text: str
) -> tuple[list[SyntaxMatch], bool]:
    """Return the matches of the patterns in one file, ordered by place, and whether they are all.

    They may not be all if the grammar cannot parse every line. `path` selects among the grammars of
    the language. A text in which each pattern lacks a word cannot match: it is not parsed, and the
    result is ([], True).
    """
    source = text.encode()
    wanted = [pattern for pattern in patterns if all(word in source for word in pattern.words)]
    if not wanted:
        return [], True
    parser = _parser(language, LANGUAGES[language].grammar_for(path))
    source, root = _parse_readable(LANGUAGES[language], parser, source)
    matcher = TreeMatcher(source)
    found = {
        (first.start_byte, last.end_byte): _match(first, last, source)
        for pattern in wanted
        for roots in pattern.alternatives
        for first, last in _matching_nodes(matcher, roots, parser, root)
    }
    return [found[place] for place in sorted(found)], not root.has_error


@functools.cache
def _parser(language: str, grammar: str) -> Parser:
    suffixes = (suffix for suffix, name in LANGUAGES[language].grammars if name == grammar)
    return create_parser(language, next(suffixes, ""))


def _parse_readable(language: Language, parser: Parser, source: bytes) -> tuple[bytes, Node]:
    """Return the root node of a source, with the source that was parsed.

    Code that the grammar is known not to read is replaced by blanks if fewer errors are left then.
    There are as many blanks as bytes of code, so that offsets stay the same.
    """
    root = parser.parse(source).root_node
    if root.has_error and language.unparsable:
        blanked = blank_unparsable(source, language)
        other = parser.parse(blanked).root_node
        if count_errors(other) < count_errors(root):
            return blanked, other
    return source, root


def _matching_nodes(
    matcher: TreeMatcher, roots: Sequence[PatternNode], parser: Parser, root: Node
) -> Iterator[tuple[Node, Node]]:
    for node in captured_in(parser, _first_node_query(roots[0]), root):
        if match := matcher.match_at(roots, node):
            yield match


def _first_node_query(first: PatternNode) -> str:
    """Return a tree-sitter query for the nodes at which a match can begin.

    `first` is the first node of the pattern.
    """
    if first.is_metavariable:
        return "(_) @node"
    if first.children:
        return f"({first.type}) @node"
    quoted = first.text.decode("utf-8", "replace").replace("\\", "\\\\").replace('"', '\\"')
    return f'((_) @node (#eq? @node "{quoted}"))'.replace("\n", "\\n")


def _match(first: Node, last: Node, source: bytes) -> SyntaxMatch:
    (row, column), (end_row, end_column) = first.start_point, last.end_point
    if end_column == 0 and end_row > row:  # some nodes end after the line end
        end_row -= 1
    line_start = first.start_byte - column
    line_end = source.find(b"\n", first.start_byte)
    line_end = len(source) if line_end < 0 else line_end
    end = last.end_byte if end_row == row else line_end
    start = len(source[line_start : first.start_byte].decode("utf-8", "replace"))
    width = len(source[first.start_byte : min(end, line_end)].decode("utf-8", "replace"))
    return SyntaxMatch(row, end_row, start, start + width)


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
        """Return the first and the last node of a match that begins with `node`, or None."""
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
        """Match `patterns[first:]` with nodes from `nodes[at]` on; yield (end, bindings) per match.

        A match covers `nodes[at:end]`. `bound` and the yielded bindings map metavariables to the
        code for which they stand.
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
