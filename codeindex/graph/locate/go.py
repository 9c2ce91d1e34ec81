"""Go: a package is the files of a folder; `go.mod` files say where modules begin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from posixpath import normpath

from codeindex.files.manifests import go_module
from codeindex.graph.locate.tree import Place, Tree, joined

_REPLACED = re.compile(r"^(?:replace)?\s*(\S+)(?: v\S+)? => (\.\S*)", re.MULTILINE)


def locate(tree: Tree, _path: str, module: str) -> Place | None:
    """Find a package in the nearest of the modules whose path its own begins with."""
    for root in _ancestors(module):
        folder = _modules(tree).get(root)
        if folder is not None:
            inner = joined(folder, module[len(root) + 1 :]).rstrip("/")
            files = _package(tree, inner)
            return Place(files) if files else None
    return None


def beside(tree: Tree, path: str) -> Sequence[str]:
    """Return the rest of a package; tests see each other and what they test."""
    folder = path.rpartition("/")[0]
    package = _package(tree, folder)
    if not path.endswith("_test.go"):
        return [one for one in package if one != path]
    inside = tree.folders.get(folder, [])
    tests = [one for one in inside if one.endswith("_test.go") and one != path]
    return [*tests, *package]


def _package(tree: Tree, folder: str) -> tuple[str, ...]:
    inside = tree.folders.get(folder, [])
    return tuple(one for one in inside if one.endswith(".go") and not one.endswith("_test.go"))


def _ancestors(module: str) -> list[str]:
    """Return a path and all above it, the longest first."""
    parts = module.split("/")
    return ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]


@lru_cache(maxsize=4)
def _modules(tree: Tree) -> dict[str, str]:
    """Return the folders of modules by their paths, also by those that others replace by them."""
    modules: dict[str, str] = {}
    replaced: dict[str, str] = {}
    for path in sorted(one for one in tree.files if one.rpartition("/")[2] == "go.mod"):
        folder, text = path.rpartition("/")[0], tree.text(path)
        if name := go_module(text):
            modules.setdefault(name, folder)
        for name, target in _REPLACED.findall(text):
            replaced.setdefault(name, normpath(joined(folder, target)).removeprefix("."))
    return replaced | modules
