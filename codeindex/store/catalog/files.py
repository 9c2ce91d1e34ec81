"""Read the table `files`: by path or module, by role, and for change detection; set single columns.

`write_files` writes whole files.
"""

from __future__ import annotations

import re
import sqlite3
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeindex.errors import QueryError
from codeindex.files.digest import sha256_beneath
from codeindex.files.safe_open import size_and_times
from codeindex.store.catalog.sql_values import escape_like, placeholders, select_in
from codeindex.store.catalog.watched_places import subtree_bounds
from codeindex.text.words import name_checksum, normal_form
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.types import FileStatus, Skipped, SourceFile

_KNOWN = "SELECT id, path, digest, size, mtime_ns, ctime_ns, is_test FROM files"
_COLUMNS = (
    "SELECT id, path, language, status, module, is_test, is_generated, is_navigation, lines,"
    " centrality, layout FROM files"
)
_IN_DEGREES = (
    "SELECT target_file, count(DISTINCT source_file) FROM edges WHERE target_file IS NOT NULL"
    " AND source_file != target_file AND certainty = 'resolved'"
    " AND kind IN ('calls', 'extends', 'references', 'imports') GROUP BY target_file"
)
SearchableFile = tuple[int, str, str, str, bool]
"""A file's id, path, language, module, and whether it is a test."""
_MOST_SEARCHED = 4
"""Most checksums that are first searched in the bytes of a file: of one, that takes a fifth of the
time of a look at each checksum of the file, of six it takes as long."""
_WITHIN = " OR ".join(["'/' || path LIKE '%/' || ? || '/%' ESCAPE '\\'"] * 2)


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


class FileRecord(NamedTuple):
    """A file of the catalog; `size` is its size on disk in bytes, `centrality` the number of users.

    For a status other than `indexed` and `plain`, `reason` says why the file is not indexed.
    """

    id: int
    path: str
    language: str
    module: str
    lines: int
    size: int
    status: str
    reason: str
    is_test: int
    is_generated: int
    is_navigation: int
    centrality: int


def file_records(connection: sqlite3.Connection) -> list[FileRecord]:
    """Return every file in the catalog, sorted by path."""
    return _records(connection, "ORDER BY path", ())


def test_file_records(connection: sqlite3.Connection) -> list[FileRecord]:
    """Return the test files, sorted by path."""
    return _records(connection, "WHERE is_test ORDER BY path", ())


def files_under(connection: sqlite3.Connection, place: str = "") -> list[FileRecord]:
    """Return the indexed files of a folder and its subfolders, or one file, sorted by path.

    `place` is the path of the folder or file; "" is the whole repository. Return [] for an unknown
    path.
    """
    return _records(
        connection,
        "WHERE status IN ('indexed', 'plain')"
        " AND (? = '' OR path = ? OR path >= ? AND path < ?) ORDER BY path",
        (place, place, *subtree_bounds(place)),
    )


def _records(
    connection: sqlite3.Connection, rest: str, values: Sequence[object]
) -> list[FileRecord]:
    columns = ", ".join(FileRecord._fields)
    rows = connection.execute(f"SELECT {columns} FROM files {rest}", values)  # noqa: S608 (constants)
    return [FileRecord(*row) for row in rows]


def check_line(path: str, line: int, lines: int) -> None:
    """Raise QueryError unless `line` is between 1 and `lines`, the number of lines of a file.

    Line 1 of an empty file is accepted. The message names `path`.
    """
    if not 1 <= line <= max(lines, 1):
        has = f"'{path}' has {plural(lines, 'line')}"
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
    return "\n".join(stored_lines(connection, path).values())


def stored_lines(
    connection: sqlite3.Connection, path: str, first: int = 1, last: int = 2**31
) -> dict[int, str]:
    """Return {number: redacted line} of a file from `first` to `last`, ascending."""
    lines: dict[int, str] = {}
    rows = connection.execute(
        "SELECT c.start_line, c.text FROM chunks c JOIN files f ON f.id = c.file_id"
        " WHERE f.path = ? AND c.start_line <= ? AND c.end_line >= ?",
        (path, last, first),
    )
    for start, text in rows:
        lines.update(enumerate(text.split("\n"), start))
    return {number: lines[number] for number in sorted(lines) if first <= number <= last}


