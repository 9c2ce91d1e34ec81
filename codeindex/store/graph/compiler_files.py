"""Store the references that compilers' indexes state, and read them for reference resolution.

A row of `compiler_files` has the digest of the content that the compiler read.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from codeindex.store.catalog.sql_values import placeholders, select_in
from codeindex.types import CompilerReference, Definition, SymbolKind

_NOTE = "compiler_indexes"
"""Key in the table `meta`; the value is JSON (see `read_compiler_note`)."""


class ComparableFile(NamedTuple):
    """A parsed file, with the columns that are compared with a document in a compiler's index."""

    id: int
    path: str
    language: str
    digest: str
    mtime_ns: int


class SymbolPlace(NamedTuple):
    """Where a symbol is defined: the line of its name, and the lines of the definition."""

    id: int
    name: str
    qualified: str
    kind: str
    line: int
    start_line: int
    end_line: int
    cyclomatic: int
    """Cyclomatic complexity; 0 for a symbol that is no function with a body."""


class CompilerFile(NamedTuple):
    """A file, and which definitions the names in it refer to according to a compiler's index.

    `references` is () if no index describes the file.
    """

    file: ComparableFile
    references: tuple[CompilerReference, ...]


def comparable_files(connection: sqlite3.Connection) -> list[ComparableFile]:
    """Return every file with stored relations; all parsed files have these."""
    rows = connection.execute(
        "SELECT f.id, f.path, f.language, f.digest, f.mtime_ns FROM files f"
        " JOIN relations r ON r.file_id = f.id"
    )
    return [ComparableFile(*row) for row in rows]


def symbol_places(connection: sqlite3.Connection, file_id: int) -> list[SymbolPlace]:
    """Return the symbols of a file in source order."""
    columns = ", ".join(SymbolPlace._fields)
    rows = connection.execute(
        f"SELECT {columns} FROM symbols WHERE file_id = ? ORDER BY number",  # noqa: S608 (constants)
        (file_id,),
    )
    return [SymbolPlace(*row) for row in rows]


def replace_compiler_files(connection: sqlite3.Connection, files: Iterable[CompilerFile]) -> None:
    """Replace the stored references of all files by those in `files`."""
    connection.execute("DELETE FROM compiler_files")
    connection.executemany(
        "INSERT INTO compiler_files (file_id, digest, refs) VALUES (?, ?, ?)",
        ((file.id, file.digest, _encode(references)) for file, references in files),
    )


def _encode(references: tuple[CompilerReference, ...]) -> bytes:
    if not references:
        return b""
    return zlib.compress(json.dumps(references, separators=(",", ":")).encode(), 1)


def compiler_references(
    connection: sqlite3.Connection, file_id: int
) -> tuple[CompilerReference, ...]:
    """Return a compiler's references in a file; () if no index describes the file.

    They tell which definitions the names in the file refer to.
    """
    from codeindex.types import CompilerReference  # only writers need it

    row = connection.execute(
        "SELECT refs FROM compiler_files WHERE file_id = ?", (file_id,)
    ).fetchone()
    return tuple(
        CompilerReference(line, text, called, tuple(map(tuple, targets)))
        for line, text, called, targets in (
            json.loads(zlib.decompress(row[0])) if row and row[0] else ()
        )
    )


def files_as_compiled(connection: sqlite3.Connection) -> frozenset[int]:
    """Return the ids of the files that have not changed since the compiler's index was made."""
    rows = connection.execute(
        "SELECT c.file_id FROM compiler_files c JOIN files f ON f.id = c.file_id"
        " WHERE c.digest = f.digest"
    )
    return frozenset(file_id for (file_id,) in rows)


_CHANGED = (
    "SELECT c.file_id FROM compiler_files c JOIN files f ON f.id = c.file_id"
    " WHERE c.same != (c.digest = f.digest)"
)


def changed_compiler_files(connection: sqlite3.Connection) -> set[int]:
    """Return ids of the files for which the compiler's index became usable or unusable.

    It is usable for a file with the content that the compiler read. Only changes after
    `clear_changed_compiler_files` count.
    """
    return {file_id for (file_id,) in connection.execute(_CHANGED)}


def clear_changed_compiler_files(connection: sqlite3.Connection) -> None:
    """Forget the changes that `changed_compiler_files` returns.

    Call it after the edges have been resolved for the present content of all files.
    """
    connection.execute(
        f"UPDATE compiler_files SET same = NOT same WHERE file_id IN ({_CHANGED})"  # noqa: S608 (constant)
    )


def definitions_by_id(
    connection: sqlite3.Connection, ids: Iterable[int]
) -> dict[int, tuple[int, Definition]]:
    """Return {symbol id: (file id, definition)} of the symbols that exist."""
    from codeindex.types import Definition  # only writers need it

    return {
        key: (file_id, Definition(path, key, qualified, SymbolKind(kind)))
        for key, file_id, path, qualified, kind in select_in(
            connection,
            "SELECT s.id, f.id, f.path, s.qualified, s.kind FROM symbols s"
            " JOIN files f ON f.id = s.file_id WHERE s.id IN (...)",
            ids,
        )
    }


def read_compiler_note(connection: sqlite3.Connection) -> Mapping[str, Any]:
    """Return what the last sync recorded about the compilers' indexes; {} if it read none.

    `stamp` identifies the index files. `languages` has the languages of the described files,
    `documents` is their number, and `matching` is the number of those with unchanged content.
    `problems` has sentences about indexes that could not be used.
    """
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_NOTE,)).fetchone()
    note: Mapping[str, Any] = json.loads(row[0]) if row else {}
    return note


def write_compiler_note(connection: sqlite3.Connection, note: Mapping[str, Any]) -> None:
    """Store what a sync read from the compilers' indexes, for `read_compiler_note`."""
    connection.execute(
        "INSERT OR REPLACE INTO meta VALUES (?, ?)", (_NOTE, json.dumps(note, sort_keys=True))
    )


def files_with_compiler_edges(connection: sqlite3.Connection) -> int:
    """Count the files with at least one edge that a compiler's index confirms."""
    (count,) = connection.execute(
        "SELECT count(DISTINCT source_file) FROM edges WHERE compiler != ''"
    ).fetchone()
    return int(count)


def file_ids_in(connection: sqlite3.Connection, languages: Iterable[str]) -> Iterator[int]:
    """Yield the ids of all files in these languages."""
    names = sorted(set(languages))
    rows = connection.execute(
        f"SELECT id FROM files WHERE language IN ({placeholders(names)})",  # noqa: S608 (marks)
        names,
    )
    return (file_id for (file_id,) in rows.fetchall())
