"""Read the lines of stored files for an answer that needs several ranges of the same files."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from codeindex.store.catalog.files import stored_text


class FileLines:
    """Reads the stored, redacted lines of files from the catalog, each file once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> Sequence[str]:
        """Return all lines of a file, `[""]` if it is not indexed."""
        if path not in self._lines:
            self._lines[path] = stored_text(self._connection, path).split("\n")
        return self._lines[path]

    def code(self, path: str, first: int, last: int) -> str:
        """Return the text of a file from line `first` to line `last`, both included."""
        return "\n".join(self.lines(path)[first - 1 : last])
