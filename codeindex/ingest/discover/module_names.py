"""Derive the name of a file's module from its path."""

from __future__ import annotations

from collections.abc import Collection
from posixpath import splitext

from codeindex.types import FOLDER_INDEX_STEMS

_SOURCE_FOLDERS = {"src", "lib"}
"""Folders that contain packages and are no part of their names."""


def module_of(path: str, paths: Collection[str]) -> str:
    """Return the dotted module name of `path`, like `shop.cart` for `src/shop/cart.py`.

    `paths` holds every file of the repository. A package inside a project folder of its own name
    counts once: `shop/shop/cart.py` is `shop.cart`, as long as the outer folder is no package
    itself.
    """
    parts = splitext(path)[0].split("/")
    while len(parts) > 1 and parts[0] in _SOURCE_FOLDERS and f"{parts[0]}/__init__.py" not in paths:
        parts = parts[1:]
    doubled = parts[0] in parts[1:-1][:1]
    if doubled and f"{parts[0]}/__init__.py" not in paths:
        parts = parts[1:]
    if len(parts) > 1 and parts[-1] in FOLDER_INDEX_STEMS:
        parts = parts[:-1]
    return ".".join(parts)
