"""Which errors of SQLite mean that a file is damaged, and which that it was asked wrongly."""

from __future__ import annotations

import sqlite3

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_MISSING = ("no such table", "no such column", "no such index", "malformed database schema")
"""What SQLite says, with its general code, of a file that lacks what we have put into each."""


def primary_code(error: sqlite3.DatabaseError) -> int:
    """Return the code of an error without what extends it; SQLITE_MISUSE for Python's own."""
    if type(error) is sqlite3.DatabaseError:  # raised by us, for content that is none
        return _code(error, sqlite3.SQLITE_CORRUPT)
    return _code(error, sqlite3.SQLITE_MISUSE)


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Tell whether the file is broken, rather than busy, full, or asked for too much."""
    code = primary_code(error)
    if code == sqlite3.SQLITE_ERROR:
        return str(error).startswith(_MISSING)
    return code in _DAMAGE


def is_too_long(error: sqlite3.DatabaseError) -> bool:
    """Tell whether SQLite was given a text, or a pattern, that is longer than it takes."""
    return primary_code(error) == sqlite3.SQLITE_TOOBIG or "too complex" in str(error)


def _code(error: sqlite3.DatabaseError, otherwise: int) -> int:
    code: int = getattr(error, "sqlite_errorcode", otherwise)
    return code & 0xFF
