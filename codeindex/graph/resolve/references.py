"""Create the edges of one file from its uses and imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from codeindex.graph.expression_table import PATH_SEPARATOR, SETTER_SUFFIX
from codeindex.graph.resolve.evaluate import evaluate_expression
from codeindex.graph.resolve.extension_methods import (
    extended_receiver,
    visible_extension_methods,
)
from codeindex.graph.resolve.members import adds_method_outside, member_of_side, member_of_type
from codeindex.graph.resolve.names import is_external_import, values_at_location
from codeindex.graph.resolve.overload_groups import parameter_key
from codeindex.graph.resolve.overloads import all_overloads, language_of, select_overloads
from codeindex.graph.resolve.receivers import (
    may_be_outside,
    may_run_outside,
    visible_extensions,
    without_kinds,
)
from codeindex.graph.resolve.self_types import type_parameters
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    CallArguments,
    ExpressionRef,
    ExternalValue,
    FileDeclarations,
    InstanceValue,
    ModuleValue,
    RepositoryView,
    Value,
)
from codeindex.languages import PACKAGE_CLAUSE
from codeindex.languages.source_tree import DEFINITIONS_MODULE, ModuleLocation
from codeindex.types import (
    CALLABLE_KINDS,
    OVERLOAD_PREFIX,
    OWNER_KINDS,
    Certainty,
    Definition,
    Expression,
    Import,
    Relations,
    SymbolKind,
    UseKind,
)

_MAX_EXTENSIONS = 8
"""Maximum number of extensions that a call on an unknown receiver may run; more say nothing."""
_MAX_PLATFORMS = 8
"""Maximum number of definitions of a declared name that may belong to different platforms."""
_HIDES = frozenset({"new", "override"})
"""Modifiers of members that base types also have."""
_GENERIC_KINDS = OWNER_KINDS - {SymbolKind.ENUM} | {SymbolKind.TYPE}
_WHOLE_MODULE = {"", "*"}
"""Names in imports that mean the whole module."""


class EdgeTarget(NamedTuple):
    """The target of an edge: a file, a symbol in it, or only a `name` if it is not found here.

    `file` is "" for an unknown or external target.
    """

    kind: str
    certainty: Certainty
    file: str = ""
    symbol: int = 0
    name: str = ""
    module: str = ""
    """The imported module as written in source code; for overloads, the number of overloads."""
    receiver: str = ""
    """For a call of a member of an unknown object, the receiver's name: see `Use`."""
    arguments: int = -1
    """For such a call, the number of arguments: see `Use`."""


ResolvedReferences = Mapping[tuple[int, EdgeTarget], Iterable[int]]
"""{(index of the using symbol in the file or -1, target): lines of the uses}."""


def resolve_references(
    view: RepositoryView, path: str, relations: Relations
) -> tuple[ResolvedReferences, ResolutionSession]:
    """Return (resolved references of the file at `path`, session of the resolution).

    The session knows the files and import queries on which the result depends. `view` reads other
    files.
    """
    session = ResolutionSession(view, path, relations.used, evaluate_expression)
    lines_by_target: defaultdict[tuple[int, EdgeTarget], set[int]] = defaultdict(set)
    known: dict[tuple[int, UseKind, int, int], Sequence[EdgeTarget]] = {}
    declared = session.declared(path)
    has_overloads = declared is not None and declared.language.overloads
    for symbol, expression, line, kind, count, passed, receiver in relations.uses:
        targets = known.get((expression, kind, count, passed))
        if targets is None:
            written = _as_used(session, expression)
            call = _call_arguments(path, written.used, count, passed) if has_overloads else None
            targets = tuple(
                target._replace(certainty="ambiguous")
                if _is_unsure(session, written, target, kind)
                else target
                for target in _targets(session, kind, written, call)
            )
            known[expression, kind, count, passed] = targets
        for target in targets:
            if kind is UseKind.CALL and not target.file and target.certainty == "ambiguous":
                target = target._replace(receiver=receiver, arguments=count)  # noqa: PLW2901
            lines_by_target[symbol, target].add(line)
    in_full = declared is not None and declared.language.declares_package
    for imported in relations.imports:
        if not imported.module or imported.name == PACKAGE_CLAUSE:
            continue
        look = (
            _wildcard_edges
            if "*" in imported.module and imported.name == "*" and in_full
            else _import_edges
        )
        for target, line in look(session, imported):
            lines_by_target[-1, _as_written(declared, target)].add(line)
    return lines_by_target, session


