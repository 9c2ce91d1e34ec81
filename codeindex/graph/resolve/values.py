"""Define the values of expressions, the declarations of files, and the view of other files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from codeindex.graph.expression_table import (
    CLASS_MARK,
    IMPLEMENTED,
    LOST_MARK,
    PATH_SEPARATOR,
    SPELLING_MARK,
)
from codeindex.languages import LANGUAGES, PACKAGE_CLAUSE, Language
from codeindex.languages.source_tree import ModuleLocation
from codeindex.types import (
    CALLABLE_KINDS,
    MEMBER_ONLY_KINDS,
    NAMESPACE_KINDS,
    OWNER_KINDS,
    Definition,
    Expression,
    Import,
    Relations,
    SymbolKind,
    overload_key,
)

STORED_KINDS = frozenset(
    {
        *(SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY),
        SymbolKind.ENUM_MEMBER,
    }
)

_MAX_NAMESPACES = 50
"""Maximum number of namespaces that a file opens, since every name is looked up in each."""


class ExpressionRef(NamedTuple):
    """A reference to an expression: its file, table, and number in the table.

    The table `declared` has the expressions in the file's declarations, `used` those in uses.
    """

    file: str
    table: Literal["declared", "used"]
    number: int


class InstanceValue(NamedTuple):
    """An instance of the type `of` (None: unknown); `elements` refers to what it contains.

    If `above` is true, members are looked up in base types only, as for `super`.
    """

    of: Definition | None
    elements: ExpressionRef | None = None
    above: bool = False


class FunctionTypeValue(NamedTuple):
    """A function that is known only by its type.

    `signature` refers to the expression of the type, such as `(size: number) => Cart`.
    """

    signature: ExpressionRef


class MappedValue(NamedTuple):
    """An object that has a member of every name.

    All members have the values of one expression, to which `member` refers.
    """

    member: ExpressionRef


class RecordValue(NamedTuple):
    """An object of a type without a name; a `record` expression has its members."""

    members: ExpressionRef


class TupleValue(NamedTuple):
    """A tuple; its parts are the operands of a `parts` expression, in order."""

    parts: ExpressionRef


class ModuleValue(NamedTuple):
    """A module as the value of an expression; `place` has the module's files."""

    place: ModuleLocation


class ExternalValue(NamedTuple):
    """A symbol of an external package by its full name, like `requests.get`."""

    name: str


class StaticType(NamedTuple):
    """The type that source code declares for a value.

    `definition` is None for types outside of the repository. `dimensions` counts array dimensions,
    in C++ also pointers. A type parameter has the fields of its bound and its own name as
    `variable`. `closure` is the number of parameters of a function literal, -1 if unknown; it is
    None for other types.
    """

    name: str
    definition: Definition | None = None
    dimensions: int = 0
    variable: str = ""
    closure: int | None = None

    @property
    def bare_name(self) -> str:
        """The name without namespaces and outer types."""
        return self.name.rpartition(".")[2]


class TypedParameter(NamedTuple):
    """A parameter of a function; its type is None if unknown.

    `is_substituted` is true if the type is a type parameter of the owner, which stands for another
    type in each call.
    """

    type: StaticType | None
    is_substituted: bool = False
    bound: StaticType | None = None
    """If the type is a type parameter of the function, the type that limits it."""


class ParameterList(NamedTuple):
    """The parameters of a function.

    If `is_repeated`, one of them takes any number of arguments, each of its type.
    """

    parameters: tuple[TypedParameter, ...]
    is_repeated: bool = False
    repeated_at: int = 0
    """Index of the first repeated parameter."""
    is_cut: bool = False
    """Whether the stored signature was cut inside the parameters; then all of them are unknown."""


class CallArguments(NamedTuple):
    """The arguments of a call; `number` counts them.

    `passed` refers to the expression of the arguments, `called` to that of the called function;
    both are None if unknown.
    """

    number: int
    passed: ExpressionRef | None = None
    called: ExpressionRef | None = None


class Selection(NamedTuple):
    """The overloads that a call may run.

    `fits` is false if none accepts the arguments: the called function may be external.
    """

    functions: Sequence[Definition]
    fits: bool = True


class FunctionGroup(NamedTuple):
    """One of several overloads: its definition, or a declaration of it, in a file.

    It accepts from `least` to `most` arguments; no declaration of it accepts another number. `most`
    is None if it is unlimited.
    """

    function: Definition
    least: int
    most: int | None

    def accepts(self, count: int) -> bool:
        """Tell whether a call may pass this number of arguments."""
        return self.least <= count and (self.most is None or count <= self.most)


