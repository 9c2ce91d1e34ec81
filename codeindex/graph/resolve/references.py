"""Edges of one file: what its uses and its imports refer to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from codeindex.graph.expression_table import PATH_SEPARATOR
from codeindex.graph.resolve.evaluate import evaluate_expression
from codeindex.graph.resolve.names import is_external_import, values_at_location
from codeindex.graph.resolve.overloads import select_overloads
from codeindex.graph.resolve.receivers import visible_extensions
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    ExpressionRef,
    ExternalValue,
    FileDeclarations,
    ModuleValue,
    RepositoryView,
    Value,
)
from codeindex.languages import PACKAGE_CLAUSE
from codeindex.languages.source_tree import DEFINITIONS_MODULE, ModuleLocation
from codeindex.types import (
    OVERLOAD_PREFIX,
    Certainty,
    Definition,
    Expression,
    Import,
    Relations,
    UseKind,
)

_ALL = {"", "*"}
"""What an import may name that is no name in the module."""


class EdgeTarget(NamedTuple):
    """What a use refers to, and how; a name only where nothing is known of it."""

    kind: str
    certainty: Certainty
    file: str = ""
    symbol: int = 0
    name: str = ""
    module: str = ""
    """What is imported, as it is written; of one of several overloads, how many there are."""


ResolvedReferences = Mapping[tuple[int, EdgeTarget], Iterable[int]]
"""The lines in which a symbol of the file, -1 for none, uses something."""


def resolve_references(
    view: RepositoryView, path: str, relations: Relations
) -> tuple[ResolvedReferences, ResolutionSession]:
    """Resolve a file; the session says what the outcome depends on."""
    session = ResolutionSession(view, path, relations.used, evaluate_expression)
    lines_by_target: defaultdict[tuple[int, EdgeTarget], set[int]] = defaultdict(set)
    known: dict[tuple[int, UseKind, int], Sequence[EdgeTarget]] = {}
    for symbol, expression, line, kind, given in relations.uses:
        targets = known.get((expression, kind, given))
        if targets is None:
            targets = tuple(_targets(session, kind, expression, given))
            known[expression, kind, given] = targets
        for target in targets:
            lines_by_target[symbol, target].add(line)
    declared = session.declared(path)
    in_full = declared is not None and declared.language.declares_package
    for imported in relations.imports:
        if not imported.module or imported.name == PACKAGE_CLAUSE:
            continue
        look = _opened if "*" in imported.module and imported.name == "*" and in_full else _imported
        for target, line in look(session, imported):
            lines_by_target[-1, _as_written(declared, target)].add(line)
    return lines_by_target, session


def _as_written(declared: FileDeclarations | None, target: EdgeTarget) -> EdgeTarget:
    """Restore the separator that the source has in the path of an import."""
    separator = declared.language.module_separator if declared else PATH_SEPARATOR
    if separator == PATH_SEPARATOR:
        return target
    name = target.name if target.symbol else target.name.replace(PATH_SEPARATOR, separator)
    return target._replace(name=name, module=target.module.replace(PATH_SEPARATOR, separator))


def _imported(session: ResolutionSession, imported: Import) -> Iterator[tuple[EdgeTarget, int]]:
    """Yield each module that is imported and what is taken from it, with the line that says so."""
    place = session.locate(session.path, imported.module)
    declared = session.declared(session.path)
    is_outside = place is None or (
        declared and is_external_import(session, declared, imported, place)
    )
    targets = [] if place is None or is_outside else list(_brought(session, imported, place))
    yield from targets
    opens = declared is not None and declared.language.imports_namespaces
    if (is_outside or (opens and not targets)) and "*" not in imported.module:
        name = imported.module if imported.name in _ALL else f"{imported.module}.{imported.name}"
        yield EdgeTarget("imports", "resolved", name=name), imported.line


def _brought(
    session: ResolutionSession, imported: Import, place: ModuleLocation
) -> Iterator[tuple[EdgeTarget, int]]:
    """Yield what an import takes from files of the repository, and these."""
    declared = session.declared(session.path)
    taken = imported.name not in _ALL or place.symbol
    values = values_at_location(session, place, imported.name.strip("*")) if taken else ()
    targets = list(_meant(session, UseKind.REFERENCE, values))
    files = dict.fromkeys(each.file for each in targets) if place.symbol else place.files
    for file in files:
        if file and file != session.path:
            yield EdgeTarget("imports", "resolved", file, module=imported.module), imported.line
    for each in targets:
        if each.file:  # what is only passed on here is another package's to import
            sure = declared is not None and declared.language.extension_functions
            certainty: Certainty = "resolved" if sure else each.certainty  # overloads come together
            edge = each._replace(kind="imports", certainty=certainty, module=imported.module)
            yield edge, imported.at


def _opened(session: ResolutionSession, imported: Import) -> Iterator[tuple[EdgeTarget, int]]:
    """Yield what is used of a package, or of a type, that is imported whole; else only its name."""
    place = session.locate(session.path, imported.module)
    of_type = place if place and place.files else None
    owner = replace(of_type, symbol=of_type.symbol.removesuffix(".*")) if of_type else None
    values = dict.fromkeys(values_at_location(session, owner, "") if owner else (), True)
    values |= session.brought.get(imported.module, {})
    files: dict[str, None] = {}
    for value, sure in values.items():
        for each in _meant(session, UseKind.REFERENCE, [value]):
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
    session: ResolutionSession, kind: UseKind, expression: int, given: int
) -> Iterable[EdgeTarget]:
    """Return what may be meant by an expression, or a name that may be anybody's."""
    place = ExpressionRef(session.path, "used", expression)
    values = session.values(place)
    if values:
        return _meant(session, kind, values, given)
    return _possible(session, kind, place, given)


