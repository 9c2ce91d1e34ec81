"""Bash: files that are sourced, by the part of their path that is no variable."""

from __future__ import annotations

from codeindex.graph.locate.tree import Place, Tree, above, flat, joined


def locate(tree: Tree, path: str, module: str) -> Place | None:
    """Find a script from the folder of its user or one above it."""
    around: str | None = path.rpartition("/")[0]
    while around is not None and module:
        found = flat(joined(around, module))
        file = tree.first(found, f"{found}.bash", f"{found}.sh")
        if file:
            return Place((file,))
        around = above(around, 1)
    return None
