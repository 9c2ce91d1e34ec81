"""Parse the hunks of a patch: which lines of which file it changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

PATCH_OPTIONS = ("--patch", "--unified=0", "--inter-hunk-context=0", "--dst-prefix=b/")
"""Options of `git diff` and `git diff-tree` for a patch that `parse_hunks` can read."""
_HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb'\\([abtnvfr"\\]|[0-7]{3})')
_ESCAPED = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))


class Hunk(NamedTuple):
    """A place that a diff changes: first line and number of lines before and after the change.

    If a side has no lines, its start is the line before the change.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int

    @property
    def new_lines(self) -> range:
        """The lines after the change; of a pure deletion, the line before it."""
        return range(self.new_start, self.new_start + max(self.new_count, 1))


def parse_hunks(patch: bytes) -> Iterator[tuple[bytes, Hunk]]:
    """Yield each hunk of a patch with the path of the newer version of its file: (path, hunk).

    The patch must be made with `PATCH_OPTIONS`. Changed lines are skipped by the counts of their
    hunk, because they may look like headers.
    """
    path, left = b"", 0
    for line in patch.split(b"\n"):
        if left and line[:1] in (b"+", b"-"):
            left -= 1
        elif line.startswith(b"+++ "):
            path = unquote_path(line[len(b"+++ ") :].removesuffix(b"\t")).removeprefix(b"b/")
        elif header := _HEADER.match(line):
            hunk = Hunk(*map(int, header.groups(default=b"1")))
            left = hunk.old_count + hunk.new_count
            yield path, hunk


def unquote_path(path: bytes) -> bytes:
    """Return a path as on disk, without git's quoting.

    Git quotes a path that contains `"`, a backslash or a control character.
    """
    if not path.startswith(b'"'):
        return path
    return _ESCAPE.sub(lambda match: bytes([_code(match[1])]), path[1:-1])


def _code(escape: bytes) -> int:
    return int(escape, 8) if escape.isdigit() else _ESCAPED[escape[0]]
