"""Parse a file into symbols, relations and complexity, and recover from syntax errors.

It runs only in the worker processes of `ingest.workers`, see `grammars`. Nothing here recurses over
nodes: hostile files nest deeper than Python's stack.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from codeindex.ingest.parse.complexity import ByteSpan, measure_complexity
from codeindex.ingest.parse.components import (
    add_component,
    default_export,
    name_component,
    parse_script,
)
from codeindex.ingest.parse.definitions import (
    captured_nodes,
    definition_nodes,
    last_row,
    node_extent,
    read_leading_comments,
)
from codeindex.ingest.parse.error_recovery import RowRange, split_at_errors
from codeindex.ingest.parse.grammars import compile_grammar, parse_parts, parse_source, run_queries
from codeindex.ingest.parse.macro_arguments import (
    EMBEDDED,
    EXPANSION,
    match_macro_arguments,
    match_macro_bodies,
)
from codeindex.ingest.parse.nesting import build_symbols
from codeindex.ingest.parse.parse_loss import ParseLoss, lost_text
from codeindex.ingest.parse.relations import extract_relations
from codeindex.ingest.parse.variants import (
    Reading,
    defined_in_variants,
    joined_matches,
    mark_lost_names,
    readable_variants,
    total_loss,
)
from codeindex.languages import Language
from codeindex.text.blanks import blank_bytes
from codeindex.types import Relations, SafeText, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeindex.ingest.parse.grammars import CompiledGrammar, MatchList, QueryMatches

_IS_NAME = re.compile(rb"[\w$@#]")
"""A name with a letter, digit or sign: names that a parser invents to recover have mostly none."""


class ParseResult(NamedTuple):
    """The result of parsing a file: symbols by first line, relations, and the parse loss."""

    symbols: tuple[Symbol, ...] = ()
    relations: Relations = Relations()
    loss: ParseLoss = ParseLoss()


def parse_text(language: Language, text: SafeText, path: str = "") -> ParseResult:
    """Parse a text; the result is empty if the language has no grammar.

    The suffix of `path` can decide which grammar of the language is used.
    """
    if not language.symbols:
        return ParseResult()
    grammar = compile_grammar(language.name, language.grammar_for(path))
    source, root = text.encode(), None
    if language.script:
        source, root = parse_script(source, language, grammar.parser)
    readings = _read(language, grammar, source, root)
    matches = joined_matches(readings)
    relations = matches.relations
    if f"@{EMBEDDED}" in language.relations:
        relations = match_macro_arguments(grammar, source, relations)
    if f"@{EXPANSION}" in language.relations:
        relations += match_macro_bodies(grammar, source, relations)
    wrappers = captured_nodes(matches.symbols, "_wrapper")
    placed = build_symbols(
        defined_in_variants(readings, language, source),
        wrappers=[node_extent(node) for node in wrappers],
        above=read_leading_comments(matches.symbols, source),
        unnamed=[node_extent(node) for node in captured_nodes(matches.symbols, "_unnamed")],
    )
    component = name_component(path, source) if language.script else ""
    if component:
        placed = add_component(placed, component, source.rstrip(b"\n").count(b"\n") + 1)
    lost = frozenset[int]().union(*(reading.lost.rows for reading in readings))
    extracted = extract_relations(relations, language, source, placed, lost_rows=lost)
    if component:
        imports = (*extracted.imports, default_export(component))
        extracted = replace(extracted, imports=imports)
    if language.separate_declarations:
        extracted = mark_lost_names(extracted, readings, source)
    return ParseResult(
        measure_complexity(placed, _spans_by_capture(matches.complexity), source),
        extracted,
        total_loss(readings),
    )


def _read(
    language: Language, grammar: CompiledGrammar, source: bytes, root: Node | None
) -> list[Reading]:
    """Parse a source; return a `Reading`, or one for each variant of its `#if` branches.

    `root` is the root node of the source if it is parsed already.

    Parts that the grammar cannot parse are blanked, unless the unchanged source loses fewer lines.
    Text with syntax errors is repaired, and read in several variants of its directives.
    """
    blanked = blank_unparsable(source, language) if language.unparsable else source
    root = root or parse_source(grammar.parser, blanked)
    reading = _match_with_recovery(grammar, blanked, root) if language.replacement else None
    if reading and blanked != source and reading.lost.rows:
        unchanged = _match_with_recovery(grammar, source, parse_source(grammar.parser, source))
        return [min(reading, unchanged, key=lambda reading: len(reading.lost.rows))]
    if not root.has_error:
        return [reading or Reading(run_queries(grammar, [root]), root)]
    readings = []
    for variant in readable_variants(
        blanked, root, language, partial(parse_source, grammar.parser)
    ):
        own = _match_with_recovery(grammar, variant.source, variant.root, variant.span)
        readings.append(own.in_rows(variant.rows, variant.unread))
    return readings


def blank_unparsable(source: bytes, language: Language) -> bytes:
    """Blank all text that the grammar is known not to parse; no offset and no row changes.

    `language.unparsable` matches such text. The group `kept` at the start of a match stays;
    `language.replacement` follows it.
    """
    replacement = language.replacement.encode()

    def blank(match: re.Match[bytes]) -> bytes:
        kept = match["kept"] if "kept" in match.re.groupindex else b""
        blanks = blank_bytes(match[0][len(kept) :])
        return kept + replacement + blanks[len(replacement) :]

    return re.sub(language.unparsable.encode(), blank, source)


def _match_with_recovery(
    grammar: CompiledGrammar, source: bytes, root: Node, span: RowRange | None = None
) -> Reading:
    """Run the queries on the parse of the source, or on separate parses of its parts.

    The parts are used if they have more definitions, because an error swallowed some. With `span`,
    only matches in these rows are returned.
    """
    whole = run_queries(grammar, [root], span)
    if not root.has_error:
        return Reading(whole, root)
    broken = [root] if root.is_error else [node for node in root.children if node.has_error]
    rows = [(node.start_point[0], last_row(node)) for node in broken]
    parts = list(parse_parts(grammar.parser, source, split_at_errors(source, rows)))
    split = run_queries(grammar, parts, span)
    gained = _count_names(split) - _count_names(whole) if parts else -1
    swallowed = any(map(_is_unclosed, broken)) or _count_sound(split) > _count_sound(whole)
    is_split_better = gained > 0 or (gained == 0 and swallowed)
    best, roots = (split, parts) if is_split_better else (whole, [root])
    return Reading(best, root, lost_text(roots, definition_nodes(best.symbols)))


def _count_names(matches: QueryMatches) -> int:
    """Return how many names are defined, without names that error recovery invented."""
    names = captured_nodes(matches.symbols, "name")
    return len({node.start_byte for node in names if _IS_NAME.match(node.text or b"")})


def _count_sound(matches: QueryMatches) -> int:
    """Return the number of definitions that contain no syntax error."""
    definitions = definition_nodes(matches.symbols)
    return len({node.start_byte for node in definitions if not node.has_error})


def _is_unclosed(node: Node) -> bool:
    """Tell whether the node's last token is missing, so that it swallowed the text after it."""
    while node.children:
        node = node.children[-1]
    return node.is_missing


def _spans_by_capture(matches: MatchList) -> dict[str, list[ByteSpan]]:
    spans: dict[str, list[ByteSpan]] = {}
    for _, match in matches:
        for capture, nodes in match.items():
            extents = spans.setdefault(capture, [])
            extents += [(node.start_byte, node.end_byte) for node in nodes]
    return spans
