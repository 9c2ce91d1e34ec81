"""Dart: paths beside a file, and packages of the repository by the names in their manifests."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import lru_cache

from codeindex.graph.locate.tree import Place, Tree, joined

_NAME = re.compile(r"^name:\s*['\"]?(\w+)", re.MULTILINE)


def locate(tree: Tree, path: str, module: str) -> Place | None:
    """Find the file of a URI."""
    scheme, colon, rest = module.partition(":")
    if not colon:
        file = posixpath.normpath(joined(path.rpartition("/")[0], module))
    else:
        package, _, inside = rest.partition("/")
        folder = _packages(tree).get(package) if scheme == "package" else None
        file = "" if folder is None else joined(folder, f"lib/{inside}")
    return Place((file,)) if file in tree.files else None


@lru_cache(maxsize=4)
def _packages(tree: Tree) -> Mapping[str, str]:
    """Return the folders of packages by their names."""
    packages = {}
    for path in sorted(tree.files, reverse=True):
        if path.rpartition("/")[2] == "pubspec.yaml":
            named = _NAME.search(tree.text(path))
            if named:
                packages[named[1]] = path.rpartition("/")[0]
    return packages
