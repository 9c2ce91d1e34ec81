"""Read flow steps: from a symbol to the symbols that control or data may reach next, and back.

A step is a call, a reference to a function or property (`references`), the step from a type to its
constructor (`constructs`), or from a method to its override in a subtype (`overridden`). A
reference to a type is no step, because annotations would connect everything. Between files, steps
are imports, calls and `extends`.
"""

# ruff: noqa: S608 (constants, and ids, which are numbers)
from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from codeindex.languages import LANGUAGES
from codeindex.store.catalog.sql_values import value_batches
from codeindex.store.graph.unresolved_references import candidate_members, possible_incoming_links
from codeindex.types import CONSTRUCTOR_NAMES, OWNER_KINDS, Certainty


class EdgeStep(NamedTuple):
    """One step of a path through the code, from `source` to `target`.

    `source` and `target` are two symbol ids or two file ids. A step is a use, such as a call or an
    import, or leads from a method to an override. `file` (an id) and `line` tell where its code is.
    """

    source: int
    target: int
    kind: str
    certainty: Certainty
    file: int
    line: int


FlowStepQuery = Callable[["sqlite3.Connection", Collection[int]], list[EdgeStep]]

_TYPES = ", ".join(f"'{item}'" for item in sorted(OWNER_KINDS))
_AT = "e.source_file, CAST(e.lines AS INTEGER)"
"""SQL columns: source file and first line of an edge."""
_OWNER = "substr({0}.qualified, 1, length({0}.qualified) - length({0}.name) - 1)"
_USES = (
    f"SELECT e.source_symbol, e.target_symbol, e.kind, e.certainty, {_AT} FROM edges e"
    " JOIN symbols t ON t.id = e.target_symbol WHERE e.source_symbol IS NOT NULL"
    f" AND (e.kind = 'calls' OR e.kind = 'references' AND t.kind NOT IN ({_TYPES}))"
)
_UNKNOWN = (
    f"SELECT e.source_symbol, e.target_name, e.kind, {_AT}, f.language FROM edges e"
    " JOIN files f ON f.id = e.source_file WHERE e.kind IN ('calls', 'references')"
    " AND e.certainty = 'ambiguous' AND e.target_file IS NULL AND e.source_symbol IS NOT NULL"
)
_WITHIN = (
    "e.source_file IN (SELECT file_id FROM symbols WHERE id IN ({0})) AND e.source_symbol IN ({0})"
)
_CONSTRUCTS = (
    "SELECT c.id, m.id, 'constructs', 'resolved', m.file_id, m.line FROM symbols c"
    " JOIN symbols m ON m.file_id = c.file_id AND m.qualified = c.qualified || '.' || m.name"
    f" WHERE m.name IN ({', '.join(map(repr, sorted(CONSTRUCTOR_NAMES)))})"
)
_WEAKER = "CASE kin.certainty WHEN 'resolved' THEN e.certainty ELSE kin.certainty END"
_KIN = (
    "WITH RECURSIVE kin (method, name, type, certainty) AS ("
    " SELECT m.id, m.name, c.id, 'resolved' FROM symbols m JOIN symbols c"
    f" ON c.file_id = m.file_id AND c.qualified = {_OWNER.format('m')} WHERE m.id IN ({{{{0}}}})"
    f" UNION SELECT kin.method, kin.name, e.{{next}}, {_WEAKER} FROM kin"
    " JOIN symbols t ON t.id = kin.type JOIN edges e ON {edge} AND e.kind = 'extends'"
    " WHERE e.{next} IS NOT NULL)"
    " SELECT {ends}, 'overridden', kin.certainty, {below}.file_id, {below}.line FROM kin"
    " JOIN symbols given ON given.id = kin.method JOIN symbols t ON t.id = kin.type"
    " JOIN symbols other ON other.file_id = t.file_id"
    " AND other.qualified = t.qualified || '.' || kin.name AND other.id != kin.method"
)
"""SQL template: methods of the same name in types that extend each other, directly or
indirectly."""
_OVERRIDING = _KIN.format(
    next="source_symbol", edge="e.target_symbol = t.id", ends="kin.method, other.id", below="other"
)
_OVERRIDDEN = _KIN.format(
    next="target_symbol",
    edge="e.source_file = t.file_id AND e.source_symbol = t.id",
    ends="other.id, kin.method",
    below="given",
)
_AT_ONCE = (
    "WITH RECURSIVE kin (name, type, certainty, is_other) AS ("
    " SELECT DISTINCT m.name, c.id, 'resolved', 0 FROM symbols m JOIN symbols c"
    f" ON c.file_id = m.file_id AND c.qualified = {_OWNER.format('m')} WHERE m.id IN ({{{{0}}}})"
    f" UNION SELECT kin.name, e.{{next}}, {_WEAKER}, 1 FROM kin"
    " JOIN symbols t ON t.id = kin.type JOIN edges e ON {edge} AND e.kind = 'extends'"
    " WHERE e.{next} IS NOT NULL)"
    " SELECT DISTINCT other.id, kin.certainty FROM kin JOIN symbols t ON t.id = kin.type"
    " JOIN symbols other ON other.file_id = t.file_id"
    " AND other.qualified = t.qualified || '.' || kin.name WHERE kin.is_other"
)
"""Like `_KIN`, but for many methods at once: each type is visited once per name."""
_REPLACING = _AT_ONCE.format(next="source_symbol", edge="e.target_symbol = t.id")
_REPLACED = _AT_ONCE.format(
    next="target_symbol", edge="e.source_file = t.file_id AND e.source_symbol = t.id"
)
_LANGUAGES = ", ".join(
    f"'{name}'" for name, each in LANGUAGES.items() if each.inherited_implementations
)
_ABSTRACT = "({0}.cyclomatic = 0 OR {1}.kind = 'interface')"
_MIXIN = "{0}.kind IN ('trait', 'module')"
_DECLARES = (
    "EXISTS (SELECT 1 FROM symbols own WHERE own.file_id = t.file_id"
    " AND own.qualified = t.qualified || '.' || kin.name{0})"
)
_ENDS = " AND (own.cyclomatic > 0 OR own.id = kin.method)"
"""Condition on a type's declaration of the method: the search does not go on to the supertypes of
such a type. The declaration has a body, which overrides all those above, or is the given method."""
_BESIDE = (
    "WITH RECURSIVE kin (method, name, type, certainty, phase) AS ("
    " SELECT m.id, m.name, owner.id, 'resolved', 'start' FROM symbols m JOIN symbols owner"
    f" ON owner.file_id = m.file_id AND owner.qualified = {_OWNER.format('m')} JOIN files f"
    f" ON f.id = m.file_id AND f.language IN ({_LANGUAGES}) WHERE m.id IN ({{{{0}}}})"
    " AND m.kind = 'method' AND EXISTS (SELECT 1 FROM symbols o WHERE o.folded = m.folded"
    " AND o.name = m.name AND o.id != m.id AND o.kind = 'method')"
    f" UNION SELECT kin.method, kin.name, t.id, {_WEAKER}, 'down' FROM kin JOIN edges e"
    " ON e.target_symbol = kin.type AND e.kind = 'extends' JOIN symbols t"
    f" ON t.id = e.source_symbol WHERE kin.phase != 'up' AND NOT {_DECLARES.format('')}"
    f" UNION SELECT kin.method, kin.name, e.target_symbol, {_WEAKER}, 'up' FROM kin"
    " JOIN symbols t ON t.id = kin.type JOIN edges e ON e.source_file = t.file_id"
    " AND e.source_symbol = t.id AND e.kind = 'extends' WHERE kin.phase != 'start' AND"
    f" e.target_symbol IS NOT NULL AND NOT {_DECLARES.format(_ENDS)})"
    " SELECT DISTINCT {ends}, 'overridden', kin.certainty, {below}.file_id, {below}.line FROM kin"
    " JOIN symbols given ON given.id = kin.method JOIN symbols owner"
    f" ON owner.file_id = given.file_id AND owner.qualified = {_OWNER.format('given')}"
    " JOIN symbols t ON t.id = kin.type JOIN symbols other ON other.file_id = t.file_id"
    " AND other.qualified = t.qualified || '.' || kin.name"
    " AND (other.qualified, other.file_id)"
    " != (given.qualified, given.file_id)"
    " WHERE kin.phase = 'up' AND other.kind = 'method' AND {condition}"
)
"""SQL template: pairs of methods with the same name in types that do not extend each other. They
have a common subtype, which inherits one of the methods as the implementation of the other. `ends`
are the ids of the pair, `below` is the implementation."""
_IMPLEMENTING = _BESIDE.format(
    ends="kin.method, other.id",
    below="other",
    condition=f"other.cyclomatic > 0 AND ({_ABSTRACT.format('given', 'owner')}"
    f" OR {_MIXIN.format('t')} AND NOT {_MIXIN.format('owner')})",
)
_IMPLEMENTED = _BESIDE.format(
    ends="other.id, kin.method",
    below="given",
    condition=f"given.cyclomatic > 0 AND ({_ABSTRACT.format('other', 't')}"
    f" OR {_MIXIN.format('owner')} AND NOT {_MIXIN.format('t')})",
)
_FILES = (
    f"SELECT DISTINCT e.source_file, e.target_file, e.kind, e.certainty, {_AT} FROM edges e"
    " WHERE e.target_file != e.source_file AND e.kind IN ('imports', 'calls', 'extends')"
)