def stored_lines_with(
    connection: sqlite3.Connection, path: str, word: re.Pattern[str]
) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of the stored lines of a file whose normal form has a match of `word`.

    `text.words.names_pattern` returns such a pattern for identifiers.
    """
    for number, text in stored_lines(connection, path).items():
        if word.search(normal_form(text)):
            yield number, text


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
    """The columns by which callers sort a list of files before they shorten the list."""

    is_test: int
    is_generated: int
    language: str
    centrality: float


def file_traits(connection: sqlite3.Connection, paths: Iterable[str]) -> dict[str, FileTraits]:
    """Return {path: traits} of those paths that are files of the catalog."""
    sql = "SELECT path, is_test, is_generated, language, centrality FROM files WHERE path IN (...)"
    rows = select_in(connection, sql, paths)
    return {path: FileTraits(*traits) for path, *traits in rows}


def read_identifier_blobs(connection: sqlite3.Connection) -> Mapping[int, bytes]:
    """Return {file id: checksums of the identifiers in the file}.

    The checksums are CRC-32 sums (`name_checksum`), packed as little-endian uint32.
    """
    return dict(connection.execute("SELECT id, identifiers FROM files"))


class NameChecksums(NamedTuple):
    """CRC-32 sums of names, as numbers and as 4 bytes, the form in `files.identifiers`."""

    numbers: frozenset[int]
    packed: frozenset[bytes]


def pack_checksums(names: Iterable[str]) -> NameChecksums:
    numbers = frozenset(map(name_checksum, names))
    return NameChecksums(numbers, frozenset(struct.pack("<I", number) for number in numbers))


def contains_checksum(blob: bytes, checksums: NameChecksums) -> bool:
    """Tell whether the column `identifiers` of a file, `blob`, has one of the checksums of names.

    `pack_checksums` returns the checksums of names.
    """
    few = len(checksums.packed) <= _MOST_SEARCHED
    if few and not any(each in blob for each in checksums.packed):
        return False
    return not checksums.numbers.isdisjoint(unpack_checksums(blob))


def unpack_checksums(blob: bytes) -> tuple[int, ...]:
    """Return the numbers in the column `files.identifiers`."""
    return struct.unpack(f"<{len(blob) // 4}I", blob)


def files_with_names(connection: sqlite3.Connection, names: Iterable[str]) -> set[int]:
    """Return the ids of the files that have one of these names among their identifiers.

    The index records no names of one or two letters. Checksums are compared, so a file with another
    name of the same CRC-32 is returned too.
    """
    checksums = pack_checksums(names)
    blobs = read_identifier_blobs(connection) if checksums.numbers else {}
    return {file for file, blob in blobs.items() if contains_checksum(blob, checksums)}


def names_in_files(
    connection: sqlite3.Connection, names: Iterable[str]
) -> list[tuple[str, list[str]]]:
    """Return (path, those of the names among its identifiers) of the indexed files with one.

    Sorted by path. What `files_with_names` says of names applies here, too.
    """
    by_checksum: dict[int, list[str]] = {}
    for name in names:
        by_checksum.setdefault(name_checksum(name), []).append(name)
    checksums = pack_checksums(chain.from_iterable(by_checksum.values()))
    rows = connection.execute(
        "SELECT path, identifiers FROM files WHERE status IN ('indexed', 'plain') ORDER BY path"
    )
    found = []
    for path, blob in rows if by_checksum else ():
        if contains_checksum(blob, checksums):
            each = checksums.numbers.intersection(unpack_checksums(blob))
            found.append((path, [name for key in each for name in by_checksum[key]]))
    return found


def set_modules(connection: sqlite3.Connection, modules: Mapping[str, str]) -> None:
    """Store {path: module name} of some files; call it inside `writing`."""
    connection.executemany(
        "UPDATE files SET module = ? WHERE path = ?",
        ((module, path) for path, module in modules.items()),
    )


def in_degrees(connection: sqlite3.Connection) -> dict[int, int]:
    """Return {file id: number of other files that use the file}; it is 0 for an unused file.

    A use is a resolved call, `extends`, reference or import.
    """
    degrees = {file_id: 0 for (file_id,) in connection.execute("SELECT id FROM files")}
    used = connection.execute(_IN_DEGREES).fetchall()
    return degrees | {file_id: count for file_id, count in used if file_id in degrees}


def set_centrality(connection: sqlite3.Connection, degrees: Mapping[int, int]) -> None:
    """Store the centrality of files, given as {file id: centrality}; call it inside `writing`."""
    connection.executemany(
        "UPDATE files SET centrality = ? WHERE id = ? AND centrality != ?",
        ((degree, file_id, degree) for file_id, degree in degrees.items()),
    )


def list_paths(connection: sqlite3.Connection) -> list[str]:
    """Return the paths of all files in the catalog, sorted."""
    return [path for (path,) in connection.execute("SELECT path FROM files ORDER BY path")]


def file_languages(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """Return (id, path, language) of every file."""
    return connection.execute("SELECT id, path, language FROM files").fetchall()


def non_test_files(connection: sqlite3.Connection, ids: Collection[int]) -> set[int]:
    """Return the ids of the files among `ids` that are not tests."""
    rows = connection.execute(
        f"SELECT f.id FROM files f WHERE NOT f.is_test AND f.id IN ({', '.join(map(str, ids))})"  # noqa: S608 (numbers)
    )
    return {file_id for (file_id,) in rows}


def searchable_rows(connection: sqlite3.Connection) -> list[SearchableFile]:
    """Return (id, path, language, module, is_test) of the files whose whole text is indexed."""
    return connection.execute(
        "SELECT id, path, language, module, is_test FROM files WHERE status IN ('indexed', 'plain')"
    ).fetchall()


class FileRow(NamedTuple):
    """The id, path and module name of a file."""

    id: int
    path: str
    module: str


def line_count(connection: sqlite3.Connection, file_id: int) -> int:
    (lines,) = connection.execute("SELECT lines FROM files WHERE id = ?", (file_id,)).fetchone()
    return int(lines)


def language_of_file(connection: sqlite3.Connection, file_id: int) -> str:
    (language,) = connection.execute(
        "SELECT language FROM files WHERE id = ?", (file_id,)
    ).fetchone()
    return str(language)


def parsed_file_id(connection: sqlite3.Connection, path: str) -> int | None:
    """Return the id of a file parsed with a grammar; None for others and unknown paths."""
    row = connection.execute(
        "SELECT id FROM files WHERE path = ? AND status = 'indexed'", (path,)
    ).fetchone()
    return row[0] if row else None


def has_path(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether `path` is an indexed file, a folder of indexed files, or a file without suffix.

    `"shop/cart"` matches `shop/cart.py`.
    """
    bounds = (path, f"{path}.", f"{path}0")  # 0 follows the slash in ASCII
    row = connection.execute(
        "SELECT 1 FROM files WHERE path = ? OR path >= ? AND path < ? LIMIT 1", bounds
    ).fetchone()
    return row is not None


