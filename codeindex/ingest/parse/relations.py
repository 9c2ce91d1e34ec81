"""What a file declares to others and what it uses, as expressions over names.

A language's `relations` query captures, first pattern first:

* expressions, by their own node and its operands: ``@name``; ``@this``; ``@super``; ``@quoted``
  (text that names a type); ``@member`` with ``@of`` and ``@attribute``; ``@call`` with ``@of``;
  ``@item`` with ``@of`` (an element of it); ``@instance`` with ``@of`` (a cast to that type);
  ``@same`` with ``@of`` (parentheses, await);
  ``@either`` with several ``@of``; ``@holding`` with several ``@of`` (a list of them);
  ``@generic`` with ``@of`` and ``@argument``; any other node is unknown;
* ``@arguments`` of a ``@call``, where their number decides what is called;
* ``@unwrapped`` with ``@of`` (what it holds, or else itself); ``@path`` on a name that a path
  begins with; ``@method`` on a name or member that can be nothing but a method, where fields may
  share its name;
* ``@object``, a thing whose members are defined inside the definition around; ``@defined``, a
  function or class where a value stands;
* ``@bind``, a name that is bound, with at most one of ``@value``, ``@type`` (it is an instance of
  that), ``@each`` (an element of that), ``@enter`` (what a `with` makes of that); ``@self`` and
  ``@cls`` for parameters that are the owner's instance or the owner; with ``@part``, the member of
  that name; with ``@in``, in that branch only; ``@named`` where a definition binds its own name;
  ``@set``, a name that is declared elsewhere; ``@parameter``, a type parameter of the definition
  around;
* ``@field``, with a value as above: a member of the definition around that is no bare name;
* ``@owner`` and ``@attribute`` with ``@value`` or ``@type``: an attribute is set;
* ``@returned``, ``@yielded`` or ``@result`` (a type) of the function around;
* ``@base`` of the type around; ``@for`` names the type where the base stands outside of it;
  ``@extended``, the base of a class without a name, by what is around;
* ``@import`` with ``@module``, ``@imported``, ``@alias``, ``@all``, ``@package`` where it is the
  file's own, and ``@exported`` where others see what is imported; ``@statement`` is text that the
  language's `imports` function reads;
* ``@own``, an attribute of the owner that is named alone, like `@size` of Ruby, also as an
  ``@owner`` and its ``@attribute``;
* ``@declares``, the name of what is defined in another file; ``@shared``, the name of a member
  that is seen around its type as well, like the enumerators of C;
* ``@nameless`` with ``@type``, the scope that is the body of a class without a name, of that type;
* ``@outer``, a name that the function around takes from outside although it binds it;
* ``@outside``, a part of a function's head that does not see its parameters;
* ``@scope`` and ``@block`` for scopes without a name; ``@skip`` for names that refer to nothing.

Local variables are replaced here by what they were bound to, so that a body can change without
anybody else's view of the file changing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.graph.expressions import ExpressionBuilder
from codeindex.graph.packages import join_package_clauses
from codeindex.graph.scopes import BindingKind, BindingSource, ScopeKind, ScopeTree, build_scopes
from codeindex.ingest.parse.bindings import bind_assigned, bind_nameless, bind_parameters
from codeindex.ingest.parse.captures import Captures
from codeindex.ingest.parse.declared_types import (
    FileReading,
    declared_bases,
    declared_results,
    declared_values,
)
from codeindex.ingest.parse.nesting import PlacedSymbol
from codeindex.languages import PACKAGE_CLAUSE, Language
from codeindex.types import Import, Relations, Use, UseKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeindex.ingest.parse.captures import Match, Matches

_NO_ARGUMENT = re.compile("comment$|^type_arguments$")
_SAID = ("statement", "module", "imported", "alias", "local")
_QUOTES = "\"'`<>"
_BINDING: tuple[tuple[str, BindingKind | None], ...] = (
    ("named", None),  # a definition binds its own name, which is not for others to bind
    ("self", "self"),
    ("cls", "owner"),
    ("bind", None),
)
_OPENING: tuple[tuple[str, ScopeKind], ...] = (
    ("outside", "outside"),
    ("scope", "function"),
    ("block", "block"),
)
"""What is opened by what is caught so, beside what definitions open."""


def extract_relations(
    matches: Matches, language: Language, source: bytes, symbols: Sequence[PlacedSymbol]
) -> Relations:
    """Read declarations and uses out of what the query caught."""
    captures = Captures(matches, source)
    scopes = _scopes(captures, symbols, size=len(source))
    imports = tuple(join_package_clauses(_bound_imports(captures, scopes, language)))
    _bind(captures, scopes)
    expressions = ExpressionBuilder(
        scopes, captures.shapes(), language, [one.symbol for one in symbols]
    )
    reading = FileReading(captures, scopes, expressions)
    values, results, bases = (
        declared_values(reading),
        declared_results(reading),
        declared_bases(reading),
    )
    declared = expressions.flush()
    number = {id(one.symbol): at for at, one in enumerate(symbols)}
    uses = sorted({*_uses(reading, number)})
    return Relations(
        imports=imports,
        expressions=declared,
        values=values,
        results=results,
        bases=bases,
        used=expressions.flush(),
        uses=tuple(Use(at, used, line, kind, given) for line, used, at, kind, given in uses),
    )


def _scopes(captures: Captures, symbols: Sequence[PlacedSymbol], *, size: int) -> ScopeTree:
    """Return what definitions open, and what the query says opens something of a kind."""
    return build_scopes(
        ((one.start, one.end, one.symbol) for one in symbols),
        [
            (one.start_byte, one.end_byte, kind)
            for capture, kind in _OPENING
            for one in captures.caught(capture)
        ],
        size=size,
    )


def _bound_imports(captures: Captures, scopes: ScopeTree, language: Language) -> Iterator[Import]:
    """Yield imports, after binding what those inside of functions bring."""
    number = 0
    for match in captures.having("import"):
        for node in match.get("import", ()):
            scope = scopes.at(node.start_byte)
            top = scope.binding_scope().kind != "function"
            for one in _imported(captures, match, language, node, top=top):
                if not top:
                    scope.bind(
                        one.local, node.start_byte, BindingSource("import", import_index=number)
                    )
                number += 1
                yield one


def _imported(
    captures: Captures, match: Match, language: Language, node: Node, *, top: bool
) -> Iterator[Import]:
    said = {part: text.strip(_QUOTES) for part, text in captures.said(match, _SAID).items()}
    if "all" in match or "package" in match:
        said["imported"] = "*" if "all" in match else PACKAGE_CLAUSE
    for module, name, local in language.imports(said):
        yield Import(
            module,
            name,
            local,
            line=node.start_point[0] + 1,
            at=match.get("imported", [node])[0].start_point[0] + 1,  # in a list of many
            top=top,
            exported="exported" in match,
        )


def _bind(captures: Captures, scopes: ScopeTree) -> None:
    """Note what each name is bound to, first patterns first."""
    seen: set[tuple[int, int]] = set()
    for match in captures.having(*(capture for capture, _ in _BINDING)):
        for capture, how in _BINDING:
            for node in match.get(capture, ()):
                where = match.get("in", [node])[0]
                if (node.id, where.id) in seen:
                    continue
                seen.add((node.id, where.id))
                if capture != "named":
                    held = BindingSource(how) if how else captures.held(match)
                    at = held.node.end_byte if held.node else node.start_byte
                    scopes.at(where.start_byte).bind(captures.text(node), at, held)
    for node in captures.caught("outer"):
        scopes.at(node.start_byte).binding_scope().bindings.pop(captures.text(node), None)
    bind_parameters(captures.bound("parameter"), scopes, captures.text)
    bind_assigned(captures.bound("set"), scopes, captures.text)
    bind_nameless(captures.bound("nameless"), scopes)


def _uses(
    reading: FileReading, number: dict[int, int]
) -> Iterator[tuple[int, int, int, UseKind, int]]:
    """Yield line, expression, symbol, kind and arguments of every name that refers to something.

    `number` counts symbols by their identity.
    """
    kinds = _kinds(reading.captures)
    given = _given(reading.captures)
    scope_at, reference = reading.scopes.at, reading.expressions.build_reference
    for shape in reading.expressions.reference_nodes():
        kind = kinds.get(shape.node.id, UseKind.REFERENCE)
        used = reference(shape, called=kind is UseKind.CALL)
        if used:
            symbol = scope_at(shape.name.start_byte).enclosing_symbol()
            source = number[id(symbol)] if symbol else -1
            count = given.get(shape.node.id, -1)
            yield shape.name.start_point[0] + 1, used, source, kind, count


def _given(captures: Captures) -> dict[int, int]:
    """Return how many arguments calls give, by what is called."""
    return {
        operand.id: sum(map(_count, match["arguments"]))
        for match in captures.having("arguments")
        for operand in match.get("of", ())
        if "arguments" in match
    }


def _count(arguments: Node) -> int:
    """Count arguments, those in a list of their own and the block behind it."""
    lists = [one for one in arguments.named_children if one.type == "value_arguments"]
    inside = [one for each in lists for one in each.named_children]
    beside = [one for one in arguments.named_children if one not in lists]
    return sum(not _NO_ARGUMENT.search(one.type) for one in (*inside, *beside))


def _kinds(captures: Captures) -> dict[int, UseKind]:
    kinds: dict[int, UseKind] = {}
    for match in captures.having("call"):
        kinds.update((operand.id, UseKind.CALL) for operand in match.get("of", ()))
    for capture in ("base", "extended"):
        kinds.update((node.id, UseKind.BASE) for node in captures.caught(capture))
    return kinds