def steps_from(connection: sqlite3.Connection, symbols: Collection[int]) -> list[EdgeStep]:
    """Return the steps from these symbols to what they use, and to methods that override them.

    `symbols` are ids.
    """
    unknown = [
        EdgeStep(source, target, kind, "ambiguous", file, line)
        for source, name, kind, file, line, language in _rows(
            connection, f"{_UNKNOWN} AND {_WITHIN}", symbols
        )
        for target in candidate_members(connection, name, language, kind)
    ]
    return [
        *_steps(connection, f"{_USES} AND {_WITHIN}", symbols),
        *unknown,
        *_steps(connection, f"{_CONSTRUCTS} AND c.id IN ({{0}})", symbols),
        *_steps(connection, _OVERRIDING, symbols),
        *_steps(connection, _IMPLEMENTING, symbols),
    ]


def overriding_methods(
    connection: sqlite3.Connection, methods: Collection[int]
) -> dict[int, Certainty]:
    """Return {id: certainty} of the methods that override or implement the given `methods`, by id.

    They are in subtypes, or in other types from which a subtype inherits them. The certainty is
    `resolved` if all `extends` edges on some chain of types between the two methods are resolved.
    """
    beside = _steps(connection, _IMPLEMENTING, methods)
    rows = _rows(connection, _REPLACING, methods)
    return _surest((*rows, *((step.target, step.certainty) for step in beside)))


