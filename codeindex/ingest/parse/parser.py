"""Read names out of a file with tree-sitter: the only module that knows it.

tree-sitter holds the GIL, and its grammars can hang, crash or eat gigabytes on hostile input, so
this runs in the worker processes of `ingest.workers` only. Nodes are asked for bytes and rows and
then dropped; nothing here recurses, and no query is given a progress callback (both crash 0.26).
"""

from __future__ import annotations

import functools
import importlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from codeindex.ingest.parse.comments import docstring_summary
from codeindex.ingest.parse.complexity import ByteSpan, measure_complexity
from codeindex.ingest.parse.error_recovery import RowRange, split_at_errors
from codeindex.ingest.parse.nesting import (
    LeadingComment,
    NestedDefinition,
    NodeExtent,
    build_symbols,
)
from codeindex.ingest.parse.parse_loss import ParseLoss, measure_loss
from codeindex.ingest.parse.relations import extract_relations
from codeindex.ingest.parse.signatures import bare_name, one_line_signature, owner_path
from codeindex.languages import LANGUAGES, Language
from codeindex.types import Relations, SafeText, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser, Query

    Captures = dict[str, list[Node]]
    Matches = list[tuple[int, Captures]]
    """What each match of a query caught, by the number of its pattern."""

_IS_NAME = re.compile(rb"[\w$@#]")
"""What parsers make up out of errors has no letters in it mostly."""


class ParseResult(NamedTuple):
    """Definitions in the order of their first lines, what refers to what, and what was lost."""

    symbols: tuple[Symbol, ...] = ()
    relations: Relations = Relations()
    lost: ParseLoss = ParseLoss()


class QueryMatches(NamedTuple):
    """What the queries for symbols, relations and complexity caught."""

    symbols: Matches
    relations: Matches
    complexity: Matches


def parse_text(language: Language, text: SafeText, path: str = "") -> ParseResult:
    """Read `text`; nothing is found without a grammar, which the suffix of `path` may decide."""
    if not language.symbols:
        return ParseResult()
    source = text.encode()
    caught, gone = _readable(language, language.grammar_for(path), source)
    placed = build_symbols(
        _definitions(caught.symbols, language, source),
        wrappers=[_extent(node) for node in _having(caught.symbols, "_wrapper")],
        above=_above(caught.symbols, source),
    )
    return ParseResult(
        measure_complexity(placed, _spans(caught.complexity), source),
        extract_relations(caught.relations, language, source, placed),
        gone,
    )


def _readable(language: Language, grammar: str, source: bytes) -> tuple[QueryMatches, ParseLoss]:
    """Ask of a source what its grammar can read, as it is if nothing is gained otherwise."""
    blanked = _blanked(source, language) if language.unparsable else source
    caught, gone = _caught(language.name, grammar, blanked)
    if not language.replacement or blanked == source or not gone.lines:
        return caught, gone
    as_it_is = _caught(language.name, grammar, source)
    return as_it_is if as_it_is[1].lines < gone.lines else (caught, gone)


def _blanked(source: bytes, language: Language) -> bytes:
    """Return the source with each match made blank, so that no offset and no row moves."""
    stand_in = language.replacement.encode()

    def hidden(match: re.Match[bytes]) -> bytes:
        kept = match["kept"] if "kept" in match.re.groupindex else b""
        blank = re.sub(rb"[^\n]", b" ", match[0][len(kept) :])
        return kept + stand_in + blank[len(stand_in) :]

    return re.sub(language.unparsable.encode(), hidden, source)


