"""Represent a part of a tree: some files and folders with everything below them."""

from __future__ import annotations

from collections.abc import Iterable

from codeindex.ingest.discover.file_filter import IGNORE_FILE
from codeindex.text.globs import parent_folders


class Subtree:
    """The files and folders at `paths`, and everything below these folders.

    Without paths, it stands for the whole tree and is false as a condition.
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        wanted = {path.strip("/") for path in paths}
        self.paths = () if wanted & {"", "."} else tuple(sorted(wanted))
        self._wanted = frozenset(self.paths)
        self._above = {above for path in self.paths for above in parent_folders(path)}

    def __bool__(self) -> bool:
        return bool(self.paths)

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the paths of all possible `.codeindexignore` files in folders above `paths`."""
        folders = sorted(self._above)
        return tuple(f"{folder}/{IGNORE_FILE}" if folder else IGNORE_FILE for folder in folders)

    def holds(self, path: str) -> bool:
        """Tell whether a path is one of `paths` or below one of them; true if there are none."""
        return not self.paths or not self._wanted.isdisjoint((path, *parent_folders(path)))

    def leads_to(self, path: str) -> bool:
        """Tell whether `holds` is true of a path, or the path is a folder above one of `paths`."""
        return path in self._above or self.holds(path)
