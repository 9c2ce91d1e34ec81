"""A part of a tree: some files and folders, with all that is below them."""

from __future__ import annotations

from collections.abc import Iterable

from codeindex.ingest.discover.file_filter import IGNORE_FILE
from codeindex.text.globs import parent_folders


class Subtree:
    """The files and folders at `paths`; nothing stands for the whole tree, and is false."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        wanted = {path.strip("/") for path in paths}
        self.paths = () if wanted & {"", "."} else tuple(sorted(wanted))
        self._wanted = frozenset(self.paths)
        self._above = {above for path in self.paths for above in parent_folders(path)}

    def __bool__(self) -> bool:
        return bool(self.paths)

    @property
    def rules(self) -> tuple[str, ...]:
        """Return where the ignore files of the folders above may lie."""
        return tuple(f"{one}/{IGNORE_FILE}" if one else IGNORE_FILE for one in sorted(self._above))

    def holds(self, path: str) -> bool:
        """Tell whether a path is of this part."""
        return not self.paths or not self._wanted.isdisjoint((path, *parent_folders(path)))

    def leads_to(self, path: str) -> bool:
        """Tell whether a path is of this part or above it."""
        return path in self._above or self.holds(path)