def _caught(name: str, grammar: str, source: bytes) -> tuple[QueryMatches, ParseLoss]:
    """Ask all queries in one parse, or in one of each part where an error tears a file apart."""
    compiled = _compiled(name, grammar)
    root = _root(compiled.parser, source)
    whole = _matches(compiled, [root])
    if not root.has_error:
        return whole, ParseLoss()
    nodes = [root] if root.is_error else [one for one in root.children if one.has_error]
    torn = [(one.start_point[0], _last_row(one)) for one in nodes]
    parts = [_root(compiled.parser, source, rows) for rows in split_at_errors(source, torn)]
    mended = _matches(compiled, parts)
    gained = _defined(mended) - _defined(whole) if parts else -1
    swallowed = any(map(_is_unclosed, nodes)) or _sound(mended) > _sound(whole)
    is_better = gained > 0 or (gained == 0 and swallowed)
    best, roots = (mended, parts) if is_better else (whole, [root])
    return best, measure_loss(_first_error(root), roots, _defining(best.symbols))


def _root(parser: Parser, source: bytes, rows: Sequence[RowRange] = ()) -> Node:
    """Return the root of what was parsed: all, or some lines of it, in their place."""
    from tree_sitter import Range

    at = [0, *(match.end() for match in re.finditer(rb"\n", source)), len(source)] if rows else []
    parser.included_ranges = [
        Range((first, 0), (end, 0), at[first], at[min(end, len(at) - 1)]) for first, end in rows
    ]
    parser.reset()
    return parser.parse(source).root_node


def _matches(compiled: _Compiled, roots: Sequence[Node]) -> QueryMatches:
    """Return what the queries for symbols, relations and complexity catch, in one walk of each."""
    from tree_sitter import QueryCursor

    caught = QueryMatches([], [], [])
    for root in roots:
        for match in QueryCursor(compiled.query).matches(root):
            caught[compiled.parts[match[0]]].append(match)
    return caught


def _defined(caught: QueryMatches) -> int:
    """Count the names that are defined."""
    names = (node for node in _having(caught.symbols, "name") if _IS_NAME.match(node.text or b""))
    return len({node.start_byte for node in names})


def _sound(caught: QueryMatches) -> int:
    """Count the definitions that have no error in them."""
    return len({one.start_byte for one in _defining(caught.symbols) if not one.has_error})


def _is_unclosed(node: Node) -> bool:
    """Tell whether the end of a node had to be made up: then it took in what comes after it."""
    while node.children:
        node = node.children[-1]
    return node.is_missing


def _first_error(root: Node) -> int:
    """Return the line of the innermost node around the first error."""
    node: Node | None = root
    row = 0
    while node is not None:
        row = node.start_point[0] + 1
        node = next((one for one in node.children if one.has_error or one.is_missing), None)
    return row


def _spans(matches: Matches) -> dict[str, list[ByteSpan]]:
    spans: dict[str, list[ByteSpan]] = {}
    for _, captures in matches:
        for capture, nodes in captures.items():
            found = spans.setdefault(capture, [])
            found += [(node.start_byte, node.end_byte) for node in nodes]
    return spans


class _Compiled(NamedTuple):
    """A language's three queries as one, since each query walks the whole tree."""

    parser: Parser
    query: Query
    parts: tuple[int, ...]
    """Which of the three each pattern belongs to."""


@functools.cache
def _compiled(name: str, grammar_name: str) -> _Compiled:
    import tree_sitter

    language = LANGUAGES[name]
    grammar = _grammar(language, grammar_name)
    extra = [f"({node}) @_leading" for node in language.leading]
    extra += [f"({node}) @_wrapper" for node in language.wrappers]
    parts = ("\n".join([language.symbols, *extra]), language.relations, language.complexity)
    starts = [0, *accumulate(len(part.encode()) + 1 for part in parts[:-1])]
    query = tree_sitter.Query(grammar, "\n".join(parts))
    patterns = map(query.start_byte_for_pattern, range(query.pattern_count))
    return _Compiled(
        tree_sitter.Parser(grammar), query, tuple(bisect_right(starts, at) - 1 for at in patterns)
    )


def _grammar(language: Language, name: str) -> Grammar:
    import tree_sitter

    package = language.grammar_package or f"tree_sitter_language_pack.bindings.{name}"
    return tree_sitter.Language(importlib.import_module(package).language())


def create_parser(name: str) -> Parser:
    """Return a parser of a language of ours, for trees and no queries; KeyError if it is none."""
    import tree_sitter

    language = LANGUAGES[name]
    return tree_sitter.Parser(_grammar(language, language.grammar_for("")))


