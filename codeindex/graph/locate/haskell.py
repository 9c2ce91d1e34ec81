"""Haskell: modules below the folder that the importing module's own name starts in, or any."""

from __future__ import annotations

from functools import lru_cache

from codeindex.graph.locate.tree import Place, Tree


def locate(tree: Tree, path: str, module: str) -> Place | None:
    """Find the file whose path ends like the module; of several, the one that shares most."""
    stem = module.replace(".", "/")
    found = [one for one in _by_last(tree).get(stem.rpartition("/")[2], ()) if _ends(one, stem)]
    if not found:
        return None
    nearest = max(_shared(one, path) for one in found)
    best = [one for one in found if _shared(one, path) == nearest]
    return Place((best[0],)) if len(best) == 1 else None


def _ends(path: str, stem: str) -> bool:
    bare = path.rpartition(".")[0]
    return bare == stem or bare.endswith(f"/{stem}")


def _shared(one: str, other: str) -> int:
    """Return how many leading folders two paths have in common."""
    folders = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return next((n for n, (a, b) in enumerate(folders) if a != b), 99)


@lru_cache(maxsize=4)
def _by_last(tree: Tree) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for path in sorted(tree.files):
        if path.endswith((".hs", ".hsc")):
            names.setdefault(path.rpartition("/")[2].rpartition(".")[0], []).append(path)
    return names
