"""Open the object store at a folder or URL; a store in a folder is implemented here."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from pathlib import Path

from codeindex.errors import SharingError, StoreAccessError
from codeindex.files.safe_open import open_beneath, remove_beneath, write_beneath
from codeindex.store.objects.object_store import ObjectStore

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""How a URL begins, also one without `//`; a drive of Windows has a single letter."""
_PLACES = "a folder, `s3://bucket/path`, `gs://…`, `az://…` or `https://…`"


def open_store(place: str, *, offline: bool = False) -> ObjectStore:
    """Return the object store for a folder or URL, without reading from it.

    Raise SharingError if `place` is neither, and StoreAccessError if it is a URL and the
    setting `offline` is on.
    """
    if not place.strip():
        raise SharingError(f"The place is missing: give {_PLACES}.")
    if folder := local_folder(place):
        return FolderStore(folder.absolute())
    from codeindex.store.objects.remote import SCHEMES, RemoteStore  # 20 ms, for URLs only

    scheme, separator, _ = place.partition("://")
    if not separator:
        raise SharingError(f"'{place.partition(':')[0]}:' begins no place: give {_PLACES}.")
    if scheme not in SCHEMES:
        raise SharingError(f"'{scheme}://' cannot be used so: give {_PLACES}.")
    if offline:
        raise StoreAccessError(
            f"The setting `offline` forbids the network, which '{scheme}://' needs: give a folder."
        )
    return RemoteStore(place)


def local_folder(place: str) -> Path | None:
    """Return the folder that a path or `file:///` URL names; None for any other URL.

    A path that begins like a URL, such as `s3:/bucket`, counts as a URL: else a slip of the pen
    would make a folder of this name, with the password of the URL in it. `./s3:/bucket` is a path.
    """
    path = place.removeprefix("file://")
    if _SCHEME.match(place) if path == place else not path.startswith("/"):
        return None
    return Path(path).expanduser()


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
