"""Read and write columns of all files, as dictionaries by id or path, or by column."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Collection, Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from codeindex.text.words import name_checksum

_COLUMNS = (
    "SELECT id, path, language, status, module, is_test, is_generated, is_navigation, lines,"
    " centrality, layout FROM files"
)
_IN_DEGREES = (
    "SELECT target_file, count(DISTINCT source_file) FROM edges WHERE target_file IS NOT NULL"
    " AND source_file != target_file AND certainty = 'resolved'"
    " AND kind IN ('calls', 'extends', 'references', 'imports') GROUP BY target_file"
)


class FileColumns(NamedTuple):
    """The table `files` by column: a tuple per column, with one entry per file, sorted by path."""

    ids: tuple[int, ...]
    paths: tuple[str, ...]
    languages: tuple[str, ...]
    statuses: tuple[str, ...]
    modules: tuple[str, ...]
    is_test: tuple[int, ...]
    is_generated: tuple[int, ...]
    is_navigation: tuple[int, ...]
    lines: tuple[int, ...]
    centrality: tuple[int, ...]
    layouts: tuple[bytes, ...]


def read_file_columns(
    connection: sqlite3.Connection, ids: Collection[int] | None = None
) -> FileColumns:
    """Return the columns of all files, or of the files with these ids that exist."""
    if ids is None:
        rows = connection.execute(f"{_COLUMNS} ORDER BY path").fetchall()
    else:
        by_id = f"{_COLUMNS} WHERE id = ?"
        rows = [row for key in ids for row in connection.execute(by_id, (key,))]
        rows.sort(key=itemgetter(1))
    return FileColumns._make(zip(*rows, strict=True) if rows else ((),) * 11)


class FileTraits(NamedTuple):
    """The columns of a file by which lists of files are sorted before they are cut."""

    is_test: int
    language: str
    centrality: float


def file_traits(connection: sqlite3.Connection) -> dict[str, FileTraits]:
    """Return {path: traits} of every file."""
    rows = connection.execute("SELECT path, is_test, language, centrality FROM files")
    return {path: FileTraits(*traits) for path, *traits in rows}


def file_paths(connection: sqlite3.Connection) -> dict[int, str]:
    """Return {id: path} of every file."""
    return dict(connection.execute("SELECT id, path FROM files").fetchall())


def file_centralities(connection: sqlite3.Connection) -> dict[int, float]:
    """Return {id: centrality} of every file.

    The centrality of a file is the number of files that use it.
    """
    return dict(connection.execute("SELECT id, centrality FROM files").fetchall())


def read_identifier_blobs(connection: sqlite3.Connection) -> Mapping[int, bytes]:
    """Return {file id: checksums of the identifiers in the file}.

    The checksums are CRC-32 sums (`name_checksum`), packed as little-endian uint32.
    """
    return dict(connection.execute("SELECT id, identifiers FROM files"))


def pack_checksums(names: Iterable[str]) -> frozenset[bytes]:
    """Return the checksum of each name in the form in which `identifiers` has it."""
    return frozenset(struct.pack("<I", name_checksum(name)) for name in names)


def contains_checksum(blob: bytes, checksums: frozenset[bytes]) -> bool:
    """Tell whether `identifiers` of a file has one of these checksums (`pack_checksums`)."""
    return not checksums.isdisjoint(blob[at : at + 4] for at in range(0, len(blob), 4))


def file_modules(connection: sqlite3.Connection) -> dict[str, str]:
    """Return {path: module name} of every file."""
    return dict(connection.execute("SELECT path, module FROM files"))


def set_modules(connection: sqlite3.Connection, modules: Mapping[str, str]) -> None:
    """Store {path: module name} of some files; call it inside `writing`."""
    connection.executemany(
        "UPDATE files SET module = ? WHERE path = ?",
        ((module, path) for path, module in modules.items()),
    )


def in_degrees(connection: sqlite3.Connection) -> dict[int, int]:
    """Return {file id: number of other files that use the file}, with all files.

    A use is a resolved call, `extends`, reference or import.
    """
    degrees = {file_id: 0 for (file_id,) in connection.execute("SELECT id FROM files")}
    used = connection.execute(_IN_DEGREES).fetchall()
    return degrees | {file_id: count for file_id, count in used if file_id in degrees}


def set_centrality(connection: sqlite3.Connection, degrees: Mapping[int, int]) -> None:
    """Store the centrality of files, given as {file id: centrality}; call it inside `writing`."""
    connection.executemany(
        "UPDATE files SET centrality = ? WHERE id = ?",
        ((degree, file_id) for file_id, degree in degrees.items()),
    )
