"""Build the expressions of a file from the nodes that a relations query captured.

`expression_table` describes the expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codeindex.graph.expression_nodes import ExpressionNode, TypedPlaces
from codeindex.graph.expression_table import APPLIED, MAX_BOUNDS, PATH_SEPARATOR, ExpressionTable
from codeindex.graph.name_lookup import NameLookup
from codeindex.graph.scopes import BindingSource, Scope, ScopeTree, enclosing_type
from codeindex.languages import Language
from codeindex.types import Expression, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DEPTH = 40
"""Maximum depth of nested nodes: hostile code may nest deeper than Python's stack allows."""
_MAX_NESTED_LITERALS = 8
_MAX_PARAMETERS = 20
_TYPE_ARGUMENTS = frozenset({"type_argument_list", "type_arguments"})
"""Syntax nodes of the type arguments of a call in C# and Kotlin, whose children are the types."""
_REFERENCES = frozenset({"name", "quoted", "qualified", "member", "label"})
_OPERATION_OF_BINDING: dict[str, str] = {"type": "instance", "each": "item", "enter": "enter"}


class ExpressionBuilder:
    """Turns the syntax nodes of one file into expressions, which it adds to `table`."""

    def __init__(
        self,
        scopes: ScopeTree,
        nodes: Mapping[int, ExpressionNode],
        language: Language,
        symbols: Sequence[Symbol],
        places: TypedPlaces,
    ) -> None:
        """Start with an empty table; the keys of `nodes` are ids of syntax nodes."""
        self.scopes = scopes
        self.nodes = nodes
        self.places = places
        self.language = language
        self.table = ExpressionTable()
        self.names = NameLookup(
            self.table, scopes, language, symbols, self.bound_value, places.class_methods
        )
        self._has_anonymous_classes = bool(places.anonymous_classes) or any(
            "this" in scope.bindings for scope in scopes.ordered
        )
        self._constructors = _constructing_functions(symbols) if language.object_methods else ()
        self._built: dict[int, int] = {}
        self._in_progress: set[int] = set()

    def flush(self) -> tuple[Expression, ...]:
        """Return all expressions built so far, and start a new table."""
        self._built.clear()
        self.names.reset()
        return self.table.flush()

    def release(self) -> None:
        """Break the reference cycles of the builder and its scopes, which are unusable then.

        Python frees them at once, without waiting for a garbage collection.
        """
        del self.names
        for scope in self.scopes.ordered:
            scope.parent = None
            scope.bindings.clear()
            scope.checks.clear()

    def build(self, node: Node) -> int:
        """Build the expression of a node; return its number in `table`.

        The number is 0 if the expression is unknown.
        """
        key = node.id
        known = self._built.get(key)
        if known is not None:
            return known
        expression_node = self.nodes.get(key)
        if expression_node is None or key in self._in_progress:
            return 0
        if len(self._in_progress) > _MAX_DEPTH:
            return 0
        self._in_progress.add(key)
        build = _BUILDERS.get(expression_node.operation)
        number = self._built[key] = build(self, expression_node) if build else 0
        self._in_progress.discard(key)
        return number

    def build_called(self, node: Node) -> int:
        """Build the expression of the called function at `node`; return its number in `table`.

        The number is 0 if the function is unknown.
        """
        called = self.nodes.get(node.id)
        if called and called.operation == "name":
            return self.names.look_up(called.text, node.start_byte)[0]
        return self.build(node)

    def bound_value(self, source: BindingSource, scope: Scope) -> int:
        """Build the expression of the value or type in `source`, which binds a name in `scope`.

        Return its number in `table`, 0 if it is unknown.
        """
        if source.kind == "import":
            return self.table.add("import", source.import_index)
        if source.kind in {"self", "owner"}:
            owner = self.enclosing_type(scope)
            operation = "self" if source.kind == "self" else "define"
            return self.table.add(operation, owner) if owner else 0
        if source.part:
            whole = self.bound_value(source._replace(part=""), scope)
            return self.table.add("member", whole, source.part) if whole else 0
        build = self.expected_type if source.kind in {"expected", "within"} else self.build
        build = self.build_called if source.kind == "called" else build
        number = build(source.node) if source.node else 0
        if not number or source.kind in {"value", "within"}:
            return number
        if source.kind in {"expected", "called"}:
            return self.table.add("expects", number, source.position)
        return self._bound_type(source.kind, number)

    def _bound_type(self, kind: str, number: int) -> int:
        if kind == "spread":
            return self.build_array(number, 1)
        if kind == "many":
            return self.table.add("holding", 0, number)
        return self.table.add(_OPERATION_OF_BINDING[kind], number)

    def calls_by_called_node(self) -> dict[int, ExpressionNode]:
        """Return each call with its argument nodes, by the id of the node that is called."""
        return {
            node.operands[0].id: node for node in self.nodes.values() if node.operation == "call"
        }

    def build_arguments(self, arguments: Sequence[Node], stated: Node | None = None) -> int:
        """Build the expression for the arguments of a call; return its number in `table`.

        `stated` is the node of the type arguments that the call also states.
        """
        passed = [self.build(argument) for argument in arguments]
        if stated is None:
            return self.table.add("arguments", *passed)
        types = stated.named_children if stated.type in _TYPE_ARGUMENTS else []
        instances = [self.instance_of(each) for each in types[:_MAX_PARAMETERS]]
        return self.table.add(APPLIED, len(passed), *passed, *instances)

    def build_array(self, element_type: int, dimensions: int) -> int:
        """Build the expression of an array type; return its number in `table`.

        `element_type` is the number of the elements' type.
        """
        array = self.table.add("builtin", "[]" * dimensions)
        return self.table.add("holding", array, self.table.add("instance", element_type))

    def expected_type(self, node: Node, depth: int = 0) -> int:
        """Build the expression for the type that the code around a node expects of it.

        Return its number in `table`, 0 if no type is expected. `depth` counts enclosing literals.
        """
        expected = self.places.expected.get(node.id)
        if expected is None or depth > _MAX_NESTED_LITERALS:
            return 0
        kind, of, position, part = expected
        is_placed = kind in {"whole", "list", "expected"}
        number = self.expected_type(of, depth + 1) if is_placed else self.build(of)
        if not number or kind == "value":
            return number
        match kind:
            case "type":
                return self.table.add("instance", number)
            case "whole":
                return self.table.add("member", number, part)
            case "list" | "each":
                return self.table.add("item", number)
            case _:
                return self.table.add("expects", number, position)

    def instance_of(self, node: Node) -> int:
        """Build the expression for an instance of the type at `node`; return its number in `table`.

        The number is 0 for a type parameter: then the caller has to use the bounds of the
        parameter.
        """
        expression_node = self.nodes.get(node.id)
        named = expression_node.text if expression_node else ""
        if named and self.scopes.at(node.start_byte).type_parameter(named):
            return 0
        number = self.build(node)
        return self.table.add("instance", number) if number else 0

    def enclosing_type(self, scope: Scope) -> str:
        """Return the qualified name of the type of `self` in a scope; "" if there is none."""
        return enclosing_type(scope, test_groups=self.language.test_groups)

    def is_in_class_method(self, scope: Scope) -> bool:
        """Tell whether a scope is in a method of a class itself, like Ruby's `def self.parse`."""
        around: Scope | None = scope
        while around is not None and (around.kind != "function" or around.symbol is None):
            around = around.parent if around.kind != "type" else None
        return around is not None and around.start in self.places.class_methods

    def receiver_type(self, node: Node) -> str:
        """Return the qualified name of the type whose instance a receiver, like `self`, is.

        The type must be in this file. Return "" if it is unknown.
        """
        expression_node = self.nodes.get(node.id)
        if expression_node and expression_node.operation == "own":
            return self.enclosing_type(self.scopes.at(node.start_byte))
        number = self.build(node)
        expression = self.table[number] if number else ("",)
        is_local = expression[0] == "name" and expression[1] in self.names.named
        return str(expression[1]) if is_local or expression[0] in {"self", "define"} else ""

    def constructing_function(self, scope: Scope) -> str:
        """Return the name of the JavaScript constructor function that encloses `scope`, "" if none.

        A function counts as a constructor if the file adds methods to its prototype.
        """
        symbol = scope.enclosing_symbol()
        return symbol.qualified if symbol and symbol.qualified in self._constructors else ""

    def reference_nodes(self) -> Iterator[ExpressionNode]:
        """Yield the nodes that may refer to a definition, such as names and members."""
        return (node for node in self.nodes.values() if node.operation in _REFERENCES)

    def build_reference(self, reference: ExpressionNode, *, called: bool) -> int:
        """Build the expression for a use of a name or member; return its number in `table`.

        The number is 0 if the use cannot refer to a definition outside of a function: for a local
        name, and for `x.name` without a call if `x` is unknown. A call `x.name()` has an expression
        in any case, since every method `name` is a possible target; so has a called local name, in
        languages in which instances can be called.
        """
        if reference.operation == "name":
            number, visible = self.names.look_up(reference.text, reference.node.start_byte)
            is_member = self.language.object_methods and self.table[number][0] == "member"
            if visible or (called and is_member):
                return number
            is_invoked = called and number and self.language.call_method
            return self.table.add("invoked", number) if is_invoked else 0
        must_be_known = reference.operation == "member" and not called
        if must_be_known and not self.build(reference.operands[0]):
            return 0
        if reference.operation == "member":
            return self.build_member(reference)
        return self.build(reference.node)

    def build_member(self, node: ExpressionNode) -> int:
        """Build the expression of a member, like `cart.size`; return its number in `table`.

        The expression is the member itself, not the value that is assigned to it.
        """
        receiver = self.nodes.get(node.operands[0].id)
        body = self._anonymous_class(node.operands[0])
        declared = self.names.declared_in(body, node.text) if body else None
        if declared is None and receiver and receiver.operation == "name":
            at = receiver.node.start_byte
            declared = self.names.own_member(receiver.text, node.text, at)
        if declared is not None:
            return declared
        base = self.build(node.operands[0]) or (self.names.base_instance(body) if body else 0)
        return self.table.add("member", base, node.text)

    def _anonymous_class(self, node: Node, depth: int = 0) -> Scope | None:
        """Return the body of the anonymous class whose instance a node evaluates to, or None.

        `depth` is the number of nodes that were followed to get to this one.
        """
        if not self._has_anonymous_classes:
            return None
        body = self.places.anonymous_classes.get(node.id)
        expression_node = self.nodes.get(node.id)
        if body or expression_node is None or depth > _MAX_NESTED_LITERALS:
            return body
        at = node.start_byte
        match expression_node.operation:
            case "same" | "made":
                return self._anonymous_class(expression_node.operands[0], depth + 1)
            case "this":
                return self.names.anonymous_class(at)
            case "name":
                value = self.names.local_value(expression_node.text, at)
                return self._anonymous_class(value, depth + 1) if value else None
            case _:
                return None

    def held_parameter(self, member: int, at: int) -> int:
        """Return the number of the value that a generic field of `self` has in an extension.

        `member` is the number of the expression `self.field`, where the field's type is a type
        parameter. Its value is an instance of the type argument of the extension (`impl Box<Cart>`)
        around byte `at`. Return 0 for other expressions.
        """
        if self.table[member][0] != "member":
            return 0
        base, name = self.table[member][1:]
        receiver = self.table[int(base)]
        if receiver[0] != "self":
            return 0
        position = self.places.fields.positions.get(f"{receiver[1]}.{name}")
        around = self.scopes.at(at) if position is not None else None
        while around is not None and around.start not in self.places.fields.arguments:
            around = around.parent
        if around is None or position is None or not around.symbol:
            return 0
        arguments = self.places.fields.arguments[around.start]
        is_same = around.symbol.qualified == receiver[1] and position < len(arguments)
        argument = self.build(arguments[position]) if is_same else 0
        return self.table.add("instance", argument) if argument else 0


