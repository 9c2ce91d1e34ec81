"""Find the orphan files of an index, which no kept generation names."""

from __future__ import annotations

from pathlib import Path

from codeindex.store.catalog.connection import Catalog
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.checksums import segment_files

_PATTERNS = ("segments/*.npy", "segments/*.words", "segments/*.npz", "chroma/gen-*", "graph-*")
"""Patterns of the files that generations name. A file that no generation names is unused."""


def orphan_files(repository: Repository, catalog: Catalog) -> list[Path]:
    """Return the files and folders of an index that no kept generation names, sorted."""
    kept: set[Path] = set()
    for state in catalog.kept_generations():
        for segment in state.segments:
            kept.update(segment_files(repository.segments, segment))
        if state.statistics.get("file"):
            kept.add(repository.segments / state.statistics["file"])
        kept.update(repository.folder / item["path"] for item in (state.chroma,) if item)
        kept.update(repository.folder / item["file"] for item in (state.graph,) if item)
    files = (path for pattern in _PATTERNS for path in repository.folder.glob(pattern))
    return sorted(path for path in files if path not in kept)
