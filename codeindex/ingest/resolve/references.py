"""Edges of one file: what its uses and its imports refer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codeindex.ingest.locate import CONDITIONAL, ELSEWHERE
from codeindex.ingest.resolve.evaluate import evaluated
from codeindex.ingest.resolve.names import taken_from
from codeindex.ingest.resolve.session import Session
from codeindex.ingest.resolve.values import Expressed, Module, Outside, Value, View
from codeindex.types import Certainty, Definition, Import, Relations, Use, UseKind

_ALL = {"", "*"}
"""What an import may name that is no name in the module."""


class Reference(NamedTuple):
    """One edge: what a use in a line refers to; a name only where nothing is known of it."""

    kind: str
    certainty: Certainty
    symbol: int
    """Which of the file's symbols uses it, -1 for none."""
    line: int
    target_file: str = ""
    target_symbol: int = 0
    target_name: str = ""
    module: str = ""
    """What is imported, as it is written."""


def references(view: View, path: str, relations: Relations) -> tuple[list[Reference], Session]:
    """Resolve a file; the session says what the outcome depends on."""
    session = Session(view, path, relations.used, evaluated)
    found = [
        edge
        for use in relations.uses
        for edge in _edges(session, use, session.values(Expressed(path, "used", use.expression)))
    ]
    for one in relations.imports:
        if one.module:
            found += _import_edges(session, one)
    return found, session


def _import_edges(session: Session, one: Import) -> Iterator[Reference]:
    """Yield an edge to each module that is imported, and to what is taken from it."""
    place = session.locate(session.path, one.module)
    if place is None:
        if "*" not in one.module:
            name = one.module if one.name in _ALL else f"{one.module}.{one.name}"
            yield Reference("imports", "resolved", -1, one.line, target_name=name)
        return
    use = Use(-1, 0, one.at, UseKind.REFERENCE)
    taken = one.name not in _ALL or place.symbol
    values = taken_from(session, place, one.name.strip("*")) if taken else ()
    edges = list(_edges(session, use, values))
    files = dict.fromkeys(edge.target_file for edge in edges) if place.symbol else place.files
    for file in files:
        if file and file != session.path:
            yield Reference("imports", "resolved", -1, one.line, file, module=one.module)
    for edge in edges:
        if edge.target_file:  # what is only passed on here is another package's to import
            yield edge._replace(kind="imports", module=one.module)


def _edges(session: Session, use: Use, values: Sequence[Value]) -> Iterator[Reference]:
    """Yield an edge to each thing that may be meant, or to a name that may be anybody's."""
    found = (_in_full(session, one) for one in values if isinstance(one, Definition))
    targets = dict.fromkeys(same for one in found for same in _variants(session, one))
    certainty: Certainty = "resolved" if len(targets) == 1 else "ambiguous"
    for target in targets:
        yield Reference(
            use.kind,
            certainty,
            use.symbol,
            use.line,
            target.file,
            target.id,
            target.qualified,
        )
    for value in values:
        if isinstance(value, Module) and len(value.place.files) == 1:
            file = value.place.files[0]
            yield Reference(UseKind.REFERENCE, "resolved", use.symbol, use.line, file)
        elif isinstance(value, Outside):
            yield Reference(use.kind, "resolved", use.symbol, use.line, target_name=value.name)
    if not values:
        yield from _possible(session, use)


def _possible(session: Session, use: Use) -> Iterator[Reference]:
    """Yield a call of a member of something of which nothing is known, or a base from nowhere."""
    expression = session.expression(Expressed(session.path, "used", use.expression))
    operation, bare = expression[0], str(expression[-1]).removesuffix("()")
    if operation == "member" and use.kind is UseKind.CALL:
        yield Reference(use.kind, "ambiguous", use.symbol, use.line, target_name=bare)
    if operation == "name" and use.kind is UseKind.BASE:  # the language's own: `Exception`
        yield Reference(use.kind, "resolved", use.symbol, use.line, target_name=bare)


def _in_full(session: Session, one: Definition) -> Definition:
    """Return the definition of what is only declared, where just one can be meant."""
    declared = session.declared(one.file)
    if declared is None or not declared.is_forward(one.qualified):
        return one
    place = session.locate(one.file, ELSEWHERE)
    found: list[Definition] = []
    for path in place.files if place else ():
        other = session.declared(path)
        same = other.symbols.get(one.qualified, ()) if other else ()
        if other and (len(same) > 1 or not other.is_forward(one.qualified)):
            found += same[-1:]
    return found[0] if len(found) == 1 else declared.symbols[one.qualified][-1]


def _variants(session: Session, one: Definition) -> Iterator[Definition]:
    """Yield a definition and what stands for it elsewhere in its package, in other builds."""
    yield one
    declared = session.declared(one.file)
    if declared and declared.language in CONDITIONAL:
        yield from (same for same in declared.symbols[one.qualified] if same.kind == one.kind)
        for path in session.beside(one.file) if one.file != session.path else ():
            other = session.declared(path)
            yield from other.symbols.get(one.qualified, ())[:1] if other else ()
