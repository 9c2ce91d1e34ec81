"""Read the users of symbols and files as ids; callers read the details of the few that they show.

A mention in a document is no use: it passes no change on.
A traversal visits thousands of symbols and shows fifty, so names and lines are read at its end.
"""

# ruff: noqa: S608 (constants and marks)
from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from codeindex.store.catalog.sql_values import placeholders, select_in, value_batches
from codeindex.types import INITIALIZERS, OVERLOAD_PREFIX, USE_KINDS

NodeKey = int
"""A node of the graph: the id of a symbol, or the negative id of a file."""

CALLING_KINDS = frozenset({"calls", "constructs", "contains"})
"""Kinds of links by which the user runs what it uses."""
_CONSTRUCTORS = INITIALIZERS | {"__post_init__", "init"}
_ASSIGNING = frozenset({"method", "constructor", "function"})
_CONTAINING = frozenset({*_ASSIGNING, "property", "test"})


class UserLink(NamedTuple):
    """A link from a node to its `user`: a symbol, or file, in the file with the id `file`.

    `kind` is the kind of the use, and `edge` its row id in the table `edges`. An implicit use, such
    as that of a constructor by its type, has no edge: `edge` is 0, and `line` is the line of the
    used symbol.
    """

    user: NodeKey
    file: int
    kind: str
    is_certain: bool
    edge: int
    line: int = 0
    overloads: int = 0
    """Number of overloads that a call may mean, each with its own link; 0 for other uses."""
    site: str = ""
    """For a call of overloads, its lines: the links of one call have the same lines."""


class NodeUsers(NamedTuple):
    """The links from all users of a node, sorted by path and line, and parts for traversals.

    A traversal that has followed the certain calls of a node needs only the others later.
    """

    links: tuple[UserLink, ...]
    calls: tuple[UserLink, ...]
    """Certain links of the kinds in `CALLING_KINDS`, and such links to one of several overloads."""
    other_than_calls: tuple[UserLink, ...]
    """All except certain links of the kinds in `CALLING_KINDS`."""
    uncertain: tuple[UserLink, ...]


class FileEntry(NamedTuple):
    """A file's path, its position in the list of all paths, and whether it is a test file."""

    path: str
    rank: int
    is_test: bool


class _OutlinedSymbol(NamedTuple):
    id: int
    name: str
    qualified: str
    kind: str
    line: int
    start_line: int
    end_line: int


_LinkOrder = tuple[int, int, str, int]
"""Sort key of a link: rank of its file, first line, kind and, for the few that are equal, edge."""


class UserLinks:
    """A cache of the users of symbols and files, for one generation; each node is read once.

    Besides the users with an edge, there are implicit ones: a type uses its constructor, and a
    function uses the fields that it assigns and the symbols that are defined inside it.
    """

    def __init__(self) -> None:
        self.size = 0
        """Number of links in the cache."""
        self._files: dict[int, FileEntry] = {}
        self._links: dict[NodeKey, NodeUsers] = {}
        self._implicit: dict[int, list[UserLink]] = {}

    def files(self, connection: sqlite3.Connection) -> Mapping[int, FileEntry]:
        """Return {file id: entry} of all files, ordered by path."""
        if not self._files:
            rows = connection.execute("SELECT id, path, is_test FROM files ORDER BY path")
            self._files = {
                file: FileEntry(path, rank, bool(is_test))
                for rank, (file, path, is_test) in enumerate(rows)
            }
        return self._files

    def read(
        self, connection: sqlite3.Connection, keys: Iterable[NodeKey]
    ) -> Iterator[tuple[NodeKey, NodeUsers]]:
        """Yield (key, links from the users of the node) for each of `keys`.

        Implicit links, such as from a constructor to its type, come last.
        """
        wanted = list(keys)
        missing = [key for key in wanted if key not in self._links]
        if missing:
            self._load(connection, missing)
        for key in wanted:
            yield key, self._links[key]

    def _load(self, connection: sqlite3.Connection, keys: Sequence[NodeKey]) -> None:
        files = self.files(connection)
        symbols = [key for key in keys if key > 0]
        self._outline(connection, [key for key in symbols if key not in self._implicit])
        found: defaultdict[NodeKey, list[tuple[_LinkOrder, UserLink]]] = defaultdict(list)
        for column, sign, ids in (
            ("target_symbol", 1, symbols),
            ("target_symbol IS NULL AND target_file", -1, [-key for key in keys if key < 0]),
        ):
            for part in value_batches(ids):
                rows = connection.execute(
                    f"SELECT coalesce(target_symbol, target_file), coalesce(source_symbol, 0),"
                    " source_file, kind, certainty = 'resolved', id,"
                    f" CASE WHEN target_name GLOB '{OVERLOAD_PREFIX}[0-9]*' THEN target_name END,"
                    f" lines FROM edges WHERE {column} IN ({placeholders(part)})"
                    f" AND kind IN ({placeholders(USE_KINDS)})",
                    (*part, *USE_KINDS),
                )
                for target, symbol, file, kind, is_certain, edge, overloads, lines in rows:
                    if file in files:
                        link = UserLink(symbol or -file, file, kind, is_certain, edge)
                        if overloads:
                            number = int(overloads.removeprefix(OVERLOAD_PREFIX))
                            link = link._replace(overloads=number, site=lines)
                        line = int(lines.partition(" ")[0] or 0)
                        found[sign * target].append(((files[file].rank, line, kind, edge), link))
        for key in keys:
            links = (link for _, link in sorted(found[key]))
            every = (*links, *self._implicit.get(key, ()))
            calls = [link for link in every if link.kind in CALLING_KINDS]
            others = [
                link for link in every if not (link.is_certain and link.kind in CALLING_KINDS)
            ]
            self._links[key] = NodeUsers(
                every,
                tuple(link for link in calls if link.is_certain or link.overloads),
                tuple(others),
                tuple(link for link in others if not link.is_certain),
            )
            self.size += len(every)

    def _outline(self, connection: sqlite3.Connection, symbols: Sequence[int]) -> None:
        """Find the implicit users of every symbol in the files that define `symbols` (ids).

        They are kept in `_implicit`.
        """
        of_symbols = "SELECT DISTINCT file_id FROM symbols WHERE id IN (...)"
        files = {file for (file,) in select_in(connection, of_symbols, symbols)}
        outlines: defaultdict[int, list[_OutlinedSymbol]] = defaultdict(list)
        rows = select_in(
            connection,
            "SELECT file_id, id, name, qualified, kind, line, start_line, end_line FROM symbols"
            " WHERE file_id IN (...) ORDER BY file_id, number",
            sorted(files),
        )
        for file, *row in rows:
            outlines[file].append(_OutlinedSymbol(*row))
        for file, outline in outlines.items():
            self._implicit |= _implicit_users(file, outline)


