"""Open the object store at a place that a user names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.errors import SharingError
from codeindex.store.objects.folder import FolderStore

if TYPE_CHECKING:
    from codeindex.store.objects.object_store import ObjectStore


def open_store(place: str) -> ObjectStore:
    """Return the store at a folder; nothing is read yet. Raise SharingError for any other place."""
    if not place.strip():
        raise SharingError("No folder is named: give the folder that the team shares.")
    scheme, separator, _ = place.partition("://")
    if separator and scheme != "file":
        raise SharingError(f"'{place}' is not a folder: give the path of a folder.")
    return FolderStore(Path(place.removeprefix("file://")).expanduser().absolute())
