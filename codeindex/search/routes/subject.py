"""Resolve a name in a question to symbols, files, folders and external packages."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from codeindex.query.relation_phrases import Relation
from codeindex.search.names.file_lookup import (
    FLAT_PACKAGE_SUFFIX,
    FileLabels,
    files_by_exact_path,
    files_by_path_suffix,
    files_in_folder,
    one_file_per_package,
    rust_module_path,
    strip_root,
)
from codeindex.store.graph.edges import edges_to_external, edges_to_module, external_names
from codeindex.store.graph.import_targets import (
    files_imported_as,
    modules_ending,
    symbols_imported_from,
)
from codeindex.store.symbols.nodes import file_nodes_by_id, symbols_by_name
from codeindex.store.symbols.written_names import dotted_name
from codeindex.types import CONSTRUCTOR_NAMES, OWNER_KINDS, Node, SymbolKind


@dataclass(frozen=True, slots=True)
class Subject:
    """Everything that a name in a question may mean: symbols, files (ids), external packages.

    `places` are labels for the files: their paths, or one label for all files of a folder.
    `unknown` is a name that nothing in the repository defines or imports.
    """

    symbols: tuple[Node, ...] = ()
    files: tuple[int, ...] = ()
    packages: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    unknown: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        keys = (node.key for node in self.symbols)
        unknown = (self.unknown,) if self.unknown else ()
        return tuple(dict.fromkeys((*keys, *self.places, *self.packages, *unknown)))


_WEAK_KINDS = frozenset(
    {
        *(SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY),
        SymbolKind.MODULE,
    }
)
"""Kinds of symbols that are often named after a package that they hold or extend."""
_MEMBERS = frozenset(
    {SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.FIELD, SymbolKind.PROPERTY}
)
_FILE_RELATIONS = frozenset({Relation.IMPORTERS, Relation.IMPORTED})
"""Relations between files, not between symbols."""
_CONSTRUCTORS = CONSTRUCTOR_NAMES | {"new"}
"""Names of members that create an object; many types do not declare any."""
_BUILT_IN = "node:"
"""Optional prefix of platform modules in JavaScript."""


def resolve_subject(
    connection: sqlite3.Connection, text: str, relation: Relation | None = None
) -> Subject | None:
    """Return what a name in a question may mean; None if nothing in the repository has the name.

    An exact match, case included, is preferred. Questions about importers ignore members of types,
    because members cannot be imported.
    """
    if not text or " " in text:
        return None
    text = strip_root(connection, text.strip("\\").replace("\\", "."))  # PHP namespaces
    if relation in _FILE_RELATIONS:
        text = rust_module_path(connection, text)
    last = dotted_name(text.removesuffix("()")).rpartition(".")[2]
    whole = relation in _FILE_RELATIONS
    symbols = _symbols_called(connection, text)
    if relation is Relation.IMPORTERS:
        symbols = [node for node in symbols if node.kind not in _MEMBERS]
    files = files_by_exact_path(connection, text)
    own = [node for node in symbols if ("." in text and not files) or _stands_alone(node)]
    spelt = [node for node in own if node.name == last]
    if spelt and "/" not in text and not whole:
        return Subject(tuple(symbols))
    files, packages = _files_and_packages(
        connection, text, files, own=own, spelt=spelt, whole=whole
    )
    if not (files or packages or spelt):
        return _external_subject(connection, text, symbols, whole=whole)
    files, packages = _split_flat_package(connection, text, files, packages)
    if relation is Relation.IMPORTERS:
        files = one_file_per_package(connection, files)
    if packages or files:
        symbols = spelt if packages or whole else [node for node in symbols if node.name == last]
    return Subject(tuple(symbols), tuple(files), packages, tuple(files.values()))


def _files_and_packages(
    connection: sqlite3.Connection,
    text: str,
    files: FileLabels,
    *,
    own: Sequence[Node],
    spelt: Sequence[Node],
    whole: bool,
) -> tuple[FileLabels, tuple[str, ...]]:
    """Return (files, packages) that a name in a question means.

    `files` are the ones with exactly this path; `own` and `spelt` are symbols with the name.
    """
    is_path = "/" in text
    is_symbol = bool(spelt) and not is_path
    packages = () if is_symbol else _packages_named(connection, text, has_files=bool(files))
    files = files or files_by_path_suffix(connection, text, cased=is_symbol)
    if is_path or whole or not (own or packages or files):
        inside = files_in_folder(
            connection, text, cased=is_symbol, whole=is_path and bool(packages)
        )
        files = {**files, **inside}
    return files, packages


def _external_subject(
    connection: sqlite3.Connection, text: str, symbols: Sequence[Node], *, whole: bool
) -> Subject | None:
    """Return the external code that a name means; None if there is none.

    Symbols of the repository outside of tests take precedence.
    """
    only_tests = all(node.is_test for node in symbols)
    packages = _names_outside(connection, text) if only_tests else ()
    files: FileLabels = {}
    if whole and not packages:
        modules = modules_ending(connection, text)
        files = {
            file: module for module in modules for file in files_imported_as(connection, module)
        }
    kept = () if files else tuple(symbols)
    subject = Subject(kept, tuple(files), packages, tuple(files.values()))
    return subject if subject.names else None


def _symbols_called(connection: sqlite3.Connection, text: str) -> list[Node]:
    nodes = symbols_by_name(connection, text)
    *owner, name = re.split(r"(::|->|[.#])", text.removesuffix("()"))
    if not nodes and owner:
        module = "".join(owner[:-1])
        nodes = symbols_imported_from(connection, module, name)
        if not nodes and name in _CONSTRUCTORS:
            types = symbols_by_name(connection, module)
            return [node for node in types if node.kind in OWNER_KINDS]
    if text == text.lower():
        return nodes
    return [node for node in nodes if node.name == name]


def _stands_alone(node: Node) -> bool:
    """Tell whether a bare name means this symbol rather than an external package called the same.

    True for top-level symbols outside of tests whose kind is not in `_WEAK_KINDS`.
    """
    return "." not in node.qualified and node.kind not in _WEAK_KINDS and not node.is_test


def _packages_named(
    connection: sqlite3.Connection, text: str, *, has_files: bool
) -> tuple[str, ...]:
    """Return the external packages with a name.

    If there are no files with it, modules that are imported by that name are added.
    """
    queries = (edges_to_external, *([] if has_files else [edges_to_module]))
    spellings = _spellings(text)
    spellings += [f"{_BUILT_IN}{name}" for name in spellings]
    return tuple(name for name in spellings if any(query(connection, name) for query in queries))


def _names_outside(connection: sqlite3.Connection, text: str) -> tuple[str, ...]:
    """Return the external names that end with `text`, such as `requests.get` for `get`.

    For a plain word, only names that imports use are returned.
    """
    imported = text.islower() and text.isalpha()
    return tuple(
        dict.fromkeys(
            name
            for spelling in _spellings(text)
            for name in external_names(connection, spelling, imported=imported)
        )
    )


def _spellings(text: str) -> list[str]:
    """Return the ways in which code may write an external name."""
    bare = text.removesuffix("()")
    dotted = (bare.replace("::", "."), ".".join(bare.rsplit("::", 1)))
    return list(dict.fromkeys((bare, *dotted, bare.replace("-", "_"))))


def _split_flat_package(
    connection: sqlite3.Connection, text: str, files: FileLabels, packages: tuple[str, ...]
) -> tuple[FileLabels, tuple[str, ...]]:
    """Return (files, packages); replace a Go package of this repository by the files in its folder.

    Files in subfolders are not added. Nothing changes if `text` is no such package.
    """
    if text not in packages:
        return files, packages
    here = file_nodes_by_id(connection, files_imported_as(connection, text))
    if not here or not all(file.path.endswith(FLAT_PACKAGE_SUFFIX) for file in here):
        return files, packages
    others = tuple(package for package in packages if package != text)
    return {**files, **{file.file_id: text for file in here}}, others
