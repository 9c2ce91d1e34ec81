"""Define the paths whose change shows that a tree has changed, besides its source files."""

from __future__ import annotations

from typing import Literal, NamedTuple

WatchedPathKind = Literal["folder", "file", "rules", "listing"]


class WatchedPath(NamedTuple):
    """A path whose times are compared to detect changes; it may be absolute.

    A `folder` changes when entries are added or removed; a `file` is excluded now but may not stay
    excluded; `rules` is an ignore file; `listing` is git's index.
    """

    path: str
    kind: WatchedPathKind
    mtime_ns: int
    ctime_ns: int
