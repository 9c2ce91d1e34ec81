"""Define `TypeRules`, the facts about static types by which overloads are chosen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from codeindex.types import SymbolKind


class WrittenParameter(NamedTuple):
    """The type of a parameter as its text has it: a dotted name without type arguments.

    `dimensions` counts array dimensions or pointers.
    """

    type_name: str
    dimensions: int = 0


@dataclass(frozen=True)
class TypeRules:
    """The static types of a language and of its standard library, by simple names.

    The library part may be incomplete: nothing is concluded from a missing type.
    """

    literal_type: Callable[[str, str], str]
    """Returns the type of a literal by node type and text; "" if unknown."""
    widening: Mapping[str, tuple[str, ...]]
    """Builtin types that accept a value of one; in C++, C# and Scala also by conversion."""
    top: str
    """The type that is a supertype of all reference types."""
    null: str
    """The type of the null literal, a subtype of all reference types."""
    text: str
    """The type of string literals, and of concatenations."""
    truth: str
    """The type of comparisons."""
    numeric: tuple[str, ...] = ()
    """Primitive numeric types, in the order of widening; () if results of operators are unknown."""
    boxes: Mapping[str, str] = field(default_factory=dict)
    """Reference types by the primitive types that they box; empty without boxing."""
    common_bases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Implicit library supertypes of repository types, by symbol kind."""
    read_parameter: Callable[[str], WrittenParameter | None] | None = None
    """Reads the type of a parameter from its text; without it, parameters are written as in Java,
    `Type name`."""
    own_variables: Callable[[str, str], frozenset[str]] | None = None
    """Returns the type parameters of a function, given its signature and name."""
    bound_of: Callable[[str, str], str] | None = None
    """Returns the name of the type that limits a type parameter of a function, given the signature
    and the type parameter; `top` without a limit."""
    parameter_name: re.Pattern[str] | None = None
    """Finds the name of a parameter (group 1) in its text, if calls can pass arguments by name."""
    closure_kinds: frozenset[SymbolKind] | None = None
    """Kinds of types of the repository as which a lambda can be passed; None for all kinds."""
    infers_from_arguments: bool = False
    """Type arguments that a call does not state are inferred from its arguments alone: C#."""
    array_bases: frozenset[str] = frozenset({"Cloneable", "Serializable"})
    """Supertypes of all arrays besides `top`."""
    generic_wins: bool = False
    """A function with type parameters may go before one with the exact types: C++."""
    any_pointers: bool = False
    """Types of expressions are known without their pointers: C++."""
    conversions: Literal["any", "constructor", "operator"] = "any"
    """What converts a builtin type into one of the repository: a constructor with one argument
    (C++), an `implicit operator` of the type (C#; Kotlin has none), or code anywhere."""
    calls_construct: bool = True
    """A call of a type's name gives an instance of it."""
    library: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Direct supertypes of library types."""
    functional: Mapping[str, int] = field(default_factory=dict)
    """Numbers of parameters of the library's functional interfaces."""
    results: Mapping[str, str] = field(default_factory=dict)
    """Result types of library methods, by `Type.method`."""

    @cached_property
    def primitives(self) -> frozenset[str]:
        """The names of the primitive types."""
        return frozenset({*self.widening, *self.numeric, self.truth}) - {""}

    @cached_property
    def unboxed(self) -> Mapping[str, str]:
        """{reference type: primitive type that it boxes}, such as `Integer`: `int`."""
        return {box: primitive for primitive, box in self.boxes.items()}

    @cached_property
    def _closures(self) -> Mapping[str, frozenset[str]]:
        return {name: self._closure(name) for name in self.library}

    def _closure(self, name: str) -> frozenset[str]:
        waiting, found = [name], {name, self.top}
        while waiting:
            more = [base for base in self.library.get(waiting.pop(), ()) if base not in found]
            found.update(more)
            waiting += more
        return frozenset(found)

    def above(self, name: str) -> frozenset[str] | None:
        """Return the names of a library type and all its supertypes; None for an unknown type."""
        return self._closures.get(name)

    def result(self, type_name: str, method: str) -> str:
        """Return the result type of a library type's method, own or inherited; "" if unknown."""
        for name in (type_name, *sorted(self.above(type_name) or ())):
            result = self.results.get(f"{name}.{method}")
            if result:
                return result
        return ""


def parse_hierarchy(lines: str) -> dict[str, tuple[str, ...]]:
    """Return {type: direct supertypes} from lines like `A B: Base Other`.

    Here, A and B both have the supertypes Base and Other.
    """
    bases: dict[str, tuple[str, ...]] = {}
    for line in filter(None, map(str.strip, lines.splitlines())):
        names, _, above = line.partition(":")
        bases.update(dict.fromkeys(names.split(), tuple(above.split())))
    return bases


def parse_results(lines: str) -> dict[str, str]:
    """Return {`Type.method`: result type} from lines like `Cart Item: first last`.

    Here, the methods `first` and `last` of the type Cart return an Item.
    """
    return dict(_results(filter(None, map(str.strip, lines.splitlines()))))


def _results(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        head, _, methods = line.partition(":")
        owner, result = head.split()
        for method in methods.split():
            yield f"{owner}.{method}", result
