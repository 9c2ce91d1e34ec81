"""Exclude methods that are called implicitly: overrides of external bases, proxy traps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.types import Node

if TYPE_CHECKING:
    import sqlite3

_TRAPS = frozenset(
    {"apply", "construct", "defineProperty", "deleteProperty", "get", "getOwnPropertyDescriptor"}
    | {"getPrototypeOf", "has", "isExtensible", "ownKeys", "preventExtensions", "set"}
    | {"setPrototypeOf"}
)
"""Handler methods that a JavaScript `Proxy` calls."""


def exclude_implicitly_called(connection: sqlite3.Connection, nodes: Iterable[Node]) -> list[Node]:
    """Return the nodes without proxy traps and without overrides of base methods."""
    standing_in = _standing_in(connection)
    left = [node for node in nodes if (node.path, node.qualified) not in standing_in]
    traps = _traps(connection) if any(node.name in _TRAPS for node in left) else frozenset()
    return [node for node in left if node.id not in traps]


def _standing_in(connection: sqlite3.Connection) -> _StandingIn:
    rows = connection.execute(
        "SELECT sf.path, s.qualified, tf.path, t.qualified, e.target_name FROM edges e"
        " JOIN symbols s ON s.id = e.source_symbol JOIN files sf ON sf.id = s.file_id"
        " LEFT JOIN symbols t ON t.id = e.target_symbol LEFT JOIN files tf ON tf.id = t.file_id"
        " WHERE e.kind = 'extends'"
    )
    bases: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for path, name, base_path, base, outside in rows:
        target = (base_path, base) if base else ("", outside)
        bases.setdefault((path, name), []).append(target)
    symbols = connection.execute(
        "SELECT f.path, s.qualified FROM symbols s JOIN files f ON f.id = s.file_id"
    )
    return _StandingIn(bases, frozenset(symbols))


def _traps(connection: sqlite3.Connection) -> frozenset[int]:
    """Return the proxy traps among the members of what files with `new Proxy` define or use."""
    makers = "SELECT file_id FROM chunks WHERE instr(text, 'new Proxy(')"
    rows = connection.execute(
        "SELECT s.id, s.name FROM symbols o JOIN symbols s ON s.file_id = o.file_id"  # noqa: S608 (constant)
        " AND s.qualified = o.qualified || '.' || s.name WHERE o.id IN (SELECT id FROM symbols"
        f" WHERE file_id IN ({makers}) UNION SELECT target_symbol FROM edges"
        f" WHERE source_file IN ({makers}))"
    )
    return frozenset(one for one, name in rows if name in _TRAPS)


_OWN_BASES = frozenset(
    {"object", "Exception", "ABC", "abc.ABC", "typing.Protocol", "typing.Generic"}
)
"""External bases that call no method of a subclass by name."""


@dataclass(frozen=True, slots=True)
class _StandingIn:
    """The methods whose base has a method of this name, or is external."""

    bases: Mapping[tuple[str, str], list[tuple[str, str]]]
    symbols: frozenset[tuple[str, str]]

    def __contains__(self, method: tuple[str, str]) -> bool:
        path, qualified = method
        owner, _, name = qualified.rpartition(".")
        visited, todo = set(), list(self.bases.get((path, owner), ()))
        while todo:
            base = todo.pop()
            if base in visited:
                continue
            visited.add(base)
            outside = not base[0] and base[1] not in _OWN_BASES
            if outside or (base[0], f"{base[1]}.{name}") in self.symbols:
                return True
            todo += self.bases.get(base, ())
        return False