def has_suffix(connection: sqlite3.Connection, suffix: str) -> bool:
    """Tell whether the path of any file ends with `suffix`, ignoring ASCII case."""
    found = connection.execute(
        "SELECT 1 FROM files WHERE path LIKE ? ESCAPE '\\' LIMIT 1", (f"%{escape_like(suffix)}",)
    ).fetchone()
    return found is not None


def files_with_stem(connection: sqlite3.Connection, stem: str) -> list[tuple[int, str]]:
    """Return (id, path) of the file at `stem` and of the files `stem.*`, sorted by path.

    `stem` is a path without suffix: `"shop/cart"` finds `shop/cart.py`.
    """
    rows = connection.execute(
        "SELECT id, path FROM files WHERE path = ? OR path > ? AND path < ? ORDER BY path",
        (stem, f"{stem}.", f"{stem}/"),
    )
    return rows.fetchall()


def files_of_module(connection: sqlite3.Connection, module: str) -> list[tuple[int, str]]:
    return connection.execute("SELECT id, path FROM files WHERE module = ?", (module,)).fetchall()


def files_ending_with(connection: sqlite3.Connection, path: str, module: str) -> list[FileRow]:
    """Return the files whose path ends with `"/" + path`, or whose module ends with `module`.

    `module` must equal the module name or its last dotted parts.
    """
    rows = connection.execute(
        "SELECT id, path, module FROM files WHERE path LIKE '%/' || ? ESCAPE '\\'"
        " OR module = ? OR module LIKE '%.' || ? ESCAPE '\\'",
        (escape_like(path), module, escape_like(module)),
    )
    return [FileRow._make(row) for row in rows]


