"""The symbols of some names, and which of them only declare what is defined elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.sql_values import in_parts, marks
from codeindex.store.symbols.name_index import SymbolNames
from codeindex.text.words import query_words
from codeindex.types import OWNER_KINDS, SymbolKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from codeindex.store.segments.words import Words

_ROWS = 5_000
_APART = {"c", "cpp"}
"""Languages that declare in one place what they define in another."""


class Symbol(NamedTuple):
    """A symbol that may be meant by a name, and what others of its name make of it."""

    file_id: int
    name: str
    qualified: str
    kind: str
    line: int
    path: str
    is_test: int
    is_again: bool
    """Whether what is declared here is defined elsewhere."""
    is_namesake: bool
    """Whether a type of its file has the name too: of a factory, or a constant for it."""


class _Row(NamedTuple):
    language: str
    cyclomatic: int
    file_id: int
    name: str
    qualified: str
    kind: str
    line: int
    path: str
    is_test: int


@dataclass(frozen=True, slots=True)
class Catalog:
    """Where names are looked up."""

    connection: sqlite3.Connection
    names: SymbolNames
    files: Mapping[str, int]
    words: Words

    def is_word(self, name: str) -> bool:
        """Tell whether the index has a name, folded or not, as a word, be it of no symbol."""
        return any(map(self.words.frequency, query_words(name)[-1:]))  # the last is the whole

    def spelt(self, folded: Iterable[str]) -> list[Symbol]:
        rows: list[_Row] = []
        for part in in_parts(folded):
            found = self.connection.execute(
                "SELECT f.language, s.cyclomatic, s.file_id, s.name, s.qualified, s.kind, s.line,"  # noqa: S608 (marks)
                " f.path, f.is_test FROM symbols s JOIN files f ON f.id = s.file_id"
                f" WHERE s.folded IN ({marks(part)}) AND s.kind != 'section' LIMIT {_ROWS}",
                part,
            )
            rows += map(_Row._make, found)
        return _told_apart(rows)


def _told_apart(rows: Sequence[_Row]) -> list[Symbol]:
    """Tell what declares a thing again: a prototype, another name for a struct or a class."""
    defined = {_what(row) for row in rows if _is_definition(row)}
    types = {_place(row) for row in rows if _is_type(row)}
    return [
        Symbol(
            *row[2:],
            is_again=_what(row) in defined and not _is_definition(row),
            is_namesake=_place(row) in types and row.kind not in OWNER_KINDS,
        )
        for row in rows
    ]


def _is_definition(row: _Row) -> bool:
    return _is_type(row) or row.cyclomatic > 0 or row.language not in _APART


def _is_type(row: _Row) -> bool:
    return row.kind in OWNER_KINDS and row.kind != SymbolKind.TYPE


def _what(row: _Row) -> tuple[object, ...]:
    """Return what a declaration and its definition have in common; tests have their own."""
    return row.qualified, "type" if row.kind in OWNER_KINDS else row.kind, row.is_test


def _place(row: _Row) -> tuple[object, ...]:
    """Return what a type and its namesakes have in common."""
    return row.file_id, row.name
