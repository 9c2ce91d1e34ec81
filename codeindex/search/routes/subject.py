"""What a name may mean in this repository: symbols, files and folders, packages of others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
from codeindex.store.graph.edges import (
    edges_to_external,
    edges_to_module,
    external_names,
)
from codeindex.store.graph.import_targets import (
    files_imported_as,
    modules_ending,
    symbols_imported_from,
)
from codeindex.store.symbols.nodes import file_nodes_by_id, symbols_by_name
from codeindex.store.symbols.written_names import dotted_name
from codeindex.types import OWNER_KINDS, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Subject:
    """All that a name may mean here; `places` name the files as people do, a folder as one.

    `said` is a name of which nothing but its spelling is known.
    """

    symbols: tuple[Node, ...] = ()
    files: tuple[int, ...] = ()
    packages: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    said: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        keys = (one.key for one in self.symbols)
        return tuple(dict.fromkeys((*keys, *self.places, *self.packages, *self.unknown)))

    @property
    def unknown(self) -> tuple[str, ...]:
        return (self.said,) if self.said else ()


_WEAK = frozenset(
    {
        *(SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY),
        SymbolKind.MODULE,
    }
)
"""Kinds of symbols that are often called like the package that they hold or add to."""
_MEMBERS = frozenset(
    {SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.FIELD, SymbolKind.PROPERTY}
)
_WHOLE = frozenset({Relation.IMPORTERS, Relation.IMPORTED})
"""Relations that files have rather than symbols."""
_MAKERS = frozenset({"new", "__init__", "__new__", "constructor", "init", "initialize"})
"""Members that make an object, which not every type writes down."""
_BUILT_IN = "node:"
"""What JavaScript may or may not write before the modules of its platform."""


def resolve_subject(
    connection: sqlite3.Connection, text: str, relation: Relation | None = None
) -> Subject | None:
    """Return what a name may mean, or None if nothing here is called so.

    What is spelt to the letter, case too, goes before what is not. Members of types are no more
    imported than what is called like a module or folder.
    """
    if not text or " " in text:
        return None
    text = strip_root(connection, text.strip("\\").replace("\\", "."))  # of PHP
    if relation in _WHOLE:
        text = rust_module_path(connection, text)
    last = dotted_name(text.removesuffix("()")).rpartition(".")[2]
    whole = relation in _WHOLE
    symbols = _symbols_called(connection, text)
    if relation is Relation.IMPORTERS:
        symbols = [one for one in symbols if one.kind not in _MEMBERS]
    files = files_by_exact_path(connection, text)
    own = [one for one in symbols if ("." in text and not files) or _stands_alone(one)]
    spelt = [one for one in own if one.name == last]
    if spelt and "/" not in text and not whole:
        return Subject(tuple(symbols))
    files, packages = _beside(connection, text, files, own=own, spelt=spelt, whole=whole)
    if not (files or packages or spelt):
        return _elsewhere(connection, text, symbols, whole=whole)
    files, packages = _flat(connection, text, files, packages)
    if relation is Relation.IMPORTERS:
        files = one_file_per_package(connection, files)
    if packages or files:
        symbols = spelt if packages or whole else [one for one in symbols if one.name == last]
    return Subject(tuple(symbols), tuple(files), packages, tuple(files.values()))


def _beside(
    connection: sqlite3.Connection,
    text: str,
    files: FileLabels,
    *,
    own: Sequence[Node],
    spelt: Sequence[Node],
    whole: bool,
) -> tuple[FileLabels, tuple[str, ...]]:
    """Return the files, beside those of just this path, and the packages that a name may mean."""
    is_path = "/" in text
    is_symbol = bool(spelt) and not is_path
    packages = () if is_symbol else _packages_named(connection, text, is_here=bool(files))
    files = files or files_by_path_suffix(connection, text, cased=is_symbol)
    if is_path or whole or not (own or packages or files):
        inside = files_in_folder(
            connection, text, cased=is_symbol, whole=is_path and bool(packages)
        )
        files = {**files, **inside}
    return files, packages


def _elsewhere(
    connection: sqlite3.Connection, text: str, symbols: Sequence[Node], *, whole: bool
) -> Subject | None:
    """Take a name for that of something of others, if none but tests have such a symbol."""
    only_tests = all(one.is_test for one in symbols)
    packages = _names_outside(connection, text) if only_tests else ()
    files: FileLabels = {}
    if whole and not packages:
        modules = modules_ending(connection, text)
        files = {one: it for it in modules for one in files_imported_as(connection, it)}
    kept = () if files else tuple(symbols)
    found = Subject(kept, tuple(files), packages, tuple(files.values()))
    return found if found.names else None


def _symbols_called(connection: sqlite3.Connection, text: str) -> list[Node]:
    found = symbols_by_name(connection, text)
    *owner, name = re.split(r"(::|->|[.#])", text.removesuffix("()"))
    if not found and owner:
        module = "".join(owner[:-1])
        found = symbols_imported_from(connection, module, name)
        if not found and name in _MAKERS:
            return [one for one in symbols_by_name(connection, module) if one.kind in OWNER_KINDS]
    if text == text.lower():
        return found
    return [one for one in found if one.name == name]


def _stands_alone(one: Node) -> bool:
    """Tell whether a bare name says a symbol better than a package of that name."""
    return "." not in one.qualified and one.kind not in _WEAK and not one.is_test


def _packages_named(connection: sqlite3.Connection, text: str, *, is_here: bool) -> tuple[str, ...]:
    """Return the packages of others that go by a name, and modules of ours that imports write so.

    `is_here` says that files have been found, so that those are no more needed.
    """
    looks = (edges_to_external, *([] if is_here else [edges_to_module]))
    written = _written(text)
    written += [f"{_BUILT_IN}{one}" for one in written]
    return tuple(one for one in written if any(look(connection, one) for look in looks))


def _names_outside(connection: sqlite3.Connection, text: str) -> tuple[str, ...]:
    """Return the names of things of others that end in this one; of a plain word, what is taken."""
    found = (
        external_names(connection, one, imported=text.islower() and text.isalpha())
        for one in _written(text)
    )
    return tuple(dict.fromkeys(one for some in found for one in some))


def _written(text: str) -> list[str]:
    """Return the ways in which uses may write the name of something outside."""
    bare = text.removesuffix("()")
    dotted = (bare.replace("::", "."), ".".join(bare.rsplit("::", 1)))
    return list(dict.fromkeys((bare, *dotted, bare.replace("-", "_"))))


def _flat(
    connection: sqlite3.Connection, text: str, files: FileLabels, packages: tuple[str, ...]
) -> tuple[FileLabels, tuple[str, ...]]:
    """Take a package that is a single folder here for its files: those below it are others."""
    if text not in packages:
        return files, packages
    here = file_nodes_by_id(connection, files_imported_as(connection, text))
    if not here or not all(one.path.endswith(FLAT_PACKAGE_SUFFIX) for one in here):
        return files, packages
    others = tuple(one for one in packages if one != text)
    return {**files, **{one.file_id: text for one in here}}, others