def modules_below(connection: sqlite3.Connection, folders: set[str]) -> list[tuple[int, str]]:
    """Return (id, path) of the files in one of `folders` that belong to a module.

    `folders` has one or two relative paths, such as `src/shop`; a folder with this path matches at
    any depth of the tree. ASCII case is ignored.
    """
    rows = connection.execute(
        f"SELECT id, path FROM files WHERE module != '' AND ({_WITHIN})",  # noqa: S608 (constant)
        [escape_like(max(folders)), escape_like(min(folders))],
    )
    return rows.fetchall()


def rust_paths_containing(connection: sqlite3.Connection, part: str) -> list[str]:
    rows = connection.execute(
        "SELECT path FROM files WHERE path LIKE '%' || ? || '%.rs' ESCAPE '\\'",
        (escape_like(part),),
    )
    return [path for (path,) in rows]


class FileStat(NamedTuple):
    """Size and times of a file when it was indexed."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


def file_stats(connection: sqlite3.Connection) -> list[FileStat]:
    """Return size and times of every file, the most recently changed file first."""
    rows = connection.execute(
        "SELECT path, size, mtime_ns, ctime_ns FROM files ORDER BY max(mtime_ns, ctime_ns) DESC"
    )
    return list(map(FileStat._make, rows))


def file_stat(connection: sqlite3.Connection, path: str) -> FileStat | None:
    """Return size and times of one file, None for an unknown path."""
    row = connection.execute(
        "SELECT path, size, mtime_ns, ctime_ns FROM files WHERE path = ?", (path,)
    ).fetchone()
    return FileStat._make(row) if row else None


def unordered_stats(connection: sqlite3.Connection) -> Iterator[tuple[str, int, int, int]]:
    """Yield (path, size, mtime_ns, ctime_ns) of every file, which is faster than `file_stats`."""
    yield from connection.execute("SELECT path, size, mtime_ns, ctime_ns FROM files")


def files_with_equal_stats(connection: sqlite3.Connection) -> list[str]:
    """Return the files whose size and times are those of another file with other content."""
    rows = connection.execute(
        "SELECT path FROM files JOIN (SELECT size, mtime_ns, ctime_ns FROM files"
        " GROUP BY size, mtime_ns, ctime_ns HAVING count(DISTINCT digest) > 1)"
        " USING (size, mtime_ns, ctime_ns)"
    )
    return [path for (path,) in rows]


def indexed_digest(connection: sqlite3.Connection, path: str) -> str | None:
    """Return the SHA-256 of a file when it was indexed, None for an unknown path."""
    row = connection.execute("SELECT digest FROM files WHERE path = ?", (path,)).fetchone()
    return None if row is None else str(row[0])


def smallest_files(connection: sqlite3.Connection) -> list[SourceFile]:
    """Return the smallest parsed file of each language, of the language with most files first."""
    from codeindex.types import SourceFile  # searches do not need it

    rows = connection.execute(
        "SELECT path, language, min(size), mtime_ns, ctime_ns FROM files"
        " WHERE status = 'indexed' AND size > 0 GROUP BY language ORDER BY count(*) DESC"
    )
    return [SourceFile(*row) for row in rows]


def content_by_path(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (path, digest) of every file, sorted by path."""
    return connection.execute("SELECT path, digest FROM files ORDER BY path").fetchall()


def mark_surveyed(connection: sqlite3.Connection) -> None:
    """Mark all files as surveyed: their patterns and mentions are up to date with their content."""
    connection.execute("DELETE FROM gone")
    connection.execute("UPDATE files SET surveyed = 1 WHERE NOT surveyed")


def unsurveyed_paths(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the paths of the files that were added, changed or deleted after `mark_surveyed`."""
    rows = connection.execute(
        "SELECT path FROM files WHERE NOT surveyed UNION SELECT path FROM gone"
    ).fetchall()
    return (path for (path,) in rows)


def unsurveyed_files(
    connection: sqlite3.Connection, languages: Iterable[str]
) -> list[tuple[int, str, str]]:
    """Return (id, path, language) of the files that were added or changed after `mark_surveyed`.

    Only files in these languages are returned, sorted by path.
    """
    wanted = frozenset(languages)
    rows = connection.execute(
        "SELECT id, path, language FROM files WHERE NOT surveyed ORDER BY path"
    ).fetchall()
    return [row for row in rows if row[2] in wanted]
