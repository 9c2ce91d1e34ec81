"""Implement the object store with files of a folder, for example on a network drive."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

from codeindex.errors import SharingError, StoreAccessError
from codeindex.files.safe_open import open_beneath, remove_beneath, write_beneath

_FILE_MODE = 0o644
"""Other users of a team read the files; only their writer may replace them."""
_NO_FILE = {errno.ELOOP, errno.EISDIR, errno.EINVAL}
"""Error numbers if a link, folder or pipe is in the place of an object's file. They mean that this
object is damaged, not that the store cannot be reached."""


class FolderStore:
    """An `ObjectStore` in a folder; links in the folder are not followed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def place(self) -> str:
        return str(self._folder)

    @property
    def can_list(self) -> bool:
        return True

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
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_beneath(self._folder, name, data, mode=_FILE_MODE)
        except OSError as error:
            raise self._failure("be written", error) from error

    def exists(self, name: str) -> bool:
        try:
            open_beneath(self._folder, name).close()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            if error.errno in _NO_FILE:
                return False
            raise self._failure("be read", error) from error
        return True

    def names(self, folder: str) -> Iterator[str]:
        inner = self._folder / folder
        try:
            found = [] if inner.is_symlink() else sorted(path.name for path in inner.iterdir())
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._failure("be listed", error) from error
        yield from (f"{folder}/{name}" for name in found)

    def delete(self, name: str) -> None:
        try:
            remove_beneath(self._folder, name)
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._failure("be changed", error) from error

    def _failure(self, what: str, error: OSError) -> SharingError:
        reason = error.strerror or str(error)
        kind = SharingError if error.errno in _NO_FILE else StoreAccessError
        return kind(
            f"'{self.place}' cannot {what} ({reason}): see who may read and write it, and whether"
            " its disk is full."
        )
