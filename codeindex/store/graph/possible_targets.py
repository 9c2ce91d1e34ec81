"""Read data that helps to choose which of several members with one name a call means.

It is used for calls whose receiver has an unknown type.
"""

# ruff: noqa: S608 (constants and marks)
from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from codeindex.store.catalog.sql_values import placeholders, select_in, value_batches
from codeindex.store.symbols.nodes import select_symbols
from codeindex.text.words import fold_name
from codeindex.types import OWNER_KINDS, Node

_HIGHEST = 20
"""Maximum inheritance depth, which ends the search if types extend each other in a cycle."""


def members_named(
    connection: sqlite3.Connection, names: Iterable[str], languages: Collection[str]
) -> list[Node]:
    """Return the symbols with these names in code of these languages; types are left out."""
    kinds = sorted(OWNER_KINDS)
    return [
        member
        for part in value_batches(names)
        for member in select_symbols(
            connection,
            f"s.folded IN ({placeholders(part)}) AND s.name IN ({placeholders(part)})"
            f" AND s.kind NOT IN ({placeholders(kinds)})"
            f" AND f.language IN ({placeholders(languages)})",
            (*map(fold_name, part), *part, *kinds, *languages),
        )
    ]


def importers(connection: sqlite3.Connection, files: Iterable[int]) -> Mapping[int, set[int]]:
    """Return {file id: ids of the files that import it} for these files."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    sql = (
        "SELECT target_file, source_file FROM edges WHERE target_symbol IS NULL"
        " AND target_file IN (...) AND kind = 'imports'"
    )
    for target, source in select_in(connection, sql, files):
        found[target].add(source)
    return found


def names_by_receiver(
    connection: sqlite3.Connection, receivers: Iterable[tuple[int, str]]
) -> Mapping[tuple[int, str], set[str]]:
    """Return {(file id, receiver): names called on the receiver} of calls that are not resolved.

    Only these pairs of a file and a receiver are looked up. A receiver is the last name in the
    expression before the member: `cache` in `self.cache.get()` gives `get`.
    """
    found: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
    rows = connection.execute(
        "SELECT e.source_file, e.receiver, e.target_name FROM json_each(?) wanted"
        " JOIN edges e ON e.source_file = json_extract(wanted.value, '$[0]')"
        " AND e.receiver = json_extract(wanted.value, '$[1]') AND e.receiver != ''",
        (json.dumps(sorted(set(receivers))),),
    )
    for file, receiver, name in rows:
        found[file, receiver].add(name)
    return found


def names_of_members(
    connection: sqlite3.Connection, owners: Collection[tuple[int, str]]
) -> dict[tuple[int, str], set[str]]:
    """Return {owner: names of its members}; an owner is (file id, qualified name of a type).

    Inherited members are included. The owner (file id, "") stands for the file: its members are the
    top-level symbols.
    """
    own = _members_by_owner(connection, {file for file, _ in owners})
    types = {
        (file, qualified): key
        for (file, qualified), (key, _) in own.items()
        if key and (file, qualified) in owners
    }
    above = _supertypes(connection, types.values())
    found = {owner: set(own[owner][1]) if owner in own else set() for owner in owners}
    places = {place for key in types.values() for place in above.get(key, ())}
    inherited = _members_by_owner(connection, {file for file, _ in places})
    for owner, key in types.items():
        for place in above.get(key, ()):
            if place in inherited:
                found[owner] |= inherited[place][1]
    return found


def _members_by_owner(
    connection: sqlite3.Connection, files: Iterable[int]
) -> dict[tuple[int, str], tuple[int, set[str]]]:
    """Return {(file id, qualified name of a type): (type id, names of its members)} of files.

    The key (file id, "") has the id 0 and the names of the file's top-level symbols.
    """
    found: dict[tuple[int, str], tuple[int, set[str]]] = {}
    for part in value_batches(files):
        rows = connection.execute(
            "SELECT id, file_id, qualified, name, kind FROM symbols"
            f" WHERE file_id IN ({placeholders(part)}) ORDER BY file_id, number",
            part,
        ).fetchall()
        for key, file, qualified, _, kind in rows:
            if kind in OWNER_KINDS:
                found.setdefault((file, qualified), (key, set()))
        for _, file, qualified, name, _ in rows:
            owner = (file, qualified.rpartition(".")[0])
            found.setdefault(owner, (0, set()))[1].add(name)
    return found


def _supertypes(
    connection: sqlite3.Connection, types: Iterable[int]
) -> Mapping[int, set[tuple[int, str]]]:
    """Return {type id: (file id, qualified name) of each of its direct and indirect supertypes}.

    Supertypes outside the repository are left out.
    """
    found: defaultdict[int, set[tuple[int, str]]] = defaultdict(set)
    for part in value_batches(types):
        rows = connection.execute(
            "WITH RECURSIVE above (start, type, depth) AS ("
            f" SELECT id, id, 0 FROM symbols WHERE id IN ({placeholders(part)})"
            " UNION SELECT above.start, e.target_symbol, above.depth + 1 FROM above"
            " JOIN symbols t ON t.id = above.type"
            " JOIN edges e ON e.source_file = t.file_id AND e.source_symbol = t.id"
            f" AND e.kind = 'extends' WHERE e.target_symbol IS NOT NULL AND depth < {_HIGHEST})"
            " SELECT DISTINCT above.start, s.file_id, s.qualified FROM above"
            " JOIN symbols s ON s.id = above.type WHERE above.depth > 0",
            part,
        )
        for start, file, qualified in rows:
            found[start].add((file, qualified))
    return found
