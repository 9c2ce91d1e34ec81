"""Read the coverage data of a repository: which tests ran which lines.

`coverage.py` writes the data to `.coverage`, an SQLite database. It has a context for each test if
coverage ran with `dynamic_context = test_function` or `pytest --cov-context=test`. The file is part
of the work tree and therefore untrusted: it is read into memory without following links, and only
its tables are read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from codeindex.files.safe_open import open_beneath

COVERAGE_FILE = ".coverage"
_MAX_BYTES = 128 << 20
"""Maximum size of coverage data: reading it takes about a millisecond for each MB."""
_MAX_STEPS = 2_000
"""Maximum progress callbacks, of 10,000 instructions each, of one read: about a second."""
_TABLES = frozenset({"file", "context", "line_bits", "arc"})


@dataclass(frozen=True, slots=True)
class LineContexts:
    """Which tests ran each line of one file, according to coverage data.

    `by_line` is {line number: contexts}; a context is the name of a test. `recorded` has the
    contexts of all files in the data. `mtime_ns` is the modification time of the data.
    """

    mtime_ns: int
    by_line: dict[int, set[str]]
    recorded: frozenset[str]


def read_line_contexts(root: Path, path: str) -> LineContexts | None:
    """Return which tests ran each line of a file; None without usable coverage data.

    `by_line` is empty if the data does not include the file. Data is unusable if it is damaged, in
    another format or larger than 128 MiB.
    """
    try:
        with open_beneath(root, COVERAGE_FILE) as file:
            data, mtime_ns = file.read(_MAX_BYTES + 1), os.fstat(file.fileno()).st_mtime_ns
        if len(data) > _MAX_BYTES or not data:
            return None
        with closing(sqlite3.connect(":memory:")) as connection:
            _open_untrusted(connection, data)
            return _read(connection, root, path, mtime_ns)
    except (OSError, sqlite3.Error, ValueError, TypeError, OverflowError):
        return None


def _open_untrusted(connection: sqlite3.Connection, data: bytes) -> None:
    connection.deserialize(data)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")
    left = iter(range(_MAX_STEPS))
    connection.set_progress_handler(lambda: next(left, None) is None, 10_000)
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    if not {name for (name,) in rows} >= _TABLES:
        raise ValueError("not the data of coverage.py")


def _read(connection: sqlite3.Connection, root: Path, path: str, mtime_ns: int) -> LineContexts:
    contexts = dict(connection.execute("SELECT id, context FROM context WHERE context != ''"))
    by_line: dict[int, set[str]] = {}
    names = (path, str(root / path))
    bits = connection.execute(
        "SELECT b.context_id, b.numbits FROM line_bits b JOIN file f ON f.id = b.file_id"
        " WHERE f.path IN (?, ?)",
        names,
    )
    for context, numbits in bits:
        for line in _lines_of(numbits) if context in contexts else ():
            by_line.setdefault(line, set()).add(contexts[context])
    arcs = connection.execute(
        "SELECT a.context_id, a.tono FROM arc a JOIN file f ON f.id = a.file_id"
        " WHERE f.path IN (?, ?) AND a.tono > 0",
        names,
    )
    for context, line in arcs:
        if context in contexts:
            by_line.setdefault(line, set()).add(contexts[context])
    return LineContexts(mtime_ns, by_line, frozenset(contexts.values()))


def _lines_of(numbits: bytes) -> Iterator[int]:
    """Yield the line numbers that are set in a bit array; bit 0 of byte 0 is line 0."""
    for at, byte in enumerate(numbits):
        for bit in range(8) if byte else ():
            if byte & 1 << bit:
                yield at * 8 + bit
