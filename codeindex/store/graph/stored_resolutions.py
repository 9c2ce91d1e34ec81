"""Read the resolved edges of files by paths and symbol numbers, which every checkout shares."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import sqlite3


class PortableEdge(NamedTuple):
    """An edge of a file, by symbol numbers and by the path of its target.

    The fields are those of `types.EdgeRecord`, without the lines that a compiler states.
    """

    source: int | None
    kind: str
    certainty: str
    target_path: str | None
    target: int | None
    name: str
    lines: str


class PortableResolution(NamedTuple):
    """The resolved edges of one file, by path, and what they depend on.

    `queries`, `answers` and `consulted` are the import queries, the digest of their answers and
    the paths of the files that were read (see `types.FileResolution`).
    """

    path: str
    queries: list[tuple[str, list[str]]]
    answers: str
    consulted: list[str]
    edges: list[PortableEdge]


class EdgeSource(NamedTuple):
    """What edges of a file can refer to."""

    file_id: int
    lines: int
    """The number of its lines."""
    symbols: list[int]
    """The ids of its symbols in source order."""
    identifiers: frozenset[int]
    """The CRC-32 sums of the identifiers in it."""


def portable_resolutions(connection: sqlite3.Connection) -> Iterator[PortableResolution]:
    """Yield the resolutions of all files whose edges are up to date, sorted by path.

    Files with edges that a compiler's index states are left out, and so are files that were
    resolved with a file that is gone.
    """
    paths = dict(connection.execute("SELECT id, path FROM files"))
    rows = connection.execute(
        "SELECT r.file_id, f.path, r.asked, r.found, r.consulted FROM relations r"
        " JOIN files f ON f.id = r.file_id WHERE r.resolved AND NOT EXISTS"
        " (SELECT 1 FROM edges e WHERE e.source_file = r.file_id AND e.compiler != '')"
        " ORDER BY f.path"
    )
    for file_id, path, queries, answers, blob in rows:
        consulted = [paths.get(item) for item in np.frombuffer(blob, dtype="<u4").tolist()]
        known = [item for item in consulted if item is not None]
        if len(known) == len(consulted):
            edges = _portable_edges(connection, file_id, paths)
            yield PortableResolution(path, json.loads(queries), answers, sorted(known), edges)


def edge_sources(connection: sqlite3.Connection, paths: Collection[str]) -> dict[str, EdgeSource]:
    """Return what edges of these files can refer to, by path."""
    symbols: dict[int, list[int]] = defaultdict(list)
    for file_id, symbol in connection.execute(
        "SELECT file_id, id FROM symbols ORDER BY file_id, number"
    ):
        symbols[file_id].append(symbol)
    rows = connection.execute("SELECT id, path, lines, identifiers FROM files")
    return {
        path: EdgeSource(
            file_id, lines, symbols[file_id], frozenset(np.frombuffer(blob, dtype="<u4").tolist())
        )
        for file_id, path, lines, blob in rows
        if path in paths
    }


def _portable_edges(
    connection: sqlite3.Connection, file_id: int, paths: dict[int, str]
) -> list[PortableEdge]:
    rows = connection.execute(
        "SELECT s.number, e.kind, e.certainty, e.target_file, t.number, e.target_name, e.lines"
        " FROM edges e LEFT JOIN symbols s ON s.id = e.source_symbol"
        " LEFT JOIN symbols t ON t.id = e.target_symbol"
        " WHERE e.source_file = ? AND e.kind IN ('calls', 'extends', 'references', 'imports')",
        (file_id,),
    )
    edges = (
        PortableEdge(source, kind, certainty, paths.get(target), number, name, lines)
        for source, kind, certainty, target, number, name, lines in rows
    )
    return sorted(edges, key=repr)  # ids differ between machines: equal indexes have equal parts
