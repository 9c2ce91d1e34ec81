"""Find and delete the orphan files of an index, to which no kept generation refers."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from codeindex.store.catalog.connection import Catalog
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.checksums import segment_files

_PATTERNS = ("segments/*.npy", "segments/*.words", "segments/*.npz", "chroma/gen-*", "graph-*")
"""Globs of the files that generations refer to. One to which no generation refers is unused."""


def generation_files(repository: Repository) -> list[Path]:
    """Return the existing files and folders that generations can refer to, sorted."""
    return sorted(path for pattern in _PATTERNS for path in repository.folder.glob(pattern))


def orphan_files(
    repository: Repository, catalog: Catalog, files: Sequence[Path] | None = None
) -> list[Path]:
    """Return the files and folders of an index to which no recent generation refers, sorted.

    The recent generations are those that readers may have open (`kept_generations`). A caller
    without the writer lock must list `files` with `generation_files`, and then check that the lock
    is free. Then a file that a sync writes later is not taken for an orphan.
    """
    files = generation_files(repository) if files is None else files
    kept: set[Path] = set()
    for state in catalog.kept_generations():
        for segment in state.segments:
            kept.update(segment_files(repository.segments, segment))
        if state.statistics.get("file"):
            kept.add(repository.segments / state.statistics["file"])
        kept.update(repository.folder / item["path"] for item in (state.chroma,) if item)
        kept.update(repository.folder / item["file"] for item in (state.graph,) if item)
    return [path for path in files if path not in kept]


def delete_orphans(repository: Repository, catalog: Catalog) -> None:
    """Delete the orphan files; the caller holds the writer lock."""
    for path in orphan_files(repository, catalog):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
