"""Read and write patterns: groups of files with the same names, bases and decorators."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from codeindex.store.catalog.sql_values import placeholders, value_batches

_COMMON = 0.8
"""A base type or decorator is common if at least this share of the members has it."""


@dataclass(frozen=True, slots=True)
class PatternFile:
    """A file that belongs to a pattern.

    `missing` are names that most files of the pattern define, but not this one; `extra` are its
    other functions.
    """

    file: str
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePattern:
    """A group of similar files that define mostly the same names.

    `place` is the glob of the compared files, and `methods` are the names that nearly all members
    define. Members are sorted, most typical first; `canonical` is the first. `bases` and
    `decorators` are empty unless `with_shared_traits` has read them.
    """

    name: str
    place: str
    language: str
    methods: tuple[str, ...]
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    canonical: str
    members: tuple[PatternFile, ...]


def all_patterns(connection: sqlite3.Connection) -> list[FilePattern]:
    """Return all patterns, those with most members first."""
    return _patterns(connection, "", ())


def patterns_of_file(connection: sqlite3.Connection, file_id: int) -> list[FilePattern]:
    """Return the patterns that a file belongs to, those with most members first."""
    where = " WHERE id IN (SELECT pattern_id FROM pattern_members WHERE file_id = ?)"
    return _patterns(connection, where, (file_id,))


def _patterns(
    connection: sqlite3.Connection, where: str, parameters: tuple[int, ...]
) -> list[FilePattern]:
    rows = connection.execute(
        f"SELECT id, place, language, name, common FROM patterns{where}",  # noqa: S608 (constants)
        parameters,
    ).fetchall()
    found = [
        FilePattern(
            name, place, language, tuple(json.loads(common)), (), (), members[0].file, members
        )
        for key, place, language, name, common in rows
        if (members := _members(connection, key))
    ]
    return sorted(
        found, key=lambda pattern: (-len(pattern.members), pattern.place, pattern.methods)
    )


def _members(connection: sqlite3.Connection, pattern: int) -> tuple[PatternFile, ...]:
    """Return the files of the pattern with this row id, most typical first.

    Files with the fewest extra and missing functions come first, then those that most files use.
    """
    rows = connection.execute(
        "SELECT f.path, m.extra, m.missing FROM pattern_members m"
        " JOIN files f ON f.id = m.file_id WHERE m.pattern_id = ?"
        " ORDER BY json_array_length(m.extra) + json_array_length(m.missing),"
        " -f.centrality, f.path",
        (pattern,),
    )
    return tuple(
        PatternFile(path, tuple(json.loads(extra)), tuple(json.loads(missing)))
        for path, extra, missing in rows
    )


def with_shared_traits(connection: sqlite3.Connection, pattern: FilePattern) -> FilePattern:
    """Return a pattern with the names of the base types and decorators of most of its members."""
    return replace(
        pattern,
        bases=_shared(connection, pattern, _BASES),
        decorators=_shared(connection, pattern, _DECORATORS),
    )


_BASES = (
    "SELECT DISTINCT e.source_file, coalesce(s.name, e.target_name) FROM edges e"
    " LEFT JOIN symbols s ON s.id = e.target_symbol"
    " WHERE e.kind = 'extends' AND e.source_file IN ({})"
)
_DECORATORS = (
    "SELECT DISTINCT e.source_file, coalesce(t.name, e.target_name) FROM edges e"
    " JOIN symbols s ON s.file_id = e.source_file AND s.start_line < s.line"
    " LEFT JOIN symbols t ON t.id = e.target_symbol"
    " WHERE e.kind IN ('calls', 'references') AND e.source_file IN ({})"
    # Only an edge's first line: edges have few lines, and a decorator is seldom used twice.
    " AND CAST(e.lines AS INTEGER) BETWEEN s.start_line AND s.line - 1"
)
"""A call or reference counts as a decorator if it is between the first line of a definition and the
line of its name."""


def _shared(connection: sqlite3.Connection, pattern: FilePattern, sql: str) -> tuple[str, ...]:
    paths = next(value_batches(member.file for member in pattern.members), [])
    files = f"SELECT id FROM files WHERE path IN ({placeholders(paths)})"  # noqa: S608 (marks)
    rows = connection.execute(sql.format(files), paths).fetchall()
    having = {(file, name.replace("::", ".").rpartition(".")[2]) for file, name in rows}
    counts = Counter(name for _, name in having)
    return tuple(sorted(name for name, count in counts.items() if count >= _COMMON * len(paths)))


def pattern_names(connection: sqlite3.Connection, paths: Iterable[str]) -> dict[str, str]:
    """Return {path: pattern name} of the files among `paths` that belong to a pattern.

    For a file in several patterns, a pattern of a whole folder (its glob ends with `/*`) is
    preferred.
    """
    found: dict[str, str] = {}
    for part in value_batches(paths):
        rows = connection.execute(
            "SELECT f.path, p.name FROM files f JOIN pattern_members m ON m.file_id = f.id"  # noqa: S608 (marks)
            " JOIN patterns p ON p.id = m.pattern_id"
            f" WHERE f.path IN ({placeholders(part)})"
            " ORDER BY p.place NOT LIKE '%/*', p.place",
            part,
        )
        for path, name in rows:
            found.setdefault(path, name)
    return found


def delete_patterns(connection: sqlite3.Connection, places: Iterable[str]) -> None:
    """Delete the patterns of the files that match these globs; call it inside `writing`.

    A glob is the column `place` of a pattern.
    """
    connection.executemany("DELETE FROM patterns WHERE place = ?", ((place,) for place in places))


def symbol_names(connection: sqlite3.Connection, file_id: int) -> list[tuple[str, str, str]]:
    """Return (name, qualified name, kind) of the symbols of a file, in source order."""
    return connection.execute(
        "SELECT name, qualified, kind FROM symbols WHERE file_id = ? ORDER BY number", (file_id,)
    ).fetchall()


@dataclass(frozen=True, slots=True)
class DetectedPattern:
    """A group of files that define mostly the same functions and methods, named in `common`.

    `place` is the glob of all files that were compared with each other, like `src/*`. `members`
    maps the id of each file in the group to (its names that are not common, common names that it
    lacks).
    """

    place: str
    language: str
    name: str
    common: tuple[str, ...]
    members: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]


def put_pattern(connection: sqlite3.Connection, pattern: DetectedPattern) -> None:
    row = connection.execute(
        "INSERT INTO patterns (place, language, name, common) VALUES (?, ?, ?, ?)",
        (pattern.place, pattern.language, pattern.name, json.dumps(pattern.common)),
    )
    connection.executemany(
        "INSERT INTO pattern_members VALUES (?, ?, ?, ?)",
        (
            (row.lastrowid, file_id, json.dumps(extra), json.dumps(missing))
            for file_id, (extra, missing) in sorted(pattern.members.items())
        ),
    )
