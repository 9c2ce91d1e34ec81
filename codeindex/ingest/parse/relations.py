"""Extract imports, declarations and uses of a file from the matches of its `relations` query.

The query of a language has these captures. Matches of earlier patterns take precedence.

Expressions, captured on their own node, with captures for the operands:

* ``@name``; ``@this``; ``@super``; ``@quoted`` (text that names a type); ``@qualified``, a name
  with the namespaces around it;
* ``@member`` with ``@of`` and ``@attribute``; ``@call`` with ``@of``; ``@item`` with ``@of`` (an
  element of it); ``@instance`` with ``@of`` (a cast to that type); ``@same`` with ``@of``
  (parentheses, await); ``@unwrapped`` with ``@of`` (its content if it is a wrapper, else itself);
* ``@either`` with several ``@of``; ``@bounds`` with several ``@of`` (it is all of these);
  ``@holding`` with several ``@of`` (a list of them); without ``@of``, the operands of these are
  the children of the node; ``@parts``, a tuple of the children, or of instances of types;
* ``@made`` with ``@of``, the object that `new` creates, also from a function;
* ``@generic`` with ``@of`` and ``@argument``;
* ``@signature``, a function type, with its result as ``@of`` and its parameter list as
  ``@argument``; ``@mapped``, a type whose members of any name are instances of ``@of``;
  ``@record``, a type without a name, whose grandchildren have a ``name`` and a ``type``;
* ``@arguments`` of a ``@call``, in languages with overloads; ``@given``, an argument outside
  them; ``@spread``, an argument that stands for several (not read with `type_rules`);
  ``@unargued``, a call without arguments; ``@arity``, the number of arguments of a function that is
  named with it; ``@applied`` beside a ``@call`` that states type arguments;
* ``@symbolic`` on a member whose name is a symbol, like `:add` of Elixir, without the colon;
* ``@path`` on a name that starts a path; ``@method`` on a name or member that can only be a
  method, where a field may have the same name; ``@macro`` on one that can only be a macro;
  ``@setter`` on a member that is assigned, where that calls a method of its own: `name=` of Ruby;
* in languages with `type_rules`: ``@builtin``, a builtin type; ``@literal``; ``@array`` with
  ``@of``, the creation of an array; ``@operation`` with ``@of`` and an operator as ``@attribute``;
  ``@closure``, a lambda or a reference to a function; ``@labelled`` with ``@of``, an argument for
  the parameter of a name, ``@attribute``; ``@label`` with ``@of``, a name of a case
  that may be a member of the type of ``@of``; ``@constructs`` with ``@arguments``, the
  type (or `this`, `super`) whose constructor is called;
* ``@object``, an object literal whose members belong to the enclosing definition; ``@defined``, a
  function or class used as a value;
* ``@own``, an attribute of the owner that is written alone, like `@size` in Ruby; it may also be an
  ``@owner`` and its ``@attribute``.

Any other node is unknown. Bindings:

* ``@bind``, a bound name, with at most one of ``@value``, ``@type`` (an instance of it), ``@each``
  (an element of it), ``@enter`` (the result of a `with`), ``@spread`` (an array of it); with
  ``@part``, the member of that name; with ``@within``, of what is expected of that pattern; with
  ``@nth``, the member at the position of the node; with ``@in``, only in that branch;
* ``@checked``, a name whose ``@type`` was checked: it is an instance of that only in the branch
  ``@in`` or, without one, in the rest of its block;
* ``@documented``, a comment that may declare the type of a variable: `/** @var Cart $cart */`;
* ``@self`` and ``@cls`` for parameters that are the owner's instance or the owner; ``@named`` for a
  name that a definition itself binds; ``@set``, an assignment to a name declared elsewhere;
  ``@parameter``, a type parameter of the enclosing definition; ``@constrained``, a type parameter
  with a bound that is written apart; ``@outer``, a name that the
  enclosing function takes from outside although it assigns it;
* ``@field``, with a value as above: a member of the enclosing definition that is no bare name;
  ``@tuple``, a list of the types of members that have a position for a name;
  ``@owner_argument``, a type argument of the type that the enclosing definition extends;
  ``@owner`` and ``@attribute`` with ``@value`` or ``@type``: an attribute is set;
* ``@positional``, a parameter, with its ``@type`` or, if it binds a name, with ``@expected``, the
  function whose place tells the type; ``@receiver``, a parameter to which no argument is passed;
* ``@passed``, a value or pattern whose place tells the type that is expected: an argument of
  ``@callee``, the member ``@part`` of the literal ``@whole``, an element of the literal ``@list``
  or the value ``@each``, or with a declared ``@type`` or former ``@value``; a ``@positional``
  parameter of an ``@expected`` function; ``@key``, a use of a member of the type that is expected
  of the literal or pattern ``@of``;
* ``@receiving``, a lambda whose body uses members of the ``@value`` without naming it, or of the
  ``@lambda_receiver`` that a parameter of the called function ``@builder`` declares;
* ``@nameless`` with ``@type``, the scope that is the body of an anonymous class of that type;
  without a type, the base is the enclosing type; ``@baseless``, the same without a base type;
  ``@created`` beside them, the expression that has the anonymous class.

Declarations and scopes:

* ``@block_result``: the last value of a block with which a call defines a function;
* ``@returned``, ``@yielded`` or ``@result`` (a type) of the enclosing function; ``@callable``, the
  signature by which instances of the enclosing type are called;
* ``@base`` of the enclosing type, or ``@mixin`` if it precedes those written before it and every
  ``@base``; ``@for`` names the type if the base is written outside of it;
  ``@class_base``, a module that extends the type itself, and ``@includer_base``, one that extends
  each type which includes the enclosing one; ``@test_base``, a base of all tests; ``@extended``,
  the base of an anonymous class; ``@merged``, an object whose members the enclosing definition has
  too;
* ``@import`` with ``@module``, ``@imported``, ``@alias``, ``@all``, ``@package`` for the file's own
  package, and ``@exported`` if other files see the imported name; ``@statement`` is text that the
  language's `imports` function parses;
* ``@bringing``, code whose imports are those of each file that uses the module;
* ``@declares``, the name of something defined in another file; ``@shared``, the name of a member
  that is also visible around its type, like the enumerators of C, unless it is ``@enclosed``;
  ``@extending``, the name of a method that is called like a member of its first parameter's type;
  ``@produced``, a name that a macro defines where it is ``@invoked``;
* ``@class_method``, a method of a class itself, in which ``@this`` is the class; ``@own_type`` is
  the class in its methods of both kinds, and ``@own_instance`` an instance of it;
* ``@outside``, a part of a function's head that does not see its parameters; ``@scope`` and
  ``@block`` for unnamed scopes; ``@skip`` for names that refer to nothing.

Local variables are replaced by the values they are bound to. So a change inside a function body
does not change what other files see of the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.expression_nodes import ExpressionNode, TypedPlaces
from codeindex.graph.expression_table import LAMBDA_RECEIVER, SPELLING_MARK
from codeindex.graph.expressions import ExpressionBuilder, stands_for_several
from codeindex.graph.packages import default_imports, join_package_clauses
from codeindex.graph.scopes import (
    BindingKind,
    BindingSource,
    Scope,
    ScopeKind,
    ScopeTree,
    build_scopes,
)
from codeindex.ingest.parse.bindings import (
    bind_anonymous_classes,
    bind_assigned,
    bind_constraints,
    bind_type_parameters,
)
from codeindex.ingest.parse.captures import Captures, argument_nodes
from codeindex.ingest.parse.declared_types import (
    ExtractionContext,
    NamedExpressions,
    declared_bases,
    declared_class_methods,
    declared_implementations,
    declared_results,
    declared_values,
)
from codeindex.ingest.parse.nesting import PlacedSymbol
from codeindex.ingest.parse.parameter_fields import find_parameter_fields
from codeindex.ingest.parse.receivers import receiver_name
from codeindex.languages import BROUGHT, PACKAGE_CLAUSE, ImportCaptures, Language
from codeindex.text.words import normal_name
from codeindex.types import CONTAINER_KINDS, NAMESPACE_KINDS, Import, Relations, Use, UseKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeindex.ingest.parse.captures import Match, Matches

_UNKNOWN = -1
"""Stands for an unknown number of arguments."""
_ANY_NUMBER = -1
"""Stands for any number of type arguments."""
_DIGITS = 4
"""A number of arguments has fewer digits than this."""
_LEVELS_TO_CALL = 3
"""Number of levels from a called name up to the call: name, member expression, call."""
_IMPORT_CAPTURES = ("statement", "module", "imported", "alias", "local")
_QUOTES = "\"'`<>"
_BINDING_CAPTURES: tuple[tuple[str, BindingKind | None], ...] = (
    ("named", None),  # bound by its definition: reserves the node against later patterns
    ("self", "self"),
    ("cls", "owner"),
    ("bind", None),
)
_SCOPE_CAPTURES: tuple[tuple[str, ScopeKind], ...] = (
    ("outside", "outside"),
    ("scope", "function"),
    ("block", "block"),
)
"""Scopes that the query adds to the scopes of definitions."""


def extract_relations(
    matches: Matches,
    language: Language,
    source: bytes,
    symbols: Sequence[PlacedSymbol],
    *,
    lost_rows: Collection[int] = (),
) -> Relations:
    """Return what a file imports, declares and uses; uses are sorted by line and expression.

    `lost_rows` are 0-based rows that the parser did not understand: uses in these are resolved as
    uncertain.
    """
    captures = Captures(matches, source, typed_arguments=language.type_rules is not None)
    scopes = _build_scopes(captures, symbols, size=len(source))
    imports = tuple(join_package_clauses(_bind_imports(captures, scopes, language)))
    in_file = [placed.symbol for placed in symbols]
    imports += default_imports(language, imports, in_file)
    _bind_names(captures, scopes)
    _bind_documented(captures, scopes, language)
    context = _extraction_context(captures, scopes, language, symbols)
    expressions = context.expressions
    values, results, bases = (
        declared_values(context)
        + declared_implementations(context, symbols)
        + declared_class_methods(context, symbols),
        declared_results(context),
        declared_bases(context),
    )
    values += _other_spellings(expressions, symbols)
    declared = expressions.flush()
    uses = sorted({*_uses(context, _symbols_of_scopes(scopes, symbols), lost_rows)})
    used = expressions.flush()
    expressions.release()
    return Relations(
        imports=imports,
        expressions=declared,
        values=values,
        results=results,
        bases=bases,
        used=used,
        uses=tuple(
            Use(symbol, used, line, kind, arguments, passed, receiver)
            for line, used, symbol, kind, arguments, passed, receiver in uses
        ),
    )


def _extraction_context(
    captures: Captures, scopes: ScopeTree, language: Language, symbols: Sequence[PlacedSymbol]
) -> ExtractionContext:
    """Return what the functions that read relations share: captures, scopes, expressions.

    Call `_bind_names` before, which fills the scopes.
    """
    places = TypedPlaces(
        captures.parameter_types(),
        captures.expected_types(),
        find_parameter_fields(captures, scopes, language),
        _anonymous_classes(captures, scopes),
        frozenset(node.start_byte for node in captures.nodes("class_method")),
    )
    in_file = [placed.symbol for placed in symbols]
    nodes = captures.expression_nodes()
    expressions = ExpressionBuilder(scopes, nodes, language, in_file, places)
    is_numbered = language.overloads or language.reopened_types
    numbers = _overload_numbers(symbols) if is_numbered else {}
    return ExtractionContext(captures, scopes, expressions, numbers)


def _other_spellings(
    expressions: ExpressionBuilder, symbols: Sequence[PlacedSymbol]
) -> NamedExpressions:
    """Return (marked name, expression) for names that code must write in another Unicode form.

    `Language.other_spelling` decides for which names; the expression is the name in that form.
    """
    found = {placed.symbol.qualified: placed.spelling for placed in symbols if placed.spelling}
    return tuple(
        (SPELLING_MARK + name, expressions.table.add("name", spelling))
        for name, spelling in sorted(found.items())
    )


def _overload_numbers(symbols: Sequence[PlacedSymbol]) -> dict[int, int]:
    """Return {`id()` of an overloaded symbol: its index among the symbols of its name}."""
    same: defaultdict[str, list[int]] = defaultdict(list)
    for placed in symbols:
        same[placed.symbol.qualified].append(id(placed.symbol))
    several = (ids for ids in same.values() if len(ids) > 1)
    return {symbol_id: number for ids in several for number, symbol_id in enumerate(ids)}


def _build_scopes(captures: Captures, symbols: Sequence[PlacedSymbol], *, size: int) -> ScopeTree:
    """Return the tree of a file's scopes: definitions, and other scopes that a query captures.

    `size` is the number of bytes of the file.
    """
    return build_scopes(
        ((placed.start, placed.end, placed.symbol) for placed in symbols),
        [
            (node.start_byte, node.end_byte, kind)
            for capture, kind in _SCOPE_CAPTURES
            for node in captures.nodes(capture)
        ],
        size=size,
    )


def _bind_imports(captures: Captures, scopes: ScopeTree, language: Language) -> Iterator[Import]:
    """Yield all imports of a file; bind the names of an import inside a function in its scope."""
    number = 0
    bringing = [(node.start_byte, node.end_byte) for node in captures.nodes("bringing")]
    for match in captures.matches_with("import"):
        for node in match.get("import", ()):
            scope = scopes.at(node.start_byte)
            top = scope.binding_scope().kind != "function"
            owner = _enclosing_module(scope) if top and language.nested_modules else ""
            captured = _captured_import(captures, match, scope)
            around = scope.enclosing_symbol() if language.exporting_macro else None
            is_brought = any(start <= node.start_byte < end for start, end in bringing)
            name = language.exporting_macro if is_brought else around.name if around else ""
            for imported in _imports(captured, match, language, node, top=top, owner=owner):
                if not top:
                    source = BindingSource("import", import_index=number)
                    scope.bind(imported.local, node.start_byte, source)
                number += 1
                yield _brought(imported, name, language) if name else imported


def _brought(imported: Import, around: str, language: Language) -> Import:
    """Return an import, marked as exported if files that use its module can get it.

    `around` is the name of the definition around the import. If it is the exporting macro, all
    these files get the import. If it is a function, the files get it that name the function, which
    is then also in the local name of the import: see `BROUGHT`.
    """
    if around == language.exporting_macro:
        return imported._replace(exported=True)
    local = imported.local if imported.top else f"{around}{BROUGHT}{imported.local}"
    return imported._replace(local=local, exported=not imported.top)


def _enclosing_module(scope: Scope) -> str:
    """Return the qualified name of the module that encloses a scope in this file, or ""."""
    around = scope.enclosing_symbol()
    return around.qualified if around and around.kind in NAMESPACE_KINDS else ""


def _captured_import(captures: Captures, match: Match, scope: Scope) -> ImportCaptures:
    """Return {capture: text} of an import statement; `ImportCaptures` describes the captures."""
    texts = captures.texts_as_written(match, _IMPORT_CAPTURES)  # modules may be paths
    parts = {capture: text.strip(_QUOTES) for capture, text in texts.items()}
    if "all" in match or "package" in match:
        parts["imported"] = "*" if "all" in match else PACKAGE_CLAUSE
    around: Scope | None = scope
    while around and not (around.symbol and around.symbol.kind in CONTAINER_KINDS):
        around = around.parent
    return parts | {"around": around.symbol.qualified if around and around.symbol else ""}


def _imports(
    captured: ImportCaptures, match: Match, language: Language, node: Node, *, top: bool, owner: str
) -> Iterator[Import]:
    for imported in language.imports(captured):
        local = normal_name(imported.local)
        yield Import(
            imported.module,
            normal_name(imported.name),
            f"{owner}.{local}" if owner and local != "*" else local,
            line=node.start_point[0] + 1,
            at=match.get("imported", [node])[0].start_point[0] + 1,  # in a list of many
            top=top,
            exported="exported" in match,
        )


def _bind_names(captures: Captures, scopes: ScopeTree) -> None:
    """Bind each name that the query captures, in its scope.

    If several patterns capture a node, the earliest pattern decides.
    """
    bound: set[tuple[int, int]] = set()
    for match in captures.matches_with(*(capture for capture, _ in _BINDING_CAPTURES)):
        for capture, kind in _BINDING_CAPTURES:
            for node in match.get(capture, ()):
                branch = match.get("in", [node])[0]
                if (node.id, branch.id) in bound:
                    continue
                bound.add((node.id, branch.id))
                if capture != "named":
                    source = BindingSource(kind) if kind else captures.binding_source(match)
                    at = source.node.end_byte if source.node else node.start_byte
                    scopes.at(branch.start_byte).bind(captures.text(node), at, source)
    _bind_checks(captures, scopes)
    for node in captures.nodes("outer"):
        scopes.at(node.start_byte).binding_scope().bindings.pop(captures.text(node), None)
    bind_type_parameters(captures.bound_nodes("parameter"), scopes, captures.text)
    bind_constraints(captures.bound_nodes("constrained"), scopes, captures.text)
    bind_assigned(captures.bound_nodes("set"), scopes, captures.text)
    _bind_lambda_receivers(captures, scopes)
    bind_anonymous_classes(captures.bound_nodes("nameless"), captures.nodes("baseless"), scopes)


def _bind_lambda_receivers(captures: Captures, scopes: ScopeTree) -> None:
    """Set the receivers of lambdas: the objects whose members they use without naming the object.

    If several patterns match a lambda, the first of them counts.
    """
    for match in captures.matches_with("receiving"):
        scope = scopes.at(match["receiving"][0].start_byte)
        if scope.receiver is None:
            scope.receiver = (
                BindingSource("called", match["builder"][0], position=LAMBDA_RECEIVER)
                if "builder" in match
                else captures.binding_source(match)
            )


def _bind_checks(captures: Captures, scopes: ScopeTree) -> None:
    """Record the types for which code checks a name, like `x` in `if isinstance(x, Cart):`.

    Each is recorded in the scope of the branch in which the check holds.
    """
    for match in captures.matches_with("checked"):
        source = captures.binding_source(match)
        for node in match.get("checked", ()):
            at = source.node.end_byte if source.node else node.start_byte
            branch = match.get("in", [node])[0]
            scopes.at(branch.start_byte).check(captures.text(node), at, source)


def _bind_documented(captures: Captures, scopes: ScopeTree, language: Language) -> None:
    """Record the types of variables that comments declare, such as `/** @var Cart $cart */`.

    The type holds after the comment or, if the next statement binds the variable, after that. If
    it binds the variable to a new instance, the type of that instance is more exact.
    """
    stated = language.documented_variable
    if stated is None:
        return
    exact = {node.id for node in captures.nodes("instance")}
    for node in captures.nodes("documented"):
        if declared := stated.search(captures.text(node)):
            scope = scopes.at(node.start_byte)
            end = (node.next_named_sibling or node).end_byte
            bindings = scope.binding_scope().bindings.get(declared[2], ())
            bound = [each for each in bindings if node.end_byte <= each.at <= end]
            if not any(each.source.node and each.source.node.id in exact for each in bound):
                at = min((each.at + 1 for each in bound), default=node.end_byte)
                scope.check(declared[2], at, BindingSource("type", node))


def _anonymous_classes(captures: Captures, scopes: ScopeTree) -> dict[int, Scope]:
    """Return {id of the node that creates an anonymous class: scope of the class body}."""
    bodies: dict[int, Scope] = {}
    for match in captures.matches_with("created"):
        for body in (*match.get("nameless", ()), *match.get("baseless", ())):
            for node in match["created"]:
                bodies.setdefault(node.id, scopes.at(body.start_byte))
    return bodies


_UseRow = tuple[int, int, int, UseKind, int, int, str]
"""(line, expression, symbol, kind, argument count, expression of the arguments, receiver)."""


def _uses(
    context: ExtractionContext, symbol_of: Mapping[int, int], lost_rows: Collection[int]
) -> Iterator[_UseRow]:
    """Yield a row for each use of a name in the file, such as a call.

    `symbol_of` maps the `id()` of each scope to the index of its symbol. Uses in `lost_rows` are
    marked, since the parser did not understand these rows.
    """
    captures, scopes, expressions = context.captures, context.scopes, context.expressions
    kinds = _use_kinds(captures)
    build_reference, table = expressions.build_reference, expressions.table
    language = expressions.language
    is_typed = language.type_rules is not None
    tells_types = bool(language.type_nodes or language.generic_node)
    calls = expressions.calls_by_called_node() if is_typed else {}
    counts = {} if is_typed else _argument_counts(captures)

    def row(
        node: Node,
        used: int,
        kind: UseKind,
        passed: PassedArguments,
        receiver: Node | None = None,
        called: int = 0,
    ) -> _UseRow:
        count = counts.get(called, passed.many)
        if count == _UNKNOWN and receiver and called not in counts:
            count = _argument_count(node)
        at = node.start_point[0]
        used = _as_typed(context, node, used) if tells_types else used
        used = used if captures.is_ascii else _as_spelled(context, node, used)
        used = table.add("unsure", used) if at in lost_rows else used
        name = receiver_name(captures.text_before_end(receiver)) if receiver else ""
        symbol = symbol_of[id(scopes.at(node.start_byte))]
        return at + 1, used, symbol, kind, count, passed.expression, name

    for reference in expressions.reference_nodes():
        kind = kinds.get(reference.node.id, UseKind.REFERENCE)
        used = build_reference(reference, called=kind is UseKind.CALL)
        if used:
            is_called_member = kind is UseKind.CALL and reference.operation == "member"
            receiver = reference.operands[0] if is_called_member else None
            called = reference.node.id
            passed = _passed(expressions, calls.get(called))
            yield row(reference.name, used, kind, passed, receiver, called)
    for node, member in _used_keys(context):
        yield row(node, member, UseKind.REFERENCE, PassedArguments(_UNKNOWN, 0))
    for node, constructor, passed in _used_constructors(context):
        yield row(node, constructor, UseKind.CALL, passed)


def _used_keys(context: ExtractionContext) -> Iterator[tuple[Node, int]]:
    """Yield (node, expression of the member) for each key whose literal has an expected type."""
    expressions = context.expressions
    for match in context.captures.matches_with("key"):
        expected = expressions.expected_type(match["of"][0])
        for node in match.get("key", ()) if expected else ():
            yield node, expressions.table.add("member", expected, context.captures.text(node))


def _used_constructors(
    context: ExtractionContext,
) -> Iterator[tuple[Node, int, PassedArguments]]:
    """Yield (node, expression of the constructor, arguments) for each call of a constructor."""
    expressions = context.expressions
    is_typed = expressions.language.type_rules is not None
    for node, arguments in _constructor_calls(context.captures):
        made = expressions.build(node)
        if made:
            constructor = expressions.table.add("constructor", made)
            number = expressions.build_arguments(arguments) if arguments and is_typed else 0
            yield node, constructor, PassedArguments(len(arguments), number)


class PassedArguments(NamedTuple):
    """The arguments of a call: their number (`many`), and the index of their expression.

    `many` is -1 if the number is unknown.
    """

    many: int
    expression: int


def _passed(expressions: ExpressionBuilder, call: ExpressionNode | None) -> PassedArguments:
    """Return the arguments of a call.

    Their number is unknown if one argument stands for several, like `*rest`.
    """
    if call is None or any(map(stands_for_several, call.arguments)):
        return PassedArguments(_UNKNOWN, 0)
    is_any = call.stated_types or call.arguments
    number = expressions.build_arguments(call.arguments, call.stated_types) if is_any else 0
    return PassedArguments(len(call.arguments), number)


def _symbols_of_scopes(scopes: ScopeTree, symbols: Sequence[PlacedSymbol]) -> dict[int, int]:
    """Return {`id()` of a scope: index in `symbols` of the innermost symbol around it}.

    The index is -1 if no symbol is around the scope.
    """
    indexes = {id(placed.symbol): index for index, placed in enumerate(symbols)}
    symbol_of: dict[int, int] = {}
    for scope in scopes.ordered:
        around = symbol_of[id(scope.parent)] if scope.parent else -1
        symbol_of[id(scope)] = indexes[id(scope.symbol)] if scope.symbol else around
    return symbol_of


def _as_typed(context: ExtractionContext, node: Node, used: int) -> int:
    """Return the expression `used`, marked if the node shows that it is a type.

    Otherwise `used` is returned unchanged.
    """
    language = context.expressions.language
    count = _ANY_NUMBER if node.type in language.type_nodes else 0
    if language.generic_node and node.type != "identifier":
        count = _ANY_NUMBER
    elif language.generic_node and context.captures.is_before(node, b"<"):
        around = node.parent
        if around is not None and around.type == language.generic_node:
            stated = around.named_children[-1]
            commas = (stated.text or b"").count(b",")
            count = stated.named_child_count or commas + 1  # `Cart<,>` states no type
    return context.expressions.table.add("typed", used, count) if count else used


def _as_spelled(context: ExtractionContext, node: Node, used: int) -> int:
    """Return the expression `used`, together with the name's spelling in the code if it matters.

    It matters if `Language.other_spelling` returns a spelling; otherwise `used` is returned
    unchanged.
    """
    written = context.captures.text_as_written(node)
    spelling = context.expressions.language.other_spelling(written)
    return context.expressions.table.add("spelled", used, spelling) if spelling else used


def _argument_count(name: Node) -> int:
    """Return the number of arguments in the call of the member node `name`; -1 if unknown."""
    node: Node | None = name
    for _ in range(_LEVELS_TO_CALL):
        arguments = node.child_by_field_name("arguments") if node else None
        if arguments:
            given = [each for each in arguments.named_children if "comment" not in each.type]
            return _UNKNOWN if any(map(stands_for_several, given)) else len(given)
        node = node.parent if node else None
    return _UNKNOWN


def _argument_counts(captures: Captures) -> dict[int, int]:
    """Return {id of the called node: number of arguments} for each call.

    A function that is named with its arity, like `add/2`, also has a number.
    """
    given: defaultdict[int, set[int]] = defaultdict(set)
    counts: dict[int, int] = {}
    for match in captures.matches_with("arguments", "given", "spread", "unargued", "arity"):
        for operand in match.get("of", ()):
            if match.keys() & {"arguments", "given", "unargued"}:
                nodes = (*argument_nodes(match), *match.get("given", ()))
                given[operand.id].update(node.id for node in nodes)
            if "spread" in match:
                counts[operand.id] = _UNKNOWN
            for node in match.get("arity", ()):
                text = captures.text(node)
                counts[operand.id] = (
                    int(text) if text.isdecimal() and len(text) < _DIGITS else _UNKNOWN
                )
    return {node: len(arguments) for node, arguments in given.items()} | counts


def _constructor_calls(captures: Captures) -> Iterator[tuple[Node, list[Node]]]:
    """Yield (node of the constructed type's name, argument nodes) for each constructor call.

    The first node is `this` or `super` if a constructor calls another one. The first match for a
    node decides.
    """
    yielded: set[int] = set()
    for match in captures.matches_with("constructs"):
        for node in match.get("constructs", ()):
            if node.id not in yielded:
                yielded.add(node.id)
                yield node, [*argument_nodes(match)]


def _use_kinds(captures: Captures) -> dict[int, UseKind]:
    """Return {node id: kind} of the uses that are a call or a base type.

    Other uses are plain references.
    """
    kinds: dict[int, UseKind] = {}
    for match in captures.matches_with("call"):
        kinds.update((operand.id, UseKind.CALL) for operand in match.get("of", ()))
    for capture in ("base", "mixin", "extended"):
        kinds.update((node.id, UseKind.BASE) for node in captures.nodes(capture))
    for node in captures.nodes("class_base"):
        kinds.pop(node.id, None)
    return kinds
