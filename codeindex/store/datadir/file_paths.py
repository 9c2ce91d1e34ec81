"""Map a path that a client sends to a registered repository and a path in it."""

from __future__ import annotations

import os
from pathlib import Path

from codeindex.store.datadir.home import Repository, repositories


def resolve_client_path(text: str, *, base: Path) -> Path | None:
    """Return `text` as an absolute path with links resolved; None if it is not a valid path.

    The file need not exist; relative paths start at `base`. On POSIX a backslash counts as a
    separator, unless a file with that name exists.
    """
    try:
        text.encode()  # raises for lone surrogates, which JSON can contain
        path = base / text
        if os.sep == "/" and "\\" in text and not path.exists():
            path = base / text.replace("\\", "/")
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # RuntimeError: a loop of links
        return None


def path_in_root(root: Path, path: Path) -> str | None:
    """Return a resolved path relative to a root, in POSIX form; None if it is outside the root."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


def enclosing_repository(home: Path, path: Path) -> Repository | None:
    """Return the innermost registered repository whose root contains `path`, or None.

    `path` has no links.
    """
    around = [
        repository for repository in repositories(home) if path.is_relative_to(repository.root)
    ]
    return max(around, key=lambda item: len(item.root.parts), default=None)
