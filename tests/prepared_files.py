"""Files as the workers hand them to the catalog, for tests that store some."""

from __future__ import annotations

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
