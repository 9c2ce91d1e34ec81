"""Read the parameters of functions from their signatures, and look up the parameter types."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from codeindex.graph.resolve.members import member_of_type
from codeindex.graph.resolve.names import module_level_values, scoped_member
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    ExternalValue,
    FileDeclarations,
    ParameterList,
    StaticType,
    TypedParameter,
    Value,
)
from codeindex.languages import TypeRules, WrittenParameter
from codeindex.text.signatures import ANGLES, DEFAULT_SIGN, without_nested
from codeindex.types import CONTAINER_KINDS, NAMESPACE_KINDS, OWNER_KINDS, Definition

_OPEN, _CLOSE = "([{<", ")]}>"
_ANNOTATION = re.compile(r"@(?!interface\b)[\w.]+(?:\s*\([^()]*\))?|\bfinal\b")
_TYPED = re.compile(
    r"\s*([\w$]+(?:\.[\w$]+)*)((?:\s*\[\s*\])*)(\s*\.\.\.)?\s*\b[\w$]+\s*((?:\[\s*\])*)\s*"
)
_REPEATED = re.compile(r"\.\.\.|\bvararg ")
_GIVEN_LIST = re.compile(r"\s*(?:implicit|using)\s+\w+\s*:")
"""Matches the first parameter of a list of Scala that calls leave out."""
_FUNCTION_VARIABLES = re.compile(r"(?:^|\s)<")
_BOUND = re.compile(r"\s+extends\s+")

Variables = Mapping[str, str]
"""{name of a type parameter: its bound as text, "" without a bound}."""


def parameter_list(session: ResolutionSession, function: Definition) -> ParameterList:
    """Return the parameters of a function, with the types that its signature declares.

    The types are looked up in the scope of the function.
    """
    known = session.parameters.get(function)
    if known is None:
        known = session.parameters[function] = _read_parameters(session, function)
    return known


def _read_parameters(session: ResolutionSession, function: Definition) -> ParameterList:
    head, texts = split_signature(function.signature, last_name(function))
    declared = session.declared(function.file)
    if texts is None or declared is None or declared.language.type_rules is None:
        return ParameterList((), is_cut=True)
    rules = declared.language.type_rules
    place = _Place(session, declared, rules, function)
    if rules.read_parameter:
        parameters = tuple(place.written(rules.read_parameter(text)) for text in texts)
    else:
        own = _variables(head, _FUNCTION_VARIABLES)
        parameters = tuple(place.parameter(text, own) for text in texts)
    is_repeated = declared.language.repeated_parameter.search
    repeated = [at for at, text in enumerate(texts) if is_repeated(text)]
    return ParameterList(parameters, bool(repeated), min(repeated, default=0))


def type_named_around(session: ResolutionSession, of: Definition, name: str) -> Definition | None:
    """Return the type of the repository that a name means in the head of the definition `of`.

    None if it means no such type, or in a language without type rules.
    """
    declared = session.declared(of.file)
    rules = declared.language.type_rules if declared else None
    found = _Place(session, declared, rules, of).named(name) if declared and rules else None
    return found.definition if found else None


def last_name(function: Definition) -> str:
    """Return the last part of a function's qualified name: `add` for `Cart.add`."""
    return function.qualified.rpartition(".")[2]