def overridden_methods(
    connection: sqlite3.Connection, methods: Collection[int]
) -> dict[int, Certainty]:
    """Return {id: certainty} of the methods that the given `methods` override or implement, by id.

    They are in supertypes, or in other supertypes of a subtype that inherits the given method. The
    certainty is `resolved` if all `extends` edges on some chain of types between the two methods
    are resolved.
    """
    beside = _steps(connection, _IMPLEMENTED, methods)
    rows = _rows(connection, _REPLACED, methods)
    return _surest((*rows, *((step.source, step.certainty) for step in beside)))


def _surest(rows: Iterable[tuple[int, Certainty]]) -> dict[int, Certainty]:
    found: dict[int, Certainty] = {}
    for symbol_id, certainty in rows:
        sure = certainty == "resolved" or found.get(symbol_id) == "resolved"
        found[symbol_id] = "resolved" if sure else "ambiguous"
    return found


def steps_to(connection: sqlite3.Connection, symbols: Collection[int]) -> list[EdgeStep]:
    """Return the steps to symbols (ids) from their users: the reverse of `steps_from`."""
    return [
        *_steps(connection, f"{_USES} AND e.target_symbol IN ({{0}})", symbols),
        *_unknown_to(connection, symbols),
        *_steps(connection, f"{_CONSTRUCTS} AND m.id IN ({{0}})", symbols),
        *_steps(connection, _OVERRIDDEN, symbols),
        *_steps(connection, _IMPLEMENTED, symbols),
    ]


def _unknown_to(connection: sqlite3.Connection, symbols: Collection[int]) -> Iterator[EdgeStep]:
    for use in possible_incoming_links(connection, symbols):
        caller = use.link.node
        if caller and caller.id:
            line = use.link.lines[0]
            yield EdgeStep(caller.id, use.symbol, use.link.kind, "ambiguous", caller.file_id, line)


def file_steps_from(connection: sqlite3.Connection, files: Collection[int]) -> list[EdgeStep]:
    """Return a step for each file that these files import, call or extend."""
    return _steps(connection, f"{_FILES} AND e.source_file IN ({{0}})", files)


def file_steps_to(connection: sqlite3.Connection, files: Collection[int]) -> list[EdgeStep]:
    """Return a step for each file that imports, calls or extends these files."""
    inside = "SELECT id FROM symbols WHERE file_id IN ({0})"
    return [
        *_steps(
            connection, f"{_FILES} AND e.target_symbol IS NULL AND e.target_file IN ({{0}})", files
        ),
        *_steps(connection, f"{_FILES} AND e.target_symbol IN ({inside})", files),
    ]


def _steps(connection: sqlite3.Connection, sql: str, ids: Collection[int]) -> list[EdgeStep]:
    return [EdgeStep(*row) for row in _rows(connection, sql, ids)]


def _rows(connection: sqlite3.Connection, sql: str, ids: Collection[int]) -> Iterator[Any]:
    """Run a statement in which `{0}` stands for a list of ids, once per batch; yield all rows."""
    for part in value_batches(sorted(ids)):
        yield from connection.execute(sql.format(", ".join(map(str, part))))
