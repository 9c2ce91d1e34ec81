"""Which tests concern a symbol or a file: by calls, imports and names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from posixpath import splitext
from typing import TYPE_CHECKING, Any

from codeindex.analysis.imports import as_node
from codeindex.analysis.places import file_at
from codeindex.analysis.subject import symbols_named
from codeindex.errors import QueryError
from codeindex.store.declarations import File, declarations_of, files_under
from codeindex.store.links import links_to, links_to_files, possible_calls
from codeindex.types import OWNER_KINDS, Link, Node, SymbolKind
from codeindex.words import fold

if TYPE_CHECKING:
    import sqlite3

MOST = 200
_TEST_WORDS = re.compile(
    r"(?:^|[_.\-])(?:tests?|specs?)(?=$|[_.\-])|(?<=[a-z0-9])(?:Tests?|Spec)$|^t_"
)
_RANK = (
    "calls",
    "uses",
    "named after it",
    "may call it",
    "imports it",
    "file named after its file",
)
"""Reasons, the strongest first."""
_SHORTEST = 4
"""Letters of a name that a longer one counts as being named after: `get` is in too many."""


@dataclass(frozen=True, slots=True)
class RelatedTest:
    """A test, or a whole file of them, with all that speaks for it, strongest first."""

    file: str
    name: str
    kind: str
    line: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelatedTests:
    """`total` counts what a limit left out."""

    symbol: str
    definitions: tuple[str, ...]
    tests: tuple[RelatedTest, ...]
    total: int

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.tests} | {
            one.partition("::")[0] for one in self.definitions
        }

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"truncated": len(self.tests) < self.total}

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (one.file, str(one.line), one.kind, one.name or "-", ", ".join(one.reasons))
            for one in self.tests
        ]
        return ("file", "line", "kind", "name", "reasons"), rows

    def text(self) -> Iterator[str]:
        yield f"{self.symbol}: {self.total} related tests"
        for one in self.tests:
            yield f"{one.file}:{one.line}: {one.name or '(file)'}  ({', '.join(one.reasons)})"


def related_tests(
    connection: sqlite3.Connection, symbol: str, *, path: str = "", limit: int
) -> RelatedTests:
    """Return tests of a symbol; QueryError if nothing is called so, in `path` if it is given."""
    meant = [one for one in symbols_named(connection, symbol) if not one.is_test] or symbols_named(
        connection, symbol
    )
    if path:
        file = file_at(connection, path)
        here = [one for one in meant if one.path == file.path]
        if not here:
            places = " and ".join(dict.fromkeys(f"'{one.path}'" for one in meant[:3]))
            raise QueryError(f"No {symbol!r} is in '{file.path}': it is in {places}.")
        meant = here
    found: dict[Node, set[str]] = defaultdict(set)
    for node, reason in _evidence(connection, meant):
        found[node].add(reason)
    found = {one: reasons for one, reasons in found.items() if one not in meant}
    tests = [_related(node, reasons) for node, reasons in found.items()]
    tests.sort(key=lambda one: (_RANK.index(one.reasons[0]), -len(one.reasons), one.file, one.line))
    keys = tuple(one.key for one in meant)
    return RelatedTests(symbol, keys, tuple(tests[:limit]), len(tests))


def tests_of_file(connection: sqlite3.Connection, file: File) -> list[str]:
    """Return test files that import, use or are named after a file."""
    symbols = [one.id for one in declarations_of(connection, [file.id])]
    links = [*links_to_files(connection, [file.id]), *links_to(connection, symbols)]
    using = {one.node.path for one in links if one.node and one.node.is_test}
    return sorted((using | {one.path for one in _named_files(connection, file.path)}) - {file.path})


def _related(node: Node, reasons: Iterable[str]) -> RelatedTest:
    ordered = tuple(sorted(reasons, key=_RANK.index))
    return RelatedTest(node.path, node.qualified, node.kind, node.line, ordered)


def _evidence(connection: sqlite3.Connection, meant: Sequence[Node]) -> Iterator[tuple[Node, str]]:
    inside = _with_members(connection, meant)
    for link in links_to(connection, [one.id for one in inside]):
        if link.node and link.node.is_test:
            yield link.node, _reason(link)
    methods = {one.name for one in meant if one.kind not in OWNER_KINDS}
    languages = {one.language for one in meant}
    for link in possible_calls(connection, methods, languages=languages):
        if link.node and link.node.is_test:
            yield link.node, "may call it"
    yield from _named_tests(connection, meant)
    for path in dict.fromkeys(one.path for one in meant):
        for node in _named_files(connection, path):
            yield node, "file named after its file"


def _reason(link: Link) -> str:
    if link.kind == "imports":
        return "imports it"
    return "calls" if link.kind == "calls" and link.certainty == "resolved" else "uses"


def _with_members(connection: sqlite3.Connection, meant: Sequence[Node]) -> list[Node]:
    """Add the members of types: whoever tests `Cart.add` tests `Cart`."""
    owners = [one for one in meant if one.kind in OWNER_KINDS]
    below = declarations_of(connection, {one.file_id for one in owners})
    prefixes = {(one.path, f"{one.qualified}.") for one in owners}
    members = [
        one
        for one in below
        if any(one.path == path and one.qualified.startswith(start) for path, start in prefixes)
    ]
    return [*meant, *members]


def _named_tests(
    connection: sqlite3.Connection, meant: Sequence[Node]
) -> Iterator[tuple[Node, str]]:
    names = {fold(one.name) for one in meant if len(fold(one.name)) >= _SHORTEST}
    tests = [one.id for one in files_under(connection) if one.is_test] if names else []
    for node in declarations_of(connection, tests):
        folded = fold(node.name)
        if _is_test(node) and any(name in folded for name in names):
            yield node, "named after it"


def _is_test(node: Node) -> bool:
    named = fold(node.name).startswith("test") or fold(node.name).endswith(("test", "tests"))
    return node.kind == SymbolKind.TEST or named


def _named_files(connection: sqlite3.Connection, path: str) -> Iterator[Node]:
    """Yield test files named as this file and a word for tests: `test_cart`, `cart.spec`."""
    wanted = _plain_name(path)
    for one in files_under(connection):
        if one.is_test and one.path != path and _plain_name(one.path) == wanted:
            yield as_node(one)


def _plain_name(path: str) -> str:
    stem = splitext(path.rpartition("/")[2])[0]
    return fold(_TEST_WORDS.sub("", stem).strip("_.-"))
