"""Files whose text the catalog does not hold, or not as it is now, and the text of a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.config import Config
from codeindex.errors import QueryError
from codeindex.ingest.decode import NotTextError, decode
from codeindex.ingest.discover import discover
from codeindex.ingest.prepare import read_file
from codeindex.types import SourceFile

if TYPE_CHECKING:
    import sqlite3

MINIFIED = "minified"
"""Why a file that was read has no chunks, though it is text."""


def unstored(
    connection: sqlite3.Connection, root: Path, config: Config, unread: Sequence[str]
) -> list[SourceFile]:
    """Return the bundles among the files, and those of `unread` that would be indexed."""
    rows = connection.execute(
        "SELECT path, language, size, mtime_ns, ctime_ns, is_test FROM files"
        " WHERE status = 'skipped' AND reason = ?",
        (MINIFIED,),
    )
    found = {row[0]: SourceFile(*row) for row in rows}
    if unread and root.is_dir():
        changed = discover(root, config=config, subpaths=tuple(unread)).files
        found |= {one.path: one for one in changed}
    return list(found.values())


def text_at(root: Path, path: str, *, max_bytes: int) -> str:
    """Return the text of a file as it is now, secrets and all; QueryError for what has none."""
    try:
        return decode(read_file(root, path, max_bytes).data)
    except (OSError, NotTextError) as error:
        raise QueryError(f"'{path}' cannot be read: {error}.") from error
