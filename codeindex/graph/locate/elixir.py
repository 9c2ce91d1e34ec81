"""Elixir: the file that a module lies in by convention, for ``::Shop.Cart``."""

from __future__ import annotations

from functools import lru_cache

from codeindex.graph.locate.ruby import constants, snake
from codeindex.graph.locate.tree import Place, Tree

_ROOTS = ("/lib/", "/test/support/", "/test/", "/web/")
_SUFFIXES = (".ex", ".exs")


def locate(tree: Tree, _path: str, module: str) -> Place | None:
    """Find the file of a module or, failing that, of a module around it."""
    parts = [snake(part) for part in constants(module.removeprefix("::"))]
    for length in range(len(parts), 0, -1):
        files = _by_name(tree).get("/".join(parts[:length]))
        if files:
            return Place(tuple(files))
    return None


@lru_cache(maxsize=4)
def _by_name(tree: Tree) -> dict[str, list[str]]:
    """Return the files by their path below a root of sources."""
    names: dict[str, list[str]] = {}
    for path in sorted(path for path in tree.files if path.endswith(_SUFFIXES)):
        root = next((root for root in _ROOTS if root in f"/{path}"), "")
        below = f"/{path}".partition(root)[2] if root else path
        names.setdefault(below.rpartition(".")[0], []).append(path)
    return names
