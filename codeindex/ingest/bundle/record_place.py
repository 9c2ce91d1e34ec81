"""Define where the record (the parse) of a file lies on disk, for a worker process to read."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class RecordPlace(NamedTuple):
    """The place of a record, the parse of one file from a bundle: a local file and a byte range."""

    file: str
    offset: int
    length: int

    def read(self) -> bytes:
        """Return the record, one line of JSON, from the local file."""
        with Path(self.file).open("rb") as handle:
            handle.seek(self.offset)
            return handle.read(self.length)
