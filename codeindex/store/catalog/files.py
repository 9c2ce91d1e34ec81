"""Store files with their symbols, chunks and relations; read stored files.

Files and symbols keep their ids when they change, because edges of other files refer to the ids.
"""

from __future__ import annotations

import json
import sqlite3
import struct
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeindex.errors import QueryError
from codeindex.files.digest import sha256_beneath
from codeindex.files.safe_open import size_and_times
from codeindex.store.catalog.relations import replace_relations, replace_shown_names
from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.catalog.trigrams import add_trigrams
from codeindex.store.catalog.watched_places import subtree_bounds
from codeindex.text.words import fold_name, stemmed_parts
from codeindex.types.base import CHUNK_KINDS
from codeindex.types.files import unqualified_name

if TYPE_CHECKING:
    from codeindex.types import FileStatus, PreparedFile, Skipped, Symbol


CHUNK_LAYOUT = np.dtype(
    [
        ("id", "<i8"),
        ("first", "<i4"),
        ("last", "<i4"),
        ("line", "<i4"),
        ("kind", "u1"),
        ("name_words", "u1"),
        ("complexity", "u1"),
        ("traits", "u1"),
    ]
)
"""The columns that a search reads of every chunk. They are packed in `files.layout`, because
reading rows of `chunks` would take ten times as long. `kind` is an index in `CHUNK_KINDS`,
`name_words` the number of words in the symbol's name."""
_BYTE = 255


class KnownFile(NamedTuple):
    """The columns of an indexed file that a sync compares with the file on disk.

    It is a NamedTuple for speed, because each sync creates one for every file.
    """

    id: int
    path: str
    digest: str
    size: int
    mtime_ns: int
    ctime_ns: int
    is_test: bool


def known_files(connection: sqlite3.Connection) -> dict[str, KnownFile]:
    """Return {path: file} of every file in the catalog."""
    return {row[1]: KnownFile(*row) for row in connection.execute(_KNOWN)}


def known_files_at(connection: sqlite3.Connection, paths: Iterable[str]) -> dict[str, KnownFile]:
    """Return {path: file} of the files at and below these paths."""
    where = f"{_KNOWN} WHERE path = ? OR (path >= ? AND path < ?)"
    rows = (
        row for path in paths for row in connection.execute(where, (path, *subtree_bounds(path)))
    )
    return {row[1]: KnownFile(*row) for row in rows}


def check_line(path: str, line: int, lines: int) -> None:
    """Raise QueryError unless `line` is between 1 and `lines`, the number of lines of a file.

    Line 1 of an empty file is accepted. The message names `path`.
    """
    if not 1 <= line <= max(lines, 1):
        has = f"'{path}' has {lines} lines"
        raise QueryError(
            f"{has}: there is no line {line}." if line else f"Lines begin at 1; {has}."
        )


def files_with_status(connection: sqlite3.Connection, status: FileStatus) -> tuple[Skipped, ...]:
    """Return the files with this status for which a reason is stored, sorted by path."""
    from codeindex.types import Skipped  # searches do not need it

    rows = connection.execute(
        "SELECT path, reason FROM files WHERE status = ? AND reason != '' ORDER BY path", (status,)
    )
    return tuple(Skipped(*row) for row in rows)


def delete_files(connection: sqlite3.Connection, ids: Iterable[int]) -> int:
    """Delete files with their symbols, chunks and outgoing edges.

    `ids` are the ids of the files. Return how many chunks were deleted.
    """
    chunks = 0
    for id_ in ids:
        chunks += _remove_chunks(connection, id_)
        connection.execute("DELETE FROM edges WHERE source_file = ?", (id_,))
        connection.execute("DELETE FROM files WHERE id = ?", (id_,))
    return chunks


def update_file_stats(
    connection: sqlite3.Connection, stats: Iterable[tuple[int, int, int, int]]
) -> None:
    """Store new sizes and times of files whose content did not change.

    Each item of `stats` is (size, mtime_ns, ctime_ns, file id).
    """
    connection.executemany(
        "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ? WHERE id = ?", stats
    )


def replace_skipped(connection: sqlite3.Connection, skipped: Iterable[Skipped]) -> None:
    connection.execute("DELETE FROM skipped")
    _add_skipped(connection, skipped)


def _add_skipped(connection: sqlite3.Connection, skipped: Iterable[Skipped]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO skipped VALUES (?, ?, ?)",
        (
            (
                item.path,
                str(item.reason),
                None if item.languages is None else " ".join(item.languages),
            )
            for item in skipped
        ),
    )


def replace_skipped_at(
    connection: sqlite3.Connection, paths: Iterable[str], skipped: Iterable[Skipped]
) -> None:
    """Replace the stored skipped paths at and below `paths` by `skipped`.

    Paths of skipped folders end with a slash.
    """
    for path in paths:
        connection.execute("DELETE FROM skipped WHERE path = ?", (path,))
        connection.execute("DELETE FROM skipped WHERE path >= ? AND path < ?", subtree_bounds(path))
    _add_skipped(connection, skipped)