def _definitions(matches: Matches, language: Language, source: bytes) -> list[NestedDefinition]:
    """Keep one definition, or none, for each name node: what the earliest pattern says."""
    best: dict[int, tuple[int, NestedDefinition | None]] = {}
    for pattern, captures in matches:
        kind = next((key for key in captures if key.startswith("symbol.")), "")
        for name in captures.get("name", ()):
            known = best.get(name.start_byte)
            if known is None or pattern < known[0]:
                one = _one(kind, name, captures, source, language.leading) if kind else None
                best[name.start_byte] = (pattern, one)
    return [one for _, one in best.values() if one and one.name]


def _one(
    kind: str, name: Node, captures: Captures, source: bytes, leading: Sequence[str]
) -> NestedDefinition:
    node = captures[kind][0]
    body = captures.get("body", [None])[0] or node.child_by_field_name("body")
    extent = captures.get("extent", [node])[0]
    end = body.start_byte if body else _line_end(source, name.end_byte, extent.end_byte)
    doc = captures.get("doc")
    return NestedDefinition(
        name=bare_name(_text(name, source)),
        scope=owner_path(".".join(_text(part, source) for part in captures.get("scope", ()))),
        kind=SymbolKind(kind.removeprefix("symbol.")),
        line=name.start_point[0] + 1,
        start=node.start_byte,
        end=extent.end_byte,
        body=body.start_byte if body and body.type != ";" else -1,
        rows=(node.start_point[0] + 1, _last_row(extent)),
        signature=one_line_signature(_head(node, name.end_byte, end, leading, source)),
        doc=docstring_summary(_text(doc[0], source)) if doc else "",
        clause="clause" in captures,
    )


def _line_end(source: bytes, start: int, stop: int) -> int:
    """Without a body, the line of its name is the head of a definition."""
    newline = source.find(b"\n", start, stop)
    return stop if newline < 0 else newline


def _head(node: Node, named: int, end: int, leading: Sequence[str], source: bytes) -> str:
    """Return a definition up to `end` without the attributes before or a comment after its name."""
    start = node.start_byte
    for child in node.children:
        if child.type not in leading:
            continue
        if start <= child.start_byte < named:
            start = child.end_byte
        elif named <= child.start_byte < end:
            end = child.start_byte
    return source[start:end].decode("utf-8", "replace")


def _above(matches: Matches, source: bytes) -> dict[int, LeadingComment]:
    """Return what may stand over a definition by its last row; an attribute says nothing."""
    rows: dict[int, LeadingComment] = {}
    for _, captures in matches:
        for node in captures.get("_leading", ()):
            if _is_alone(node, source):
                doc = captures.get("doc", [node] if "comment" in node.type else [])
                comment = "".join(_text(part, source) for part in doc)
                rows[_last_row(node)] = LeadingComment(node.start_point[0] + 1, comment)
    return rows


def _is_alone(node: Node, source: bytes) -> bool:
    """Say whether no code shares a line with the node, which may take in its line's end."""
    start = source.rfind(b"\n", 0, node.start_byte) + 1
    end = source.find(b"\n", node.end_byte - 1)
    after = source[node.end_byte : end if end >= 0 else len(source)]
    return not source[start : node.start_byte].strip() and not after.strip()


def _having(matches: Matches, capture: str) -> Iterator[Node]:
    for _, captures in matches:
        yield from captures.get(capture, ())


def _defining(matches: Matches) -> Iterator[Node]:
    for _, captures in matches:
        for capture, nodes in captures.items():
            if capture.startswith("symbol."):
                yield from nodes


def _extent(node: Node) -> NodeExtent:
    return NodeExtent(node.start_byte, node.end_byte, node.start_point[0] + 1, _last_row(node))


def _last_row(node: Node) -> int:
    """1-based last row; a node that ends with its newline does not own the next row."""
    row, column = node.end_point
    return max(row + (column > 0), node.start_point[0] + 1)


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
