"""What an expression may turn out to be, and what is asked about the files it is looked up in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from codeindex.graph.expression_table import PATH_SEPARATOR
from codeindex.languages import LANGUAGES, PACKAGE_CLAUSE, Language
from codeindex.languages.source_tree import ModuleLocation
from codeindex.types import (
    MEMBER_ONLY_KINDS,
    Definition,
    Expression,
    Import,
    Relations,
    SymbolKind,
)

STORED_KINDS = frozenset(
    {
        *(SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY),
        SymbolKind.ENUM_MEMBER,
    }
)

_MOST_SPACES = 50
"""Namespaces of one file that are looked into for every name in it."""


class ExpressionRef(NamedTuple):
    """An expression in a file, among those it declares or among those it uses."""

    file: str
    table: Literal["declared", "used"]
    number: int


class InstanceValue(NamedTuple):
    """Something of a type, and what its elements are; `above` looks for members past the type."""

    of: Definition | None
    elements: ExpressionRef | None = None
    above: bool = False


class ModuleValue(NamedTuple):
    """A file, or several that are one module, as a value."""

    place: ModuleLocation


class ExternalValue(NamedTuple):
    """Something of another package, by its full name."""

    name: str


Value = Definition | InstanceValue | ModuleValue | ExternalValue


@dataclass(frozen=True, slots=True)
class FileDeclarations:
    """What a file shows to others; `locals` are the imports of its own scope by what they bind.

    Of those that bind all (`*`), `patterns` are completed by the name that is looked for, the
    file's own package first, and `spaces` are namespaces whose members are in view.
    """

    path: str
    language: Language
    symbols: Mapping[str, Sequence[Definition]]
    imports: Sequence[Import]
    expressions: Sequence[Expression]
    values: Mapping[str, int]
    results: Mapping[str, int]
    bases: Mapping[str, Sequence[int]]
    locals: Mapping[str, Sequence[Import]]
    patterns: Sequence[Import]
    spaces: Sequence[Import]

    def value(self, name: str) -> ExpressionRef | None:
        """Return what a name is set to; variables that can be called are no methods but will do."""
        number = self.values.get(
            name.removesuffix("()") if self.language.callable_variables else name
        )
        return ExpressionRef(self.path, "declared", number) if number else None

    def named(self, name: str) -> list[Definition]:
        """Return the definitions that a name alone can mean; that of a member takes its owner.

        With `()`, those of functions and types come first.
        """
        definitions = self.symbols.get(name.removesuffix("()"), ())
        if name.endswith("()"):
            definitions = sorted(
                definitions, key=lambda definition: definition.kind in STORED_KINDS
            )
        return [
            definition
            for definition in definitions
            if definition.kind not in MEMBER_ONLY_KINDS
            or (definition.kind is SymbolKind.METHOD and "." in name)
        ]

    def is_forward(self, name: str) -> bool:
        """Tell whether a name is only declared here, and defined in another file."""
        return self.expressions[self.values.get(name, 0)] == ("elsewhere",)


def index_declarations(
    path: str, language: str, symbols: Iterable[Definition], relations: Relations
) -> FileDeclarations:
    """Arrange what a file shows by the names that are asked for."""
    defined: dict[str, list[Definition]] = {}
    for symbol in symbols:
        defined.setdefault(symbol.qualified, []).append(symbol)
    bases: dict[str, list[int]] = {}
    for owner, number in relations.bases:
        bases.setdefault(owner, []).append(number)
    bound: dict[str, dict[Import, Import]] = {}
    for imported in relations.imports:
        if imported.local and (imported.top or imported.name == "*"):
            same = imported._replace(line=0, at=0)  # hostile code says it ten thousand times
            bound.setdefault(imported.local, {}).setdefault(same, imported)
    whole = [*bound.get("*", {}).values()]
    return FileDeclarations(
        path=path,
        language=LANGUAGES[language],
        symbols=defined,
        imports=relations.imports,
        expressions=relations.expressions or (("unknown",),),
        values=dict(relations.values),
        results=dict(relations.results),
        bases=bases,
        locals={local: [*some.values()] for local, some in bound.items()},
        patterns=sorted(
            (
                imported
                for imported in whole
                if "*" in imported.module or PATH_SEPARATOR in imported.module
            ),
            key=lambda imported: imported.name != PACKAGE_CLAUSE,
        ),
        spaces=[imported for imported in whole if not imported.module][:_MOST_SPACES],
    )


class RepositoryView(NamedTuple):
    """Questions about other files and about the tree."""

    declared: Callable[[str], FileDeclarations | None]
    locate: Callable[[str, str], ModuleLocation | None]
    """Called with a path and a module; None for what is outside of the repository."""
    beside: Callable[[str], Sequence[str]]
    """Files whose names a file sees without an import: the rest of its package."""
