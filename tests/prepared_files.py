"""Files as the workers hand them to the catalog, for tests that store some."""

from __future__ import annotations

import sqlite3

from codeindex.store.catalog.write_files import FilePlace, StoredFile, store_batch
from codeindex.types import PreparedChunk, PreparedFile, Symbol


def prepared_file(
    path: str, *, symbols: tuple[Symbol, ...] = (), chunks: tuple[PreparedChunk, ...] = ()
) -> PreparedFile:
    """Return an indexed Python file with these symbols and chunks."""
    return PreparedFile(
        path=path,
        language="python",
        digest="d",
        size=1,
        mtime_ns=1,
        ctime_ns=1,
        is_test=False,
        status="indexed",
        symbols=symbols,
        chunks=chunks,
    )


def store_file(
    connection: sqlite3.Connection, file: PreparedFile, *, module: str, is_navigation: bool
) -> StoredFile:
    """Store a file in place of its earlier version.

    `module` is the name of its module; `is_navigation` is true for a document such as README.md.
    Return the ids of its new chunks and the number of replaced chunks.
    """
    return store_batch(connection, [FilePlace(file, module, is_navigation)])[0]
