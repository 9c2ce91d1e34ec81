"""Steps from symbols to the symbols that control or data may go on to, and back: SQL a layer.

A step is a call, a reference to a function or a property (`references`), a type's constructor
(`constructs`) or a method that stands in for another one in a subtype (`overridden`). Naming a type
is none: annotations would lead anywhere. Steps of files are imports and uses between them.
"""

# ruff: noqa: S608 (constants, and ids, which are numbers)
from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from codeindex.store.parts import in_parts
from codeindex.types import OWNER_KINDS
from codeindex.words import fold

if TYPE_CHECKING:
    import sqlite3

_CANDIDATES = 3
"""A call of a member of something unknown may go to so many definitions; of a name that more have,
nothing can be said."""
_CONSTRUCTORS = ("__init__", "__new__", "constructor", "initialize", "__construct", "init")


class Step(NamedTuple):
    """From one id to another, with the file and line where it is written."""

    source: int
    target: int
    kind: str
    certainty: str
    file: int
    line: int


Steps = Callable[["sqlite3.Connection", Collection[int]], list[Step]]

_TYPES = ", ".join(f"'{one}'" for one in sorted(OWNER_KINDS))
_AT = "e.source_file, CAST(e.lines AS INTEGER)"
"""The first line of an edge's."""
_OWNER = "substr({0}.qualified, 1, length({0}.qualified) - length({0}.name) - 1)"
_USES = (
    f"SELECT e.source_symbol, e.target_symbol, e.kind, e.certainty, {_AT} FROM edges e"
    " JOIN symbols t ON t.id = e.target_symbol WHERE e.source_symbol IS NOT NULL"
    f" AND (e.kind = 'calls' OR e.kind = 'references' AND t.kind NOT IN ({_TYPES}))"
)
_UNKNOWN = (
    f"SELECT e.source_symbol, e.target_name, {_AT} FROM edges e WHERE e.kind = 'calls'"
    " AND e.certainty = 'ambiguous' AND e.target_file IS NULL AND e.source_symbol IS NOT NULL"
)
_WITHIN = (
    "e.source_file IN (SELECT file_id FROM symbols WHERE id IN ({0})) AND e.source_symbol IN ({0})"
)
_CONSTRUCTS = (
    "SELECT c.id, m.id, 'constructs', 'resolved', m.file_id, m.line FROM symbols c"
    " JOIN symbols m ON m.file_id = c.file_id AND m.qualified = c.qualified || '.' || m.name"
    f" WHERE m.name IN ({', '.join(map(repr, _CONSTRUCTORS))})"
)
_OVERRIDDEN = (
    "SELECT m.id, o.id, 'overridden', e.certainty, o.file_id, o.line FROM symbols m"
    f" JOIN symbols c ON c.file_id = m.file_id AND c.qualified = {_OWNER.format('m')}"
    " JOIN edges e ON e.target_symbol = c.id AND e.kind = 'extends'"
    " JOIN symbols b ON b.id = e.source_symbol"
    " JOIN symbols o ON o.file_id = b.file_id AND o.qualified = b.qualified || '.' || m.name"
)
_OVERRIDING = (
    "SELECT m.id, o.id, 'overridden', e.certainty, o.file_id, o.line FROM symbols o"
    f" JOIN symbols b ON b.file_id = o.file_id AND b.qualified = {_OWNER.format('o')}"
    " JOIN edges e ON e.source_file = b.file_id AND e.source_symbol = b.id AND e.kind = 'extends'"
    " JOIN symbols c ON c.id = e.target_symbol"
    " JOIN symbols m ON m.file_id = c.file_id AND m.qualified = c.qualified || '.' || o.name"
)
_FILES = (
    f"SELECT DISTINCT e.source_file, e.target_file, e.kind, e.certainty, {_AT} FROM edges e"
    " WHERE e.target_file != e.source_file AND e.kind IN ('imports', 'calls', 'extends')"
)


def steps_from(connection: sqlite3.Connection, symbols: Collection[int]) -> list[Step]:
    """Return where it may go on from these symbols."""
    unknown = [
        Step(source, target, "calls", "ambiguous", file, line)
        for source, name, file, line in _rows(connection, f"{_UNKNOWN} AND {_WITHIN}", symbols)
        for target in _methods_called(connection, name)
    ]
    return [
        *_steps(connection, f"{_USES} AND {_WITHIN}", symbols),
        *unknown,
        *_steps(connection, f"{_CONSTRUCTS} AND c.id IN ({{0}})", symbols),
        *_steps(connection, f"{_OVERRIDDEN} WHERE m.id IN ({{0}})", symbols),
    ]


def steps_to(connection: sqlite3.Connection, symbols: Collection[int]) -> list[Step]:
    """Return from where it may come to these symbols."""
    return [
        *_steps(connection, f"{_USES} AND e.target_symbol IN ({{0}})", symbols),
        *_unknown_to(connection, symbols),
        *_steps(connection, f"{_CONSTRUCTS} AND m.id IN ({{0}})", symbols),
        *_steps(connection, f"{_OVERRIDING} WHERE o.id IN ({{0}})", symbols),
    ]


def _unknown_to(connection: sqlite3.Connection, symbols: Collection[int]) -> Iterator[Step]:
    named = "SELECT id, name FROM symbols WHERE kind = 'method' AND id IN ({0})"
    for one, name in _rows(connection, named, symbols):
        if one in _methods_called(connection, name):
            for source, _, file, line in connection.execute(
                f"{_UNKNOWN} AND e.target_name = ?", (name,)
            ):
                yield Step(source, one, "calls", "ambiguous", file, line)


def _methods_called(connection: sqlite3.Connection, name: str) -> list[int]:
    """Return the few methods of a name; none if there are many."""
    rows = connection.execute(
        "SELECT s.id FROM symbols s JOIN files f ON f.id = s.file_id WHERE s.folded = ?"
        " AND s.name = ? AND s.kind = 'method' AND NOT f.is_test LIMIT ?",
        (fold(name), name, _CANDIDATES + 1),
    ).fetchall()
    return [one for (one,) in rows] if len(rows) <= _CANDIDATES else []


def file_steps_from(connection: sqlite3.Connection, files: Collection[int]) -> list[Step]:
    """Return which files these files use."""
    return _steps(connection, f"{_FILES} AND e.source_file IN ({{0}})", files)


def file_steps_to(connection: sqlite3.Connection, files: Collection[int]) -> list[Step]:
    """Return which files use these files."""
    inside = "SELECT id FROM symbols WHERE file_id IN ({0})"
    return [
        *_steps(
            connection, f"{_FILES} AND e.target_symbol IS NULL AND e.target_file IN ({{0}})", files
        ),
        *_steps(connection, f"{_FILES} AND e.target_symbol IN ({inside})", files),
    ]


def _steps(connection: sqlite3.Connection, sql: str, ids: Collection[int]) -> list[Step]:
    return [Step(*row) for row in _rows(connection, sql, ids)]


def _rows(connection: sqlite3.Connection, sql: str, ids: Collection[int]) -> Iterator[Any]:
    """Run a statement for parts of the ids, which stand where its marks are."""
    for part in in_parts(sorted(ids)):
        yield from connection.execute(sql.format(", ".join(map(str, part))))
