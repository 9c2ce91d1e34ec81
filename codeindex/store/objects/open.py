"""Open the object store at a folder or URL that a user specifies."""

from __future__ import annotations

from pathlib import Path

from codeindex.errors import SharingError, StoreAccessError
from codeindex.store.objects.folder import FolderStore
from codeindex.store.objects.object_store import ObjectStore

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

    scheme = place.partition("://")[0]
    if scheme not in SCHEMES:
        raise SharingError(f"'{scheme}://' is not known: give {_PLACES}.")
    if offline:
        raise StoreAccessError(
            f"The setting `offline` forbids the network, which '{scheme}://' needs: give a folder."
        )
    return RemoteStore(place)


def local_folder(place: str) -> Path | None:
    """Return the folder that `place` is, as a path or `file://` URL; None for another URL."""
    scheme, separator, _ = place.partition("://")
    is_url = separator and scheme != "file"
    return None if is_url else Path(place.removeprefix("file://")).expanduser()
