"""Resolve the start or the goal of a flow question to symbols and files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import NamedTuple

from codeindex.search.routes.subject import resolve_subject
from codeindex.store.symbols.lookups import member_ids, symbol_ids_in_files, symbols_in_lines
from codeindex.types import OWNER_KINDS, Hit, Node, SymbolKind

_MOST_SYMBOLS = 12
"""Most symbols with one name that are tried; more make every path short and meaningless."""
_SEARCH_HITS = 3
"""If no symbol has the name, the symbols in this many search hits are used instead."""
_ENDPOINT_KINDS = OWNER_KINDS | {
    SymbolKind.FUNCTION,
    SymbolKind.METHOD,
    SymbolKind.CONSTRUCTOR,
    SymbolKind.PROPERTY,
}


class FlowEndpoint(NamedTuple):
    """Ids of the symbols and files at which a path through the code may begin or end."""

    symbols: tuple[int, ...]
    files: tuple[int, ...]


def locate_endpoint(
    connection: sqlite3.Connection, name: str, search: Callable[[str], Sequence[Hit]]
) -> FlowEndpoint:
    """Find the symbols and files called `name`, the start or goal of a path.

    If there are none, take the symbols in the hits of a search for `name`. Files of these hits are
    not taken, because imports connect almost any two files.
    """
    subject = resolve_subject(connection, name)
    symbols = [node for node in subject.symbols if node.kind in _ENDPOINT_KINDS] if subject else []
    outside_tests = [node for node in symbols if not node.is_test]
    if outside_tests or (symbols and subject and not subject.files):
        chosen = (outside_tests or symbols)[:_MOST_SYMBOLS]
        return FlowEndpoint(tuple(_with_members(connection, chosen)), ())
    if subject and subject.files:
        return FlowEndpoint(symbol_ids_in_files(connection, subject.files), subject.files)
    candidates = search(name)
    hits = ([hit for hit in candidates if not hit.is_test] or candidates)[:_SEARCH_HITS]
    ids = [
        symbol.id
        for hit in hits
        for symbol in symbols_in_lines(connection, hit.path, hit.start_line, hit.end_line)
    ]
    return FlowEndpoint(tuple(dict.fromkeys(ids)), ())


def _with_members(connection: sqlite3.Connection, nodes: Sequence[Node]) -> list[int]:
    """Return the ids of symbols and of the members of types: a path may end at any of them."""
    ids = [node.id for node in nodes]
    for node in nodes:
        if node.kind in OWNER_KINDS:
            ids += member_ids(connection, node)
    return list(dict.fromkeys(ids))
