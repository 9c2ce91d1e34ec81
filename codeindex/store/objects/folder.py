"""Implement the object store with files of a folder, for example on a network drive."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

from codeindex.errors import SharingError, StoreAccessError
from codeindex.files.safe_open import open_beneath
from codeindex.files.write import write_atomically

_FILE_MODE = 0o644
"""Other users of a team read the files; only their writer may replace them."""
_NO_FILE = {errno.ELOOP, errno.EISDIR}
"""Errors of reading a link or a folder: the store can be reached, but is damaged there."""


class FolderStore:
    """An `ObjectStore` in a folder; links in the folder are not followed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def place(self) -> str:
        return str(self._folder)

    def get(self, name: str, *, most: int) -> bytes | None:
        try:
            with open_beneath(self._folder, name) as handle:
                data = handle.read(most + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._failure("be read", error) from error
        if len(data) > most:
            raise SharingError(f"'{name}' in '{self.place}' has more than {most:,} bytes: refused.")
        return data

    def put(self, name: str, data: bytes) -> None:
        path = self._folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data, mode=_FILE_MODE)
        except OSError as error:
            raise self._failure("be written", error) from error

    def exists(self, name: str) -> bool:
        try:
            return (self._folder / name).is_file()
        except OSError as error:
            raise self._failure("be read", error) from error

    def names(self, folder: str) -> Iterator[str]:
        try:
            found = sorted(path.name for path in (self._folder / folder).iterdir())
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._failure("be listed", error) from error
        yield from (f"{folder}/{name}" for name in found)

    def delete(self, name: str) -> None:
        try:
            (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise self._failure("be changed", error) from error

    def _failure(self, what: str, error: OSError) -> SharingError:
        reason = error.strerror or str(error)
        kind = SharingError if error.errno in _NO_FILE else StoreAccessError
        return kind(
            f"'{self.place}' cannot {what} ({reason}): see who may read and write it, and whether"
            " its disk is full."
        )
