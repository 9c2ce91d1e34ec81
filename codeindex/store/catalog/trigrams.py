"""Which chunks hold a text, whatever it is a part of: FTS5's index of runs of three characters.

It keeps no text, and narrows: what it names is still to be looked at. A trigger takes out chunks
that go; who adds chunks says so (`add_trigrams`), since an insertion by trigger is a savepoint in
FTS5's own journal, which trebles its time. A scan of all chunks takes ten times as long
(`docs/benchmarks.md`), and stays where SQLite was built without it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence

Needles = tuple[tuple[str, ...], ...]
"""What a text must hold: of each of these, one at least, in either case."""
_RUN = 3
_SAME = "replace(replace({}, char(304), 'i'), char(305), 'i')"
"""Turkish letters that `re` takes for an i where case does not matter, and FTS5 does not."""
_TABLE = """
CREATE VIRTUAL TABLE trigrams
    USING fts5(text, content='', detail='none', columnsize=0, tokenize='trigram')
"""
_OF_OLD = f"""
CREATE TRIGGER trigrams_of_old AFTER DELETE ON chunks BEGIN
    INSERT INTO trigrams (trigrams, rowid, text)
        VALUES ('delete', old.id, {_SAME.format("old.text")});
END
"""  # noqa: S608 (constants)
_CHUNKS = f"SELECT id, {_SAME.format('text')} FROM chunks"  # noqa: S608 (constant)
_PARTS = ("trigrams", "trigrams_of_old")


def create_trigrams(connection: sqlite3.Connection) -> None:
    """Have a new catalog keep the index, if this SQLite can."""
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.probe USING fts5(t, tokenize='trigram')")
    except sqlite3.OperationalError:  # without FTS5, or older than 3.34
        return
    for statement in ("DROP TABLE temp.probe", _TABLE, _OF_OLD):
        connection.execute(statement)


def rebuild_trigrams(connection: sqlite3.Connection) -> None:
    """Make the index anew from the chunks, in the caller's transaction; nothing where none is."""
    if not count_trigram_objects(connection):
        return
    for name in _PARTS[1:]:
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    connection.execute("DROP TABLE IF EXISTS trigrams")
    create_trigrams(connection)
    if has_trigrams(connection):
        connection.execute(f"INSERT INTO trigrams (rowid, text) {_CHUNKS}")


def count_trigram_objects(connection: sqlite3.Connection) -> int:
    """Return how many of the table and its trigger a catalog has: all, or none, if it is sound."""
    (count,) = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE name IN (?, ?)", _PARTS
    ).fetchone()
    return int(count)


TRIGRAM_OBJECTS = len(_PARTS)


def trigram_counts(connection: sqlite3.Connection) -> dict[str, int]:
    """Return in how many chunks the index knows each run to be."""
    connection.execute("CREATE VIRTUAL TABLE temp.runs USING fts5vocab('main', 'trigrams', 'row')")
    try:
        return dict(connection.execute("SELECT term, doc FROM temp.runs"))
    finally:
        connection.execute("DROP TABLE temp.runs")


def recount_trigrams(connection: sqlite3.Connection) -> dict[str, int]:
    """Return what these counts have to be, by an index of the chunks that is made for it."""
    with contextlib.closing(sqlite3.connect(":memory:")) as again:
        again.execute(_TABLE)
        again.executemany(
            "INSERT INTO trigrams (rowid, text) VALUES (?, ?)", connection.execute(_CHUNKS)
        )
        return trigram_counts(again)


def has_chunk_trigrams(connection: sqlite3.Connection, chunk: int, text: str, *, most: int) -> bool:
    """Tell whether the index names a chunk for runs of its text: `most` of them, from all over."""
    runs = list(_runs(text))
    some = runs[:: -(-len(runs) // most) or 1]
    asked = " AND ".join(f'"{one}"' for one in some)
    sql = "SELECT 1 FROM trigrams WHERE trigrams MATCH ? AND rowid = ?"
    return not some or connection.execute(sql, (asked, chunk)).fetchone() is not None


def has_trigrams(connection: sqlite3.Connection) -> bool:
    """Tell whether a catalog keeps the index, and this SQLite can read it."""
    try:
        connection.execute("SELECT rowid FROM trigrams LIMIT 0")
    except sqlite3.OperationalError:
        return False
    return True


def add_trigrams(connection: sqlite3.Connection, chunks: Iterable[tuple[int, str]]) -> None:
    """Take in new chunks, each an id and its text."""
    if has_trigrams(connection):
        same = _SAME.format("?")
        added = f"INSERT INTO trigrams (rowid, text) VALUES (?, {same})"  # noqa: S608 (constant)
        connection.executemany(added, chunks)


def chunks_with_substrings(connection: sqlite3.Connection, needles: Needles) -> list[int] | None:
    """Return the ids of the chunks that may hold the needles; None if all have to be looked at."""
    clauses = [said for said in map(_clause, needles) if said]
    if not clauses or not has_trigrams(connection):
        return None
    asked = (" AND ".join(clauses),)
    rows = connection.execute("SELECT rowid FROM trigrams WHERE trigrams MATCH ?", asked)
    return [one for (one,) in rows]


def _clause(choices: Sequence[str]) -> str:
    """Ask for one of some texts; nothing can be asked where one of them is too short."""
    asked = [" AND ".join(f'"{one}"' for one in _runs(choice)) for choice in choices]
    return f"({' OR '.join(f'({one})' for one in asked)})" if asked and all(asked) else ""


def _runs(text: str) -> Iterable[str]:
    """Yield the runs of a text that every form of it has, quoted: other letters have more cases."""
    runs = (text[at : at + _RUN] for at in range(len(text) - _RUN + 1))
    plain = (one for one in runs if one.isascii() and "\0" not in one)
    return dict.fromkeys(one.replace('"', '""') for one in plain)
