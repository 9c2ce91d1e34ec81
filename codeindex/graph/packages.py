"""Read which package a file declares, and which names the file adds to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from codeindex.graph.expression_table import CLASS_MARK
from codeindex.languages import PACKAGE_CLAUSE, Language
from codeindex.languages.source_tree import (
    EXTENSION_MARK,
    INCLUDERS_MARK,
    MEMBERS_MARK,
    PROJECT_IMPORTS,
)
from codeindex.types import (
    CONTAINER_KINDS,
    MEMBER_ONLY_KINDS,
    NAMESPACE_KINDS,
    OWNER_KINDS,
    Import,
    Relations,
    Symbol,
    SymbolKind,
)

_ALL = ".*"
_CONSTANT_KINDS = CONTAINER_KINDS | {SymbolKind.CONSTANT}


def join_package_clauses(imports: Iterable[Import]) -> Iterator[Import]:
    """Yield the imports; complete the package clauses that continue another one.

    Scala's `package a` and `package b` become `a` and `a.b`.
    """
    around: list[str] = []
    for imported in imports:
        if imported.name == PACKAGE_CLAUSE:
            around.append(imported.module.removesuffix(_ALL))
            yield imported._replace(module=".".join(around) + _ALL)
        else:
            yield imported


def default_imports(
    language: Language, imports: Iterable[Import], symbols: Iterable[Symbol]
) -> tuple[Import, ...]:
    """Return the import of the default package for a file that declares no other one, else ()."""
    if not language.default_package or any(imported.name == PACKAGE_CLAUSE for imported in imports):
        return ()
    if any(symbol.kind in NAMESPACE_KINDS for symbol in symbols):
        return ()
    name = PACKAGE_CLAUSE if language.declares_package else "*"
    return (Import(language.default_package, name, "*", line=1, at=1, top=True, exported=False),)


def declared_package(imports: Iterable[Import]) -> str:
    """Return the package that a file declares; "" for the default package."""
    packages = [
        imported.module.removesuffix(_ALL)
        for imported in imports
        if imported.name == PACKAGE_CLAUSE
    ]
    return packages[-1] if packages else ""


def package_members(
    language: Language, symbols: Sequence[Symbol], relations: Relations
) -> tuple[str, ...]:
    """Return the names that a file adds to its package; empty if the language has no packages.

    In languages with `names_in_tree`, these are the qualified names of top-level definitions, the
    marked names of extension methods, and `PROJECT_IMPORTS` if the file imports names for all files
    of its project; in those with `modules_in_tree` the names of modules. In those with
    `reopened_types`, they are the names of all types, modules and constants outside of functions;
    names with a mark at the end tell what the file adds to types: see `_reopened_names`.
    """
    if language.reopened_types:
        return tuple(sorted(_constant_names(symbols) | _reopened_names(symbols, relations)))
    if language.names_in_tree:
        names = _top_level_names(symbols) - _file_private(language, symbols)
        return tuple(sorted(names.union(_marked_names(relations))))
    if language.modules_in_tree:
        modules = {symbol.qualified for symbol in symbols if symbol.kind == SymbolKind.MODULE}
        return tuple(sorted(modules))
    if not language.declares_package:
        return ()
    hidden = MEMBER_ONLY_KINDS | {SymbolKind.MODULE}
    own = {symbol.qualified for symbol in symbols if symbol.kind not in hidden}
    declared = {name.removesuffix("()") for name, _ in relations.values}
    visible = (own | declared) - _file_private(language, symbols)
    return tuple(sorted(name for name in visible if "." not in name))


def _top_level_names(symbols: Iterable[Symbol]) -> set[str]:
    """Return the qualified names of top-level definitions, also those in namespaces."""
    kinds = OWNER_KINDS | {SymbolKind.FUNCTION, SymbolKind.CONSTANT}
    spaces = {symbol.qualified for symbol in symbols if symbol.kind in NAMESPACE_KINDS} | {""}
    return {
        symbol.qualified
        for symbol in symbols
        if symbol.kind in kinds - NAMESPACE_KINDS and symbol.qualified.rpartition(".")[0] in spaces
    }


def _marked_names(relations: Relations) -> Iterator[str]:
    """Yield the marked names of a file's extension methods, and `PROJECT_IMPORTS`."""
    yield from (name for name, _ in relations.values if name.startswith(EXTENSION_MARK))
    if any(imported.exported for imported in relations.imports):
        yield PROJECT_IMPORTS


def _constant_names(symbols: Sequence[Symbol]) -> set[str]:
    """Return the qualified names of types, modules and constants outside of functions."""
    kinds = {symbol.qualified: symbol.kind for symbol in symbols}
    found: set[str] = set()
    for symbol in symbols:
        parts = symbol.qualified.split(".")
        owners = (kinds.get(".".join(parts[:end])) for end in range(1, len(parts)))
        if symbol.kind in _CONSTANT_KINDS and all(
            owner is None or owner in CONTAINER_KINDS for owner in owners
        ):
            found.add(symbol.qualified)
    return found


def _reopened_names(symbols: Iterable[Symbol], relations: Relations) -> set[str]:
    """Return the names of the types to which a file adds members or base types.

    They end in `MEMBERS_MARK`. The names of these base types are added, with `INCLUDERS_MARK`.
    """
    members = {symbol.qualified for symbol in symbols if symbol.kind not in _CONSTANT_KINDS}
    members |= {name for name, _ in relations.values if name[:1].isalpha()}
    owners = {name.rpartition(".")[0] for name in members} - {""}
    owners |= {owner.lstrip(CLASS_MARK) for owner, _ in relations.bases}
    types = {symbol.qualified for symbol in symbols if symbol.kind in CONTAINER_KINDS}
    included = (relations.expressions[number][-1] for _, number in relations.bases)
    names = {f"{name}{INCLUDERS_MARK}" for name in included if isinstance(name, str)}
    return {f"{owner}{MEMBERS_MARK}" for owner in owners & (types | {""})} | names


def _file_private(language: Language, symbols: Iterable[Symbol]) -> set[str]:
    """Return the names whose declarations are all private to the file, such as C `static` ones."""
    if not language.file_private:
        return set()
    is_file_private = re.compile(language.file_private).match
    names = {symbol.name for symbol in symbols if is_file_private(symbol.signature)}
    return names - {symbol.name for symbol in symbols if not is_file_private(symbol.signature)}
