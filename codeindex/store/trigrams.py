"""Which chunks hold a text, whatever it is a part of: FTS5's index of runs of three characters.

It keeps no text, and narrows: what it names is still to be looked at. A trigger takes out chunks
that go; who adds chunks says so (`add_trigrams`), since an insertion by trigger is a savepoint in
FTS5's own journal, which trebles its time. A scan of all chunks takes ten times as long
(`docs/benchmarks.md`), and stays where SQLite was built without it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from string import Template

Needles = tuple[tuple[str, ...], ...]
"""What a text must hold: of each of these, one at least, in either case."""
_RUN = 3
_SAME = "replace(replace({}, char(304), 'i'), char(305), 'i')"
"""Turkish letters that `re` takes for an i where case does not matter, and FTS5 does not."""
_MADE = """
CREATE VIRTUAL TABLE trigrams
    USING fts5(text, content='', detail='none', columnsize=0, tokenize='trigram');
CREATE TRIGGER trigrams_of_old AFTER DELETE ON chunks BEGIN
    INSERT INTO trigrams (trigrams, rowid, text) VALUES ('delete', old.id, $old);
END;
"""


def make_trigrams(connection: sqlite3.Connection) -> None:
    """Have a new catalog keep the index, if this SQLite can."""
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.probe USING fts5(t, tokenize='trigram')")
    except sqlite3.OperationalError:  # without FTS5, or older than 3.34
        return
    made = Template(_MADE).substitute(old=_SAME.format("old.text"))
    connection.executescript(f"DROP TABLE temp.probe; {made}")


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
        same = _SAME.format("?2")
        added = f"INSERT INTO trigrams (rowid, text) VALUES (?1, {same})"  # noqa: S608 (constant)
        connection.executemany(added, chunks)


def chunks_holding(connection: sqlite3.Connection, needles: Needles) -> list[int] | None:
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
