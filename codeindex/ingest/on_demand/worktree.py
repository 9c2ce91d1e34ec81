"""Read files of the work tree as they are on disk, without a sync."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from codeindex.config import Config
from codeindex.errors import QueryError
from codeindex.ingest.discover.files import discover
from codeindex.ingest.read.decode import NotTextError, decode
from codeindex.ingest.read.source import read_file
from codeindex.types import SourceFile


def indexable_files(root: Path, paths: Sequence[str], *, config: Config) -> Sequence[SourceFile]:
    """Return the files at and below `paths` that a sync would index; () if `root` is no folder."""
    return discover(root, config=config, subpaths=tuple(paths)).files if root.is_dir() else ()


def read_worktree_text(root: Path, path: str, *, max_bytes: int) -> str:
    """Return the text of a file on disk, not redacted; raise QueryError if it is unreadable."""
    try:
        return decode(read_file(root, path, max_bytes).data)
    except (OSError, NotTextError) as error:
        raise QueryError(f"'{path}' cannot be read: {error}.") from error
