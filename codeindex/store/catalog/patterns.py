"""Read and write patterns: groups of files with the same names, bases and decorators."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from codeindex.store.catalog.sql_values import placeholders, value_batches

_COMMON = 0.8
"""A base type or decorator is common if at least this share of the members has it."""


@dataclass(frozen=True, slots=True)
class PatternMember:
    """A file that belongs to a pattern.

    `missing` are names that most files of the pattern define, but not this one; `extra` are its
    other functions.
    """

    file_id: int
    path: str
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredPattern:
    """A group of similar files that define mostly the same names.

    `place` is the glob of the compared files. `common` has the names that nearly all members
    define. Members are sorted, most typical first.
    """

    id: int
    place: str
    language: str
    name: str
    common: tuple[str, ...]
    members: tuple[PatternMember, ...]

    @property
    def canonical(self) -> PatternMember:
        return self.members[0]


def all_patterns(connection: sqlite3.Connection) -> list[StoredPattern]:
    """Return all patterns, those with most members first."""
    return _patterns(connection, "", ())


def patterns_of_file(connection: sqlite3.Connection, file_id: int) -> list[StoredPattern]:
    """Return the patterns that a file belongs to, those with most members first."""
    where = " WHERE id IN (SELECT pattern_id FROM pattern_members WHERE file_id = ?)"
    return _patterns(connection, where, (file_id,))


def _patterns(
    connection: sqlite3.Connection, where: str, parameters: tuple[int, ...]
) -> list[StoredPattern]:
    rows = connection.execute(
        f"SELECT id, place, language, name, common FROM patterns{where}",  # noqa: S608 (constants)
        parameters,
    ).fetchall()
    found = [
        StoredPattern(
            key, place, language, name, tuple(json.loads(common)), _members(connection, key)
        )
        for key, place, language, name, common in rows
    ]
    whole = [pattern for pattern in found if pattern.members]
    return sorted(whole, key=lambda pattern: (-len(pattern.members), pattern.place, pattern.common))


def _members(connection: sqlite3.Connection, pattern: int) -> tuple[PatternMember, ...]:
    """Return the files of a pattern, sorted by `_typicality`, most typical first.

    `pattern` is the row id of the pattern.
    """
    rows = connection.execute(
        "SELECT f.centrality, f.id, f.path, m.extra, m.missing FROM pattern_members m"
        " JOIN files f ON f.id = m.file_id WHERE m.pattern_id = ?",
        (pattern,),
    )
    found = [
        (
            central,
            PatternMember(pattern, path, tuple(json.loads(extra)), tuple(json.loads(missing))),
        )
        for central, pattern, path, extra, missing in rows
    ]
    found.sort(key=_typicality)
    return tuple(member for _, member in found)


def _typicality(ranked: tuple[float, PatternMember]) -> tuple[int, float, str]:
    """Return a key that sorts the files of a pattern, most typical first.

    `ranked` is (centrality, file). Files with the fewest extra and missing functions come first,
    then those that most files use, then by path.
    """
    centrality, member = ranked
    return len(member.missing) + len(member.extra), -centrality, member.path


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


def pattern_bases(connection: sqlite3.Connection, pattern: StoredPattern) -> tuple[str, ...]:
    """Return the names of the base types that at least 80 % of the members extend, sorted."""
    return _shared(
        connection,
        pattern,
        "SELECT DISTINCT e.source_file, coalesce(s.name, e.target_name) FROM edges e"
        " LEFT JOIN symbols s ON s.id = e.target_symbol"
        " WHERE e.kind = 'extends' AND e.source_file IN ({})",
    )


def pattern_decorators(connection: sqlite3.Connection, pattern: StoredPattern) -> tuple[str, ...]:
    """Return the names of the decorators that at least 80 % of the members use, sorted.

    A call or reference counts as a decorator if it is between the first line of a definition and
    the line of its name.
    """
    return _shared(
        connection,
        pattern,
        "SELECT DISTINCT e.source_file, coalesce(t.name, e.target_name) FROM edges e"
        " JOIN symbols s ON s.file_id = e.source_file AND s.start_line < s.line"
        " LEFT JOIN symbols t ON t.id = e.target_symbol"
        " WHERE e.kind IN ('calls', 'references') AND e.source_file IN ({})"
        # Only an edge's first line: edges have few lines, and a decorator is seldom used twice.
        " AND CAST(e.lines AS INTEGER) BETWEEN s.start_line AND s.line - 1",
    )


def _shared(connection: sqlite3.Connection, pattern: StoredPattern, sql: str) -> tuple[str, ...]:
    ids = next(value_batches(member.file_id for member in pattern.members), [])
    rows = connection.execute(sql.format(placeholders(ids)), ids).fetchall()
    having = {(file, name.replace("::", ".").rpartition(".")[2]) for file, name in rows}
    counts = Counter(name for _, name in having)
    return tuple(sorted(name for name, count in counts.items() if count >= _COMMON * len(ids)))


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


def put_pattern(
    connection: sqlite3.Connection,
    *,
    place: str,
    language: str,
    name: str,
    common: Sequence[str],
    members: Mapping[int, tuple[Sequence[str], Sequence[str]]],
) -> None:
    """Store a pattern: files that match the glob `place` and define the names in `common`.

    `members` maps the id of each such file to (its further names, the common names that it lacks).
    """
    row = connection.execute(
        "INSERT INTO patterns (place, language, name, common) VALUES (?, ?, ?, ?)",
        (place, language, name, json.dumps(common)),
    )
    connection.executemany(
        "INSERT INTO pattern_members VALUES (?, ?, ?, ?)",
        (
            (row.lastrowid, file_id, json.dumps(extra), json.dumps(missing))
            for file_id, (extra, missing) in sorted(members.items())
        ),
    )
