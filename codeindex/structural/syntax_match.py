"""Find the matches of a pattern in one text; this runs only in the child process."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.ingest.parse.components import parse_script
from codeindex.ingest.parse.grammars import captured_in, create_parser
from codeindex.ingest.parse.parser import blank_unparsable
from codeindex.languages import LANGUAGES, Language
from codeindex.structural.compile import SyntaxPattern, compile_syntax, count_errors
from codeindex.structural.matching import TreeMatcher
from codeindex.structural.pattern_nodes import PatternNode
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
    source, root = parse_script(source, language, parser, with_bound=True)
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
