"""Lua: modules on the search path, which starts at the root, `lua`, `src` or `lib`."""

from __future__ import annotations

from codeindex.graph.locate.tree import Place, Tree, above, joined

_INNER = ("", "lua", "src", "lib")


def locate(tree: Tree, path: str, module: str) -> Place | None:
    """Find a module as `require` does, from each folder around its user."""
    stem = module.replace(".", "/").strip("/")
    around: str | None = path.rpartition("/")[0]
    while around is not None and stem:
        for inner in _INNER:
            base = joined(joined(around, inner) if inner else around, stem)
            file = tree.first(f"{base}.lua", f"{base}/init.lua")
            if file:
                return Place((file,))
        around = above(around, 1)
    return None