class _Place:
    """Parses the types in the signature of one function, as names in the function's scope."""

    def __init__(
        self,
        session: ResolutionSession,
        declared: FileDeclarations,
        rules: TypeRules,
        function: Definition,
    ) -> None:
        self._session = session
        self._declared = declared
        self._rules = rules
        self._owners = [*_owners(declared, function.qualified)]
        self._signature = function.signature
        self._unknown: frozenset[str] = frozenset()
        if rules.own_variables:
            for each in (function, *self._owners):
                self._unknown |= rules.own_variables(each.signature, last_name(each))
        self._outer: dict[str, str] = {}
        for owner in reversed(self._owners):
            name = re.escape(last_name(owner))
            self._outer |= _variables(owner.signature, re.compile(rf"\b{name}\s*<"))

    def parameter(self, text: str, own: Variables) -> TypedParameter:
        """Parse the text of a parameter, like `List<T> items`.

        `own` maps the type parameters of the function itself to their bounds.
        """
        match = _TYPED.fullmatch(without_nested(ANGLES, _ANNOTATION.sub(" ", text)))
        if not match:
            return TypedParameter(None)
        name, before, _, after = match.groups()
        type_ = self._named(name, {**self._outer, **own})
        dimensions = f"{before}{after}".count("[")
        if type_ is None:
            return TypedParameter(None)
        is_substituted = bool(type_.variable) and name not in own
        return TypedParameter(
            type_._replace(
                dimensions=dimensions, variable=type_.variable if is_substituted else ""
            ),
            is_substituted,
        )

    def written(self, found: WrittenParameter | None) -> TypedParameter:
        """Resolve the type that is written for a parameter.

        The type of the result is None if `found` is None, or names a type parameter or no type. A
        type parameter has a bound in the result, in languages with `TypeRules.bound_of`.
        """
        if found is None:
            return TypedParameter(None)
        if found.type_name in self._unknown:
            bound_of = self._rules.bound_of if not found.dimensions else None
            bound = bound_of(self._signature, found.type_name) if bound_of else ""
            return TypedParameter(None, bound=self._named(bound, {}) if bound else None)
        type_ = self._named(found.type_name, {})
        return TypedParameter(type_ and type_._replace(dimensions=found.dimensions))

    def named(self, name: str) -> StaticType | None:
        """Return the type that a dotted name means; None if it means no type or several."""
        return self._named(name, {})

    def _named(self, name: str, variables: Variables, depth: int = 0) -> StaticType | None:
        if name in self._rules.primitives or name == self._rules.top:
            return StaticType(name)
        if name in variables and depth < len(variables) + 1:
            bound = without_nested(ANGLES, variables[name]).split("&")[0].strip()
            of = self._named(bound, variables, depth + 1) if bound else None
            return (of or StaticType(self._rules.top))._replace(variable=name)
        values = self._values(name.split("."))
        if len(values) > 1:
            return None
        return static_type_of_value(values[0]) if values else StaticType(name)

    def _values(self, parts: Sequence[str]) -> Sequence[Value]:
        values = self._first_values(parts[0])
        for part in parts[1:]:
            values = [
                member
                for value in values
                if isinstance(value, Definition)
                for member in member_of_type(self._session, value, part)
            ]
        return values

    def _first_values(self, name: str) -> Sequence[Value]:
        for owner in self._owners:
            if last_name(owner) == name and owner.kind in OWNER_KINDS:
                return [owner]
            is_space = owner.kind in NAMESPACE_KINDS
            members = (
                scoped_member(self._session, self._declared, owner, name)
                if is_space
                else member_of_type(self._session, owner, name)
            )
            types = [
                member
                for member in members
                if isinstance(member, Definition) and member.kind in OWNER_KINDS
            ]
            if types:
                return types
        return module_level_values(self._session, self._declared, name)


def static_type_of_value(value: Value) -> StaticType | None:
    """Return the type for which `value` stands; None if the value is not a type."""
    if isinstance(value, Definition) and value.kind in OWNER_KINDS:
        return StaticType(value.qualified, value)
    return StaticType(value.name) if isinstance(value, ExternalValue) else None


def _owners(declared: FileDeclarations, qualified: str) -> Iterator[Definition]:
    """Yield the types and namespaces in a file that enclose `qualified`, innermost first."""
    owner = qualified.rpartition(".")[0]
    while owner:
        types = [each for each in declared.symbols.get(owner, ()) if each.kind in CONTAINER_KINDS]
        yield from types[:1]
        owner = owner.rpartition(".")[0]


