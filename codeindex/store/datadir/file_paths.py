"""From a path as clients give it, absolute and spelt any way, to a file of an index."""

from __future__ import annotations

import os
from pathlib import Path

from codeindex.store.datadir.home import Repository, repositories


def resolve_client_path(text: str, *, base: Path) -> Path | None:
    """Follow a path to where it leads, links too, present or not; None for what can be no path.

    Backslashes part folders where the system does not know them and nothing is called so.
    """
    try:
        text.encode()  # lone surrogates, which JSON can hold
        path = base / text
        if os.sep == "/" and "\\" in text and not path.exists():
            path = base / text.replace("\\", "/")
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # RuntimeError: a loop of links
        return None


def path_in_root(root: Path, path: Path) -> str | None:
    """Return a resolved path as the index of a root spells it, None if it lies elsewhere."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


def enclosing_repository(home: Path, path: Path) -> Repository | None:
    """Return the innermost registered repository that a resolved path lies in."""
    around = [one for one in repositories(home) if path.is_relative_to(one.root)]
    return max(around, key=lambda one: len(one.root.parts), default=None)
