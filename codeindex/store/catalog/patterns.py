"""Patterns in the catalog: who follows them, who does so best, and what they share beside names."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.store.catalog.sql_values import placeholders, value_batches

if TYPE_CHECKING:
    import sqlite3

_COMMON = 0.8
"""Share of members that makes a base or a decorator common (A7)."""


@dataclass(frozen=True, slots=True)
class PatternMember:
    """A file of a group, with what it has more and less than is common."""

    file_id: int
    path: str
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePattern:
    """A group of files that are built alike; the first member is the canonical one."""

    id: int
    place: str
    language: str
    name: str
    common: tuple[str, ...]
    members: tuple[PatternMember, ...]

    @property
    def canonical(self) -> PatternMember:
        return self.members[0]


def all_patterns(connection: sqlite3.Connection) -> list[FilePattern]:
    """Return all patterns, those with most members first."""
    return _patterns(connection, "", ())


def patterns_of_file(connection: sqlite3.Connection, file_id: int) -> list[FilePattern]:
    """Return the patterns that a file follows, those with most members first."""
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
            one, place, language, name, tuple(json.loads(common)), _members(connection, one)
        )
        for one, place, language, name, common in rows
    ]
    whole = [one for one in found if one.members]
    return sorted(whole, key=lambda one: (-len(one.members), one.place, one.common))


def _members(connection: sqlite3.Connection, pattern: int) -> tuple[PatternMember, ...]:
    """Return the members: nearest to what is common first, then the most central."""
    rows = connection.execute(
        "SELECT f.centrality, f.id, f.path, m.extra, m.missing FROM pattern_members m"
        " JOIN files f ON f.id = m.file_id WHERE m.pattern_id = ?",
        (pattern,),
    )
    found = [
        (central, PatternMember(one, path, tuple(json.loads(extra)), tuple(json.loads(missing))))
        for central, one, path, extra, missing in rows
    ]
    # All are compared with the same set, so that the fewest differences are the nearest.
    found.sort(key=lambda one: (len(one[1].missing) + len(one[1].extra), -one[0], one[1].path))
    return tuple(member for _, member in found)


def pattern_names(connection: sqlite3.Connection, paths: Iterable[str]) -> dict[str, str]:
    """Return the names of the patterns that these files follow, that of their folder first."""
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


def pattern_bases(connection: sqlite3.Connection, pattern: FilePattern) -> tuple[str, ...]:
    """Return the types that most members extend."""
    return _shared(
        connection,
        pattern,
        "SELECT DISTINCT e.source_file, coalesce(s.name, e.target_name) FROM edges e"
        " LEFT JOIN symbols s ON s.id = e.target_symbol"
        " WHERE e.kind = 'extends' AND e.source_file IN ({})",
    )


def pattern_decorators(connection: sqlite3.Connection, pattern: FilePattern) -> tuple[str, ...]:
    """Return what most members name between the start of a definition and its own line."""
    return _shared(
        connection,
        pattern,
        "SELECT DISTINCT e.source_file, coalesce(t.name, e.target_name) FROM edges e"
        " JOIN symbols s ON s.file_id = e.source_file AND s.start_line < s.line"
        " LEFT JOIN symbols t ON t.id = e.target_symbol"
        " WHERE e.kind IN ('calls', 'references') AND e.source_file IN ({})"
        # The first line of these uses: an edge has few, and a decorator is seldom used twice.
        " AND CAST(e.lines AS INTEGER) BETWEEN s.start_line AND s.line - 1",
    )


def _shared(connection: sqlite3.Connection, pattern: FilePattern, sql: str) -> tuple[str, ...]:
    ids = next(value_batches(one.file_id for one in pattern.members), [])
    rows = connection.execute(sql.format(placeholders(ids)), ids).fetchall()
    having = {(file, name.replace("::", ".").rpartition(".")[2]) for file, name in rows}
    counts = Counter(name for _, name in having)
    return tuple(sorted(name for name, count in counts.items() if count >= _COMMON * len(ids)))
