"""Python: packages, namespace packages, `src` layouts, and scripts beside each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache

from codeindex.graph.locate.tree import Place, Tree, above, joined


def locate(tree: Tree, path: str, module: str) -> Place | None:
    """Find a module as the interpreter would with each likely root on its path."""
    name = module.lstrip(".")
    dots = len(module) - len(name)
    folder = path.rpartition("/")[0]
    if dots:
        base = above(folder, dots - 1)
        return None if base is None else _place(tree, joined(base, name.replace(".", "/")))
    first = name.partition(".")[0]
    for root in _roots(tree, folder, first):
        if _place(tree, joined(root, first)):
            return _place(tree, joined(root, name.replace(".", "/")))
    return None


def _place(tree: Tree, stem: str) -> Place | None:
    """Return the module of a path without its suffix; a folder with a package file is one."""
    stem = stem.rstrip("/")
    package = tree.first(joined(stem, "__init__.py"), joined(stem, "__init__.pyi"))
    if package:
        return Place((package,), stem)
    file = tree.first(f"{stem}.py", f"{stem}.pyi", f"{stem}.pyx")
    if file:
        return Place((file,))
    return Place((), stem) if stem in tree.folders else None


def _roots(tree: Tree, folder: str, first: str) -> Iterator[str]:
    """Yield the folders that may be on the module search path of a file in `folder`.

    Those above it, unless they are packages, nearest first, each with its `src`; then, for names
    that are not Python's own, where the repository has a package of that name.
    """
    around: str | None = folder
    while around is not None:
        if not _is_package(tree, around):
            yield around
            for inner in ("src", "lib"):
                if joined(around, inner) in tree.folders:
                    yield joined(around, inner)
        around = above(around, 1)
    if first not in sys.stdlib_module_names:
        yield from _packages(tree).get(first, ())


def _is_package(tree: Tree, folder: str) -> bool:
    return joined(folder, "__init__.py") in tree.files


@lru_cache(maxsize=4)
def _packages(tree: Tree) -> dict[str, list[str]]:
    """Return the folders that hold a top-level package of a name."""
    packages: dict[str, list[str]] = {}
    for folder in tree.folders:
        outer, _, name = folder.rpartition("/")
        if folder and _is_package(tree, folder) and not _is_package(tree, outer):
            packages.setdefault(name, []).append(outer)
    return packages
