"""Find files and declarations: by folder, file, name or signature."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from codeindex.store.catalog.sql_values import escape_like
from codeindex.store.symbols.nodes import WITHOUT_BODY, select_symbols
from codeindex.text.words import fold_name
from codeindex.types import Node, TestScope

_NEAREST = 3
_NEAR = 0.7
_FROM = "FROM symbols s JOIN files f ON f.id = s.file_id"


def declarations_in(connection: sqlite3.Connection, files: Iterable[int]) -> list[Node]:
    """Return all symbols of these files, sorted by path, then in source order."""
    inside = "s.file_id IN (SELECT value FROM json_each(?)) ORDER BY f.path, s.number"
    return select_symbols(connection, inside, (json.dumps([*files]),))


def similar_names(connection: sqlite3.Connection, name: str) -> list[str]:
    """Return up to three symbol names most similar to `name`, ignoring case and underscores.

    For speed, only names of similar length and with similar letters are compared.
    """
    wanted = fold_name(name)
    counts = Counter(wanted)
    shortest = len(wanted) * _NEAR / (2 - _NEAR)  # difflib's ratio is 2 * common / (length + other)
    rows = connection.execute(
        "SELECT DISTINCT folded FROM symbols WHERE length(folded) BETWEEN ? AND ?",
        (shortest, len(wanted) * (2 - _NEAR) / _NEAR),
    )
    alike = [value for (value,) in rows if _may_be_near(value, counts, len(wanted))]
    import difflib

    near = difflib.get_close_matches(wanted, alike, _NEAREST, _NEAR)
    spelt = "SELECT name FROM symbols WHERE folded = ? GROUP BY name ORDER BY count(*) DESC, name"
    return [connection.execute(spelt, (item,)).fetchone()[0] for item in near]


def _may_be_near(name: str, counts: Mapping[str, int], length: int) -> bool:
    """Tell whether `name` has enough letters in common with another name to be similar to it.

    `counts` ({letter: number}) and `length` describe the other name.
    """
    shared = sum(map(counts.__getitem__, counts.keys() & set(name)))
    return 2 * shared >= _NEAR * (length + len(name))


class SymbolPage(NamedTuple):
    """The best matches of a search for symbols; `total` counts all matches."""

    nodes: list[Node]
    total: int


def find_declarations(
    connection: sqlite3.Connection,
    text: str,
    *,
    limit: int,
    places: Sequence[str] = (),
    tests: TestScope = "include",
) -> SymbolPage:
    """Return the symbols whose name contains `text`; if `text` has a dot, their qualified name.

    Order: equal names first, then names that start with `text`, then the same case if `text` has
    upper case, functions and types before data, then symbols in files that many others use.
    `places` (files or folders) and `tests` restrict the files.
    """
    column = "s.qualified" if "." in text else "s.name"
    name = text.rpartition(".")[2]
    cased = name if name != name.lower() else ""
    below = " OR ".join(["f.path = ? OR f.path >= ? AND f.path < ?"] * len(places))
    ranges = [bound for place in places for bound in (place, f"{place}/", f"{place}0")]
    return _page(
        connection,
        f"{column} LIKE ? ESCAPE '\\'{f' AND ({below})' if places else ''}{_OF_TESTS[tests]}",
        f"s.folded != ?, {column} NOT LIKE ? ESCAPE '\\', ? != '' AND s.name != ?,"
        " s.kind IN ('field', 'enum_member', 'variable')",
        (
            (f"%{escape_like(text)}%", *ranges),
            (fold_name(name), f"{escape_like(text)}%", cased, cased),
        ),
        limit,
    )


_OF_TESTS: Mapping[TestScope, str] = {
    "include": "",
    "exclude": " AND NOT f.is_test",
    "only": " AND f.is_test",
}
_MOST_IN_SIGNATURE = 100
"""Most names in one query: no function takes more parameters, and SQLite limits an expression to
1,000 terms."""
_WITH_SIGNATURES = "s.kind IN ('function', 'method', 'constructor', 'property', 'macro')"


def functions_taking(
    connection: sqlite3.Connection, names: Sequence[str], *, limit: int
) -> list[Node]:
    """Return at most `limit` functions, properties and macros whose signature contains all `names`.

    Case is ignored. Code outside of tests comes first, then the most central files. Return [] for
    more than 100 names.
    """
    names = tuple(dict.fromkeys(names))
    if len(names) > _MOST_IN_SIGNATURE:
        return []
    like = " AND ".join(["s.signature LIKE ? ESCAPE '\\'"] * len(names))
    return select_symbols(
        connection,
        f"{like} AND {_WITH_SIGNATURES}"
        " ORDER BY f.is_test, f.centrality DESC, f.path, s.number LIMIT ?",
        (*(f"%{escape_like(name)}%" for name in names), limit),
    )


def find_signatures(connection: sqlite3.Connection, text: str, *, limit: int) -> SymbolPage:
    """Return the functions whose signature contains `text`, ignoring case.

    Functions in files that many other files use come first.
    """
    return _page(
        connection,
        f"s.signature LIKE ? ESCAPE '\\' AND {_WITH_SIGNATURES}",
        "s.kind = 'constructor'",
        ((f"%{escape_like(text)}%",), ()),
        limit,
    )


def _page(
    connection: sqlite3.Connection,
    condition: str,
    order: str,
    parameters: tuple[Sequence[str], Sequence[str]],
    limit: int,
) -> SymbolPage:
    matched, ordered = parameters
    (total,) = connection.execute(f"SELECT count(*) {_FROM} WHERE {condition}", matched).fetchone()
    nodes = select_symbols(
        connection,
        f"{condition} ORDER BY {order},"
        f" f.is_test, {WITHOUT_BODY}, f.centrality DESC, f.path, s.number LIMIT ?",
        (*matched, *ordered, limit),
    )
    return SymbolPage(nodes, total)