class Supertypes(NamedTuple):
    """The supertypes of a type, itself included: definitions here, and names of external types.

    `is_complete` is false if some supertypes are unknown.
    """

    definitions: frozenset[Definition]
    names: frozenset[str]
    is_complete: bool


Value = (
    Definition
    | InstanceValue
    | FunctionTypeValue
    | MappedValue
    | RecordValue
    | TupleValue
    | ModuleValue
    | ExternalValue
)


@dataclass(frozen=True, slots=True)
class FileDeclarations:
    """The declarations of a file: symbols, imports, and expressions by name.

    `values` and `results` map names to indexes in `expressions`, and `bases` maps types to the
    indexes of their base types. `locals` are module-level imports by bound name. Wildcard imports
    are also in `patterns` or, if they open a namespace, in `spaces`. A module in `patterns` is
    completed by the name that is looked up; the file's own package is the first. `macros` are by
    bare name; `local_macros` are those inside of functions. `namespace_lines` has the namespaces
    that the file declares with their lines, in languages with `partial_types`.
    `member_extensions` has, by name, the expressions of the extension functions that types declare.
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
    macros: Mapping[str, Sequence[Definition]]
    local_macros: Mapping[str, Sequence[Definition]]
    namespace_lines: Mapping[str, int]
    member_extensions: Mapping[str, Sequence[int]]

    def value(self, name: str) -> ExpressionRef | None:
        """Return the expression of the value that the file assigns to a name; None without one.

        In languages whose variables can be called, `name()` has the value of `name`.
        """
        number = self.values.get(name)
        if number is None and self.language.callable_variables:
            number = self.values.get(name.removesuffix("()"))
        return ExpressionRef(self.path, "declared", number) if number else None

    def named(self, name: str) -> list[Definition]:
        """Return the file's definitions of a bare or qualified name that need no receiver.

        If `name` ends in `()`, functions and types come first.
        """
        definitions = self.symbols.get(name.removesuffix("()"), ())
        if name.endswith("()"):
            definitions = sorted(
                definitions, key=lambda definition: definition.kind in STORED_KINDS
            )
        elif self.language.method_names:
            definitions = [each for each in definitions if each.kind not in CALLABLE_KINDS]
        return [
            definition
            for definition in definitions
            if definition.kind not in MEMBER_ONLY_KINDS
            or (definition.kind is SymbolKind.METHOD and "." in name)
        ]

    def outer_types(self) -> Sequence[str]:
        """Return the qualified names of the types of this file that are in no other type."""
        return [
            name
            for name, definitions in self.symbols.items()
            if definitions[0].kind in OWNER_KINDS
            and not any(
                each.kind in OWNER_KINDS for each in self.symbols.get(name.rpartition(".")[0], ())
            )
        ]

    def result(self, function: Definition) -> ExpressionRef | None:
        """Return a reference to the expression of a function's result; None if it is unknown.

        In languages without type rules, all overloads of a name share one result, except that
        methods of a class itself and of its instances do not share it.
        """
        key = function.qualified
        is_numbered = self.language.type_rules or self.language.reopened_types
        same = self.symbols.get(key, ()) if is_numbered else ()
        if len(same) > 1 and function in same:
            key = overload_key(key, same.index(function))
        number = self.results.get(key)
        return ExpressionRef(self.path, "declared", number) if number else None

    def is_class_method(self, definition: Definition) -> bool:
        """Tell whether a definition in this file is a method of a class itself.

        Other methods belong to the instances of the class.
        """
        same = self.symbols.get(definition.qualified, ())
        return (
            definition in same
            and CLASS_MARK + overload_key(definition.qualified, same.index(definition))
            in self.values
        )

    def implementation(self, name: str) -> ExpressionRef | None:
        """Return a reference to the only overload of a function with a body; None without one."""
        number = self.values.get(name + IMPLEMENTED)
        return ExpressionRef(self.path, "declared", number) if number else None

    def is_forward(self, name: str) -> bool:
        """Tell whether a name is only declared in this file and defined in another file."""
        return self.expressions[self.values.get(name, 0)] == ("elsewhere",)

    def is_forward_function(self, function: Definition) -> bool:
        """Tell whether a function of this file is declared here and defined elsewhere.

        Each of several overloads is judged for itself.
        """
        if not self.is_forward(function.qualified):
            return False
        same = self.symbols.get(function.qualified, ())
        if len(same) < 2 or not self.language.overloads:  # noqa: PLR2004 (several)
            return True
        number = same.index(function) if function in same else 0
        return overload_key(function.qualified, number) in self.values

    def spelling(self, name: str) -> str:
        """Return how the file's language spells `name`, if that differs from `name`; else "".

        It differs if the language normalises identifiers to another Unicode form
        (`Language.other_spelling`).
        """
        number = self.values.get(SPELLING_MARK + name)
        return str(self.expressions[number][-1]) if number else ""

    def may_define(self, name: str) -> bool:
        """Tell whether lines that the parser lost may define a function of this name."""
        return LOST_MARK + name in self.values


def index_declarations(
    path: str, language: str, symbols: Iterable[Definition], relations: Relations
) -> FileDeclarations:
    """Return the declarations of a file, indexed by name."""
    defined: dict[str, list[Definition]] = {}
    for symbol in symbols:
        defined.setdefault(symbol.qualified, []).append(symbol)
    macros, local_macros = _macros_by_name(defined)
    bases: dict[str, list[int]] = {}
    for owner, number in relations.bases:
        bases.setdefault(owner, []).append(number)
    bound: dict[str, dict[Import, Import]] = {}
    for imported in relations.imports:
        if imported.local and (imported.top or imported.name == "*"):
            same = imported._replace(
                line=0, at=0
            )  # hostile code repeats an import thousands of times
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
        spaces=[imported for imported in whole if not imported.module][:_MAX_NAMESPACES],
        macros=macros,
        local_macros=local_macros,
        namespace_lines=_namespace_lines(LANGUAGES[language], defined, relations.imports),
        member_extensions=_member_extensions(LANGUAGES[language], relations),
    )


def _member_extensions(language: Language, relations: Relations) -> Mapping[str, Sequence[int]]:
    """Return {name: expressions} of extension functions that are members of types: Kotlin."""
    found: dict[str, list[int]] = {}
    for name, number in relations.values if language.extension_functions else ():
        if "." in name and relations.expressions[number][0] == "define":
            found.setdefault(name.rpartition(".")[2], []).append(number)
    return found


def _namespace_lines(
    language: Language, defined: Mapping[str, Sequence[Definition]], imports: Iterable[Import]
) -> Mapping[str, int]:
    """Return {namespace that a file declares: its line}, in languages with `partial_types`.

    A declaration of a namespace is an import of it, too.
    """
    if not language.partial_types:
        return {}
    lines = {name: 0 for name, same in defined.items() if same[0].kind in NAMESPACE_KINDS}
    for imported in imports:
        if imported.module[:-2] in lines:
            lines[imported.module[:-2]] = imported.line
    return lines


def _macros_by_name(
    defined: Mapping[str, Sequence[Definition]],
) -> tuple[dict[str, list[Definition]], dict[str, list[Definition]]]:
    """Group macros by bare name; return (macros outside of functions, macros inside)."""
    outside: dict[str, list[Definition]] = {}
    inside: dict[str, list[Definition]] = {}
    for qualified, definitions in defined.items():
        macros = [each for each in definitions if each.kind is SymbolKind.MACRO]
        if macros:
            owner, _, bare = qualified.rpartition(".")
            is_local = any(each.kind in CALLABLE_KINDS for each in defined.get(owner, ()))
            (inside if is_local else outside).setdefault(bare, []).extend(macros)
    return outside, inside


ImportQuery = tuple[str, str]
"""(file, module that it imports); with "" as module, the query asks for the files that are visible
without an import."""


class SharedBases(NamedTuple):
    """The direct base types of a type, and what they depend on.

    `consulted` has the paths of the files whose declarations were read, `places` and `beside` the
    answers to import queries.
    """

    types: tuple[Definition, ...]
    consulted: frozenset[str]
    places: Mapping[ImportQuery, ModuleLocation | None]
    beside: Mapping[str, Sequence[str]]


class RepositoryView(NamedTuple):
    """The functions by which resolution reads files and resolves imports, and shared results."""

    declared: Callable[[str], FileDeclarations | None]
    locate: Callable[[str, str], ModuleLocation | None]
    """Returns the location of a module, given the importing file and the module; None if the
    repository does not have the module."""
    beside: Callable[[str], Sequence[str]]
    """Returns the files whose names a file can use without an import."""
    shared_bases: dict[Definition, SharedBases]
    """Base types that are found once for all files; kept as long as the repository is unchanged."""
    defining: dict[tuple[str, ...], Mapping[str, Sequence[str]]]
    """{files: {qualified name: those of the files that define it}}; kept in the same way."""
