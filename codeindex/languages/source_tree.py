"""The files of a repository by folder, for those who look for modules in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

ANY_PACKAGE = "*."
"""Before a name: the place is of no file, its `symbol` lists the packages that have the name."""
DEFINITIONS_MODULE = "*"
"""The module that stands for the files which define what a file only declares."""


@dataclass(frozen=True, slots=True)
class ModuleLocation:
    """What an import names: files that share one set of names, and the folder of submodules.

    A package without a file of its own has a folder only. With a `symbol` it is not the files that
    are meant but what they define by this qualified name, as in `import shop.Cart` of Java.
    """

    files: tuple[str, ...]
    folder: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """Packages that files say they are of, wherever they lie."""

    names: Callable[[str], Mapping[str, Sequence[str]]]
    """Called with a package: the files that show each name in it."""
    having: Callable[[str], Sequence[str]]
    """Called with a name: the packages that have it."""


_NO_PACKAGES = PackageIndex(lambda _: {}, lambda _: ())


class SourceTree:
    """Paths of all indexed files; `text` reads a manifest as it was indexed."""

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
        """Files by the folder they lie in; every folder above one is a key."""
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
"""Called with the tree, the importing file and the module as written; None: not in this tree."""

VisibleFiles = Callable[[SourceTree, str], Sequence[str]]
"""Called with the tree and a file: the other files whose names it sees without an import."""


def join_path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def ancestor_folder(folder: str, levels: int) -> str | None:
    """Return the folder so many levels up, None above the root."""
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
