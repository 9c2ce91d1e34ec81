"""Files that pages speak of, as they are on the disk now."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from codeindex.files.safe_open import open_beneath
from codeindex.secrets import is_secret_file

_MOST_BYTES = 8 * 1024 * 1024
"""Of a file whose lines are looked at: larger ones are data."""

_MOST_COMPARED = 5_000_000
"""Lines that are hashed to find what has moved: about a second, which only a page takes that
somebody has made to take them; one of celery's citations takes 30,000."""


class SourceFiles:
    """Reads each file of a root once; for the time of one question."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[str, tuple[str, ...] | None] = {}
        self._left = _MOST_COMPARED

    def lines(self, path: str) -> tuple[str, ...] | None:
        """Return a file's lines; None for what is none of the tree's, or holds secrets by name."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def digest(self, path: str) -> str:
        """Return what tells one state of a file from others, '' without one."""
        lines = self.lines(path)
        return "" if lines is None else digest_lines(lines)

    def may_compare(self, lines: int) -> bool:
        """Tell whether so many lines may still be compared for this question."""
        self._left -= lines
        return self._left >= 0

    def _read(self, path: str) -> tuple[str, ...] | None:
        if is_secret_file(path) or path.startswith("/") or "\0" in path:
            return None
        try:
            with open_beneath(self.root, path) as file:
                data = file.read(_MOST_BYTES + 1)
        except (OSError, ValueError):
            return None
        if len(data) > _MOST_BYTES:
            return None
        return tuple(data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n"))


def digest_lines(lines: Sequence[str]) -> str:
    """Return 48 bits of what lines say: there are few states of a file that have to differ."""
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:12]
