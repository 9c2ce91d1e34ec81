"""Classify SQLite errors: which mean a damaged file, and which a query that is too long."""

from __future__ import annotations

import sqlite3

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_MISSING = ("no such table", "no such column", "no such index", "malformed database schema")
"""Prefixes of SQLITE_ERROR messages which mean that a table, column or index is missing."""


def primary_code(error: sqlite3.DatabaseError) -> int:
    """Return SQLite's primary result code of an error.

    An error without a code counts as SQLITE_CORRUPT if codeindex raised it for unreadable content,
    and as SQLITE_MISUSE if the module sqlite3 raised it.
    """
    if type(error) is sqlite3.DatabaseError:  # raised by codeindex for unreadable content
        return _code(error, sqlite3.SQLITE_CORRUPT)
    return _code(error, sqlite3.SQLITE_MISUSE)


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Tell whether the error means a damaged file, not a lock, a full disk or a bad query."""
    code = primary_code(error)
    if code == sqlite3.SQLITE_ERROR:
        return str(error).startswith(_MISSING)
    return code in _DAMAGE


def is_too_long(error: sqlite3.DatabaseError) -> bool:
    """Tell whether the error means that a text or pattern exceeds a limit of SQLite."""
    return primary_code(error) == sqlite3.SQLITE_TOOBIG or "too complex" in str(error)


def _code(error: sqlite3.DatabaseError, otherwise: int) -> int:
    code: int = getattr(error, "sqlite_errorcode", otherwise)
    return code & 0xFF
