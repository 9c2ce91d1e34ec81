"""Find the extension methods that a call may run: static methods of C# with the mark `this`.

A call `cart.total(1)` runs `CartMethods.total(this Cart cart, int rate)` if the type of `cart` has
no member `total`, and if the file sees the namespace of `CartMethods`. The receiver is the first
argument then.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from codeindex.graph.resolve.base_types import has_unknown_base
from codeindex.graph.resolve.exact_types import Fit, fit_of_argument
from codeindex.graph.resolve.names import imported_namespaces
from codeindex.graph.resolve.overload_groups import functions_named
from codeindex.graph.resolve.parameters import last_name, parameter_list, split_signature
from codeindex.graph.resolve.self_types import result_parameter
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.subtypes import is_subtype
from codeindex.graph.resolve.values import ExpressionRef, FileDeclarations, StaticType
from codeindex.languages import TypeRules
from codeindex.languages._library_members import is_library_member
from codeindex.languages.source_tree import EXTENSION_MARK
from codeindex.types import OWNER_KINDS, Definition


def is_extension_method(session: ResolutionSession, function: Definition) -> bool:
    """Tell whether a function can be called like a member of its first parameter's type."""
    declared = session.declared(function.file)
    mark = declared.language.extension_parameter if declared else None
    texts = split_signature(function.signature, last_name(function))[1] if mark else None
    return bool(mark and texts and mark.match(texts[0]))


def visible_extension_methods(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Definition]:
    """Return the extension methods `name` whose namespaces a file sees, one of each class.

    Those of the nearest namespaces come first.
    """
    if declared.language.extension_parameter is None:
        return ()
    place = session.locate(declared.path, f"{EXTENSION_MARK}{name}")
    if place is None:
        return ()
    found: dict[str, tuple[int, Definition]] = {}
    for path in place.files:
        other = session.declared(path)
        values = session.values(other.value(f"{EXTENSION_MARK}{name}")) if other else ()
        for value in values:
            if isinstance(value, Definition) and _is_visible(session, declared, value):
                distance = namespace_distance(session, declared, value)
                if distance is not None:
                    found.setdefault(_owner(value), (distance, value))
    return [method for _, method in sorted(found.values(), key=itemgetter(0))]


def namespace_distance(
    session: ResolutionSession, declared: FileDeclarations, method: Definition
) -> int | None:
    """Return the number of nearer groups of namespaces than that with an extension method.

    The groups are those of `imported_namespaces` for the file `declared`: the distance is 0 in the
    innermost namespace that the file declares. Return None if the file does not see the method.
    """
    groups = imported_namespaces(session, declared)
    owner = _owner(method)
    names = {owner, owner.rpartition(".")[0]}
    for distance, group in enumerate(groups):
        if any(imported.module[:-2] in names for imported in group):
            return distance
    return None if "" not in names else len(groups)


def _is_visible(
    session: ResolutionSession, declared: FileDeclarations, function: Definition
) -> bool:
    """Tell whether a file declares an extension method, or an overload of it is not private."""
    heads = (each.signature.partition("(")[0] for each in _overloads(session, function))
    return function.file == declared.path or any("private" not in head.split() for head in heads)


def extended_receiver(
    session: ResolutionSession, function: Definition, called: ExpressionRef | None
) -> ExpressionRef | None:
    """Return the receiver of a call like `cart.total(1)`, if `function` is an extension method.

    `called` refers to the called expression. Return None for other functions, and for other calls,
    such as `CartMethods.total(cart, 1)`.
    """
    operation, *operands = session.expression(called) if called else ("",)
    if called is None or operation != "member" or not is_extension_method(session, function):
        return None
    receiver = called._replace(number=int(operands[0]))
    is_type = any(
        isinstance(value, Definition) and value.kind in OWNER_KINDS
        for value in session.values(receiver)
    )
    return None if is_type else receiver


def fit_of_receiver(
    session: ResolutionSession, rules: TypeRules, function: Definition, type_: StaticType
) -> Fit:
    """Tell how the first parameter of an extension method takes a receiver of the type `type_`.

    Other than an argument, a receiver is never converted by an operator that code declares.
    """
    parameters = parameter_list(session, function).parameters
    if not parameters:
        return "unknown"
    fit = fit_of_argument(session, rules, parameters[0], type_)
    above = parameters[0].type
    is_of_repository = type_.definition or (above and above.definition)
    if fit == "unknown" and above and is_of_repository:
        return "never" if is_subtype(session, rules, type_, above) is False else "unknown"
    return fit


def is_extended_for_sure(
    session: ResolutionSession, function: Definition, type_: StaticType
) -> bool:
    """Tell whether a type certainly has no member with the name of an extension method.

    All members of types of the repository are known, unless a base type is external. Of external
    types, only the names of library members are known.
    """
    declared = session.declared(function.file)
    if declared is None or type_.bare_name in declared.language.transparent:
        return False  # the receiver may be awaited
    is_known = type_.definition and not has_unknown_base(session, type_.definition)
    return bool(is_known) or not is_library_member(last_name(function), declared.language.name)


def extensions_of(
    session: ResolutionSession,
    rules: TypeRules,
    methods: Sequence[Definition],
    types: Sequence[StaticType],
) -> Sequence[Definition]:
    """Return the methods that certainly extend one of `types`, or have an overload that does.

    `methods` are extension methods, one of each class.
    """
    return [
        each
        for each in methods
        if any(
            fit_of_receiver(session, rules, same, type_) in {"exact", "below"}
            for type_ in types
            for same in _overloads(session, each)
        )
    ]


def returns_receiver(session: ResolutionSession, function: Definition) -> bool:
    """Tell whether the result of an extension method has the type of the receiver.

    The type is a type parameter then, as in `T Checked<T>(this T value)`.
    """
    declared = session.declared(function.file)
    texts = split_signature(function.signature, last_name(function))[1]
    rules = declared.language.type_rules if declared else None
    if declared is None or not texts or rules is None or rules.read_parameter is None:
        return False
    written = rules.read_parameter(texts[0])
    name = written.type_name if written and not written.dimensions else ""
    return bool(name) and result_parameter(session, declared, function) == name


def _overloads(session: ResolutionSession, function: Definition) -> Sequence[Definition]:
    declared = session.declared(function.file)
    same = functions_named(declared, function.qualified) if declared else ()
    return [each for each in same if is_extension_method(session, each)]


def _owner(method: Definition) -> str:
    """Return the qualified name of the class of a method."""
    return method.qualified.rpartition(".")[0]
