"""Select overloads by the number of arguments of a call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from codeindex.graph.resolve.members import member_of_type
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Definition

_OPEN, _CLOSE = "([{<", ")]}>"
_DEFAULT = re.compile(r"(?<![=!<>])=(?!=)")
_ANY_NUMBER = 1 << 16


def select_overloads(
    session: ResolutionSession, candidates: Sequence[Definition], arguments: int
) -> Sequence[Definition]:
    """Return the overloads of the candidates that accept `arguments` arguments.

    Functions with exactly this arity win, then overloads of base types, then variadic functions. If
    none fits, all candidates are returned.
    """
    named = [same for candidate in candidates for same in _overloads(session, candidate)]
    fitting = [candidate for candidate in named if _accepts(candidate, arguments)]
    is_type = OWNER_KINDS.__contains__
    exact = [
        candidate
        for candidate in fitting
        if is_type(candidate.kind) or not _accepts(candidate, _ANY_NUMBER)
    ]
    if exact or (len(named) == 1 and fitting):
        return exact or fitting
    above = [same for candidate in candidates for same in _inherited(session, candidate, arguments)]
    return above or fitting or candidates


def _overloads(session: ResolutionSession, definition: Definition) -> Sequence[Definition]:
    declared = session.declared(definition.file)
    if declared is None or not declared.language.overloads:
        return (definition,)
    if definition.kind not in CALLABLE_KINDS:
        return (definition,)
    return [same for same in declared.symbols[definition.qualified] if same.kind in CALLABLE_KINDS]


def _inherited(
    session: ResolutionSession, function: Definition, arguments: int
) -> Sequence[Definition]:
    """Return the fitting overloads of the nearest base type that has any."""
    below = [function]
    visited = {function}
    while below:
        above = [
            each
            for overridden in below
            for each in _overridden(session, overridden)
            if each not in visited
        ]
        for each in above:
            fitting = [same for same in _overloads(session, each) if _accepts(same, arguments)]
            if fitting:
                return fitting
        visited |= set(above)
        below = above
    return ()


def _overridden(session: ResolutionSession, function: Definition) -> Iterator[Definition]:
    """Yield the methods of base types that a method overrides."""
    declared = session.declared(function.file) if function.kind in CALLABLE_KINDS else None
    owner, _, name = function.qualified.rpartition(".")
    for type_ in declared.symbols.get(owner, ())[:1] if declared else ():
        for above in member_of_type(session, type_, f"{name}()", above=True):
            if isinstance(above, Definition):
                yield above


def _accepts(definition: Definition, arguments: int) -> bool:
    if definition.kind not in CALLABLE_KINDS:
        return True
    least, most = _arity(definition.signature, definition.qualified.rpartition(".")[2])
    return least <= arguments <= most


@lru_cache(maxsize=1 << 12)
def _arity(signature: str, name: str) -> tuple[int, int]:
    """Return the minimum and maximum number of arguments; any number if the signature is cut."""
    start = signature.find(f"{name}(")
    parameters = list(_parameters(signature[start + len(name) + 1 :])) if start >= 0 else [None]
    whole = [parameter for parameter in parameters if parameter is not None]
    if len(whole) < len(parameters):
        return 0, _ANY_NUMBER
    repeated = any("..." in parameter or "vararg " in parameter for parameter in whole)
    needed = [
        parameter for parameter in whole if "..." not in parameter and "vararg " not in parameter
    ]
    needed = [parameter for parameter in needed if not _DEFAULT.search(parameter)]
    return len(needed), _ANY_NUMBER if repeated else len(whole)


def _parameters(text: str) -> Iterator[str | None]:
    """Yield the parameters up to the closing bracket, and None at the end if it is missing."""
    depth, part = 0, ""
    for letter in text.replace("->", "  "):
        if letter in _CLOSE and depth == 0:
            if part.strip():
                yield part
            return
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == "," and depth == 0:
            yield part
            part = ""
        else:
            part += letter
    yield None
