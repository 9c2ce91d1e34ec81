"""The tool that lists the tests of a symbol, with what speaks for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.file_selection import select_file
from codeindex.analysis.subject import (
    Definition,
    describe_definitions,
    find_symbols,
    list_definitions,
)
from codeindex.errors import QueryError
from codeindex.graph.covering_tests import MAY_CALL_IT, covering_tests, test_files_named_after
from codeindex.store.graph.links import links_to, links_to_files
from codeindex.store.symbols.declarations import FileRow, declarations_in

if TYPE_CHECKING:
    import sqlite3

_GUESSES = 5
"""Tests that may merely call it, which are shown where there are no others."""
_WEAKER = frozenset({"uses", MAY_CALL_IT})
"""Reasons that a call goes without."""


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
    """`total` counts all; of these, `possible` may merely call it by its name."""

    symbol: str
    definitions: tuple[Definition, ...]
    tests: tuple[RelatedTest, ...]
    total: int
    possible: int
    truncated: bool

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.definitions} | {one.file for one in self.tests}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (one.file, str(one.line), one.kind, one.name or "-", ", ".join(one.reasons))
            for one in self.tests
        ]
        return ("file", "line", "kind", "name", "reasons"), rows

    def text(self) -> Iterator[str]:
        yield f"{self.symbol}: {self.total} related tests"
        yield from describe_definitions(self.definitions)
        for one in self.tests:
            yield f"{one.file}:{one.line}: {one.name or '(file)'}  ({', '.join(one.reasons)})"
        if self.possible:
            yield f"of these, {self.possible} {MAY_CALL_IT}: --include-possible shows them too"


def find_related_tests(
    connection: sqlite3.Connection,
    symbol: str,
    *,
    path: str = "",
    include_possible: bool = False,
    limit: int,
) -> RelatedTests:
    """Return tests of a symbol; QueryError if nothing is called so, in `path` if it is given."""
    meant = [one for one in find_symbols(connection, symbol) if not one.is_test] or find_symbols(
        connection, symbol
    )
    if path:
        file = select_file(connection, path)
        here = [one for one in meant if one.path == file.path]
        if not here:
            places = " and ".join(dict.fromkeys(f"'{one.path}'" for one in meant[:3]))
            raise QueryError(f"No {symbol!r} is in '{file.path}': it is in {places}.")
        meant = here
    found = covering_tests(connection, meant)
    better = sum(reasons != (MAY_CALL_IT,) for _, reasons in found)
    shown = found if include_possible else found[: better or _GUESSES]
    tests = tuple(
        RelatedTest(node.path, node.qualified, node.kind, node.line, _telling(reasons))
        for node, reasons in shown[:limit]
    )
    return RelatedTests(
        symbol=symbol,
        definitions=list_definitions(meant),
        tests=tests,
        total=len(found),
        possible=len(found) - better,
        truncated=len(tests) < len(found),
    )


def _telling(reasons: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out what a certain call says already."""
    return tuple(one for one in reasons if "calls" not in reasons or one not in _WEAKER)


def find_tests_of_file(connection: sqlite3.Connection, file: FileRow) -> list[str]:
    """Return test files that import, use or are named after a file."""
    symbols = [one.id for one in declarations_in(connection, [file.id])]
    links = [*links_to_files(connection, [file.id]), *links_to(connection, symbols)]
    using = {one.node.path for one in links if one.node and one.node.is_test}
    named = {one.path for one in test_files_named_after(connection, file.path)}
    return sorted((using | named) - {file.path})
