"""Locate symbols of C# and PHP by file name, whatever the folder of their namespace."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from codeindex.languages._packages import nearest_first
from codeindex.languages.source_tree import ModuleLocation, ModuleLocator, SourceTree

_TEST_FOLDERS = frozenset({"test", "tests"})
_STEM_END = re.compile(r"[.{`]")
_HELPERS = ("functions", "helpers")
"""Names of PHP files that hold functions and constants."""


def files_named_after(suffix: str, *, in_tree: bool = False) -> ModuleLocator:
    """Return a locator that finds the files named after a type: `Cart.cs` for `Shop.Cart`.

    `suffix` is the suffix of these files, like `.cs`. With `in_tree` (see
    `Language.names_in_tree`), files of other names that define the type follow; for a module
    ``::Shop.Cart``, all files that define it are returned, and no others.
    """

    def locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
        defining = _defining_files(tree, path, module.removeprefix("::")) if in_tree else []
        if module.startswith("::"):
            return ModuleLocation(tuple(nearest_first(defining, path))) if defining else None
        *around, name = module.split(".")
        if name == "*":
            return ModuleLocation(()) if _is_namespace(tree, suffix, around) else None
        stems = _stems(tree, suffix)
        files = [file for stem in (name, *around[-1:]) for file in stems.get(stem, ())]
        if not name[:1].isupper():
            files += [file for stem in _HELPERS for file in stems.get(stem, ())]
        files = files or defining
        if not files and not _is_namespace(tree, suffix, around):
            return None
        return ModuleLocation(tuple(nearest_first(files, path)), symbol=module)

    return locate


def _defining_files(tree: SourceTree, path: str, name: str) -> list[str]:
    """Return the files that define a qualified name, like `Shop.Cart`.

    If the file at `path`, which uses it, is outside of tests, files in test folders are left out.
    """
    files = tree.packages.names("").get(name, ())
    return [file for file in files if _is_in_tests(path) or not _is_in_tests(file)]


def _is_in_tests(path: str) -> bool:
    return not _TEST_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def visible_qualified_files(tree: SourceTree, path: str) -> Sequence[str]:
    """Return the other files of a partial type, such as `Shop.Orders.cs` for `Shop.cs`."""
    folder = path.rpartition("/")[0]
    first = _stem(path)
    return [file for file in tree.folders.get(folder, ()) if _stem(file) == first and file != path]


def _stem(path: str) -> str:
    """Return a file's name up to its first dot or mark of type parameters.

    It is `Cart` for `Cart.Items.cs`, ``Cart`1.cs`` and `Cart{T}.cs`.
    """
    return _STEM_END.split(path.rpartition("/")[2], maxsplit=1)[0]


@lru_cache(maxsize=4)
def _stems(tree: SourceTree, suffix: str) -> Mapping[str, Sequence[str]]:
    """Return {file name up to its first dot: files with this suffix}.

    Files with the fewest dots come first: `Shop.cs` before `Shop.Orders.cs`.
    """
    stems: dict[str, list[str]] = {}
    for path in sorted(tree.files, key=lambda file: (file.rpartition("/")[2].count("."), file)):
        if path.endswith(suffix):
            stems.setdefault(_stem(path), []).append(path)
    return stems


def _is_namespace(tree: SourceTree, suffix: str, parts: Sequence[str]) -> bool:
    """Tell whether `parts` are probably a namespace.

    They are if a folder with sources has the name of the last part.
    """
    return parts[-1:] != [] and parts[-1] in _folders(tree, suffix)


@lru_cache(maxsize=4)
def _folders(tree: SourceTree, suffix: str) -> frozenset[str]:
    return frozenset(
        part
        for folder, files in tree.folders.items()
        if any(file.endswith(suffix) for file in files)
        for part in folder.rpartition("/")[2].split(".")
    )
