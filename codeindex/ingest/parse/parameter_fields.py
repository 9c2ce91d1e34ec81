"""Find fields whose type is a type parameter, and the arguments that extensions give for it.

With `struct Take<T> { inner: T }` and `impl<B: Buf> Take<B>`, `self.inner` is a `Buf` in the
`impl`: the bounds of the extension count.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from codeindex.graph.expression_nodes import ParameterFields
from codeindex.graph.scopes import Scope, ScopeTree
from codeindex.ingest.parse.bindings import bound_fields, positional_fields
from codeindex.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeindex.ingest.parse.captures import Captures

_ARGUMENT = "owner_argument"
_REFERENCE = r"(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)*"


def find_parameter_fields(
    captures: Captures, scopes: ScopeTree, language: Language
) -> ParameterFields:
    """Return the fields of a file whose type is a type parameter of their owner.

    Return no fields if the file extends no type with arguments, as only such a file needs them.
    """
    arguments: defaultdict[int, list[Node]] = defaultdict(list)
    for node in captures.nodes(_ARGUMENT):
        arguments[scopes.at(node.start_byte).start].append(node)
    if not arguments:
        return ParameterFields({}, {})
    for nodes in arguments.values():
        nodes.sort(key=lambda node: node.start_byte)
    positions = dict(_positions(captures, scopes, language))
    return ParameterFields(positions, dict(arguments))


def _positions(
    captures: Captures, scopes: ScopeTree, language: Language
) -> Iterator[tuple[str, int]]:
    """Yield (qualified name, index of the type parameter) of each field in `ParameterFields`.

    The type of such a field is a type parameter of its owner, like `T` in `struct Box<T> { value: T
    }`.
    """
    parameters = _parameters(captures, scopes)
    wrapped = "|".join(map(re.escape, language.transparent))
    pattern = re.compile(
        rf"{_REFERENCE}(?:(?:{wrapped})<{_REFERENCE}(?P<inner>\w+)>|(?P<bare>\w+))"
    )
    fields = bound_fields(captures.bound_nodes("field"), scopes, captures.text)
    positional = positional_fields(captures.nodes("tuple"), scopes)
    for name, source, scope in (*fields, *positional):
        owner = _owner(scope, parameters) if source.kind == "type" and source.node else None
        match = pattern.fullmatch(captures.text(source.node)) if owner and source.node else None
        parameter = match["inner"] or match["bare"] if match else ""
        if owner and parameter in parameters[owner.start]:
            yield name, parameters[owner.start].index(parameter)


def _parameters(captures: Captures, scopes: ScopeTree) -> dict[int, list[str]]:
    """Return {start offset of a scope: names of its type parameters}."""
    nodes: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for node in captures.nodes("parameter"):
        nodes[scopes.at(node.start_byte).start][node.start_byte] = captures.text(node)
    return {start: [names[at] for at in sorted(names)] for start, names in nodes.items()}


def _owner(scope: Scope, parameters: dict[int, list[str]]) -> Scope | None:
    """Return the innermost type around a field; None if that type has no type parameters.

    The keys of `parameters` are the start offsets of types that have some.
    """
    around: Scope | None = scope
    while around is not None and around.kind != "type":
        around = around.parent
    return around if around is not None and around.start in parameters else None
