"""Inspect a cache read-only: no hit is counted, nothing is repaired.

Reads the tables of diskcache 5.6 directly and never unpickles.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import DamagedError, StoreError
from codeindex.store.catalog.sqlite_errors import is_damage
from codeindex.store.datadir.disk_usage import disk_usage

SINCE = "codeindex_since"
"""Key in diskcache's table `Settings`; the value is the time when hits were first counted."""
_SUM = 8
"""Bytes of the digest before each vector: the first bytes of the vector's SHA-256."""
_DATABASE = "cache.db"
_BUSY_SECONDS = 5.0
_LOOKED_AT = 5000
"""Number of newest rows that a quick check hashes; it takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class CacheContents:
    """Size and hit counters of a cache; the number `entries` includes those that have expired."""

    entries: int = 0
    expired: int = 0
    size_bytes: int = 0
    """Size on disk, including the files of large values and the write-ahead log."""
    hits: int = 0
    misses: int = 0
    since: float = 0.0
    """When hits were first counted, in seconds since the epoch; 0 if none was counted yet."""


def without_digest(data: bytes | None) -> bytes | None:
    """Return `data` without the digest that `with_digest` put in front.

    Return None if the digest does not match the data, or if `data` is None.
    """
    if data is None or hashlib.sha256(data[_SUM:]).digest()[:_SUM] != data[:_SUM]:
        return None
    return data[_SUM:]


def with_digest(data: bytes) -> bytes:
    """Return `data` with the first bytes of its SHA-256 in front."""
    return hashlib.sha256(data).digest()[:_SUM] + data


def read_contents(folder: Path) -> CacheContents:
    """Return size and counters of the cache in `folder`, zeros if it has no database.

    Raise DamagedError if the database is damaged.
    """
    if not (folder / _DATABASE).exists():
        return CacheContents()
    with _looked_into(folder) as connection:
        statistics = dict(connection.execute("SELECT key, value FROM Settings"))
        entries, expired = connection.execute(
            "SELECT count(*), coalesce(sum(expire_time < ?), 0) FROM Cache", (time.time(),)
        ).fetchone()
        return CacheContents(
            entries=entries,
            expired=expired,
            size_bytes=disk_usage([folder]),
            hits=int(statistics.get("hits") or 0),
            misses=int(statistics.get("misses") or 0),
            since=float(statistics.get(SINCE) or 0),
        )


def cache_keys(folder: Path) -> frozenset[str]:
    """Return all keys of the cache in `folder`, empty if it has no database.

    Raise DamagedError if the database is damaged.
    """
    if not (folder / _DATABASE).exists():
        return frozenset()
    with _looked_into(folder) as connection:
        return frozenset(str(key) for (key,) in connection.execute("SELECT key FROM Cache"))


def corrupt_vectors(folder: Path, *, deep: bool) -> tuple[int, tuple[str, ...]]:
    """Return (number of vectors checked, sorted keys of the vectors with a wrong digest).

    With `deep`, all vectors are checked, else only the newest. Raise DamagedError if the database
    is damaged.
    """
    if not (folder / _DATABASE).exists():
        return 0, ()
    check_database(folder)
    limit = -1 if deep else _LOOKED_AT
    newest = "SELECT key, value FROM Cache ORDER BY rowid DESC LIMIT ?"
    with _looked_into(folder) as connection:
        rows = connection.execute(newest, (limit,))
        count, bad = 0, []
        for count, (key, value) in enumerate(rows, 1):  # noqa: B007 (the last one counts)
            if type(value) is not bytes or without_digest(value) is None:
                bad.append(str(key))
        return count, tuple(sorted(bad))


def check_database(folder: Path) -> None:
    """Raise DamagedError if the database of the cache in `folder` is damaged; it may be missing."""
    if not (folder / _DATABASE).exists():
        return
    with _looked_into(folder) as connection:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        connection.execute("SELECT key, value, expire_time FROM Cache LIMIT 1").fetchone()
    if verdict != "ok":
        raise DamagedError(f"The cache '{folder}' is damaged ({verdict}).")


@contextlib.contextmanager
def _looked_into(folder: Path) -> Iterator[sqlite3.Connection]:
    path = folder / _DATABASE
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        ) as connection:
            yield connection
    except (sqlite3.DatabaseError, ValueError) as error:
        if isinstance(error, ValueError) or is_damage(error):
            raise DamagedError(f"The cache '{folder}' is damaged ({error}).") from error
        raise StoreError(
            f"The cache '{folder}' cannot be read ({error}): see who owns it."
        ) from error
