"""The syntax nodes of expressions, and the types and parameters that a file declares for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.expression_table import APPLIED
from codeindex.graph.scopes import Scope

if TYPE_CHECKING:
    from tree_sitter import Node


class ExpressionNode(NamedTuple):
    """A syntax node as an operation, like `member` or `call`, on its operands.

    `name` is the node that holds its name. `text` is the source text of `name`. For a call with
    type arguments, `text` is `APPLIED` and `name` the node of the type arguments. `arguments` are
    the argument nodes of a call.
    """

    operation: str
    node: Node
    name: Node
    text: str
    operands: tuple[Node, ...] = ()
    arguments: tuple[Node, ...] = ()

    @property
    def stated_types(self) -> Node | None:
        """The node of the type arguments of a call; None without any."""
        return self.name if self.text == APPLIED else None


class ExpectedType(NamedTuple):
    """Where source code states the type that a value must have, like an argument's parameter.

    `kind` tells how to find the type from the node `of`. `callee`: it is the type of the parameter
    at `position` of the function `of`; `expected`: the same for a function whose place tells its
    type. `whole`: the type of the member `part` of the literal `of`. `list`: the type of an element
    of the literal `of`; `each`: of an element of the value `of`. `type`: an instance of the type
    `of`. `value`: the type of the value `of`.
    """

    kind: str
    of: Node
    position: int = 0
    part: str = ""


class DeclaredParameter(NamedTuple):
    """A parameter with a declared type: its 0-based position, type node, and first byte."""

    position: int
    type_: Node
    at: int


class ParameterFields(NamedTuple):
    """The fields of a file whose type is a type parameter of their owner.

    `positions` maps the qualified name of a field to the index of its type parameter. `arguments`
    maps the start byte of the scope of an extension, like `impl Box<Cart>`, to the nodes of its
    type arguments.
    """

    positions: Mapping[str, int]
    arguments: Mapping[int, Sequence[Node]]


class TypedPlaces(NamedTuple):
    """The types that the source code of a file states, by ids of syntax nodes.

    `parameters` is {id of a parameter list: its typed parameters}, `expected` {id of a value: the
    type that the code around it expects}, and `anonymous_classes` {id of a node that creates an
    anonymous class: scope of the class body}. `class_methods` has the first bytes of methods that
    are called on the class, not on an instance.
    """

    parameters: Mapping[int, Sequence[DeclaredParameter]]
    expected: Mapping[int, ExpectedType]
    fields: ParameterFields
    anonymous_classes: Mapping[int, Scope]
    class_methods: frozenset[int]
