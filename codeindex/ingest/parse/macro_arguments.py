"""Parse the arguments of macros as expressions, and the bodies of macros as statements.

A grammar sees the arguments of a macro as loose tokens. Most macros take expressions, so each list
of arguments that the relations query captures as ``@embedded`` is parsed once more, as a statement.
If this parse has no syntax error, its matches replace those of the tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from codeindex.ingest.parse.definitions import captured_nodes
from codeindex.ingest.parse.grammars import CompiledGrammar, parse_statements, run_queries

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeindex.ingest.parse.captures import Match
    from codeindex.ingest.parse.grammars import MatchList

EMBEDDED = "embedded"
EXPANSION = "expansion"
"""Capture of the body of a macro, which grammars see as text. Only calls in it count: other names
can be those of variables around the place where the macro is used."""
_STRINGIFIED = re.compile(rb"(?<!#)#(?=\s*[A-Za-z_])")
_SYNTHETIC = -1
"""Pattern number of matches that no pattern made; they take precedence."""
_MAX_LEVELS = 8
"""Maximum nesting of macros in arguments of macros."""
_MAX_BODIES = 1000
"""Maximum bodies of macros that are parsed in one file."""
_MAX_PARSES = 100
"""Maximum parses of the macro arguments of a file on one level."""


class EmbeddedExpression(NamedTuple):
    """The arguments of a macro invocation, once as loose `tokens` and once `parsed`.

    Both are syntax nodes; the second is the expression that the same text forms.
    """

    tokens: Node
    parsed: Node


def match_macro_arguments(
    grammar: CompiledGrammar, source: bytes, relations: MatchList
) -> MatchList:
    """Parse the arguments of macros as expressions, and match the relations query in these.

    Return `relations` with the matches inside such arguments replaced. Arguments that do not parse
    keep their matches.
    """
    complete: MatchList = []
    level = relations
    source += b";"
    for _ in range(_MAX_LEVELS):
        found = list(_parse(grammar, source, captured_nodes(level, EMBEDDED)))
        if not found:
            break
        complete += _outside(level, [each.tokens for each in found], size=len(source))
        complete += [_equivalence(each) for each in found]
        level = run_queries(grammar, [each.parsed for each in found]).relations
    return complete + level


def match_macro_bodies(grammar: CompiledGrammar, source: bytes, relations: MatchList) -> MatchList:
    """Match the relations query in the bodies of macros; return the matches of calls.

    Bodies that cannot be parsed on their own as statements are left out.
    """
    bodies = sorted(captured_nodes(relations, EXPANSION), key=lambda node: node.start_byte)
    bodies = [node for node in bodies if b"(" in (node.text or b"")][:_MAX_BODIES]
    source = _without_stringification(source, bodies) + b";"
    found: MatchList = []
    for node in bodies:
        semicolon = source.index(b";", node.end_byte)
        statements = parse_statements(grammar.parser, source, [(node, semicolon)])
        if statements and not any(each.has_error for each in statements):
            found += run_queries(grammar, statements).relations
    called = {node.id for _, match in found if "call" in match for node in match.get("of", ())}
    return [
        (pattern, match)
        for pattern, match in found
        if "call" in match or any(node.id in called for node in match.get("name", ()))
    ]


def _without_stringification(source: bytes, bodies: Iterable[Node]) -> bytes:
    """Blank each `#` that turns a parameter of a macro into a string; return the source.

    Without the `#`, `name(pointer, #type)` is parsed as a call. The `##` that joins two names
    stays.
    """
    text = bytearray(source)
    for node in bodies:
        for match in _STRINGIFIED.finditer(source, node.start_byte, node.end_byte):
            text[match.start()] = ord(" ")
    return bytes(text)


def _parse(
    grammar: CompiledGrammar, source: bytes, tokens: Iterable[Node]
) -> Iterator[EmbeddedExpression]:
    """Parse the arguments of macros; yield those that are expressions.

    `tokens` are the nodes of the arguments. Arguments with a `;` between them share one parse,
    which is faster; so the source must end with a semicolon.
    """
    remaining = sorted(tokens, key=lambda node: node.start_byte)
    for _ in range(_MAX_PARSES):
        end, batch, later = 0, [], []
        for node in remaining:
            if node.start_byte < end:
                later.append(node)
            else:
                semicolon = source.index(b";", node.end_byte)
                batch.append((node, semicolon))
                end = semicolon + 1
        if not batch:
            return
        statements = parse_statements(grammar.parser, source, batch)
        yield from _sound(statements, [node for node, _ in batch])
        remaining = later


def _sound(statements: Sequence[Node], tokens: Iterable[Node]) -> Iterator[EmbeddedExpression]:
    """Yield the macro arguments (`tokens`) that `statements` parse as exactly one expression.

    A statement with a syntax error does not count.
    """
    by_start = {node.start_byte: node for node in statements}
    for node in tokens:
        statement = by_start.get(node.start_byte)
        is_sound = statement is not None and statement.child_count and not statement.has_error
        parsed = statement.child(0) if statement and is_sound else None
        if parsed is not None and parsed.end_byte == node.end_byte:
            yield EmbeddedExpression(node, parsed)


def _outside(matches: MatchList, tokens: Sequence[Node], *, size: int) -> MatchList:
    """Return the matches that do not start inside a node of `tokens`.

    `size` is the number of bytes of the source.
    """
    extents = sorted((node.start_byte, node.end_byte) for node in tokens)
    inside = bytearray(size + 1)
    for (start, end), (following, _) in pairwise([*extents, (size, size)]):
        last = min(end, following + 1)
        inside[start + 1 : last] = b"\1" * (last - start - 1)
    return [item for item in matches if not inside[_first_byte(item[1])]]


def _first_byte(match: Match) -> int:
    """Return the offset of the first capture of a match; 0 for a match without captures."""
    for nodes in match.values():
        return nodes[0].start_byte
    return 0


def _equivalence(found: EmbeddedExpression) -> tuple[int, Match]:
    """Return a synthetic match that gives a macro's arguments the value of their parse."""
    return _SYNTHETIC, {"same": [found.tokens], "of": [found.parsed]}
