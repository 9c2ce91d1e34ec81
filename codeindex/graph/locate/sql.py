"""SQL: all scripts of a repository speak of one database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from codeindex.graph.locate.tree import Tree

_SUFFIXES = (".sql", ".ddl", ".dml", ".mysql", ".pgsql", ".psql")


@lru_cache(maxsize=4)
def _scripts(tree: Tree) -> tuple[str, ...]:
    return tuple(sorted(path for path in tree.files if path.endswith(_SUFFIXES)))


def beside(tree: Tree, path: str) -> Sequence[str]:
    """Return the other scripts."""
    return [one for one in _scripts(tree) if one != path]