def stale_paths(connection: sqlite3.Connection, root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths whose file has changed since it was indexed, or can no longer be read.

    Content is compared only if size or times differ. Paths that are not indexed are ignored.
    """
    changed = set()
    for path in paths:
        row = connection.execute(
            "SELECT size, mtime_ns, ctime_ns, digest FROM files WHERE path = ?", (path,)
        ).fetchone()
        if row is None:
            continue
        try:
            status = (root / path).stat(follow_symlinks=False)
            if size_and_times(status) != row[:3] and sha256_beneath(root, path) != row[3]:
                changed.add(path)
        except OSError:
            changed.add(path)
    return frozenset(changed)


def total_size(connection: sqlite3.Connection, paths: Collection[str]) -> int:
    """Return the total size in bytes of these files when they were indexed."""
    (size,) = connection.execute(
        f"SELECT total(size) FROM files WHERE path IN ({placeholders(paths)})",  # noqa: S608 (marks)
        tuple(paths),
    ).fetchone()
    return int(size)


def files_with_secrets(connection: sqlite3.Connection, path: str = "") -> list[str]:
    """Return the paths, at or below `path`, of files with redacted secrets; "" is the root."""
    rows = connection.execute("SELECT path FROM files WHERE findings != '[]' ORDER BY path")
    return [value for (value,) in rows if _is_of(value, path)]


def files_skipped_as_secret(connection: sqlite3.Connection, path: str) -> tuple[str, ...]:
    """Return the paths at or below `path` that discovery skipped as files of secrets, sorted."""
    rows = connection.execute("SELECT path FROM skipped WHERE reason LIKE '%secret%' ORDER BY path")
    return tuple(value for (value,) in rows if _is_of(value, path))


def _is_of(file: str, path: str) -> bool:
    return path in {"", "."} or file == path or file.startswith(f"{path.rstrip('/')}/")


def stored_text(connection: sqlite3.Connection, path: str) -> str:
    """Return the stored, redacted text of a file, "" if it is not indexed."""
    lines: dict[int, str] = {}
    rows = connection.execute(
        "SELECT c.start_line, c.text FROM chunks c JOIN files f ON f.id = c.file_id"
        " WHERE f.path = ?",
        (path,),
    )
    for start, text in rows:
        lines.update(enumerate(text.split("\n"), start))
    return "\n".join(lines[number] for number in sorted(lines))


class StoredFile(NamedTuple):
    """Result of `store_file`: ids of the new chunks in source order, number of replaced chunks."""

    chunks: list[int]
    replaced: int


class FilePlace(NamedTuple):
    """A file to store: the prepared file, the name of its module, and its role.

    `is_navigation` is true for a document such as README.md.
    """

    file: PreparedFile
    module: str
    is_navigation: bool


def store_file(
    connection: sqlite3.Connection, file: PreparedFile, *, module: str, is_navigation: bool
) -> StoredFile:
    """Store a file in place of its earlier version.

    `module` is the name of its module; `is_navigation` is true for a document such as README.md.
    Return the ids of its new chunks.
    """
    return store_batch(connection, [FilePlace(file, module, is_navigation)])[0]


def store_batch(connection: sqlite3.Connection, places: Sequence[FilePlace]) -> list[StoredFile]:
    """Store distinct files in place of their earlier versions; return one result per file.

    Trigrams are written last: most other statements make FTS5 write its buffer to the file first.
    """
    stored = [_store_file(connection, *place) for place in places]
    texts = (
        (number, prepared.chunk.text)
        for place, result in zip(places, stored, strict=True)
        for number, prepared in zip(result.chunks, place.file.chunks, strict=True)
    )
    add_trigrams(connection, texts)
    return stored


def _store_file(
    connection: sqlite3.Connection, file: PreparedFile, module: str, is_navigation: bool
) -> StoredFile:
    """Store a file, but not the trigrams of its chunks."""
    values = (
        file.path,
        file.language,
        file.digest,
        file.size,
        file.mtime_ns,
        file.ctime_ns,
        file.lines,
        file.status,
        file.reason,
        file.lost,
        file.is_test,
        file.is_generated,
        is_navigation,
        module,
        struct.pack(f"<{len(file.identifiers)}I", *file.identifiers),
        json.dumps(file.findings),
    )
    (file_id,) = connection.execute(_PUT_FILE, values).fetchone()
    replaced = _remove_chunks(connection, file_id)
    _put_symbols(connection, file_id, file.symbols)
    replace_relations(connection, file_id, file.relations)
    replace_shown_names(connection, file_id, file.relations)
    ids = _add_chunks(connection, file_id, file)
    connection.execute("UPDATE files SET layout = ? WHERE id = ?", (_layout(file, ids), file_id))
    return StoredFile(ids, replaced)


def _remove_chunks(connection: sqlite3.Connection, file_id: int) -> int:
    return connection.execute("DELETE FROM chunks WHERE file_id = ?", (file_id,)).rowcount


def _put_symbols(connection: sqlite3.Connection, file_id: int, symbols: Iterable[Symbol]) -> None:
    """Store the symbols of a file; a symbol whose qualified name was known keeps its id.

    If several symbols share a qualified name, the nth of them keeps the id of the nth stored one.
    """
    known: dict[str, list[int]] = defaultdict(list)
    for item_id, qualified in connection.execute(
        "SELECT id, qualified FROM symbols WHERE file_id = ? ORDER BY number DESC", (file_id,)
    ):
        known[qualified].append(item_id)
    connection.executemany(
        _PUT_SYMBOL,
        [
            (
                known[item.qualified].pop() if known[item.qualified] else None,
                file_id,
                number,
                item.name,
                fold_name(item.name),
                item.qualified,
                item.kind,
                item.line,
                item.start_line,
                item.end_line,
                item.signature,
                item.doc,
                item.cyclomatic,
                item.max_nesting,
                item.param_count,
                item.body_lines,
            )
            for number, item in enumerate(symbols)
        ],
    )
    gone = [(item,) for rest in known.values() for item in rest]
    connection.executemany("DELETE FROM symbols WHERE id = ?", gone)


def _add_chunks(connection: sqlite3.Connection, file_id: int, file: PreparedFile) -> list[int]:
    ids = []
    for prepared in file.chunks:
        chunk = prepared.chunk
        row = connection.execute(
            "INSERT INTO chunks (file_id, start_line, end_line, kind, symbol, heading, context,"
            " has_secrets, page, line, complexity, traits, text, tokens)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                file_id,
                chunk.start_line,
                chunk.end_line,
                chunk.kind,
                chunk.symbol,
                chunk.heading,
                chunk.context,
                chunk.has_secrets,
                chunk.page,
                chunk.line,
                chunk.complexity,
                chunk.traits,
                chunk.text,
                prepared.tokens,
            ),
        )
        ids.append(row.lastrowid or 0)
    return ids


def _layout(file: PreparedFile, ids: Iterable[int]) -> bytes:
    chunks = zip(ids, (chunk.chunk for chunk in file.chunks), strict=True)
    return pack_layout(
        ChunkRow(
            n,
            c.start_line,
            c.end_line,
            c.line,
            c.kind,
            c.symbol,
            c.heading,
            c.complexity,
            c.traits,
        )
        for n, c in chunks
    )


class ChunkRow(NamedTuple):
    """The columns of a chunk from which its `CHUNK_LAYOUT` record is made."""

    id: int
    start_line: int
    end_line: int
    line: int
    kind: str
    symbol: str
    heading: str
    complexity: int
    traits: int


def pack_layout(chunks: Iterable[ChunkRow]) -> bytes:
    """Pack chunks into bytes for the column `files.layout`: one `CHUNK_LAYOUT` record per chunk."""
    rows = [
        (
            chunk.id,
            chunk.start_line,
            chunk.end_line,
            chunk.line,
            CHUNK_KINDS.index(chunk.kind),
            min(len(stemmed_parts(unqualified_name(chunk.symbol, chunk.heading))), _BYTE),
            min(chunk.complexity, _BYTE),
            chunk.traits,
        )
        for chunk in chunks
    ]
    return np.array(rows, dtype=CHUNK_LAYOUT).tobytes()


_KNOWN = "SELECT id, path, digest, size, mtime_ns, ctime_ns, is_test FROM files"
_FILE_COLUMNS = (
    "path, language, digest, size, mtime_ns, ctime_ns, lines, status, reason, lost,"
    " is_test, is_generated, is_navigation, module, identifiers, findings"
)
_PUT_FILE = (
    f"INSERT INTO files ({_FILE_COLUMNS}) VALUES ({', '.join('?' * 16)})"  # noqa: S608 (constants)
    f" ON CONFLICT (path) DO UPDATE SET"
    f" {', '.join(f'{part} = excluded.{part}' for part in _FILE_COLUMNS.split(', '))}, surveyed = 0"
    " RETURNING id"
)
_SYMBOL_COLUMNS = (
    "file_id, number, name, folded, qualified, kind, line, start_line, end_line, signature, doc,"
    " cyclomatic, max_nesting, param_count, body_lines"
)
_PUT_SYMBOL = (
    f"INSERT INTO symbols (id, {_SYMBOL_COLUMNS}) VALUES ({', '.join('?' * 16)})"  # noqa: S608 (constants)
    f" ON CONFLICT (id) DO UPDATE SET"
    f" {', '.join(f'{part} = excluded.{part}' for part in _SYMBOL_COLUMNS.split(', '))}"
)
