"""Parse symbol names as people write them in any language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from codeindex.text.words import normal_name

_SEPARATORS = re.compile(r"::|->|#|\\|(?<=\w)\$(?=\w)")
"""Separators of owner and member: C++, Rust, Ruby, PHP, Javadoc, JVM classes."""
_ARITY = re.compile(r"(?<=[\w?!])/(\d{1,3})$")
_RECEIVER = re.compile(r"\(\s*\*?\s*(\w+)\s*\)(?=\.)")
_CALL = re.compile(r"\(([^()]*)\)$")
_OPENING, _CLOSING = "([{<", ")]}>"


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A written name: `dotted` has dots between its parts, `types` the types in brackets after it.

    `types` is None without brackets, and for empty brackets, because people write `()` after any
    function. `arity` is the number of parameters, as in `send_resp/2`; None if it is not written.
    """

    dotted: str
    types: tuple[str, ...] | None = None
    arity: int | None = None

    @property
    def last(self) -> str:
        """The name without its owners."""
        return self.dotted.rpartition(".")[2]


def parse_written_name(text: str) -> WrittenName:
    r"""Parse a name as written in any language.

    `Plug.Conn.send_resp/2`, `GuzzleHttp\Client`, `a::b<T>`, `(*Head).Append`, `A::B#c`,
    `Cart.add(Item, int)`.
    """
    name = _RECEIVER.sub(r"\1", normal_name(text.strip()))
    types = None
    if call := _CALL.search(name):
        name, inner = name[: call.start()], call[1].strip()
        types = tuple(split_parameters(inner)) if inner else None
    arity = _ARITY.search(name)
    name = _without_type_arguments(_ARITY.sub("", name))
    dotted = dotted_name(name).replace(".prototype.", ".").strip(".")
    return WrittenName(dotted, types, int(arity[1]) if arity else None)


def dotted_name(name: str) -> str:
    """Return a name with dots instead of the separators of its language."""
    return _SEPARATORS.sub(".", name)


def split_parameters(text: str) -> list[str]:
    """Split parameters at commas outside brackets."""
    depth, found = 0, [""]
    for character in text:
        depth += (character in _OPENING) - (character in _CLOSING)
        if character == "," and depth <= 0:
            found.append("")
        else:
            found[-1] += character
    return [item.strip() for item in found]


def written_parameters(signature: str, name: str) -> list[str] | None:
    """Return the parameters in a signature as written; None without a parameter list."""
    at = re.search(rf"(?<!\w){re.escape(name)}\s*(?:<[^()]*>)?\s*\(", signature)
    if at is None:
        return None
    inner = signature[at.end() :].rpartition(")")[0].strip()
    return split_parameters(inner) if inner else []


def overload_suffix(signature: str, name: str) -> str:
    """Return what to write after a name to select the overload with this signature.

    It is `(int, String)` with the parameter types, or `/0`; "" if they are unknown.
    """
    parameters = written_parameters(signature, name) if ")" in signature else None
    if not parameters:
        return "/0" if parameters is not None else ""
    types = [_parameter_type(parameter) for parameter in parameters]
    return "" if any(set("()") & set(type_) for type_ in types) else f"({', '.join(types)})"


def _parameter_type(parameter: str) -> str:
    """Return the type of a parameter, which is after a colon or before the name."""
    text = re.sub(r"@[\w.]+(?:\([^()]*\))?\s*|\bfinal\s+", "", parameter).split("=")[0].strip()
    _, colon, after = text.partition(":")
    if colon and not after.startswith(":"):
        return after.strip()
    typed = re.fullmatch(r"(.*[^\w\s]|.*\w\s)\s*[\w$]+", _without_type_arguments(text))
    return typed[1].strip() if typed else text


def accepts_arguments(signature: str, written: WrittenName, *, exactly: bool = False) -> bool:
    """Tell whether a signature has the number and the types of parameters that `written` has.

    With `exactly`, arrays and repeated parameters differ from their elements.
    """
    parameters = written_parameters(signature, written.last)
    if parameters is None:
        return written.arity == 0
    types = written.types or ()
    count = len(types) if written.types else written.arity
    return len(parameters) == count and all(
        re.search(rf"(?<!\w){re.escape(bare_type(wanted))}(?!\w)", own)
        and not (exactly and _dimensions(wanted) != _dimensions(own))
        for wanted, own in zip(types, parameters, strict=False)
    )


def _dimensions(text: str) -> int:
    return text.count("[") + text.count("...")


def bare_type(text: str) -> str:
    """Return a type without package and type arguments: `List` for `java.util.List<String>`."""
    return _without_type_arguments(text).strip().rpartition(".")[2].strip("&*?[] ") or text


def _without_type_arguments(name: str) -> str:
    """Remove `<...>`; an operator such as `operator<` stays."""
    before = ""
    while before != name:
        before, name = name, re.sub(r"(?<=\w)(?:::)?<[^<>]*>", "", name)
    return name
