"""Find the tests of a symbol or file by calls, imports and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.languages import LANGUAGES
from codeindex.store.catalog.file_facts import test_file_languages
from codeindex.store.graph.edges import possible_edges, uses_in_tests
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.lookups import test_symbols_containing
from codeindex.store.symbols.nodes import file_nodes, nodes_by_id, symbols_by_id, test_files_among
from codeindex.text.file_names import subject_name
from codeindex.text.words import fold_name
from codeindex.types import OWNER_KINDS, Certainty, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3

MAY_CALL_IT = "may call it"
"""Reason of a test that calls the name on a receiver of unknown type; a common name like `run` has
thousands."""
_REASONS: dict[str, Certainty] = {
    "calls": "resolved",
    "uses": "resolved",
    "named after it": "ambiguous",
    "file named after its file": "ambiguous",
    "imports it": "ambiguous",
    MAY_CALL_IT: "ambiguous",
}
"""Reasons why a test covers a symbol, strongest first, with their certainty."""
_RANK = tuple(_REASONS)
_SHORTEST = 4
"""Minimum letters of a symbol that is searched in names of tests: a name like `get` is in too
many."""


def covering_tests(
    connection: sqlite3.Connection, targets: Sequence[Node]
) -> list[tuple[Node, tuple[str, ...]]]:
    """Return the tests or test files that cover some symbols, with their reasons, best first."""
    reasons: dict[tuple[int, int], set[str]] = defaultdict(set)
    for end, reason in _evidence(connection, targets):
        reasons[end].add(reason)
    for node in targets:
        reasons.pop((node.file_id, node.id), None)
    nodes = nodes_by_id(connection, reasons)
    ordered = ((node, tuple(sorted(reasons[end], key=_RANK.index))) for end, node in nodes.items())
    return sorted(
        ordered,
        key=lambda item: (_RANK.index(item[1][0]), -len(item[1]), item[0].path, item[0].line),
    )


def test_certainty(reasons: Sequence[str]) -> Certainty:
    """Return how certain it is that a test with these reasons runs the symbol."""
    return _REASONS[reasons[0]]


def test_files_named_after(connection: sqlite3.Connection, path: str) -> list[Node]:
    """Return test files named after a file: `test_cart.py`, `cart.spec.ts`."""
    wanted = subject_name(path)
    named = (
        test
        for test, language in test_file_languages(connection)
        if test != path and subject_name(test) == wanted and LANGUAGES[language].symbols
    )
    return file_nodes(connection, named)


def _evidence(
    connection: sqlite3.Connection, targets: Sequence[Node]
) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield pairs of a test, as ids of file and symbol, and a reason.

    A test is yielded once for each piece of evidence.
    """
    inside = _with_members(connection, targets)
    for file, symbol, kind, certainty in uses_in_tests(connection, [item.id for item in inside]):
        yield (file, symbol), _reason(kind, certainty)
    methods = {item.name for item in targets if item.kind not in OWNER_KINDS}
    languages = {item.language for item in targets}
    possible = possible_edges(connection, methods, languages=languages)
    tests = test_files_among(connection, (item.file for item in possible))
    for edge in possible:
        if edge.file in tests:
            yield (edge.file, edge.symbol), MAY_CALL_IT
    for node in _named_tests(connection, targets):
        yield (node.file_id, node.id), "named after it"
    for path in dict.fromkeys(item.path for item in targets):
        for node in test_files_named_after(connection, path):
            yield (node.file_id, 0), "file named after its file"


def _reason(kind: str, certainty: str) -> str:
    if kind == "imports":
        return "imports it"
    return "calls" if kind == "calls" and certainty == "resolved" else "uses"


def _with_members(connection: sqlite3.Connection, targets: Sequence[Node]) -> list[Node]:
    """Return the targets and the members of types: a test of `Cart.add` is a test of `Cart`."""
    owners = [item for item in targets if item.kind in OWNER_KINDS]
    below = declarations_in(connection, {owner.file_id for owner in owners})
    prefixes = {(owner.path, f"{owner.qualified}.") for owner in owners}
    members = [
        item
        for item in below
        if any(item.path == path and item.qualified.startswith(start) for path, start in prefixes)
    ]
    return [*targets, *members]


def _named_tests(connection: sqlite3.Connection, targets: Sequence[Node]) -> Iterator[Node]:
    names = {fold_name(item.name) for item in targets if len(fold_name(item.name)) >= _SHORTEST}
    symbol_ids: set[int] = set()
    for name in names:
        symbol_ids.update(test_symbols_containing(connection, name))
    return (node for node in symbols_by_id(connection, symbol_ids) if _is_test(node))


def _is_test(node: Node) -> bool:
    name = fold_name(node.name)
    return (
        node.kind == SymbolKind.TEST or name.startswith("test") or name.endswith(("test", "tests"))
    )