def _constructing_functions(symbols: Sequence[Symbol]) -> frozenset[str]:
    """Return the qualified names of functions with methods defined outside of their bodies.

    JavaScript does so by `F.prototype.m = function`.
    """
    functions = {
        symbol.qualified: symbol for symbol in symbols if symbol.kind is SymbolKind.FUNCTION
    }
    owners = (
        (functions.get(symbol.qualified.rpartition(".")[0]), symbol)
        for symbol in symbols
        if symbol.kind is SymbolKind.METHOD
    )
    return frozenset(
        owner.qualified
        for owner, method in owners
        if owner and not owner.start_line <= method.line <= owner.end_line
    )


def _build_name(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    number, is_visible = builder.names.look_up(node.text, node.node.start_byte)
    bare_call = builder.language.bare_call
    is_variable = not is_visible or node.text in builder.scopes.module.bindings
    is_call = not is_variable and bare_call is not None and bare_call.match(node.text)
    return builder.table.add("call", number) if number and is_call else number


def _build_this(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build `this` or `super`, which is `this` with only the members of its base types."""
    anonymous = builder.names.anonymous_class_instance(node.node.start_byte)
    if anonymous is not None:
        return anonymous
    scope = builder.scopes.at(node.node.start_byte)
    owner = builder.enclosing_type(scope) or builder.constructing_function(scope)
    if node.operation == "this" and owner and builder.is_in_class_method(scope):
        return builder.table.add("define", owner)
    return builder.table.add("super" if node.operation == "super" else "self", owner)


def _build_own_type(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    owner = builder.enclosing_type(builder.scopes.at(node.node.start_byte))
    return builder.table.add("define", owner) if owner else 0


def _build_own_instance(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of a bare `new` in a method of a class itself.

    It is an instance of the class; in other places, the number is 0.
    """
    scope = builder.scopes.at(node.node.start_byte)
    owner = builder.enclosing_type(scope)
    is_class = owner and builder.is_in_class_method(scope)
    return builder.table.add("self", owner) if is_class else 0


def _build_object_literal(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    around = builder.scopes.at(node.node.start_byte).enclosing_symbol()
    return builder.table.add("self", around.qualified) if around else 0


def _build_definition(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    within = builder.scopes.at(node.node.start_byte)
    symbol = within.symbol if within.start == node.node.start_byte else None
    return builder.table.add("define", symbol.qualified) if symbol else 0


def _build_own_attribute(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    owner = builder.enclosing_type(builder.scopes.at(node.node.start_byte))
    return builder.table.add("member", builder.table.add("self", owner), node.text)


def _build_operand(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    return builder.build(node.operands[0])


def _build_union(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    operands = node.operands or _children(node)
    return builder.table.union([builder.build(operand) for operand in operands])


def _build_parts(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build a tuple of the operands, which are values or types; types become their instances.

    `tuple[X, ...]` becomes a list of X.
    """
    children = _children(node)[:_MAX_PARAMETERS]
    parts = [
        builder.instance_of(child) if child.type == "type" else builder.build(child)
        for child in children
    ]
    if any((child.text or b"").startswith(b"*") for child in children) or not any(parts):
        return 0
    if children[-1].text == b"...":
        return builder.table.add("holding", 0, parts[0])
    return builder.table.add("parts", *parts)


def _children(node: ExpressionNode) -> Sequence[Node]:
    return [child for child in node.node.named_children if child.type != "comment"]


def _build_bounds(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    numbers = [builder.build(operand) for operand in node.operands]
    return builder.table.union(numbers, limit=MAX_BOUNDS)


def _build_signature(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of a function type: its result and the types of its parameters."""
    result = builder.instance_of(node.operands[0]) if node.operands else 0
    typed = builder.places.parameters.get(node.arguments[0].id, ()) if node.arguments else ()
    types = {
        parameter.position: builder.instance_of(parameter.type_)
        for parameter in typed[:_MAX_PARAMETERS]
    }
    parameters = [types.get(position, 0) for position in range(max(types, default=-1) + 1)]
    known = result or any(parameters)
    return builder.table.add("signature", result, *parameters) if known else 0


def _build_container(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    elements = _build_union(builder, node)
    return builder.table.add("holding", 0, elements) if elements else 0


def _build_member(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    member = builder.build_member(node)
    return builder.held_parameter(member, node.node.start_byte) or member


def stands_for_several(argument: Node) -> bool:
    """Tell whether an argument is unpacked into several, like `*rest`, `...rest` or `rest...`."""
    return any(mark in argument.type for mark in ("splat", "spread", "pack_expansion"))


def _build_call(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    function = builder.build_called(node.operands[0])
    if not function or not builder.language.type_rules:
        return builder.table.add("call", function) if function else 0
    if any(map(stands_for_several, node.arguments)):
        return builder.table.add("call", function)
    passed = builder.build_arguments(node.arguments, node.stated_types)
    return builder.table.add("call", function, passed)


def _build_applied(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    operand = builder.build(node.operands[0])
    operation = "enter" if node.operation == "unwrapped" else node.operation
    return builder.table.add(operation, operand) if operand else 0


def _build_mapped(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    value = builder.instance_of(node.operands[0])
    return builder.table.add("mapped", value) if value else 0


def _build_record(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of a type without a name, such as `struct { cart *Cart }` of Go."""
    members: list[str | int] = []
    for declared in (child for part in _children(node) for child in part.named_children):
        type_ = declared.child_by_field_name("type")
        value = builder.instance_of(type_) if type_ else 0
        for name in declared.children_by_field_name("name") if value else ():
            members += [(name.text or b"").decode("utf-8", "replace"), value]
    return builder.table.add("record", *members[: 2 * _MAX_PARAMETERS]) if members else 0


def _build_generic(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of a type with type arguments; `Optional[X]` becomes X."""
    head = builder.nodes.get(node.operands[0].id) if node.operands else None
    argument = builder.build(node.arguments[-1]) if node.arguments else 0
    if head and head.text in builder.language.transparent:
        return _build_transparent(builder, node, argument)
    generic = builder.build(node.operands[0]) if node.operands else 0
    if head and head.text in builder.language.delegates:
        return _build_delegate(builder, node, generic, head.text)
    if not argument:
        return generic
    return builder.table.add("holding", generic, builder.table.add("instance", argument))


def _build_delegate(
    builder: ExpressionBuilder, node: ExpressionNode, generic: int, name: str
) -> int:
    """Build the expression of a type like `Func<int, Cart>`: a function that takes an `int`.

    `generic` is the number of the bare type, whose name is `name`.
    """
    arguments = node.node.named_children[-1].named_children[:_MAX_PARAMETERS]
    types = [builder.instance_of(argument) for argument in arguments]
    result = types.pop() if types and builder.language.delegates[name] else 0
    if not (result or any(types)):
        return generic
    return builder.table.add("wrapper", generic, builder.table.add("signature", result, *types))


def _build_transparent(builder: ExpressionBuilder, node: ExpressionNode, argument: int) -> int:
    """Build the expression of a type like `Optional[X]` that stands for its type argument X.

    `argument` is the number of X. In languages with type rules, the generic type is kept beside it.
    """
    generic = builder.build(node.operands[0]) if builder.language.type_rules else 0
    return builder.table.add("wrapper", generic, argument) if generic else argument


def _build_array(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    element_type = builder.build(node.operands[0])
    brackets = [child.text or b"" for child in node.node.children_by_field_name("dimensions")]
    depth = sum(1 if text.strip(b"[] \n\t") else text.count(b"[") for text in brackets)
    return builder.build_array(element_type, depth) if element_type else 0


def _build_builtin(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    return builder.table.add("builtin", "".join(node.text.split()))


def _build_literal(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    rules = builder.language.type_rules
    name = rules.literal_type(node.node.type, node.text) if rules else ""
    return builder.table.add("instance", builder.table.add("builtin", name)) if name else 0


def _build_operation(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build an operation, like `a + b`: its value is unknown, but its type may be known."""
    operands = [builder.build(operand) for operand in node.operands]
    return builder.table.add("operation", node.text, *operands)


def _build_closure(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of a lambda, which holds the number of its parameters.

    The number is -1 for a method reference.
    """
    parameters = node.node.child_by_field_name("parameters")
    if parameters is None:
        return builder.table.add("closure", -1)
    is_list = parameters.child_count > 0
    return builder.table.add("closure", parameters.named_child_count if is_list else 1)


def _build_labelled(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    return builder.table.add("labelled", node.text, builder.build(node.operands[0]))


def _build_label(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of a case label in a `switch`.

    Return its number in the table. If the type of the switch's operand has a member with the
    label's name, the label refers to the member; else the label is resolved like any other name.
    """
    name, visible = builder.names.look_up(node.text, node.node.start_byte)
    of = builder.build(node.operands[0])
    if not of or not visible:
        return name
    return builder.table.add("own", builder.table.add("instance", of), name, node.text)


def _build_quoted(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of a dotted name in a string, like a quoted annotation, or of a path."""
    text = node.text.removesuffix(PATH_SEPARATOR)
    first, *rest = re.split(r"\.|::", re.sub(r"\s|<.*>", "", text, flags=re.DOTALL).lstrip(":"))
    first += PATH_SEPARATOR * node.text.endswith(PATH_SEPARATOR)
    if text.startswith(PATH_SEPARATOR):
        number = builder.table.add("name", first)
    else:
        number = builder.names.look_up(first, node.node.start_byte)[0]
    for name in rest:
        number = builder.table.add("member", number, name)
    return number


def _build_qualified(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of a name with namespaces, like `std::fs`.

    A name that begins with a separator is absolute.
    """
    name = re.sub(r"\s", "", node.text)
    return builder.table.add("qualified", re.sub(r"\\|::", ".", name))


def _build_documented(builder: ExpressionBuilder, node: ExpressionNode) -> int:
    """Build the expression of the type of the variable that a comment declares."""
    stated = builder.language.documented_variable
    declared = stated.search(node.text) if stated else None
    if declared is None:
        return 0
    if "\\" in declared[1]:
        return builder.table.add("qualified", declared[1].replace("\\", "."))
    return builder.names.look_up(declared[1], node.node.start_byte)[0]


_BUILDERS: dict[str, Callable[[ExpressionBuilder, ExpressionNode], int]] = {
    "name": _build_name,
    "this": _build_this,
    "super": _build_this,
    "own_type": _build_own_type,
    "own_instance": _build_own_instance,
    "quoted": _build_quoted,
    "qualified": _build_qualified,
    "documented": _build_documented,
    "object": _build_object_literal,
    "defined": _build_definition,
    "own": _build_own_attribute,
    "same": _build_operand,
    "either": _build_union,
    "bounds": _build_bounds,
    "holding": _build_container,
    "parts": _build_parts,
    "generic": _build_generic,
    "member": _build_member,
    "call": _build_call,
    "made": _build_applied,
    "item": _build_applied,
    "instance": _build_applied,
    "signature": _build_signature,
    "mapped": _build_mapped,
    "record": _build_record,
    "unwrapped": _build_applied,
    "array": _build_array,
    "builtin": _build_builtin,
    "literal": _build_literal,
    "operation": _build_operation,
    "closure": _build_closure,
    "label": _build_label,
    "labelled": _build_labelled,
}
