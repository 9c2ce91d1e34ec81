"""Open the object store at a folder or URL that a user specifies."""

from __future__ import annotations

import re
from pathlib import Path

from codeindex.errors import SharingError, StoreAccessError
from codeindex.store.objects.folder import FolderStore
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
