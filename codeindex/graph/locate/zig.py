"""Zig: files by their relative path; `.` is the file itself, which is a type."""

from __future__ import annotations

from codeindex.graph.locate.tree import Place, Tree, flat, joined


def locate(tree: Tree, path: str, module: str) -> Place | None:
    """Find an imported file; packages with a name of their own are not in the tree."""
    if module == ".":
        return Place((path,))
    file = flat(joined(path.rpartition("/")[0], module))
    return Place((file,)) if file.endswith(".zig") and file in tree.files else None
