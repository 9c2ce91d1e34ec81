"""Write patterns (groups of similar files), and read the names that are compared to find them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


def delete_patterns(connection: sqlite3.Connection, places: Iterable[str]) -> None:
    """Delete the patterns of the files that match these globs; call it inside `writing`.

    A glob is the column `place` of a pattern.
    """
    connection.executemany("DELETE FROM patterns WHERE place = ?", ((place,) for place in places))


def languages_of_files(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """Return (id, path, language) of every file, sorted by path."""
    return connection.execute("SELECT id, path, language FROM files ORDER BY path").fetchall()


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
