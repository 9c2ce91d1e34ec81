"""Parse symbol names as people write them, in the notation of any language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from codeindex.text.signatures import without_nested
from codeindex.text.words import normal_name

_SEPARATORS = re.compile(r"::|->|#|\\|(?<=\w)\$(?=\w)")
"""Separators of owner and member: C++, Rust, Ruby, PHP, Javadoc, JVM classes."""
_ARITY = re.compile(r"(?<=[\w?!])/(\d{1,3})$")
_RECEIVER = re.compile(r"\(\s*\*?\s*(\w+)\s*\)(?=\.)")
_CALL = re.compile(r"\(([^()]*)\)$")
_TYPE_ARGUMENTS = re.compile(r"(?<=\w)(?:::)?<[^<>]*>")
_OPENING, _CLOSING = "([{<", ")]}>"


def last_part(name: str) -> str:
    """Return the part of a name after its last dot, slash or colon."""
    return re.split(r"[./:]", name)[-1]


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A parsed symbol name: `Cart.add(Item, int)` has `dotted` "Cart.add" and `types` (Item, int).

    `types` is None without brackets, and also for empty brackets, because people write `()` after
    any function. `arity` is the number of parameters in names like `send_resp/2`, else None.
    """

    dotted: str
    types: tuple[str, ...] | None = None
    arity: int | None = None

    @property
    def last(self) -> str:
        """The last part of the name: `add` for `Cart.add`."""
        return self.dotted.rpartition(".")[2]


def parse_written_name(text: str) -> WrittenName:
    r"""Parse a symbol name in the notation of any language.

    Examples: `Plug.Conn.send_resp/2`, `GuzzleHttp\Client`, `a::b<T>`, `(*Head).Append`, `A::B#c`,
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
    """Return a name with dots as separators: `A.B.c` for `A::B#c`."""
    return _SEPARATORS.sub(".", name)


def split_parameters(text: str) -> list[str]:
    """Split a parameter list at commas outside brackets: `["int", "Map<K, V>"]`."""
    depth, found = 0, [""]
    for character in text:
        depth += (character in _OPENING) - (character in _CLOSING)
        if character == "," and depth <= 0:
            found.append("")
        else:
            found[-1] += character
    return [item.strip() for item in found]


def written_parameters(signature: str, name: str) -> list[str] | None:
    """Return the parameters in a signature, such as `["int a", "b"]`; None without a list."""
    at = re.search(rf"(?<!\w){re.escape(name)}\s*(?:<[^()]*>)?\s*\(", signature)
    if at is None:
        return None
    inner = signature[at.end() :].rpartition(")")[0].strip()
    return split_parameters(inner) if inner else []


def overload_suffix(signature: str, name: str) -> str:
    """Return what to write after a symbol's name to select the overload with this signature.

    It is `(int, String)` with the parameter types, or `/0`; "" if the types are unknown.
    """
    parameters = written_parameters(signature, name) if ")" in signature else None
    if not parameters:
        return "/0" if parameters is not None else ""
    types = [_parameter_type(parameter) for parameter in parameters]
    return "" if any(set("()") & set(type_) for type_ in types) else f"({', '.join(types)})"


def _parameter_type(parameter: str) -> str:
    """Return the type in a parameter: `int` for `final int a = 1` and for `a: int`.

    A parameter without a type is returned as it is.
    """
    text = re.sub(r"@[\w.]+(?:\([^()]*\))?\s*|\bfinal\s+", "", parameter).split("=")[0].strip()
    _, colon, after = text.partition(":")
    if colon and not after.startswith(":"):
        return after.strip()
    typed = re.fullmatch(r"(.*[^\w\s]|.*\w\s)\s*[\w$]+", _without_type_arguments(text))
    return typed[1].strip() if typed else text


def accepts_arguments(signature: str, written: WrittenName, *, exactly: bool = False) -> bool:
    """Tell whether a function with this signature can be meant by a name with parameter types.

    The signature must have the number and types of parameters that `written` states. With
    `exactly`, an array or repeated parameter does not match its element type.
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
    """Remove type arguments in `<...>`, but not the `<` of an operator such as `operator<`."""
    return without_nested(_TYPE_ARGUMENTS, name)
