"""Hold the indexed paths by folder, and define the types of module locators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

ANY_PACKAGE = "*."
"""Prefix of a query by name; the `symbol` of its location lists the packages that have the name."""
DEFINITIONS_MODULE = "*"
"""Pseudo-module of the files that define what a file only declares."""

MEMBERS_MARK = "."
"""Suffix of the name of a type, for the files that add members to it: `::Shop.Cart.`."""
INCLUDERS_MARK = "<"
"""Suffix of the last name of a module, for the files that include such a module in a type."""
MACRO_SCOPE_MODULE = "*!"
"""Pseudo-module of the files whose macros a file sees without an import, the nearest first."""
EXTENSION_MARK = "this "
"""Prefix of the name of an extension method, for the files that define one: `this Total`."""
PROJECT_IMPORTS = "global using"
"""Pseudo-module of what all files of a project import: its `files` have such imports, and its
`symbol` lists the namespaces that project files name."""


@dataclass(frozen=True, slots=True)
class ModuleLocation:
    """Where an imported module is: in files that share one namespace, or in a folder.

    The folder contains the submodules; a package without a file of its own has only a folder. If
    `symbol` is set, the import leads to the symbol of this qualified name in the files, as in
    Java's `import shop.Cart`.
    """

    files: tuple[str, ...]
    folder: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """Two lookups: the names in a package, and the packages that have a name.

    It serves languages whose files declare their package.
    """

    names: Callable[[str], Mapping[str, Sequence[str]]]
    """Called with a package; returns the names in it with the files that add each name."""
    packages_with: Callable[[str], Sequence[str]]
    """Called with a name; returns the packages that have this name."""


_NO_PACKAGES = PackageIndex(lambda _: {}, lambda _: ())


class SourceTree:
    """The paths of all indexed files, and the packages that files declare.

    `text` returns the stored text of a manifest, given its path.
    """

    def __init__(
        self,
        paths: Iterable[str],
        text: Callable[[str], str],
        packages: PackageIndex = _NO_PACKAGES,
    ) -> None:
        self.files = frozenset(paths)
        self.text = text
        self.packages = packages

    @cached_property
    def folders(self) -> dict[str, list[str]]:
        """The files of each folder; a folder that only contains folders has an empty list."""
        folders: dict[str, list[str]] = {"": []}
        for path in sorted(self.files):
            folder = path.rpartition("/")[0]
            while folder not in folders:
                folders[folder] = []
                folder = folder.rpartition("/")[0]
            folders[path.rpartition("/")[0]].append(path)
        return folders

    def first(self, *paths: str) -> str | None:
        """Return the first of `paths` that is an indexed file; None if none is."""
        return next((path for path in paths if path in self.files), None)


ModuleLocator = Callable[[SourceTree, str, str], ModuleLocation | None]
"""Called with the tree, the importing file and the module as written; returns None if the module is
external."""

VisibleFiles = Callable[[SourceTree, str], Sequence[str]]
"""Called with the tree and a file; returns other files that are visible to it without an import."""


def join_path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def ancestor_folder(folder: str, levels: int) -> str | None:
    """Return the folder that is `levels` above a folder; None above the root."""
    parts = folder.split("/") if folder else []
    return "/".join(parts[: len(parts) - levels]) if levels <= len(parts) else None


def resolve_dots(path: str) -> str:
    """Return a path with `.` and `..` resolved; `..` above the root is dropped."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)