class WrittenUse(NamedTuple):
    """The expression of a use by number, its spelling, and whether the parser lost its line.

    For `spelling` see `Language.other_spelling`. `type_arguments` is the number of type arguments
    of a use that can only be a type, -1 if any number is possible; it is 0 for other uses.
    """

    used: int
    spelling: str = ""
    is_lost: bool = False
    type_arguments: int = 0


def _as_used(session: ResolutionSession, expression: int) -> WrittenUse:
    written = WrittenUse(expression)
    while True:
        place = ExpressionRef(session.path, "used", written.used)
        operation, *operands = session.expression(place)
        if operation == "unsure":
            written = written._replace(used=int(operands[0]), is_lost=True)
        elif operation == "spelled":
            written = written._replace(used=int(operands[0]), spelling=str(operands[1]))
        elif operation == "typed":
            written = written._replace(used=int(operands[0]), type_arguments=int(operands[1]))
        else:
            return written


def _among_same_names(
    session: ResolutionSession, written: WrittenUse, values: Sequence[Value]
) -> tuple[Sequence[Value], bool]:
    """Return (the values that a use can mean, whether they are certain).

    A value that the use cannot mean is replaced by one of the same name that it can mean: where the
    code names a type, that is a type and no object or function, and in C# one with as many type
    parameters as the code has type arguments.
    """
    found: dict[Value, None] = {}
    is_sure = True
    for value in values:
        declared = session.declared(value.file) if isinstance(value, Definition) else None
        if declared is None or not isinstance(value, Definition):
            found[value] = None
        elif declared.language.generic_node and written.type_arguments >= 0:
            same = _with_type_parameters(session, written.type_arguments, value)
            found[same or value] = None
            is_sure = is_sure and same is not None
        elif declared.language.type_nodes:
            is_type = written.type_arguments != 0
            found |= dict.fromkeys(_of_namespace(declared, value, is_type=is_type))
        else:
            found[value] = None
    return tuple(found), is_sure


def _of_namespace(
    declared: FileDeclarations, value: Definition, *, is_type: bool
) -> Sequence[Definition]:
    """Return `value` or, if it is of the wrong kind, the first definition of its name that is not.

    With `is_type`, types are of the right kind; otherwise all but the language's `type_only_kinds`.
    If none is, return (); in languages without `type_only_kinds`, return `value`.
    """
    types = declared.language.type_only_kinds
    kinds = OWNER_KINDS - {SymbolKind.OBJECT} | {SymbolKind.TYPE}
    same = declared.symbols.get(value.qualified, ())
    fitting = [each for each in same if (each.kind in kinds if is_type else each.kind not in types)]
    if value in fitting or not (fitting or types):
        return (value,)
    return fitting[:1]


def _with_type_parameters(
    session: ResolutionSession, count: int, value: Definition
) -> Definition | None:
    """Return the type with the name of the type `value` and `count` type parameters.

    It may be in another file of the type. Return None without one, and `value` if it is no type.
    """
    if value.kind not in _GENERIC_KINDS or len(type_parameters(value)) == count:
        return value
    for path in (value.file, *session.beside(value.file)):
        declared = session.declared(path)
        for each in declared.symbols.get(value.qualified, ()) if declared else ():
            if each.kind in _GENERIC_KINDS and len(type_parameters(each)) == count:
                return each
    return None


def _is_unsure(
    session: ResolutionSession, written: WrittenUse, target: EdgeTarget, kind: UseKind
) -> bool:
    """Tell whether a use may have another target than `target`.

    It may if the parser lost the line of the use, or if the use and the target differ in spelling.
    """
    if written.is_lost and (target.file or kind is UseKind.CALL):
        return True
    declared = session.declared(target.file) if target.symbol else None
    return declared is not None and declared.spelling(target.name) != written.spelling


def _call_arguments(path: str, called: int, count: int, passed: int) -> CallArguments | None:
    if count < 0:
        return None
    place = ExpressionRef(path, "used", called)
    return CallArguments(count, place._replace(number=passed) if passed else None, place)


def _as_written(declared: FileDeclarations | None, target: EdgeTarget) -> EdgeTarget:
    """Return a target with the language's own separators in its names, like `.` or `::`."""
    separator = declared.language.module_separator if declared else PATH_SEPARATOR
    if separator == PATH_SEPARATOR:
        return target
    name = target.name if target.symbol else target.name.replace(PATH_SEPARATOR, separator)
    return target._replace(name=name, module=target.module.replace(PATH_SEPARATOR, separator))


