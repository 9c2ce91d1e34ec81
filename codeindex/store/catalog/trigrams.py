"""Find the chunks that may contain a substring, with a trigram index of chunk texts (FTS5).

The index stores no text, so the caller must search the texts of the returned chunks. A trigger
removes deleted chunks from the index. Writers add new chunks with `add_trigrams`: a trigger would
take three times as long, because FTS5 makes a savepoint for each insertion. Without FTS5 all chunks
are scanned, which takes 5 to 14 times as long (`docs/benchmarks.md`).
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence

Needles = tuple[tuple[str, ...], ...]
"""Substrings to look for: a text must contain, ignoring case, at least one string of each tuple."""
_RUN = 3
_SAME = "replace(replace({}, char(304), 'i'), char(305), 'i')"
"""SQL that replaces two Turkish letters by `i`. When ignoring case, `re` treats them as `i`, but
FTS5 does not."""
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
    """Create the trigram index in a new catalog, if this SQLite supports it."""
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.probe USING fts5(t, tokenize='trigram')")
    except sqlite3.OperationalError:  # without FTS5, or older than 3.34
        return
    for statement in ("DROP TABLE temp.probe", _TABLE, _OF_OLD):
        connection.execute(statement)


def rebuild_trigrams(connection: sqlite3.Connection) -> None:
    """Rebuild the trigram index from the chunks, inside the caller's transaction.

    Do nothing if the catalog has neither the table nor the trigger of the index.
    """
    if not count_trigram_objects(connection):
        return
    for name in _PARTS[1:]:
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    connection.execute("DROP TABLE IF EXISTS trigrams")
    create_trigrams(connection)
    if has_trigrams(connection):
        connection.execute(f"INSERT INTO trigrams (rowid, text) {_CHUNKS}")


def count_trigram_objects(connection: sqlite3.Connection) -> int:
    """Count which parts of the trigram index exist: its table and its trigger.

    The count is `TRIGRAM_OBJECTS` in an intact catalog, and 0 in one that was made without FTS5.
    """
    (count,) = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE name IN (?, ?)", _PARTS
    ).fetchone()
    return int(count)


TRIGRAM_OBJECTS = len(_PARTS)


def trigram_counts(connection: sqlite3.Connection) -> dict[str, int]:
    """Return {trigram: number of chunks that contain it}, read from the trigram index."""
    connection.execute("CREATE VIRTUAL TABLE temp.runs USING fts5vocab('main', 'trigrams', 'row')")
    try:
        return dict(connection.execute("SELECT term, doc FROM temp.runs"))
    finally:
        connection.execute("DROP TABLE temp.runs")


def recount_trigrams(connection: sqlite3.Connection) -> dict[str, int]:
    """Return {trigram: number of chunks that contain it}, counted from the chunk texts.

    The result equals `trigram_counts` if the stored index is intact.
    """
    with contextlib.closing(sqlite3.connect(":memory:")) as again:
        again.execute(_TABLE)
        again.executemany(
            "INSERT INTO trigrams (rowid, text) VALUES (?, ?)", connection.execute(_CHUNKS)
        )
        return trigram_counts(again)


def has_chunk_trigrams(connection: sqlite3.Connection, chunk: int, text: str, *, most: int) -> bool:
    """Check the index: tell whether a chunk is found by the trigrams of its text.

    At most `most` trigrams, spread evenly over `text`, are looked up. True if `text` has no
    trigram.
    """
    runs = list(_runs(text))
    some = runs[:: -(-len(runs) // most) or 1]
    match = " AND ".join(f'"{trigram}"' for trigram in some)
    sql = "SELECT 1 FROM trigrams WHERE trigrams MATCH ? AND rowid = ?"
    return not some or connection.execute(sql, (match, chunk)).fetchone() is not None


def has_trigrams(connection: sqlite3.Connection) -> bool:
    """Tell whether the catalog has a trigram index that this SQLite can read."""
    try:
        connection.execute("SELECT rowid FROM trigrams LIMIT 0")
    except sqlite3.OperationalError:
        return False
    return True


def add_trigrams(connection: sqlite3.Connection, chunks: Iterable[tuple[int, str]]) -> None:
    """Add new chunks, given as (id, text), to the trigram index, if there is one."""
    if has_trigrams(connection):
        same = _SAME.format("?")
        added = f"INSERT INTO trigrams (rowid, text) VALUES (?, {same})"  # noqa: S608 (constant)
        connection.executemany(added, chunks)


def chunks_with_substrings(connection: sqlite3.Connection, needles: Needles) -> list[int] | None:
    """Return ids of chunks that may contain at least one string of each tuple in `needles`.

    Case is ignored. Return None if the index cannot rule out any chunk.
    """
    clauses = [clause for clause in map(_clause, needles) if clause]
    if not clauses or not has_trigrams(connection):
        return None
    match = (" AND ".join(clauses),)
    rows = connection.execute("SELECT rowid FROM trigrams WHERE trigrams MATCH ?", match)
    return [value for (value,) in rows]


def _clause(choices: Sequence[str]) -> str:
    """Return an FTS5 MATCH clause that finds texts with any of `choices`.

    Return "" if a choice has no trigram of ASCII characters, since the index cannot find it.
    """
    clauses = [" AND ".join(f'"{run}"' for run in _runs(choice)) for choice in choices]
    return (
        f"({' OR '.join(f'({clause})' for clause in clauses)})" if clauses and all(clauses) else ""
    )


def _runs(text: str) -> Iterable[str]:
    """Return the distinct ASCII trigrams of a text, with double quotes escaped for FTS5.

    Other trigrams are left out, because non-ASCII letters may have several case variants.
    """
    runs = (text[at : at + _RUN] for at in range(len(text) - _RUN + 1))
    plain = (run for run in runs if run.isascii() and "\0" not in run)
    return dict.fromkeys(trigram.replace('"', '""') for trigram in plain)
