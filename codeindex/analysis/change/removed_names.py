"""Find code that still has the names of symbols that a diff removes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codeindex.store.catalog.files import names_in_files, stored_text
from codeindex.store.symbols.symbol_lists import qualified_names_ending_with
from codeindex.text.words import IDENTIFIER, normal_form, word_offsets
from codeindex.types import Node, PreparedFile


@dataclass(frozen=True, slots=True)
class RemovedNameUse:
    """A line that has the name of a removed symbol."""

    file: str
    line: int
    name: str


def removed_symbols(now: Iterable[Node], before: PreparedFile) -> tuple[str, ...]:
    """Return the qualified names that a file declared in its former version and no longer does.

    `now` are its present symbols.
    """
    kept = {node.qualified for node in now}
    former = dict.fromkeys(symbol.qualified for symbol in before.symbols)
    return tuple(name for name in former if name not in kept)


def find_removed_name_uses(
    connection: sqlite3.Connection, removed: Iterable[str]
) -> list[RemovedNameUse]:
    """Return the lines that have the name of a removed symbol, sorted by file and line.

    `removed` are qualified names. Two kinds of names are not searched: names that another symbol
    has, whose uses may be uses of that symbol, and names of one or two letters, which the index
    does not record.
    """
    names = {normal_form(name.rpartition(".")[2]) for name in removed}
    names = {name for name in names if IDENTIFIER.fullmatch(name)}
    if names:
        defined = qualified_names_ending_with(connection, names)
        names -= {normal_form(name.rpartition(".")[2]) for _, name in defined}
    return [
        use
        for path, found in names_in_files(connection, names)
        for use in _uses(connection, path, found)
    ]


def _uses(
    connection: sqlite3.Connection, path: str, names: Iterable[str]
) -> Iterator[RemovedNameUse]:
    text = normal_form(stored_text(connection, path))
    places = sorted((at, name) for name in names for at in word_offsets(text, name))
    line, counted = 1, 0
    found: dict[RemovedNameUse, None] = {}
    for at, name in places:
        line, counted = line + text.count("\n", counted, at), at
        found[RemovedNameUse(path, line, name)] = None
    yield from found