def _import_edges(session: ResolutionSession, imported: Import) -> Iterator[tuple[EdgeTarget, int]]:
    """Yield (target, line) for an import: the module, and the symbols imported from it."""
    place = session.locate(session.path, imported.module)
    declared = session.declared(session.path)
    is_outside = place is None or (
        declared and is_external_import(session, declared, imported, place)
    )
    targets = (
        [] if place is None or is_outside else list(_edges_to_imported(session, imported, place))
    )
    yield from targets
    opens = declared is not None and declared.language.imports_namespaces
    if (is_outside or (opens and not targets)) and "*" not in imported.module:
        name = (
            imported.module
            if imported.name in _WHOLE_MODULE
            else f"{imported.module}.{imported.name}"
        )
        yield EdgeTarget("imports", "resolved", name=name), imported.line


def _edges_to_imported(
    session: ResolutionSession, imported: Import, place: ModuleLocation
) -> Iterator[tuple[EdgeTarget, int]]:
    """Yield (target, line) for an import of a module: its files, and the imported symbols."""
    declared = session.declared(session.path)
    taken = imported.name not in _WHOLE_MODULE or place.symbol
    values = values_at_location(session, place, imported.name.strip("*")) if taken else ()
    targets = list(_edges_to_values(session, UseKind.REFERENCE, values))
    files = dict.fromkeys(each.file for each in targets) if place.symbol else place.files
    for file in files:
        if file and file != session.path:
            yield EdgeTarget("imports", "resolved", file, module=imported.module), imported.line
    for each in targets:
        if each.file:  # re-exports of external packages have no file
            is_set = each.module.startswith(OVERLOAD_PREFIX)
            sure = is_set or (declared is not None and declared.language.extension_functions)
            certainty: Certainty = (
                "resolved" if sure else each.certainty
            )  # overloads are imported together
            edge = each._replace(kind="imports", certainty=certainty, module=imported.module)
            yield edge, imported.at


def _wildcard_edges(
    session: ResolutionSession, imported: Import
) -> Iterator[tuple[EdgeTarget, int]]:
    """Yield (target, line) for a wildcard import: the imported members that the file uses.

    If it uses none, the target is the package.
    """
    place = session.locate(session.path, imported.module)
    of_type = place if place and place.files else None
    owner = replace(of_type, symbol=of_type.symbol.removesuffix(".*")) if of_type else None
    values = dict.fromkeys(values_at_location(session, owner, "") if owner else (), True)
    values |= session.wildcard_uses.get(imported.module, {})
    files: dict[str, None] = {}
    for value, sure in values.items():
        for each in _edges_to_values(session, UseKind.REFERENCE, [value]):
            certainty = each.certainty if sure else "ambiguous"
            edge = each._replace(kind="imports", certainty=certainty, module=imported.module)
            if each.file and each.file != session.path:
                files.setdefault(each.file)
                yield edge, imported.line
    for file in files:
        yield EdgeTarget("imports", "resolved", file, module=imported.module), imported.line
    if not files:
        yield EdgeTarget("imports", "resolved", name=imported.module), imported.line


def _targets(
    session: ResolutionSession, kind: UseKind, written: WrittenUse, call: CallArguments | None
) -> Iterable[EdgeTarget]:
    """Return the targets to which a use may refer.

    If its values are unknown, the targets are known only by name.
    """
    place = ExpressionRef(session.path, "used", written.used)
    declared = session.declared(session.path)
    values: Sequence[Value] = session.values(place)
    if kind is UseKind.CALL and declared and declared.language.uncallable:
        values = without_kinds(values, declared.language.uncallable)
    if kind is UseKind.CALL and declared and declared.language.reopened_types:
        values = [each for value in values for each in _run_by_new(session, value)]
    if kind is UseKind.REFERENCE:
        values = [*_declared_above(session, place, values), *values]
        values = [each for each in values if not _is_extended(session, each, place)]
    if declared and declared.language.mixed_targets:  # extensions stand for external types
        values = without_kinds(values, {SymbolKind.IMPL})
    values, is_sure = _among_same_names(session, written, values)
    if values:
        by_number = declared is not None and declared.language.accepted_arguments is not None
        is_function = by_number or str(session.expression(place)[-1]).endswith("()")
        edges = _edges_to_values(session, kind, values, call, is_function=is_function)
        if not is_sure or (declared and _may_mean_other(session, declared, kind, place, values)):
            return [edge._replace(certainty="ambiguous") for edge in edges]
        return edges
    return _edges_by_name(session, kind, place, call)


