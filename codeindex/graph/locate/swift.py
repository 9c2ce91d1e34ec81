"""Swift: all files of a target see each other; a target is a folder below `Sources` or `Tests`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from codeindex.graph.locate.tree import Place, Tree

_ROOTS = ("Sources", "Tests")
_WHOLE = ("Source", "src")
"""Folders of a repository that holds one target only, called like its manifest or project."""


def locate(tree: Tree, _path: str, module: str) -> Place | None:
    """Find the files of a target by its name."""
    target = module.partition(".")[0]
    files = _targets(tree).get(target) or _targets(tree).get("")
    known = target in _targets(tree) or any(one.endswith(f"{target}.podspec") for one in tree.files)
    return Place(tuple(files)) if files and known else None


def beside(tree: Tree, path: str) -> Sequence[str]:
    """Return the other files of a file's target."""
    return _targets(tree).get(_target(path) or "", ()) if _target(path) is not None else ()


def _target(path: str) -> str | None:
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if part in _ROOTS:
            return parts[at + 1] if at + 1 < len(parts) else f"{part}:"
    return "" if parts[:1] and parts[0] in _WHOLE else None


@lru_cache(maxsize=4)
def _targets(tree: Tree) -> Mapping[str, Sequence[str]]:
    targets: dict[str, list[str]] = {}
    for path in sorted(tree.files):
        target = _target(path) if path.endswith(".swift") else None
        if target is not None:
            targets.setdefault(target, []).append(path)
    return targets
