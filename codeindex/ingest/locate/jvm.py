"""Java, Kotlin and Scala: packages are folders below source roots, as far as these are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from codeindex.ingest.locate.tree import Place, Tree

_SUFFIXES = (".java", ".kt", ".scala")
_ROOT = re.compile(r"(?:^|.*/)src/[^/]+/(?:java|kotlin|scala)[^/]*(?:/|$)")
"""What Maven and Gradle make a source root: `okio` below one is not the package `shop.okio`."""


def locate(tree: Tree, path: str, module: str) -> Place | None:
    """Find the file of a class, of several such the nearest; what follows its name is within it.

    A file of Kotlin or Scala may define what is not called like it, so that one of its package may
    be meant too.
    """
    parts = module.split(".")
    stems = _stems(tree)
    for end in range(len(parts), 0, -1):
        found = list(_classes(stems.get(parts[end - 1], ()), parts[:end]))
        if found:
            return Place(tuple(nearest_first(found, path))[:1], symbol=_symbol(parts[end - 1 :]))
    for end in range(len(parts) - 1, 0, -1):
        folders = _packages(tree).get("/".join(parts[:end]), ())
        files = () if parts[end] == "*" else tuple(_mixed(tree, folders, path))
        if files or (folders and parts[end] == "*"):
            return Place(files, symbol=_symbol(parts[end:]))
    return None


def _symbol(parts: Sequence[str]) -> str:
    """Return a qualified name; what a nameless companion has is of its class."""
    return ".".join(one for one in parts if one != "Companion") or "Companion"


def _classes(paths: Iterable[str], parts: Sequence[str]) -> Iterator[str]:
    inside = "/".join(parts)
    for one in paths:
        stem = one.rpartition(".")[0]
        root = _ROOT.match(stem)
        if stem[root.end() :] == inside if root else f"/{stem}".endswith(f"/{inside}"):
            yield one


def nearest_first(paths: Iterable[str], path: str) -> list[str]:
    """Sort paths by how many folders they share with another one."""
    return sorted(paths, key=lambda one: -_shared(one.split("/"), path.split("/")))


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))


def _mixed(tree: Tree, folders: Sequence[str], path: str) -> Iterator[str]:
    """Yield the files of a package whose names say nothing of what they define, nearest first."""
    mixed = _mixed_by_folder(tree)
    for folder in nearest_first((one for one in folders if one in mixed), path):
        yield from (file for file in mixed[folder] if file != path)


@lru_cache(maxsize=4)
def _mixed_by_folder(tree: Tree) -> Mapping[str, Sequence[str]]:
    mixed = {
        folder: [one for one in files if one.endswith((".kt", ".scala"))]
        for folder, files in tree.folders.items()
    }
    return {folder: files for folder, files in mixed.items() if files}


@lru_cache(maxsize=4)
def _stems(tree: Tree) -> Mapping[str, Sequence[str]]:
    """Return files by their names without suffix."""
    stems: dict[str, list[str]] = {}
    for path in sorted(tree.files):
        stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
        if dot + suffix in _SUFFIXES:
            stems.setdefault(stem, []).append(path)
    return stems


@lru_cache(maxsize=4)
def _packages(tree: Tree) -> Mapping[str, Sequence[str]]:
    """Return folders with sources by their packages, or by each end of paths without a root."""
    packages: dict[str, list[str]] = {}
    for folder, files in sorted(tree.folders.items()):
        if any(one.endswith(_SUFFIXES) for one in files):
            root = _ROOT.match(folder)
            parts = folder[root.end() if root else 0 :].split("/")
            for start in range(1 if root else len(parts)):
                packages.setdefault("/".join(parts[start:]), []).append(folder)
    return packages
