"""The ends of a way that is asked for: what a question says of them, and where that is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.query.relation import strip_around
from codeindex.search.routes.subject import resolve_subject
from codeindex.store.catalog.sql_values import placeholders
from codeindex.types import OWNER_KINDS, Hit, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3

_MEANT = 12
"""Symbols that one end may mean."""
_LIKELY = 3
"""Hits of a search for an end that nothing here is called like."""
_GOING = (
    r"(?:get|gets|reach|reaches|travel|travels|pass|passes|passed|propagate|propagates|propagated"
    r"|flow|flows|go|goes|make its way|makes its way)"
)
_SAID = (
    r".*?\bfrom (?P<start>\S.*?) (?:down )?(?:to|into) (?P<goal>\S.*)",
    r".*?\bbetween (?P<start>\S.*?) and (?P<goal>\S.*)",
    (
        rf"how (?:does|do|is|are) (?P<start>\S.*?) {_GOING} (?:down )?(?:to|into|through)"
        r" (?P<goal>\S.*)"
    ),
    r"(?:trace|follow) (?P<start>\S.*?) (?:to|into|through) (?P<goal>\S.*)",
    r"how is (?P<goal>\S+) (?:reached|called) from (?P<start>\S+)",
    r"(?:how )?(?:does|do|can|is) (?P<start>\S+) \S.* (?P<goal>\S+)",
    r"(?:.* )?(?P<start>\S+) (?:to|->|=>|→) (?P<goal>\S+)",
)
_AROUND = re.compile(
    r"^(?:(?:the|a|an|our|any|one|each|method|function|class|module) )+"
    r"|(?: (?:method|function|class|module|layer|step by step|end to end))+$",
    re.IGNORECASE,
)
_STOPS = "?!.,;: \"'`"
_ENDS_IN = OWNER_KINDS | {
    SymbolKind.FUNCTION,
    SymbolKind.METHOD,
    SymbolKind.CONSTRUCTOR,
    SymbolKind.PROPERTY,
}


class FlowEndpoint(NamedTuple):
    """Where an end of a path may be: symbols, and whole files."""

    said: str
    symbols: tuple[int, ...]
    files: tuple[int, ...]


def parse_flow_endpoints(text: str) -> tuple[str, str] | None:
    """Read the two ends out of a question."""
    bare = " ".join(text.split()).strip(_STOPS)
    for row in _SAID:
        if found := re.fullmatch(row, bare, re.IGNORECASE):
            start, goal = (strip_around(found[name], _AROUND) for name in ("start", "goal"))
            return (start, goal) if start and goal else None
    return None


def locate_endpoint(
    connection: sqlite3.Connection, said: str, look: Callable[[str], Sequence[Hit]]
) -> FlowEndpoint:
    """Find what an end means: by its name, else by a search for it.

    What a search finds are symbols alone: between files that few words lead to, imports always lie.
    """
    found = resolve_subject(connection, said)
    symbols = [one for one in found.symbols if one.kind in _ENDS_IN] if found else []
    best = [one for one in symbols if not one.is_test]
    if best or (symbols and found and not found.files):
        return FlowEndpoint(said, tuple(_with_members(connection, (best or symbols)[:_MEANT])), ())
    if found and found.files:
        return FlowEndpoint(said, _symbols_of(connection, found.files), found.files)
    looked = look(said)
    hits = ([hit for hit in looked if not hit.is_test] or looked)[:_LIKELY]
    ids = [one for hit in hits for one in _symbols_at(connection, hit)]
    return FlowEndpoint(said, tuple(dict.fromkeys(ids)), ())


def _with_members(connection: sqlite3.Connection, nodes: Sequence[Node]) -> list[int]:
    """Return symbols, and of types their members: a way may begin or end at any of them."""
    ids = [one.id for one in nodes]
    for one in nodes:
        if one.kind in OWNER_KINDS:
            rows = connection.execute(
                "SELECT id FROM symbols WHERE file_id = ? AND qualified BETWEEN ? AND ?",
                (one.file_id, f"{one.qualified}.", f"{one.qualified}.\U0010ffff"),
            )
            ids += [member for (member,) in rows]
    return list(dict.fromkeys(ids))


def _symbols_of(connection: sqlite3.Connection, files: Sequence[int]) -> tuple[int, ...]:
    rows = connection.execute(
        f"SELECT id FROM symbols WHERE file_id IN ({placeholders(files)})",  # noqa: S608 (marks)
        tuple(files),
    )
    return tuple(one for (one,) in rows)


def _symbols_at(connection: sqlite3.Connection, hit: Hit) -> list[int]:
    rows = connection.execute(
        "SELECT s.id FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE f.path = ? AND s.line BETWEEN ? AND ?",
        (hit.path, hit.start_line, hit.end_line),
    )
    return [one for (one,) in rows]
