"""Expressions of a file over the names that others can see, each written down once.

An expression is a tuple, first its operation; operands are numbers of earlier expressions. Number 0
is what nothing is known of.

    name N          N as the module sees it         self T     an instance of T, a type of this file
    import I        what the import I brings        super T    likewise, seen as what T extends
    define Q        the definition Q of this file   own T X N  N as a member of T, or else X
                                                    (T may be an expression as well)
    member X N      X.N                             call X     what X() gives
    item X          an element of X                 enter X    what entering X as a context gives
    instance X      an instance of the type X       either X…  one of them
    elsewhere       defined in another file
    holding X Y     X, whose elements are Y

A name N that ends in `()` means methods and functions only; with `::` it begins a path, so that it
may be a module without being imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from codeindex.graph.naming import PATH, bound_inside, meaning, nameless_owner, owner_of
from codeindex.graph.scopes import Scope, Scopes
from codeindex.languages import Language
from codeindex.types import Expression

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST = 4
"""Alternatives that are followed; a name with more is as good as unknown."""
_DEEPEST = 40
_REFERRING = frozenset({"name", "quoted", "member"})

_FROM: dict[str, str] = {"type": "instance", "each": "item", "enter": "enter"}
How = Literal["value", "type", "each", "enter", "many", "import", "self", "owner", "unknown"]
"""`many` is what yields a value again and again; `owner` is the type around itself."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a name was bound to: how it follows from a node, or which import it is.

    With a `part` it is that member of it: `const {part} = node`.
    """

    how: How
    node: Node | None = None
    number: int = 0
    part: str = ""


class Shape(NamedTuple):
    """A node as an operation on other nodes; `text` is what the node of its name says."""

    operation: str
    node: Node
    name: Node
    text: str
    operands: tuple[Node, ...] = ()
    arguments: tuple[Node, ...] = ()


class Expressions:
    """Turns nodes into expressions; `take` hands out those made since the last time."""

    def __init__(
        self,
        scopes: Scopes[Held],
        shapes: Mapping[int, Shape],
        language: Language,
        *,
        defined: frozenset[str],
        members: frozenset[str],
        functions: frozenset[str],
    ) -> None:
        self.scopes = scopes
        self.shapes = shapes
        self.language = language
        self.defined = defined
        self.members = members
        self.functions = functions
        self.bound_inside = bound_inside(scopes, defined | members)
        self._begin()

    def _begin(self) -> None:
        self._numbers: dict[Expression, int] = {("unknown",): 0}
        self._made_so_far: list[Expression] = [("unknown",)]
        self.around: dict[tuple[int, int], Sequence[str | int]] = {}
        self.unbound: dict[tuple[str, int], int] = {}
        self._known: dict[int, int] = {}
        self._open: set[int] = set()

    def take(self) -> tuple[Expression, ...]:
        """Return all expressions so far, and begin anew."""
        made = tuple(self._made_so_far)
        self._begin()
        return made

    def add(self, *expression: str | int) -> int:
        """Return the number of an expression, a new one only if it was not made before."""
        number = self._numbers.get(expression)
        if number is None:
            number = self._numbers[expression] = len(self._made_so_far)
            self._made_so_far.append(expression)
        return number

    def either(self, numbers: Iterable[int]) -> int:
        """Return one of them; unknown ones say nothing."""
        known = sorted({one for one in numbers if one})
        if len(known) > _MOST or not known:
            return 0
        return known[0] if len(known) == 1 else self.add("either", *known)

    def of(self, node: Node) -> int:
        """Return the expression that a node is."""
        key = node.id
        known = self._known.get(key)
        if known is not None:
            return known
        shape = self.shapes.get(key)
        if shape is None or key in self._open or len(self._open) > _DEEPEST:
            return 0
        self._open.add(key)
        number = self._known[key] = self._made(shape)
        self._open.discard(key)
        return number

    def _made(self, shape: Shape) -> int:
        make = _MAKERS.get(shape.operation)
        return make(self, shape) if make else 0

    def held(self, held: Held, scope: Scope[Held]) -> int:
        """Return the expression of what a name of `scope` was bound to."""
        if held.how == "import":
            return self.add("import", held.number)
        if held.how in {"self", "owner"}:
            owner = owner_of(scope)
            return self.add("self" if held.how == "self" else "define", owner) if owner else 0
        if held.part:
            of = self.held(replace(held, part=""), scope)
            return self.add("member", of, held.part) if of else 0
        number = self.of(held.node) if held.node else 0
        if not number or held.how == "value":
            return number
        if held.how == "many":
            return self.add("holding", 0, number)
        return self.add(_FROM[held.how], number)

    def definition(self, qualified: str) -> int:
        """Return the definition of this file that has a name."""
        return self.add("define", qualified)

    def elsewhere(self) -> int:
        """Return what a name is that is declared here and defined in another file."""
        return self.add("elsewhere")

    def owner_called(self, node: Node) -> str:
        """Return the type whose instance a node is within its own code, like `self`, or nothing."""
        shape = self.shapes.get(node.id)
        if shape and shape.operation == "own":
            return owner_of(self.scopes.at(node.start_byte))
        number = self.of(node)
        expression = self._made_so_far[number] if number else ("",)
        known = expression[0] == "name" and expression[1] in self.defined
        return str(expression[1]) if known or expression[0] in {"self", "define"} else ""

    def references(self) -> Iterator[Shape]:
        """Yield all that may refer to something."""
        return (one for one in self.shapes.values() if one.operation in _REFERRING)

    def reference(self, shape: Shape, *, called: bool) -> int:
        """Return the expression of a reference, or 0 for a local name or an unknown attribute.

        A call of something unknown is kept: whoever has a method of its name may be meant.
        """
        if shape.operation == "name":
            number, direct = meaning(self, shape.text, shape.node.start_byte)
            return number if direct else 0
        if shape.operation == "member" and not called and not self.of(shape.operands[0]):
            return 0
        return self.of(shape.node)


def _name(expressions: Expressions, shape: Shape) -> int:
    return meaning(expressions, shape.text, shape.node.start_byte)[0]


def _owner(expressions: Expressions, shape: Shape) -> int:
    """Return what `this` is, or `super`, which is `this` as its bases see it."""
    nameless = nameless_owner(expressions, shape.node)
    if nameless is not None:
        return nameless
    owner = owner_of(expressions.scopes.at(shape.node.start_byte))
    return expressions.add("super" if shape.operation == "super" else "self", owner)


def _object(expressions: Expressions, shape: Shape) -> int:
    around = expressions.scopes.at(shape.node.start_byte).around()
    return expressions.add("self", around.qualified) if around else 0


def _defined(expressions: Expressions, shape: Shape) -> int:
    within = expressions.scopes.at(shape.node.start_byte)
    here = within.symbol if within.start == shape.node.start_byte else None
    return expressions.add("define", here.qualified) if here else 0


def _own(expressions: Expressions, shape: Shape) -> int:
    owner = owner_of(expressions.scopes.at(shape.node.start_byte))
    return expressions.add("member", expressions.add("self", owner), shape.text)


def _same(expressions: Expressions, shape: Shape) -> int:
    return expressions.of(shape.operands[0])


def _either(expressions: Expressions, shape: Shape) -> int:
    return expressions.either([expressions.of(one) for one in shape.operands])


def _holding(expressions: Expressions, shape: Shape) -> int:
    held = _either(expressions, shape)
    return expressions.add("holding", 0, held) if held else 0


def _member(expressions: Expressions, shape: Shape) -> int:
    return expressions.add("member", expressions.of(shape.operands[0]), shape.text)


def _applied(expressions: Expressions, shape: Shape) -> int:
    of = expressions.of(shape.operands[0])
    operation = "enter" if shape.operation == "unwrapped" else shape.operation
    return expressions.add(operation, of) if of else 0


def _generic(expressions: Expressions, shape: Shape) -> int:
    """Return a type with arguments, as a type; `Optional[X]` is X."""
    head = expressions.shapes.get(shape.operands[0].id) if shape.operands else None
    argument = expressions.of(shape.arguments[-1]) if shape.arguments else 0
    if head and head.text in expressions.language.transparent:
        return argument
    of = expressions.of(shape.operands[0]) if shape.operands else 0
    return expressions.add("holding", of, expressions.add("instance", argument)) if argument else of


def _quoted(expressions: Expressions, shape: Shape) -> int:
    text, at = shape.text.removesuffix(PATH), shape.node.start_byte
    first, *rest = re.split(r"\.|::", re.sub(r"\s|<.*>", "", text, flags=re.DOTALL).lstrip(":"))
    number = meaning(expressions, first + PATH * shape.text.endswith(PATH), at)[0]
    for name in rest:
        number = expressions.add("member", number, name)
    return number


_MAKERS: dict[str, Callable[[Expressions, Shape], int]] = {
    "name": _name,
    "this": _owner,
    "super": _owner,
    "quoted": _quoted,
    "object": _object,
    "defined": _defined,
    "own": _own,
    "same": _same,
    "either": _either,
    "holding": _holding,
    "generic": _generic,
    "member": _member,
    "call": _applied,
    "item": _applied,
    "instance": _applied,
    "unwrapped": _applied,
}
