"""Find the definitions in this repository to which names in another repository refer.

The other repository imports a package that this one publishes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from codeindex.languages import LANGUAGES, Language
from codeindex.languages.source_tree import (
    ModuleLocation,
    PackageIndex,
    SourceTree,
    ancestor_folder,
    join_path,
)
from codeindex.store.catalog import relations as stored
from codeindex.store.catalog.files import list_paths, stored_text


class ForeignName(NamedTuple):
    """The target of an edge that leads out of another repository, such as `shop.pay.charge`."""

    language: str
    name: str


class PublishedPlace(NamedTuple):
    """Where this repository defines a name that another repository uses: files and a symbol.

    `files` are those of a module; `symbol` is a qualified name in them, '' if the name is that of
    the module itself.
    """

    files: tuple[str, ...]
    symbol: str


class PublishedTree:
    """The packages that a repository publishes according to its manifests."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        packages = PackageIndex(
            lru_cache(maxsize=None)(partial(stored.files_by_shown_name, connection)),
            lru_cache(maxsize=None)(partial(stored.packages_showing, connection)),
        )
        paths = list_paths(connection)
        self._tree = SourceTree(paths, partial(stored_text, connection), packages)

    def place(self, foreign: ForeignName) -> PublishedPlace | None:
        """Return where a published package defines a name; None if no package does.

        The longest prefix of the name that is a module counts as the module.
        """
        language = LANGUAGES[foreign.language]
        if language.locate is None or not language.package_manifests:
            return None
        for module, symbol in _splits(foreign.name):
            written = module.replace(".", language.package_separator)
            location = language.locate(self._tree, "", written)
            if location and location.files:
                if not self._is_published(language, module, location):
                    return None
                inner = ".".join(filter(None, (location.symbol, symbol)))
                return PublishedPlace(location.files, inner)
        return None

    def _is_published(self, language: Language, module: str, location: ModuleLocation) -> bool:
        """Tell whether a module belongs to a package with a manifest.

        If manifests of the language do not name their modules, the module's file must be in one of
        the language's `published_folders` below the manifest's folder.
        """
        first = module.split(".", maxsplit=1)[0]
        return any(
            not language.published_folders
            or location.files[0].startswith(join_path(folder, join_path(inner, first)))
            for folder in self._manifest_folders(language, location.files[0])
            for inner in language.published_folders or ("",)
        )

    def _manifest_folders(self, language: Language, path: str) -> Iterator[str]:
        folder: str | None = path.rpartition("/")[0]
        while folder is not None:
            if self._tree.first(*(join_path(folder, name) for name in language.package_manifests)):
                yield folder
            folder = ancestor_folder(folder, 1) if folder else None


def _splits(name: str) -> Iterator[tuple[str, str]]:
    """Yield (module, rest) for each way to split a dotted name, the longest module first."""
    yield name, ""
    at = len(name)
    while (at := name.rfind(".", 0, at)) > 0:
        yield name[:at], name[at + 1 :]


def published_places(
    connection: sqlite3.Connection, names: Sequence[ForeignName]
) -> dict[ForeignName, PublishedPlace]:
    """Return {name: its place} for those of `names` that a package of this repository defines."""
    tree = PublishedTree(connection)
    places = {name: tree.place(name) for name in names}
    return {name: place for name, place in places.items() if place}