def _is_extended(session: ResolutionSession, value: Value, place: ExpressionRef) -> bool:
    """Tell whether `value` is an extension method, and `place` an expression like `cart.total`.

    Without a call, such an expression is more likely a property of an external type.
    """
    return (
        isinstance(value, Definition)
        and value.kind in CALLABLE_KINDS
        and extended_receiver(session, value, place) is not None
    )


def _may_mean_other(
    session: ResolutionSession,
    declared: FileDeclarations,
    kind: UseKind,
    place: ExpressionRef,
    values: Sequence[Value],
) -> bool:
    """Tell whether a use may mean something else than `values`, like a member of a library."""
    if kind is UseKind.REFERENCE and may_be_outside(session, declared, place, values):
        return True
    if declared.language.generic_node:
        return any(_may_be_inherited(session, value) for value in values)
    return declared.language.mixed_targets and any(
        may_run_outside(session, value) for value in values
    )


def _may_be_inherited(session: ResolutionSession, value: Value) -> bool:
    """Tell whether a use may mean the member that `value` overrides or hides, in a base type.

    That is so for a member of `Cart<T>`, if a type `Cart` has the member from its base type: the
    types have one qualified name.
    """
    head = value.signature.partition("(")[0].split() if isinstance(value, Definition) else ()
    if not isinstance(value, Definition) or not _HIDES.intersection(head):
        return False
    owner = value.qualified.rpartition(".")[0]
    paths = (value.file, *session.beside_defining(value.file, owner))
    types = [
        type_
        for declared in map(session.declared, paths)
        for type_ in (declared.symbols.get(owner, ()) if declared else ())
    ]
    return len({len(type_parameters(type_)) for type_ in types}) > 1


def _declared_above(
    session: ResolutionSession, place: ExpressionRef, values: Sequence[Value]
) -> Iterator[Definition]:
    """Yield the declarations, in base types, of an attribute that a type only assigns.

    The expression `place` is a member, such as `this.cart` after `this.cart = new Cart()`; `values`
    are all instances then, and none is a declaration. Yield nothing for other expressions.
    """
    if not values or not all(isinstance(value, InstanceValue) for value in values):
        return
    operation, *operands = session.expression(place)
    if operation != "member":
        return
    for receiver in session.values(place._replace(number=int(operands[0]))):
        if isinstance(receiver, InstanceValue) and receiver.of:
            found = member_of_type(session, receiver.of, str(operands[-1]), above=True)
            yield from (each for each in found if isinstance(each, Definition))


def _run_by_new(session: ResolutionSession, value: Value) -> Sequence[Value]:
    """Return the methods `new` of a module, which `Shop.new` runs.

    Other values, and a module without such a method, are returned as they are, in a list of one.
    """
    if isinstance(value, Definition) and value.kind is SymbolKind.MODULE:
        return member_of_side(session, value, "new", is_type=True) or [value]
    return [value]


def _edges_to_values(
    session: ResolutionSession,
    kind: UseKind,
    values: Sequence[Value],
    call: CallArguments | None = None,
    *,
    is_function: bool = False,
) -> Iterator[EdgeTarget]:
    """Yield the edge targets for `values`, the possible values of a use.

    For a call, yield only the overloads that it may run. `is_function` is true if the use passes on
    a function without calling it.
    """
    definitions: Sequence[Definition] = [
        value
        for value in (*values, *(_invoked(session, values) if kind is UseKind.CALL else ()))
        if isinstance(value, Definition)
    ]
    fits = True
    if call:
        definitions, fits = select_overloads(session, definitions, call)
    else:
        is_function = is_function or _has_levels(session, definitions)
        definitions = all_overloads(session, definitions) if is_function else definitions
    added = [each for each in definitions if adds_method_outside(session, each)]
    if kind is UseKind.CALL:
        fits = fits and not added
    else:  # `String` is the type of the library, and not the method that the repository adds
        definitions = [each for each in definitions if each not in added]
    defined = [_defining(session, each) for each in definitions]
    fits = fits and all(each.is_sure for each in defined)
    targets = dict.fromkeys(
        same
        for each in defined
        for same in _variants(session, _implementation(session, each.definition))
    )
    certainty: Certainty = "resolved" if len(targets) == 1 and fits else "ambiguous"
    of_one = len({definition.qualified for definition in targets}) == 1 < len(targets)
    overloads = f"{OVERLOAD_PREFIX}{len(targets)}" if (call or is_function) and of_one else ""
    for definition in targets:
        yield EdgeTarget(
            kind, certainty, definition.file, definition.id, definition.qualified, overloads
        )
    yield from _platform_edges(kind, defined)
    for value in values:
        if isinstance(value, ModuleValue) and len(value.place.files) == 1:
            yield EdgeTarget(UseKind.REFERENCE, "resolved", value.place.files[0])
        elif isinstance(value, ExternalValue):
            yield EdgeTarget(kind, "resolved", name=value.name)


