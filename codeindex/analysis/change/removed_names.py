"""Find code that still has the names of symbols that a diff removes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codeindex.store.catalog.files import files_under, files_with_names, stored_text
from codeindex.store.symbols.symbol_lists import read_all_qualified_names
from codeindex.text.words import IDENTIFIER, names_pattern, normal_form
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
        defined = read_all_qualified_names(connection)
        names -= {normal_form(name.rpartition(".")[2]) for _, name in defined}
    if not names:
        return []
    pattern, having = names_pattern(names), files_with_names(connection, names)
    paths = (file.path for file in files_under(connection) if file.id in having)
    return sorted(
        (use for path in paths for use in _uses(connection, path, pattern)),
        key=lambda use: (use.file, use.line),
    )


def _uses(
    connection: sqlite3.Connection, path: str, pattern: re.Pattern[str]
) -> Iterator[RemovedNameUse]:
    for number, line in enumerate(normal_form(stored_text(connection, path)).split("\n"), 1):
        for name in dict.fromkeys(pattern.findall(line)):
            yield RemovedNameUse(path, number, name)
