"""Read which package a file declares, and which names the file adds to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from codeindex.languages import PACKAGE_CLAUSE, Language
from codeindex.types import (
    MEMBER_ONLY_KINDS,
    NAMESPACE_KINDS,
    OWNER_KINDS,
    Import,
    Relations,
    Symbol,
    SymbolKind,
)

_ALL = ".*"


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

    In languages with `names_in_tree`, these are the qualified names of top-level definitions.
    """
    if language.names_in_tree:
        return tuple(sorted(_top_level_names(symbols)))
    if not language.declares_package:
        return ()
    hidden = MEMBER_ONLY_KINDS | {SymbolKind.MODULE}
    own = {symbol.qualified for symbol in symbols if symbol.kind not in hidden}
    visible = (own | dict(relations.values).keys()) - _file_private(language, symbols)
    return tuple(sorted(name for name in visible if "." not in name))


def _top_level_names(symbols: Iterable[Symbol]) -> set[str]:
    """Return the qualified names of top-level types, functions and constants.

    Definitions in namespaces are included.
    """
    kinds = OWNER_KINDS | {SymbolKind.FUNCTION, SymbolKind.CONSTANT}
    spaces = {symbol.qualified for symbol in symbols if symbol.kind in NAMESPACE_KINDS} | {""}
    return {
        symbol.qualified
        for symbol in symbols
        if symbol.kind in kinds - NAMESPACE_KINDS and symbol.qualified.rpartition(".")[0] in spaces
    }


def _file_private(language: Language, symbols: Iterable[Symbol]) -> set[str]:
    """Return the names whose declarations are all private to the file, such as C `static` ones."""
    if not language.file_private:
        return set()
    is_file_private = re.compile(language.file_private).match
    names = {symbol.name for symbol in symbols if is_file_private(symbol.signature)}
    return names - {symbol.name for symbol in symbols if not is_file_private(symbol.signature)}