def _has_levels(session: ResolutionSession, definitions: Sequence[Definition]) -> bool:
    """Tell whether the overloads of base types compete with those in `definitions`.

    Then a use that passes no arguments may mean any of them.
    """
    is_function = bool(definitions) and definitions[0].kind in CALLABLE_KINDS
    language = language_of(session, definitions) if is_function else None
    return language is not None and bool(language.inherited_overloads)


def _platform_edges(kind: UseKind, defined: Iterable[Defined]) -> Iterator[EdgeTarget]:
    """Yield an ambiguous target for each definition of a name for another platform."""
    for each in defined:
        name = f"{OVERLOAD_PREFIX}{len(each.others)}"
        for other in each.others:
            yield EdgeTarget(kind, "ambiguous", other.file, other.id, other.qualified, name)


def _invoked(session: ResolutionSession, values: Iterable[Value]) -> Iterator[Value]:
    """Yield the methods that run if the instances in `values` are called like functions."""
    declared = session.declared(session.path)
    method = declared.language.call_method if declared else ""
    for value in values if method else ():
        if isinstance(value, InstanceValue) and value.of:
            yield from member_of_type(session, value.of, method)


def _edges_by_name(
    session: ResolutionSession, kind: UseKind, place: ExpressionRef, call: CallArguments | None
) -> Iterator[EdgeTarget]:
    """Yield targets that are known only by name: members of unknown receivers, and base types.

    A member that is not called counts only if its receiver is `self`: then subtypes may define it.
    """
    expression = session.expression(place)
    operation, name = expression[0], str(expression[-1])
    bare = name.removesuffix("()").removesuffix(SETTER_SUFFIX)
    if operation == "member" and (kind is UseKind.CALL or _is_own(session, place, expression)):
        yield EdgeTarget(kind, "ambiguous", name=bare)
        yield from _edges_to_extensions(session, kind, name, call)
    if operation in {"name", "own"} and kind is UseKind.BASE:  # a builtin type: `Exception`
        yield EdgeTarget(kind, "resolved", name=bare)
    if operation == "member" and kind is UseKind.BASE:
        outside = _path_outside(session, place)
        if outside:
            yield EdgeTarget(kind, "resolved", name=outside)


def _path_outside(session: ResolutionSession, place: ExpressionRef) -> str:
    """Return the dotted path in an expression, like `Dry.Text`, if it is external; otherwise "".

    A path is external if the repository has no value for its first name. In languages with reopened
    types, every path counts, since files add to modules of libraries, like Ruby's `ActiveRecord`.
    """
    parts: list[str] = []
    declared = session.declared(session.path)
    adds_to_modules = declared is not None and declared.language.reopened_types
    while True:
        operation, *operands = session.expression(place)
        parts.insert(0, str(operands[-1]).removesuffix(PATH_SEPARATOR) if operands else "")
        if operation != "member":
            is_outside = operation in {"name", "own"} and (
                adds_to_modules or not session.values(place)
            )
            return ".".join(parts) if is_outside else ""
        place = place._replace(number=int(operands[0]))


def _edges_to_extensions(
    session: ResolutionSession, kind: UseKind, name: str, call: CallArguments | None
) -> Iterator[EdgeTarget]:
    """Yield the visible extension functions `name` that a call on an unknown receiver may run."""
    declared = session.declared(session.path)
    if declared is None:
        return
    visible: Sequence[Value] = ()
    if declared.language.extension_functions:
        visible = visible_extensions(session, declared, name)
    elif kind is UseKind.CALL and call:
        visible = visible_extension_methods(session, declared, name)
    targets = [*_edges_to_values(session, kind, visible, call)]
    for target in targets if len(targets) <= _MAX_EXTENSIONS else ():
        yield target._replace(certainty="ambiguous")


def _is_own(session: ResolutionSession, place: ExpressionRef, member: Expression) -> bool:
    """Tell whether the receiver in a member expression is `self`, as in `self.size`."""
    return session.expression(place._replace(number=int(member[1])))[0] == "self"


