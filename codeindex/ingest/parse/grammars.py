"""Load tree-sitter grammars and run queries: only this module imports tree-sitter at run time.

tree-sitter holds the GIL, and its grammars can hang, crash or use gigabytes on hostile input. So it
runs only in worker processes. No query gets a progress callback, because a callback crashes
tree-sitter 0.26.
"""

from __future__ import annotations

import functools
import importlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from codeindex.ingest.parse.error_recovery import RowRange
from codeindex.languages import LANGUAGES, Language

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser, Query

    from codeindex.ingest.parse.captures import Match

    MatchList = list[tuple[int, Match]]
    """Matches of a query, each with the number of its pattern."""


class QueryMatches(NamedTuple):
    """Matches of the queries for symbols, relations and complexity."""

    symbols: MatchList
    relations: MatchList
    complexity: MatchList


class CompiledGrammar(NamedTuple):
    """A parser, and a language's three queries joined into one.

    They are joined because each query walks the whole syntax tree.
    """

    parser: Parser
    query: Query
    query_of_pattern: tuple[int, ...]
    """For each pattern, the index of its query in `QueryMatches`."""


@functools.cache
def compile_grammar(language_name: str, grammar_name: str) -> CompiledGrammar:
    """Return the parser and the queries of a language, compiled for one of its grammars.

    A language can have several grammars, as TypeScript has one for `.tsx`.
    """
    import tree_sitter

    language = LANGUAGES[language_name]
    grammar = _load_grammar(language, grammar_name)
    extra = [f"({node}) @_leading" for node in language.leading]
    extra += [f"({node}) @_wrapper" for node in language.wrappers]
    extra += [f"({node}) @_unnamed" for node in language.anonymous_classes]
    queries = ("\n".join([language.symbols, *extra]), language.relations, language.complexity)
    starts = [0, *accumulate(len(query.encode()) + 1 for query in queries[:-1])]
    query = tree_sitter.Query(grammar, "\n".join(queries))
    offsets = map(query.start_byte_for_pattern, range(query.pattern_count))
    query_of_pattern = tuple(bisect_right(starts, offset) - 1 for offset in offsets)
    return CompiledGrammar(tree_sitter.Parser(grammar), query, query_of_pattern)


def create_parser(language_name: str, path: str = "") -> Parser:
    """Return a parser for a language, without its queries; raise KeyError if it is unknown.

    For some languages, the suffix of `path` decides which grammar is used.
    """
    import tree_sitter

    language = LANGUAGES[language_name]
    return tree_sitter.Parser(_load_grammar(language, language.grammar_for(path)))


def _load_grammar(language: Language, name: str) -> Grammar:
    import tree_sitter

    package = language.grammar_package or f"tree_sitter_language_pack.bindings.{name}"
    return tree_sitter.Language(importlib.import_module(package).language())


def captured_in(parser: Parser, query: str, root: Node) -> list[Node]:
    """Return the nodes that a query captures as `@node`, in the order of the source."""
    from tree_sitter import QueryCursor

    if parser.language is None:
        return []
    captures = QueryCursor(_compile_query(parser.language, query)).captures(root)
    return captures.get("node", [])


@functools.lru_cache(maxsize=64)
def _compile_query(grammar: Grammar, query: str) -> Query:
    import tree_sitter

    return tree_sitter.Query(grammar, query)


def parse_source(parser: Parser, source: bytes) -> Node:
    """Parse the whole source; return the root node."""
    parser.included_ranges = []
    parser.reset()
    return parser.parse(source).root_node


def parse_parts(
    parser: Parser, source: bytes, parts: Iterable[Sequence[RowRange]]
) -> Iterator[Node]:
    """Parse each part, a list of row ranges of the source, and yield the root of its tree.

    The byte offsets of nodes count from the start of the whole source.
    """
    from tree_sitter import Range

    starts = [0, *(match.end() for match in re.finditer(rb"\n", source)), len(source)]
    last = len(starts) - 1
    for part in parts:
        parser.included_ranges = [
            Range((first, 0), (end, 0), starts[first], starts[min(end, last)])
            for first, end in part
        ]
        parser.reset()
        yield parser.parse(source).root_node


def parse_statements(
    parser: Parser, source: bytes, expressions: Iterable[tuple[Node, int]]
) -> list[Node]:
    """Parse the source text of some nodes as statements; return the syntax nodes of these.

    `expressions` has (node, byte offset of a later semicolon): the parser reads that semicolon
    right after the node, so that the statement ends.
    """
    from tree_sitter import Range

    ranges = []
    for node, semicolon in expressions:
        point = node.end_point
        ranges.append(Range(node.start_point, point, node.start_byte, node.end_byte))
        ranges.append(Range(point, point, semicolon, semicolon + 1))
    parser.included_ranges = ranges
    parser.reset()
    return parser.parse(source).root_node.children


def run_queries(
    grammar: CompiledGrammar, roots: Sequence[Node], span: RowRange | None = None
) -> QueryMatches:
    """Run all queries of a grammar on some trees, each in one walk; return the matches.

    With `span`, only matches in these rows are returned.
    """
    from tree_sitter import QueryCursor

    matches = QueryMatches([], [], [])
    for root in roots:
        cursor = QueryCursor(grammar.query)
        if span:
            cursor.set_point_range((span[0], 0), (span[1], 0))
        for match in cursor.matches(root):
            matches[grammar.query_of_pattern[match[0]]].append(match)
    return matches
