"""Classify SQLite errors: damaged file, or a bad or too long query."""

from __future__ import annotations

import sqlite3

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_MISSING = ("no such table", "no such column", "no such index", "malformed database schema")
"""Messages of SQLITE_ERROR that mean a table or index of ours is missing."""


def primary_code(error: sqlite3.DatabaseError) -> int:
    """Return the primary result code; SQLITE_MISUSE for errors of the sqlite3 module."""
    if type(error) is sqlite3.DatabaseError:  # raised by codeindex for unreadable content
        return _code(error, sqlite3.SQLITE_CORRUPT)
    return _code(error, sqlite3.SQLITE_MISUSE)


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Tell whether the error means a damaged file, not a busy or full one or a bad query."""
    code = primary_code(error)
    if code == sqlite3.SQLITE_ERROR:
        return str(error).startswith(_MISSING)
    return code in _DAMAGE


def is_too_long(error: sqlite3.DatabaseError) -> bool:
    """Tell whether a text or pattern exceeded a limit of SQLite."""
    return primary_code(error) == sqlite3.SQLITE_TOOBIG or "too complex" in str(error)


def _code(error: sqlite3.DatabaseError, otherwise: int) -> int:
    code: int = getattr(error, "sqlite_errorcode", otherwise)
    return code & 0xFF
