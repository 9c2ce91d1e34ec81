"""Define paths other than source files whose change shows that a tree has changed."""

from __future__ import annotations

from typing import Literal, NamedTuple

WatchedPathKind = Literal["folder", "file", "rules", "listing"]


class WatchedPath(NamedTuple):
    """A path whose modification times are compared to detect changes; it may be absolute.

    A `folder` changes when entries are added or removed. A `file` is excluded at present, but a
    change may include it. `rules` is an ignore file; `listing` is git's index.
    """

    path: str
    kind: WatchedPathKind
    mtime_ns: int
    ctime_ns: int
