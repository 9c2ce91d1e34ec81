"""How much of a repository leans on each file.

A crude in-degree: how many other files mention a name that this file, and at most one other,
defines. Needs no resolution of imports and holds for every language with symbols.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections import defaultdict

import numpy as np

_SHORTEST = 4
"""Shorter names are too often words of the language."""
_MOST_DEFINERS = 2


def in_degrees(connection: sqlite3.Connection) -> dict[int, int]:
    """Return the in-degree of every file in the catalog by id."""
    definers: dict[int, set[int]] = defaultdict(set)
    for name, file_id in connection.execute(
        "SELECT DISTINCT name, file_id FROM symbols WHERE length(name) >= ?", (_SHORTEST,)
    ):
        definers[zlib.crc32(name.encode())].add(file_id)
    rare = {name: files for name, files in definers.items() if len(files) <= _MOST_DEFINERS}
    names = np.array(sorted(rare), dtype=np.uint32)
    degrees = {one: 0 for (one,) in connection.execute("SELECT id FROM files")}
    for user, blob in connection.execute("SELECT id, identifiers FROM files"):
        mentioned = np.intersect1d(np.frombuffer(blob, dtype="<u4"), names, assume_unique=True)
        used = {owner for name in mentioned.tolist() for owner in rare[name]}
        for owner in used - {user}:
            degrees[owner] += 1
    return degrees
