"""Calls of members of something of which nothing is known, and whom they may mean by their name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from codeindex.languages.families import kin
from codeindex.store.links import Arrow, possible_calls
from codeindex.store.parts import in_parts, marks
from codeindex.words import fold

if TYPE_CHECKING:
    import sqlite3

_CANDIDATES = 3
"""A call of a member of something unknown may mean so many methods; of a name that more have,
nothing can be said."""


def few_methods(
    connection: sqlite3.Connection, name: str, language: str, *, most: int = _CANDIDATES
) -> list[int]:
    """Return the few methods that code in a language may mean by a name; none if there are many."""
    family = sorted(kin(language))
    rows = connection.execute(
        "SELECT s.id FROM symbols s JOIN files f ON f.id = s.file_id WHERE s.folded = ?"  # noqa: S608 (marks)
        " AND s.name = ? AND s.kind = 'method' AND NOT f.is_test"
        f" AND f.language IN ({marks(family)}) LIMIT ?",
        (fold(name), name, *family, most + 1),
    ).fetchall()
    return [one for (one,) in rows] if len(rows) <= most else []


def possible_arrows(
    connection: sqlite3.Connection, symbols: Iterable[int], *, most: int = _CANDIDATES
) -> Iterator[Arrow]:
    """Yield the calls of something unknown that may mean one of these methods or few others."""
    for part in in_parts(symbols):
        rows = connection.execute(
            "SELECT s.id, s.name, f.language FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (marks)
            f" WHERE s.kind = 'method' AND s.id IN ({marks(part)})",
            part,
        ).fetchall()
        for one, name, language in rows:
            if one in few_methods(connection, name, language, most=most):
                for link in possible_calls(connection, [name], languages=[language]):
                    yield Arrow(one, 0, link)
