"""Ruby: `require`, `require_relative`, and the file that a constant is autoloaded from."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from codeindex.graph.locate.tree import Place, Tree, above, flat, joined

_ROOTS = frozenset({"lib", "app", "spec", "test"})


def locate(tree: Tree, path: str, module: str) -> Place | None:
    """Find a file by its path, or for ``::Shop.Cart`` the one of that name under a root."""
    folder = path.rpartition("/")[0]
    if module.startswith("::"):
        return _autoloaded(tree, module.removeprefix("::"))
    if module.startswith("."):
        return _place(tree, flat(joined(folder, module)))
    for root in (*_above(folder), *_roots(tree)):
        found = _place(tree, joined(root, module))
        if found:
            return found
    return None


def _place(tree: Tree, stem: str) -> Place | None:
    file = tree.first(stem, f"{stem}.rb") if stem else None
    return Place((file,)) if file else None


def _above(folder: str) -> list[str]:
    """Return the roots around a folder and those beside them, nearest first."""
    found: list[str] = []
    around: str | None = folder
    while around is not None:
        found += [around] if around.rpartition("/")[2] in _ROOTS else []
        found.append(joined(around, "lib"))
        around = above(around, 1) if around else None
    return found


def _autoloaded(tree: Tree, name: str) -> Place | None:
    """Return the files that may define a constant: its own, or those of what is around it."""
    parts = [snake(part) for part in constants(name)]
    for length in range(len(parts), 0, -1):
        stem = "/".join(parts[:length])
        files = [f"{joined(root, stem)}.rb" for root in _roots(tree)]
        found = tuple(file for file in files if file in tree.files)
        if found:
            return Place(found)
    return None


def constants(name: str) -> list[str]:
    """Return the parts of a name up to the first that is no constant: a method."""
    return list(takewhile(lambda part: part[:1].isupper(), name.split(".")))


def snake(name: str) -> str:
    """Return a constant as the name of its file."""
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z\d])([A-Z])", r"\1_\2", apart).lower()


@lru_cache(maxsize=4)
def _roots(tree: Tree) -> tuple[str, ...]:
    """Return the folders that constants are named below: `lib`, `app/models` and their like."""
    roots = set()
    for folder in tree.folders:
        outer, _, name = folder.rpartition("/")
        if name in _ROOTS or outer.rpartition("/")[2] == "app" or name == "concerns":
            roots.add(folder)
    return tuple(sorted(roots, key=lambda one: (one.count("/"), one)))