@lru_cache(maxsize=1 << 12)
def split_signature(signature: str, name: str) -> tuple[str, tuple[str, ...] | None]:
    """Return (text before `name(`, texts of the parameters).

    Type parameters may follow the name, as in `name<T>(`. The parameters are None if the signature
    has no `name(` or is cut off in its parameters.
    """
    start = signature.find(f"{name}(")
    opening = start + len(name)
    if start < 0:
        start, opening = _find_generic(signature, name)
    if start < 0:
        return signature, None
    parameters = [*split_list(signature[opening + 1 :])]
    whole = [parameter for parameter in parameters if parameter is not None]
    if [parameter.strip() for parameter in whole] == ["void"]:  # C
        whole, parameters = [], []
    return signature[:start], tuple(whole) if len(whole) == len(parameters) else None


@lru_cache(maxsize=1 << 12)
def parameter_names(signature: str, name: str, pattern: re.Pattern[str]) -> tuple[str, ...] | None:
    """Return the names of the parameters of a function; None if its signature is cut off.

    `pattern` is that of `TypeRules.parameter_name`. A name is "" if it is not found.
    """
    _, texts = split_signature(signature, name)
    found = None if texts is None else [pattern.search(text.strip()) for text in texts]
    return None if found is None else tuple(match[1] if match else "" for match in found)


def _find_generic(signature: str, name: str) -> tuple[int, int]:
    """Return the offsets of a function's name and of its `(`, as in `sum<T>(` or `sum[T](`.

    Both are -1 if the signature has no such text.
    """
    found = re.search(rf"(?<!\w){re.escape(name)}\s*(?=[<\[(])", signature)
    if not found:
        return -1, -1
    depth = 0
    text = signature.replace("=>", "  ").replace("->", "  ").replace("<:", "  ").replace(">:", "  ")
    for at in range(found.end(), len(text)):
        if text[at] == "(" and depth == 0:
            return found.start(), at
        depth += (text[at] in "<[(") - (text[at] in ">])")
        if depth == 0 and text[at + 1 : at + 2] not in {"(", " "}:
            break
    return -1, -1


def accepted_counts(
    signature: str, name: str, is_repeated: Callable[[str], object] = _REPEATED.search
) -> tuple[int, int | None]:
    """Return (least, most) number of arguments that a function accepts.

    `is_repeated` tells whether the text of a parameter stands for several arguments. The most is
    None if it is unlimited or if the parameters are unknown; then the least is 0.
    """
    _, parameters = split_signature(signature, name)
    if parameters is None:
        return 0, None
    repeated = [text for text in parameters if is_repeated(text)]
    return needed_count(parameters, repeated), None if repeated else len(parameters)


def needed_count(
    texts: Sequence[str], repeated: Collection[str], default: re.Pattern[str] = DEFAULT_SIGN
) -> int:
    """Return the least number of arguments for parameters with these texts.

    `repeated` are the parameters that stand for several arguments; `default` is found in those with
    a default value. A list of implicit parameters in Scala may be left out as a whole.
    """
    if texts and _GIVEN_LIST.match(texts[0]):
        return 0
    return sum(text not in repeated and not default.search(text) for text in texts)


def _variables(text: str, before: re.Pattern[str]) -> dict[str, str]:
    """Return {type parameter: bound} of a list like `<T extends Cart>`; {} without a list.

    `before` is a pattern that matches the text up to the list.
    """
    match = before.search(text)
    variables = {}
    for part in split_list(text[match.end() :]) if match else ():
        name, *bound = _BOUND.split(_ANNOTATION.sub(" ", part or "").strip(), maxsplit=1)
        variables[name] = bound[0] if bound else ""
    return variables


def split_list(text: str) -> Iterator[str | None]:
    """Yield the parts of a comma-separated list, up to its closing bracket.

    If the closing bracket is missing, the last part is None.
    """
    depth, part = 0, ""
    for letter in text.replace("->", "  ").replace("=>", "  "):
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
