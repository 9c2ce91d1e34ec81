"""Say where the record of a file is, so that another process can read it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class RecordPlace(NamedTuple):
    """Where a record, the parse of a file in a bundle, is: a local file, and a range of bytes."""

    file: str
    offset: int
    length: int

    def read(self) -> bytes:
        """Return the record, one line of JSON, from the local file."""
        with Path(self.file).open("rb") as handle:
            handle.seek(self.offset)
            return handle.read(self.length)