class Defined(NamedTuple):
    """The definition of a name that was declared without a body elsewhere, as in a C header.

    `others` are definitions for other platforms. If `is_sure` is false, a file that the parser
    understood only in part may define the name too.
    """

    definition: Definition
    others: Sequence[Definition] = ()
    is_sure: bool = True


def _defining(session: ResolutionSession, definition: Definition) -> Defined:
    """Return the definition to which a forward declaration belongs, if there is exactly one.

    If there are several, the declaration is returned, and stands for all of them.
    """
    declared = session.declared(definition.file)
    if declared is None or not declared.is_forward_function(definition):
        return Defined(definition)
    here = declared.symbols[definition.qualified]
    own = _declared_as(session, definition, here) if len(here) > 1 else ()
    if len(own) == 1 and own[0] != definition:
        return Defined(own[0])
    place = session.locate(definition.file, DEFINITIONS_MODULE)
    definitions = [each for each in own if each != definition]
    is_sure = True
    for path in place.files if place else ():
        other = session.declared(path)
        same = other.symbols.get(definition.qualified, ()) if other else ()
        if other and (len(same) > 1 or not other.is_forward(definition.qualified)):
            definitions += _declared_as(session, definition, same)
        if other and not same and other.may_define(definition.qualified):
            is_sure = False
    if len(definitions) == 1:
        return Defined(definitions[0], is_sure=is_sure)
    others = definitions if len(definitions) <= _MAX_PLATFORMS else ()
    return Defined(definition, others)


def _declared_as(
    session: ResolutionSession, definition: Definition, same: Sequence[Definition]
) -> Sequence[Definition]:
    """Return those of the definitions `same`, all in one file, to which a declaration belongs.

    With overloads, these are the definitions with the same parameters (several for different
    builds), else the only definition with as many parameters. Without overloads, it is the last
    definition.
    """
    here = session.declared(definition.file)
    there = session.declared(same[0].file) if same else None
    if not (here and there and here.language.overloads and there.language.overloads):
        return same[-1:]
    with_body = [each for each in same if not there.is_forward_function(each)]
    if len(here.symbols[definition.qualified]) == 1 and len(with_body) < 2:  # noqa: PLR2004
        return with_body or same[-1:]
    key = parameter_key(definition)
    alike = [each for each in with_body if parameter_key(each) == key]
    if alike or key is None:
        return alike
    declared = {parameter_key(each) for each in here.symbols[definition.qualified]}
    as_many = [
        each
        for each in with_body
        if len(parameter_key(each) or ()) == len(key) and parameter_key(each) not in declared
    ]
    return as_many if len(as_many) == 1 else ()


def _implementation(session: ResolutionSession, definition: Definition) -> Definition:
    """Return the implementation of a definition that may be only a declaration.

    For an overload without a body, it is the overload with a body; for a declaration file, like
    `a.d.ts`, the definition in the file that it describes. Without an implementation, return
    `definition`.
    """
    declared = session.declared(definition.file)
    if declared is None:
        return definition
    suffixes = declared.language.declaration_suffixes
    if suffixes and definition.file.endswith(suffixes) and not session.path.endswith(suffixes):
        place = session.locate(definition.file, DEFINITIONS_MODULE)
        others = [session.declared(path) for path in place.files] if place else []
        defining = next((other for other in others if other), None)
        same = defining.symbols.get(definition.qualified, ()) if defining else ()
        if defining and same and all(_is_alike(each, definition) for each in same):
            declared, definition = defining, same[0]
    found = session.values(declared.implementation(definition.qualified))
    return next((each for each in found if isinstance(each, Definition)), definition)


def _is_alike(one: Definition, other: Definition) -> bool:
    """Tell whether two definitions have the same kind, or both can be called."""
    return one.kind == other.kind or (one.kind in CALLABLE_KINDS and other.kind in CALLABLE_KINDS)


def _variants(session: ResolutionSession, definition: Definition) -> Iterator[Definition]:
    """Yield a definition and its variants for other build conditions.

    The variants have the same name in the same file or in other files of the package.
    """
    yield definition
    declared = session.declared(definition.file)
    if declared and declared.language.conditional_definitions:
        yield from (
            same for same in declared.symbols[definition.qualified] if same.kind == definition.kind
        )
        for path in session.beside(definition.file) if definition.file != session.path else ():
            other = session.declared(path)
            yield from other.symbols.get(definition.qualified, ())[:1] if other else ()