def _meant(
    session: ResolutionSession, kind: UseKind, values: Sequence[Value], given: int = -1
) -> Iterator[EdgeTarget]:
    definitions: Sequence[Definition] = [
        _in_full(session, definition) for definition in values if isinstance(definition, Definition)
    ]
    if given >= 0:
        definitions = select_overloads(session, definitions, given)
    targets = dict.fromkeys(
        same for definition in definitions for same in _variants(session, definition)
    )
    certainty: Certainty = "resolved" if len(targets) == 1 else "ambiguous"
    of_one = len({definition.qualified for definition in targets}) == 1 < len(targets)
    overloads = f"{OVERLOAD_PREFIX}{len(targets)}" if given >= 0 and of_one else ""
    for definition in targets:
        yield EdgeTarget(
            kind, certainty, definition.file, definition.id, definition.qualified, overloads
        )
    for value in values:
        if isinstance(value, ModuleValue) and len(value.place.files) == 1:
            yield EdgeTarget(UseKind.REFERENCE, "resolved", value.place.files[0])
        elif isinstance(value, ExternalValue):
            yield EdgeTarget(kind, "resolved", name=value.name)


def _possible(
    session: ResolutionSession, kind: UseKind, place: ExpressionRef, given: int
) -> Iterator[EdgeTarget]:
    """Yield a member of something of which nothing is known, or a base from nowhere.

    Of members that are only read, those of the object itself: its subtypes may have them.
    """
    expression = session.expression(place)
    operation, name = expression[0], str(expression[-1])
    bare = name.removesuffix("()")
    if operation == "member" and (kind is UseKind.CALL or _is_own(session, place, expression)):
        yield EdgeTarget(kind, "ambiguous", name=bare)
        yield from _perhaps(session, kind, name, given)
    if operation == "name" and kind is UseKind.BASE:  # the language's own: `Exception`
        yield EdgeTarget(kind, "resolved", name=bare)


def _perhaps(
    session: ResolutionSession, kind: UseKind, name: str, given: int
) -> Iterator[EdgeTarget]:
    """Yield the functions in view that are called as members, where of what is not known."""
    declared = session.declared(session.path)
    if declared and declared.language.extension_functions:
        for target in _meant(session, kind, visible_extensions(session, declared, name), given):
            yield target._replace(certainty="ambiguous")


def _is_own(session: ResolutionSession, place: ExpressionRef, member: Expression) -> bool:
    """Tell whether a member is asked of `self`."""
    return session.expression(place._replace(number=int(member[1])))[0] == "self"


def _in_full(session: ResolutionSession, definition: Definition) -> Definition:
    """Return the definition of what is only declared, where just one can be meant."""
    declared = session.declared(definition.file)
    if declared is None or not declared.is_forward(definition.qualified):
        return definition
    place = session.locate(definition.file, DEFINITIONS_MODULE)
    definitions: list[Definition] = []
    for path in place.files if place else ():
        other = session.declared(path)
        same = other.symbols.get(definition.qualified, ()) if other else ()
        if other and (len(same) > 1 or not other.is_forward(definition.qualified)):
            definitions += same[-1:]
    return definitions[0] if len(definitions) == 1 else declared.symbols[definition.qualified][-1]


def _variants(session: ResolutionSession, definition: Definition) -> Iterator[Definition]:
    """Yield a definition and what stands for it elsewhere in its package, in other builds."""
    yield definition
    declared = session.declared(definition.file)
    if declared and declared.language.conditional_definitions:
        yield from (
            same for same in declared.symbols[definition.qualified] if same.kind == definition.kind
        )
        for path in session.beside(definition.file) if definition.file != session.path else ():
            other = session.declared(path)
            yield from other.symbols.get(definition.qualified, ())[:1] if other else ()
