"""Find the functions that a call of a name may run, each with all its declarations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from codeindex.graph.resolve.base_types import base_types
from codeindex.graph.resolve.parameters import accepted_counts, last_name, split_signature
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import FileDeclarations, FunctionGroup
from codeindex.graph.resolve.visible_declarations import whole_imports
from codeindex.text.signatures import without_default
from codeindex.types import CALLABLE_KINDS, CONTAINER_KINDS, OWNER_KINDS, Definition

_MAX_TYPES = 60
"""Maximum types whose overloads are collected for one call."""
_NAME_AFTER_TYPE = re.compile(r"(?<=[\w>*&?\]])\s*(?<![\w.:])(?<!const )\b[A-Za-z_]\w*$")
_BUILTIN_END = re.compile(r"\b(?:int|long|short|char|double|float|unsigned|signed|bool|void)$")
_NOISE = re.compile(
    r"\b(?:const|volatile|struct|class|enum|typename|register)\b(?=\s+[\w:]+$)"
    r"|\b(?:struct|enum|typename|register|this|implicit|using)\b|\b\w+(?:::|\.)(?=\w)|@\w+"
)
_FUNCTION_POINTER = re.compile(r"\(\s*\*\s*\w*\s*\)")


def overload_levels(
    session: ResolutionSession, function: Definition
) -> Sequence[Sequence[FunctionGroup]]:
    """Return the overloads of a function in levels, one for each type that has them, nearest first.

    There is only one level if no type declares the function, or if the language does not rank the
    overloads by type.
    """
    declared = session.declared(function.file)
    if declared is None or is_in_function(session, function):
        return ((_group(session, [function], function),),)
    return session.remember(
        session.levels, function, lambda: _find_levels(session, declared, function)
    )


def is_in_function(session: ResolutionSession, definition: Definition) -> bool:
    """Tell whether a definition is inside a function or variable, as in an anonymous class.

    Another definition with the same qualified name may then belong to another anonymous class.
    """
    declared = session.declared(definition.file)
    owner = definition.qualified.rpartition(".")[0]
    around = declared.symbols.get(owner, ()) if declared and owner else ()
    return bool(around) and all(each.kind not in CONTAINER_KINDS for each in around)


def overrides_outside(session: ResolutionSession, function: Definition) -> bool:
    """Tell whether a function overrides a function of another package.

    That package may have more overloads of the name.
    """
    declared = session.declared(function.file) if _has_override(function) else None
    type_ = owner_of(declared, function) if declared else None
    above = _types_above(session, type_) if type_ else ()
    places = ((session.declared(each.file), each) for each in above)
    return declared is not None and all(
        _has_override(same)
        for other, each in places
        if other
        for same in functions_named(other, f"{each.qualified}.{last_name(function)}")
    )


def _has_override(function: Definition) -> bool:
    return "override" in function.signature.partition("(")[0].split()


def functions_named(declared: FileDeclarations, qualified: str) -> Sequence[Definition]:
    """Return the functions of this qualified name that a file declares."""
    return [each for each in declared.symbols.get(qualified, ()) if each.kind in CALLABLE_KINDS]


@lru_cache(maxsize=1 << 12)
def parameter_key(definition: Definition) -> tuple[str, ...] | None:
    """Return the type of each parameter of a function, as its signature writes it.

    Two declarations of one function have equal keys, unless they write a type in two ways. The
    result is None if the stored signature was cut, so that parameters are missing.
    """
    _, texts = split_signature(definition.signature, last_name(definition))
    if texts is None:
        return None
    after = definition.signature.rpartition(")")[2].split("->")[0].split()
    marks = " ".join(word for word in ("const", "async") if word in after)
    return (*map(_type_text, texts), marks)


def _type_text(text: str) -> str:
    """Return the type in the text of a parameter, without its name, default and namespaces."""
    bare = without_default(text)
    if re.match(r"[\w ]+:(?!:)", bare):  # name: Type
        return "".join(_NOISE.sub("", bare.partition(":")[2]).split())
    bare = re.sub(r"\[\w*\]\s*$", "*", _FUNCTION_POINTER.sub("(*)", bare))
    is_array = bare.endswith("*") and text.rstrip().endswith("]")
    bare = _NOISE.sub("", bare.removesuffix("*") if is_array else bare).strip()
    if not _BUILTIN_END.search(bare):
        bare = _NAME_AFTER_TYPE.sub("", bare)
    return "".join(bare.split()) + "*" * is_array


def _find_levels(
    session: ResolutionSession, declared: FileDeclarations, function: Definition
) -> Sequence[Sequence[FunctionGroup]]:
    way = declared.language.inherited_overloads
    own = _same_name(session, declared, function.qualified)
    type_ = owner_of(declared, function)
    if type_ is None or way == "hidden":
        return (_groups(session, own, function),)
    levels: list[Sequence[Definition]] = [own]
    for base in _types_above(session, type_):
        other = session.declared(base.file)
        name = f"{base.qualified}.{last_name(function)}"
        levels.append(_same_name(session, other, name) if other else ())
    if way == "all":
        return (_merged(session, levels, function),)
    return _without_overridden(session, levels, function)


def _merged(
    session: ResolutionSession, levels: Iterable[Sequence[Definition]], function: Definition
) -> Sequence[FunctionGroup]:
    """Return the groups of all levels, those of the nearest types for functions that override.

    A function has the default values of those that it overrides: it accepts as many arguments. Its
    parameters can have other types than those of a generic base type: `T` is `Cart` in a subtype.
    """
    by_level = [_groups(session, level, function) for level in levels]
    keys = [{parameter_key(each.function) or each for each in groups} for groups in by_level]
    exact = {key for key in set().union(*keys) if sum(key in some for some in keys) > 1}
    found: dict[object, FunctionGroup] = {}
    for groups, own in zip(by_level, keys, strict=True):
        new: dict[object, FunctionGroup] = {}
        for group in groups:
            key = parameter_key(group.function) or group
            over = key if key in found else _overriding(found, own, exact, key)
            if over is None:
                new[key if key not in new else group] = group
                continue
            nearer = found[over]
            most = nearer.most if nearer.most is None else group.most
            found[over] = nearer._replace(least=min(nearer.least, group.least), most=most)
        found |= new
    return [*found.values()]


def _overriding(
    found: Mapping[object, FunctionGroup],
    own: Iterable[object],
    exact: Collection[object],
    key: object,
) -> object | None:
    """Return the key of the only function in `found` that overrides the one with the key `key`.

    It has as many parameters, and neither has one of the keys `exact`, which several types have.
    None if there is none, or if another function of the same type, with a key in `own`, may be the
    overridden one.
    """

    def is_alike(other: object) -> bool:
        is_known = isinstance(other, tuple) and not isinstance(other, FunctionGroup)
        return is_known and other not in exact and len(other) == len(key)  # type: ignore[arg-type]

    if isinstance(key, FunctionGroup) or sum(map(is_alike, own)) != 1:
        return None
    above = [
        each for each, group in found.items() if is_alike(each) and _has_override(group.function)
    ]
    return above[0] if len(above) == 1 else None


def _without_overridden(
    session: ResolutionSession, levels: Iterable[Sequence[Definition]], function: Definition
) -> Sequence[Sequence[FunctionGroup]]:
    """Return the groups of each level, without functions that a nearer type overrides."""
    found: list[Sequence[FunctionGroup]] = []
    seen: set[object] = set()
    for level in levels:
        groups = _groups(session, level, function)
        new = [each for each in groups if (parameter_key(each.function) or each) not in seen]
        seen.update(parameter_key(each.function) or each for each in new)
        if new:
            found.append(new)
    return found


def owner_of(declared: FileDeclarations, function: Definition) -> Definition | None:
    """Return the type that a file declares around a function; None without one."""
    owner = function.qualified.rpartition(".")[0]
    types = declared.symbols.get(owner, ())
    return next((each for each in types if each.kind in OWNER_KINDS), None)


def _types_above(session: ResolutionSession, of: Definition) -> Iterator[Definition]:
    """Yield the base types of a type, also indirect ones, the nearest first."""
    queue, visited = [of], {of}
    while queue and len(visited) < _MAX_TYPES:
        for base in base_types(session, queue.pop(0)):
            if base not in visited:
                visited.add(base)
                queue.append(base)
                yield base


def _same_name(
    session: ResolutionSession, declared: FileDeclarations, qualified: str
) -> Sequence[Definition]:
    """Return the functions of a qualified name in a file, and in the files visible from it.

    In C++, the visible files are those that the resolved file includes; in other languages, the
    other files of a type or of a package.
    """
    files = {declared.path: declared}
    if declared.language.textual_includes:
        user = session.declared(session.path)
        for other in (user, *whole_imports(session, user)) if user else ():
            files.setdefault(other.path, other)
    else:
        for path in session.beside(declared.path):
            beside = session.declared(path)
            if beside:
                files.setdefault(path, beside)
    return [each for other in files.values() for each in functions_named(other, qualified)]


def _groups(
    session: ResolutionSession, functions: Iterable[Definition], preferred: Definition
) -> Sequence[FunctionGroup]:
    """Return one group for all declarations of a function, which have the same parameters.

    `preferred` is the function that represents its group. Two definitions of a function in one
    file are for different builds, and have a group each.
    """
    same: dict[object, list[Definition]] = {}
    defined: set[object] = set()
    for each in functions:
        key = parameter_key(each) or each
        if not _is_forward(session, each):
            in_file = (key, each.file)
            key = each if in_file in defined else key
            defined.add(in_file)
        same.setdefault(key, []).append(each)
    return [_group(session, group, preferred) for group in same.values()]


def _group(
    session: ResolutionSession, same: Sequence[Definition], preferred: Definition
) -> FunctionGroup:
    counts = [_accepted(session, each) for each in same]
    limits = [most for _, most in counts if most is not None]
    bodies = [each for each in same if not _is_forward(session, each)] or same
    return FunctionGroup(
        preferred if preferred in bodies else bodies[0],
        min(least for least, _ in counts),
        max(limits) if len(limits) == len(counts) else None,
    )


def _accepted(session: ResolutionSession, function: Definition) -> tuple[int, int | None]:
    declared = session.declared(function.file)
    if declared is None or not declared.language.overloads:
        return 0, None
    is_repeated = declared.language.repeated_parameter.search
    return accepted_counts(function.signature, last_name(function), is_repeated)


def _is_forward(session: ResolutionSession, function: Definition) -> bool:
    declared = session.declared(function.file)
    return declared is not None and declared.is_forward_function(function)
