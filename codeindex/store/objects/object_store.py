"""Define the protocol of an object store, which `FolderStore` and `RemoteStore` implement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

NAME = re.compile(r"[a-z0-9][a-z0-9.-]*(/[a-z0-9][a-z0-9.-]*)*")
"""The names of objects: parts of lower-case letters, digits, dots and hyphens. No part begins with
a dot, so that no name leads out of a folder."""


class ObjectStore(Protocol):
    """A place for named blobs, such as a shared folder or a bucket.

    Every method raises StoreAccessError if the place cannot be reached.
    """

    @property
    def place(self) -> str:
        """The folder or the URL without credentials, for messages."""

    @property
    def can_list(self) -> bool:
        """Whether `names` can list the objects of a folder, which a plain web server cannot."""

    def get(self, name: str, *, most: int) -> bytes | None:
        """Return the content of the object with this name, None if there is no such object.

        Raise SharingError if it has more than `most` bytes.
        """

    def put(self, name: str, data: bytes) -> None:
        """Write an object atomically: readers see either the old or the new content."""

    def exists(self, name: str) -> bool:
        """Tell whether there is an object of this name."""

    def names(self, folder: str) -> Iterable[str]:
        """Return the names of all objects in a folder, as `folder/name`."""

    def delete(self, name: str) -> None:
        """Delete an object; an absent one is no error."""
