"""Tell whether a static type is a subtype of another one; None if it is unknown."""

from __future__ import annotations

from codeindex.graph.resolve.base_types import reopening_files
from codeindex.graph.resolve.parameters import accepted_counts, static_type_of_value
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import ExpressionRef, StaticType, Supertypes
from codeindex.languages import TypeRules
from codeindex.types import Definition, SymbolKind

_MAX_TYPES = 200
_NOT_ABSTRACT = frozenset({"default", "static", "private"})


def is_subtype(
    session: ResolutionSession, rules: TypeRules, below: StaticType, above: StaticType
) -> bool | None:
    """Tell whether a value of type `below` can be used as type `above` without conversion.

    Return None if that depends on an unknown supertype.
    """
    if below.closure is not None:
        return _accepts_closure(session, rules, below.closure, above)
    if is_primitive(rules, below) or is_primitive(rules, above):
        same = below.name == above.name and below.dimensions == above.dimensions
        return same or _widens(rules, below, above)
    if below.name == rules.null or (above.name == rules.top and not above.dimensions):
        return True
    if below.variable and below == above:
        return True
    if below.dimensions or above.dimensions:
        return _is_array_subtype(session, rules, below, above)
    return _is_reference_subtype(session, rules, below, above)


def is_primitive(rules: TypeRules, type_: StaticType) -> bool:
    """Tell whether a type is a primitive type of its language, such as `int`; `int[]` is not."""
    return not type_.dimensions and type_.definition is None and type_.name in rules.primitives


def _widens(rules: TypeRules, below: StaticType, above: StaticType) -> bool:
    both = not below.dimensions and not above.dimensions
    return both and above.name in rules.widening.get(below.name, ())


def _is_array_subtype(
    session: ResolutionSession, rules: TypeRules, below: StaticType, above: StaticType
) -> bool | None:
    common = min(below.dimensions, above.dimensions)
    inner = below._replace(dimensions=below.dimensions - common)
    outer = above._replace(dimensions=above.dimensions - common)
    if not common:
        return bool(below.dimensions) and above.bare_name in rules.array_bases
    if is_primitive(rules, inner) or is_primitive(rules, outer):
        return inner.name == outer.name and inner.dimensions == outer.dimensions
    return is_subtype(session, rules, inner, outer)


def _is_reference_subtype(
    session: ResolutionSession, rules: TypeRules, below: StaticType, above: StaticType
) -> bool | None:
    supertypes = _supertypes(session, rules, below)
    if above.definition is not None:
        if above.definition in supertypes.definitions:
            return True
        is_named_same = above.bare_name in supertypes.names
        return None if is_named_same or (below.definition and not supertypes.is_complete) else False
    if _are_namesakes(below, above):
        return None
    if above.bare_name in supertypes.names:
        return True
    return False if supertypes.is_complete else None


def _are_namesakes(one: StaticType, other: StaticType) -> bool:
    """Tell whether two external types have the same name in different packages."""
    are_full = "." in one.name and "." in other.name and not (one.definition or other.definition)
    return are_full and one.name != other.name and one.bare_name == other.bare_name


def _supertypes(session: ResolutionSession, rules: TypeRules, type_: StaticType) -> Supertypes:
    if type_.definition is not None:
        return supertypes_of(session, rules, type_.definition)
    known = rules.above(type_.bare_name)
    names = known or frozenset({type_.bare_name, rules.top})
    return Supertypes(frozenset(), names, is_complete=known is not None)


def supertypes_of(session: ResolutionSession, rules: TypeRules, of: Definition) -> Supertypes:
    """Return all supertypes of the type `of`, which the repository defines, and the type itself."""
    return session.remember(session.supertypes, of, lambda: _collect_supertypes(session, rules, of))


def _collect_supertypes(session: ResolutionSession, rules: TypeRules, of: Definition) -> Supertypes:
    waiting, definitions = [of], {of}
    names = {rules.top}
    is_complete = True
    while waiting:
        type_ = waiting.pop()
        bases = [*_base_types(session, type_)]
        bases += [StaticType(name) for name in rules.common_bases.get(str(type_.kind), ())]
        for base in bases:
            if base is None or len(definitions) > _MAX_TYPES:
                is_complete = False
            elif base.definition is None:
                above = rules.above(base.bare_name)
                is_complete &= above is not None
                names |= above or {base.bare_name}
            elif base.definition not in definitions:
                definitions.add(base.definition)
                waiting.append(base.definition)
    return Supertypes(frozenset(definitions), frozenset(names), is_complete)


def _base_types(session: ResolutionSession, of: Definition) -> list[StaticType | None]:
    declared = session.declared(of.file)
    if declared is None:
        return [None]
    parts = reopening_files(session, of) if declared.language.partial_types else ()
    places = [
        ExpressionRef(path, "declared", number)
        for path in (of.file, *parts)
        for number in (session.declared(path) or declared).bases.get(of.qualified, ())
    ]
    return [type_named_by(session, place) for place in places]


def type_named_by(session: ResolutionSession, place: ExpressionRef) -> StaticType | None:
    """Return the type that a type expression names; None if it names none or several.

    A name without a definition in the repository counts as an external type.
    """
    values = session.values(place)
    if len(values) == 1:
        return static_type_of_value(values[0])
    name = "" if values else written_name(session, place)
    return StaticType(name) if name else None


def written_name(session: ResolutionSession, place: ExpressionRef) -> str:
    """Return the dotted name that an expression is, like `a.B`; "" for other expressions."""
    operation, *operands = session.expression(place)
    if operation == "own":
        return str(operands[2])
    if operation == "member":
        owner = written_name(session, place._replace(number=int(operands[0])))
        return f"{owner}.{operands[1]}" if owner else ""
    return str(operands[0]) if operation == "name" else ""


def _accepts_closure(
    session: ResolutionSession, rules: TypeRules, count: int, above: StaticType
) -> bool | None:
    """Tell whether a lambda with `count` parameters can be passed as the type `above`.

    It can if that is a functional interface whose method has as many; None if it is unknown.
    """
    is_other = above.dimensions or above.variable or above.name == rules.top
    if is_other or is_primitive(rules, above):
        return False
    if above.definition is None:
        expected = rules.functional.get(above.bare_name)
        if expected is None:
            return False if rules.above(above.bare_name) else None
        return None if count in {-1, expected} else False
    if above.definition.kind is not SymbolKind.INTERFACE:
        return False
    arities = _abstract_arities(session, above.definition)
    return None if count == -1 or not arities or count in arities else False


def _abstract_arities(session: ResolutionSession, interface: Definition) -> set[int | None]:
    """Return the numbers of parameters that the abstract methods of an interface have.

    None is in the set if the number of a method is unknown.
    """
    declared = session.declared(interface.file)
    arities = set()
    for qualified, definitions in declared.symbols.items() if declared else ():
        owner, _, name = qualified.rpartition(".")
        for definition in definitions if owner == interface.qualified else ():
            is_abstract = not _NOT_ABSTRACT.intersection(definition.signature.split("(")[0].split())
            if definition.kind is SymbolKind.METHOD and is_abstract:
                arities.add(accepted_counts(definition.signature, name)[1])
    return arities
