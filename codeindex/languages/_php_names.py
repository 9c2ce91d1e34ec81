"""Locate names of PHP by file name, whatever the folder of their namespace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from codeindex.languages._packages import nearest_first
from codeindex.languages.source_tree import ModuleLocation, SourceTree

_SUFFIX = ".php"
_TEST_FOLDERS = frozenset({"test", "tests"})
_HELPERS = ("functions", "helpers")
"""Names of files that hold functions and constants."""


def locate_by_file_name(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    r"""Return the files named after a type, such as `Cart.php` for `Shop\Cart`, nearest first.

    Without such a file, return those of other names that define the type; for a module
    ``::Shop.Cart``, return all files that define it, and no others.
    """
    defining = _defining_files(tree, path, module.removeprefix("::"))
    if module.startswith("::"):
        return ModuleLocation(tuple(nearest_first(defining, path))) if defining else None
    *around, name = module.split(".")
    if name == "*":
        return ModuleLocation(()) if _is_namespace(tree, around) else None
    stems = _stems(tree)
    files = [file for stem in (name, *around[-1:]) for file in stems.get(stem, ())]
    if not name[:1].isupper():
        files += [file for stem in _HELPERS for file in stems.get(stem, ())]
    files = files or defining
    if not files and not _is_namespace(tree, around):
        return None
    return ModuleLocation(tuple(nearest_first(files, path)), symbol=module)


def _defining_files(tree: SourceTree, path: str, name: str) -> list[str]:
    """Return the files that define a qualified name, like `Shop.Cart`.

    If the file at `path`, which uses it, is outside of tests, files in test folders are left out.
    """
    files = tree.packages.names("").get(name, ())
    return [file for file in files if _is_in_tests(path) or not _is_in_tests(file)]


def _is_in_tests(path: str) -> bool:
    return not _TEST_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


@lru_cache(maxsize=4)
def _stems(tree: SourceTree) -> Mapping[str, Sequence[str]]:
    """Return {file name up to its first dot: files}, those with the fewest dots first."""
    stems: dict[str, list[str]] = {}
    for path in sorted(tree.files, key=lambda file: (file.rpartition("/")[2].count("."), file)):
        if path.endswith(_SUFFIX):
            stems.setdefault(path.rpartition("/")[2].partition(".")[0], []).append(path)
    return stems


def _is_namespace(tree: SourceTree, parts: Sequence[str]) -> bool:
    """Tell whether `parts` are probably a namespace.

    They are if a folder with sources has the name of the last part.
    """
    return bool(parts) and parts[-1] in _folders(tree)


@lru_cache(maxsize=4)
def _folders(tree: SourceTree) -> frozenset[str]:
    return frozenset(
        part
        for folder, files in tree.folders.items()
        if any(file.endswith(_SUFFIX) for file in files)
        for part in folder.rpartition("/")[2].split(".")
    )
