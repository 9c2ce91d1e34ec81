"""The indexed paths by folder, and the types of module locators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

ANY_PACKAGE = "*."
"""Prefix of a query by name: the location's `symbol` lists the packages that have the name."""
DEFINITIONS_MODULE = "*"
"""Pseudo-module: the files with the definitions of a file's forward declarations."""


@dataclass(frozen=True, slots=True)
class ModuleLocation:
    """Target of an import: files that share one namespace, and the folder of submodules.

    A package without a file of its own has only a folder. With a `symbol`, the target is the symbol
    of this qualified name in the files, as in `import shop.Cart` of Java.
    """

    files: tuple[str, ...]
    folder: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """Declared packages, regardless of folders."""

    names: Callable[[str], Mapping[str, Sequence[str]]]
    """Called with a package; returns the files that add each name to it."""
    having: Callable[[str], Sequence[str]]
    """Called with a name; returns the packages that have it."""


_NO_PACKAGES = PackageIndex(lambda _: {}, lambda _: ())


class SourceTree:
    """Paths of all indexed files; `text` reads the stored text of a manifest."""

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
        """Files by folder; parent folders are keys too."""
        folders: dict[str, list[str]] = {"": []}
        for path in sorted(self.files):
            folder = path.rpartition("/")[0]
            while folder not in folders:
                folders[folder] = []
                folder = folder.rpartition("/")[0]
            folders[path.rpartition("/")[0]].append(path)
        return folders

    def first(self, *paths: str) -> str | None:
        """Return the first of `paths` that is a file."""
        return next((path for path in paths if path in self.files), None)


ModuleLocator = Callable[[SourceTree, str, str], ModuleLocation | None]
"""Called with the tree, the importing file and the module as written; None if external."""

VisibleFiles = Callable[[SourceTree, str], Sequence[str]]
"""Called with the tree and a file; returns other files visible without an import."""


def join_path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def ancestor_folder(folder: str, levels: int) -> str | None:
    """Return the folder `levels` up, None above the root."""
    parts = folder.split("/") if folder else []
    return "/".join(parts[: len(parts) - levels]) if levels <= len(parts) else None


def resolve_dots(path: str) -> str:
    """Return a path without `.` and `..`."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)
