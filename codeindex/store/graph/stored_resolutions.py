"""Read the resolved edges of files in a form that does not depend on the ids of this catalog.

Paths, and the numbers of symbols in their files, replace the ids, so that every checkout of the
repository can use the edges.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from codeindex.store.catalog.relations import unpack_ids, unpack_lookups
from codeindex.text.words import name_checksum


class PortableEdge(NamedTuple):
    """An edge without ids of the catalog, so that another catalog can store it.

    A symbol is given by its number in its file, in source order: `source` is None if the file
    itself is the source; `target` is None if a file is the target. The fields are those of
    `types.EdgeRecord`, without the lines that a compiler's index states.
    """

    source: int | None
    kind: str
    certainty: str
    target_path: str | None
    target: int | None
    name: str
    lines: str
    receiver: str
    arguments: int


class PortableResolution(NamedTuple):
    """The resolved edges of one file without ids of the catalog, and what they depend on.

    The edges are valid as long as this data is unchanged: `shown` is a digest of the names that the
    file exports to its package. `queries` are the modules that its imports looked up, and `answers`
    is a digest of what was found. `consulted` has the path and interface digest of each file that
    was read (see `types.FileResolution`).
    """

    path: str
    shown: str
    queries: list[tuple[str, list[str]]]
    answers: str
    consulted: list[tuple[str, str]]
    edges: list[PortableEdge]


class EdgeSource(NamedTuple):
    """The stored data of a file that tells whether edges from or to the file are still valid."""

    path: str
    file_id: int
    shown: str
    """Digest of the names that the file exports to its package; "" without any."""
    interface: str
    """Digest of the part of the file that other files can see, such as its symbols in their
    order."""
    lines: int
    """Number of lines of the file."""
    symbols: list[int]
    """Ids of the file's symbols in source order."""
    identifiers: bytes
    """The sorted CRC-32 sums of the file's identifiers, packed (`files.identifiers`)."""

    def has_identifier(self, name: str) -> bool:
        """Tell whether the file may contain the identifier `name`.

        False is certain. True may be wrong, since only CRC-32 sums of identifiers are compared.
        """
        sums = np.frombuffer(self.identifiers, dtype="<u4")
        value = name_checksum(name)
        at = int(np.searchsorted(sums, value))
        return at < len(sums) and int(sums[at]) == value


def portable_resolutions(connection: sqlite3.Connection) -> Iterator[PortableResolution]:
    """Yield the resolved edges of each file whose edges are up to date, sorted by path.

    They are in a form that another catalog can store. Files with edges from a compiler's index are
    left out, and so are files whose resolution read a file that no longer exists.
    """
    paths = dict(connection.execute("SELECT id, path FROM files"))
    shown = shown_names_digests(connection)
    interfaces = dict(connection.execute("SELECT file_id, interface FROM relations"))
    rows = connection.execute(
        "SELECT r.file_id, f.path, r.asked, r.found, r.consulted FROM relations r"
        " JOIN files f ON f.id = r.file_id WHERE r.resolved AND NOT EXISTS"
        " (SELECT 1 FROM edges e WHERE e.source_file = r.file_id AND e.compiler != '')"
        " ORDER BY f.path"
    )
    for file_id, path, lookups, answers, blob in rows:
        consulted = unpack_ids(blob)
        known = [(paths[item], interfaces[item]) for item in consulted if item in interfaces]
        if len(known) == len(consulted):
            edges = portable_edges(connection, file_id, paths)
            yield PortableResolution(
                path, shown.get(file_id, ""), unpack_lookups(lookups), answers, sorted(known), edges
            )


def shown_names_digests(connection: sqlite3.Connection) -> dict[int, str]:
    """Return {file id: digest of the names that the file exports to its package}.

    Files without such names are left out.
    """
    names: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for file_id, package, name in connection.execute(
        "SELECT file_id, package, name FROM shown_names ORDER BY file_id, package, name"
    ):
        names[file_id].append((package, name))
    return {
        file_id: hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        for file_id, rows in names.items()
    }


def edge_sources(connection: sqlite3.Connection) -> dict[str, EdgeSource]:
    """Return {path: `EdgeSource`} of every file with stored relations."""
    symbols: dict[int, list[int]] = defaultdict(list)
    for file_id, symbol in connection.execute(
        "SELECT file_id, id FROM symbols ORDER BY file_id, number"
    ):
        symbols[file_id].append(symbol)
    shown = shown_names_digests(connection)
    rows = connection.execute(
        "SELECT f.path, f.id, r.interface, f.lines, f.identifiers FROM files f"
        " JOIN relations r ON r.file_id = f.id"
    )
    return {
        path: EdgeSource(
            path, file_id, shown.get(file_id, ""), interface, lines, symbols[file_id], identifiers
        )
        for path, file_id, interface, lines, identifiers in rows
    }


def mark_interfaces_shown(connection: sqlite3.Connection) -> None:
    """Note that the edges of other files already take the newly added files into account.

    Otherwise those edges would be resolved again because of these files.
    """
    connection.execute("UPDATE relations SET shown = interface WHERE shown = ''")


def portable_edges(
    connection: sqlite3.Connection, file_id: int, paths: Mapping[int, str]
) -> list[PortableEdge]:
    """Return the stored edges of a file in a form that another catalog can store, sorted.

    `paths` maps the ids of all files to their paths.
    """
    rows = connection.execute(
        "SELECT s.number, e.kind, e.certainty, e.target_file, t.number, e.target_name, e.lines,"
        " e.receiver, e.arguments FROM edges e LEFT JOIN symbols s ON s.id = e.source_symbol"
        " LEFT JOIN symbols t ON t.id = e.target_symbol"
        " WHERE e.source_file = ? AND e.kind IN ('calls', 'extends', 'references', 'imports')",
        (file_id,),
    )
    edges = (
        PortableEdge(source, kind, certainty, paths.get(target), *rest)
        for source, kind, certainty, target, *rest in rows
    )
    return sorted(edges, key=repr)  # independent of ids: equal indexes have equal bundles
