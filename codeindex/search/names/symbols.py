"""Look up symbols by name; mark redeclarations and namesakes of types."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from codeindex.languages import LANGUAGES
from codeindex.store.symbols.by_name import symbols_by_folded_names
from codeindex.text.words import query_words
from codeindex.types import OWNER_KINDS, Node, SymbolKind

if TYPE_CHECKING:
    from codeindex.store.segments.word_index import WordIndex
    from codeindex.store.symbols.name_index import SymbolNames


class NamedSymbol(NamedTuple):
    """A symbol that a name can refer to.

    Two flags lower its rank: `is_redeclaration` for a prototype of a definition, `is_namesake` for
    a symbol that has the name of a type in its file.
    """

    file_id: int
    name: str
    qualified: str
    kind: str
    line: int
    path: str
    is_test: int
    is_redeclaration: bool
    """Whether the symbol is only a declaration; its definition is elsewhere."""
    is_namesake: bool
    """Whether the symbol has the same name as a type in its file, as constructors do."""


@dataclass(frozen=True, slots=True)
class SymbolLookup:
    """The parts of an index that are needed to look up names.

    `files` maps the path of each file to its id.
    """

    connection: sqlite3.Connection
    names: SymbolNames
    files: Mapping[str, int]
    words: WordIndex

    def is_word(self, name: str) -> bool:
        """Tell whether a text of the index contains a name as a word.

        The style does not count: `parseConfig` and `parse_config` are the same word.
        """
        return any(map(self.words.frequency, query_words(name)[-1:]))  # the whole name

    def symbols_named(self, folded: Iterable[str]) -> list[NamedSymbol]:
        """Return the symbols whose folded name (`fold_name`) is in `folded`.

        Sections of documents are left out.
        """
        return _mark_redeclarations(symbols_by_folded_names(self.connection, folded))


def _mark_redeclarations(rows: Sequence[Node]) -> list[NamedSymbol]:
    """Return the symbols of `rows` with the flags of `NamedSymbol` set.

    They mark declarations of something that is defined in another row, and symbols that have the
    name of a type in their file.
    """
    defined = {_declaration_key(row) for row in rows if _is_definition(row)}
    types = {(row.file_id, row.name) for row in rows if _is_type(row)}
    return [
        NamedSymbol(
            *(row.file_id, row.name, row.qualified, row.kind, row.line, row.path, row.is_test),
            is_redeclaration=_declaration_key(row) in defined and not _is_definition(row),
            is_namesake=(row.file_id, row.name) in types and row.kind not in OWNER_KINDS,
        )
        for row in rows
    ]


def _is_definition(row: Node) -> bool:
    return _is_type(row) or row.has_body or not LANGUAGES[row.language].separate_declarations


def _is_type(row: Node) -> bool:
    return row.kind in OWNER_KINDS and row.kind != SymbolKind.TYPE


def _declaration_key(row: Node) -> tuple[object, ...]:
    """Return a key that is equal for a declaration and its definition.

    A symbol in a test and one outside of tests never have equal keys.
    """
    return row.qualified, "type" if row.kind in OWNER_KINDS else row.kind, row.is_test
