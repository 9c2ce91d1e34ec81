"""What is watched of a tree beside its files."""

from __future__ import annotations

from typing import Literal, NamedTuple

WatchedPathKind = Literal["folder", "file", "rules", "listing"]


class WatchedPath(NamedTuple):
    """What shows, beside the files, that a tree is not as it was; its path may be absolute.

    A `folder` changes when names in it come and go, a `file` that is left out may not stay so,
    `rules` decide what is left out, and `listing` is git's index.
    """

    path: str
    kind: WatchedPathKind
    mtime_ns: int
    ctime_ns: int
