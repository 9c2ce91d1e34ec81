"""Read the source files of pages from the work tree."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from codeindex.files.safe_open import open_beneath
from codeindex.secrets import is_secret_file

_MOST_BYTES = 8 * 1024 * 1024
"""Maximum size of a file that is read, in bytes; larger files are data."""

_MOST_COMPARED = 5_000_000
"""Maximum number of lines that are hashed to find moved citations: about one second. Only a hostile
page needs more; a citation in celery takes 30,000."""


class SourceFiles:
    """A reader of source files, each read at most once; an instance lives for one request."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[str, tuple[str, ...] | None] = {}
        self._left = _MOST_COMPARED

    def lines(self, path: str) -> tuple[str, ...] | None:
        """Return the lines of a file; None if it is secret, outside of the root, or unreadable."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def digest(self, path: str) -> str:
        """Return the digest of a file; '' if the file cannot be read."""
        lines = self.lines(path)
        return "" if lines is None else digest_lines(lines)

    def may_compare(self, lines: int) -> bool:
        """Add `lines` to the number of compared lines; return False if it exceeds `_MOST_COMPARED`.

        This limits the time for the search for moved citations in one request.
        """
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
    """Return a 48-bit digest of lines, enough to distinguish the few versions of one file."""
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:12]
