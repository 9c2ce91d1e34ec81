"""Find the members that an unresolved use may mean, and the unresolved uses of a member.

An unresolved use is a call or reference through a receiver of unknown type.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from codeindex.languages import language_family
from codeindex.store.catalog.sql_values import placeholders, value_batches
from codeindex.store.graph.adjacency import IncomingLink
from codeindex.store.graph.edges import possible_edges
from codeindex.store.graph.links import linked_edges
from codeindex.text.words import fold_name

_CANDIDATES = 3
"""Maximum number of candidates of an unresolved use; a use with more is too vague and is
ignored."""


def candidate_members(
    connection: sqlite3.Connection, name: str, language: str, use: str
) -> list[int]:
    """Return ids of the members that an unresolved use may mean; [] if more than three match.

    `name` is the used name, `language` that of the using code, and `use` the kind of the edge, such
    as `calls`. Methods called `name` take precedence. If there are none, a call may mean a property
    with the name, whose value it calls.
    """
    family = sorted(language_family(language))
    rows = connection.execute(
        "SELECT s.kind, s.id FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (marks)
        " WHERE s.folded = ? AND s.name = ? AND s.kind IN ('method', 'property')"
        f" AND NOT f.is_test AND f.language IN ({placeholders(family)})",
        (fold_name(name), name, *family),
    ).fetchall()
    best = min((kind for kind, _ in rows), default="")  # `method` comes before `property`
    found = [item for kind, item in rows if kind == best]
    return found if len(found) <= _CANDIDATES and (best == "method" or use == "calls") else []


def possible_incoming_links(
    connection: sqlite3.Connection, symbols: Iterable[int]
) -> Iterator[IncomingLink]:
    """Yield an edge for each unresolved use that may mean one of these members.

    `symbols` are ids; `candidate_members` decides which members a use may mean.
    """
    candidates: dict[tuple[str, str], list[int]] = {}
    for part in value_batches(symbols):
        rows = connection.execute(
            "SELECT s.id, s.name, s.kind = 'method', f.language FROM symbols s"  # noqa: S608 (marks)
            " JOIN files f ON f.id = s.file_id"
            f" WHERE s.kind IN ('method', 'property') AND s.id IN ({placeholders(part)})",
            part,
        ).fetchall()
        for symbol_id, name, is_method, language in rows:
            if (name, language) not in candidates:
                candidates[name, language] = candidate_members(connection, name, language, "calls")
            if symbol_id in candidates[name, language]:
                found = possible_edges(
                    connection, [name], languages=[language], with_references=is_method
                )
                links = linked_edges(connection, found)
                yield from (IncomingLink(symbol_id, 0, link) for link in links)