def _implicit_users(file: int, outline: Sequence[_OutlinedSymbol]) -> dict[int, list[UserLink]]:
    """Return {symbol id: its implicit users} for the symbols of one file.

    `file` is its id, and `outline` has its symbols in source order. An implicit user uses a symbol
    without naming it.
    """
    users: dict[int, list[UserLink]] = {}
    by_name: defaultdict[str, list[_OutlinedSymbol]] = defaultdict(list)
    for symbol in outline:
        by_name[symbol.qualified].append(symbol)
    assigning = _Spans([symbol for symbol in outline if symbol.kind in _ASSIGNING])
    for made in outline:
        found = [("constructs", owner) for owner in _constructed_owners(made, by_name)]
        if made.kind == "field":
            found += [("assigns", symbol) for symbol in assigning.around(made.line)]
        if made.kind != "test":
            found += [
                ("contains", symbol)
                for symbol in _outer_symbols(made, by_name)
                if symbol.kind in _CONTAINING and symbol.start_line <= made.line <= symbol.end_line
            ]
        users[made.id] = [
            UserLink(symbol.id, file, kind, is_certain=True, edge=0, line=made.line)
            for kind, symbol in found
        ]
    return users


def _constructed_owners(
    made: _OutlinedSymbol, by_name: Mapping[str, Sequence[_OutlinedSymbol]]
) -> Sequence[_OutlinedSymbol]:
    """Return the types whose constructor is `made`; () if it is no constructor.

    `by_name` maps a qualified name to the symbols of the file with this name.
    """
    is_constructor = made.kind == "constructor" or made.name in _CONSTRUCTORS
    if not is_constructor or not made.qualified.endswith(f".{made.name}"):
        return ()
    return by_name.get(made.qualified[: -len(made.name) - 1], ())


def _outer_symbols(
    made: _OutlinedSymbol, by_name: Mapping[str, Sequence[_OutlinedSymbol]]
) -> Iterator[_OutlinedSymbol]:
    """Yield the symbols that contain `made` according to its qualified name, outermost first.

    For `A.B.c` they are those called `A` and `A.B` in `by_name`.
    """
    dot = made.qualified.find(".")
    while dot >= 0:
        yield from by_name.get(made.qualified[:dot], ())
        dot = made.qualified.find(".", dot + 1)


class _Spans:
    """Finds the functions whose lines include a given line, without testing every function."""

    def __init__(self, symbols: Sequence[_OutlinedSymbol]) -> None:
        self._symbols = sorted(symbols, key=lambda symbol: symbol.start_line)
        self._starts = [symbol.start_line for symbol in self._symbols]
        self._last_ends = list(accumulate((symbol.end_line for symbol in self._symbols), max))

    def around(self, line: int) -> list[_OutlinedSymbol]:
        """Return the functions whose lines include `line`, outermost first."""
        found = []
        at = bisect_right(self._starts, line) - 1
        while at >= 0 and self._last_ends[at] >= line:
            if self._symbols[at].end_line >= line:
                found.append(self._symbols[at])
            at -= 1
        return found[::-1]
