"""Looking for secrets in bytes: whole, in part, and in every dress that a store puts on text."""

from __future__ import annotations

import base64
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from codeindex.text.words import stemmed_words

SHORTEST = 8
"""Characters of a part: shorter ones are found by chance."""


def dresses(secret: str) -> set[bytes]:
    """Return what would give `secret` away, in small letters: whole, halves, encoded, as words."""
    data = secret.encode()
    half = len(secret) // 2
    texts = {
        secret,
        quote(secret, safe=""),
        data.hex(),
        *stemmed_words(secret),
        *stemmed_words(secret.lower()),
    }
    texts |= {secret[:half], secret[half:], *secret.split()}
    texts |= {data.decode().encode("utf-16-le").decode("latin-1")}
    for shift in range(3):  # what stands before it in base64 moves it by that much
        encoded = base64.b64encode(b"\0" * shift + data).decode()
        texts.add(encoded[4 if shift else 0 : -4])
    return {one.lower().encode("latin-1") for one in texts if len(one) >= SHORTEST}


def kept(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every file of a data folder, and what its databases hold, cell by cell, unpacked.

    Models are left out: they are the same for everybody.
    """
    for file in sorted(folder.rglob("*")):
        if file.is_file() and "models" not in file.relative_to(folder).parts[:1]:
            data = file.read_bytes()
            yield str(file.relative_to(folder)), data
            if data.startswith(b"SQLite format 3"):
                yield f"{file.relative_to(folder)} (cells)", b"\n".join(_cells(file))
    yield "names of files", "\n".join(str(one) for one in folder.rglob("*")).encode()


def _cells(database: Path) -> Iterator[bytes]:
    connection = sqlite3.connect(database)
    tables = connection.execute(  # what is virtual lies in tables of its own
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %'"
    ).fetchall()
    for (table,) in tables:
        for row in connection.execute(f'SELECT * FROM "{table}"'):
            for cell in row:
                yield _unpacked(cell) if isinstance(cell, bytes) else str(cell).encode()
    connection.close()


def _unpacked(blob: bytes) -> bytes:
    try:
        return zlib.decompress(blob)
    except zlib.error:
        return blob
