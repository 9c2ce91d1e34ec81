"""The operations of `ingest.expressions`, each on what its operands may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from codeindex.graph.naming import PATH
from codeindex.graph.resolve.members import defined as definition
from codeindex.graph.resolve.members import (
    elements,
    entered,
    instances,
    member_of_type,
    passed_on,
    result,
)
from codeindex.graph.resolve.names import (
    at_top,
    imported,
    member,
    within,
)
from codeindex.graph.resolve.receivers import extension, leading, note_extensions, types_called
from codeindex.graph.resolve.session import Session
from codeindex.graph.resolve.values import (
    Declared,
    Expressed,
    Instance,
    Value,
)
from codeindex.types import CALLABLE_KINDS, CONTAINER_KINDS, Definition, Expression

Operation = Callable[..., Iterable[Value]]
"""Called with the session, the file, the place of the expression, and the operands."""


def evaluated(
    session: Session, declared: Declared, place: Expressed, expression: Expression
) -> Iterable[Value]:
    """Return what an expression may be; an operation that is not known says nothing."""
    operation, *operands = expression
    perform = _OPERATIONS.get(str(operation))
    return perform(session, declared, place, *operands) if perform else ()


def _of(session: Session, place: Expressed, operand: Any) -> tuple[Value, ...]:
    return session.values(Expressed(place.file, place.table, int(operand)))


def _name(session: Session, declared: Declared, _: Expressed, name: str) -> Sequence[Value]:
    if name.endswith(PATH):
        return leading(session, declared, name.removesuffix(PATH))
    return at_top(session, declared, name)


def _define(session: Session, declared: Declared, _: Expressed, name: str) -> Sequence[Value]:
    return definition(session, declared, name)


def _import(session: Session, declared: Declared, _: Expressed, number: int) -> Sequence[Value]:
    return imported(session, declared, declared.imports[number])


def _self(session: Session, declared: Declared, _: Expressed, name: str) -> Sequence[Value]:
    return [Instance(one) for one in types_called(session, declared, name) or (None,)]


def _super(session: Session, declared: Declared, _: Expressed, name: str) -> Sequence[Value]:
    return [Instance(one, above=True) for one in types_called(session, declared, name)]


def _own(
    session: Session,
    declared: Declared,
    place: Expressed,
    owner: str | int,
    fallback: int,
    name: str,
) -> Sequence[Value]:
    """Return a member of the type around, named or expressed, else what the name means outside."""
    if isinstance(owner, int):
        around = [one.of for one in _of(session, place, owner) if isinstance(one, Instance)]
        found = [v for one in around if one for v in member_of_type(session, one, name)]
    else:
        types = types_called(session, declared, owner)
        found = [v for one in types for v in within(session, declared, one, name)]
    return found or _of(session, place, fallback)


def _member(
    session: Session, declared: Declared, place: Expressed, base: int, name: str
) -> Iterator[Value]:
    found: list[Value] = []
    for value in _of(session, place, base):
        if isinstance(value, Definition) and value.kind in CONTAINER_KINDS:
            found += within(session, declared, value, name)
        else:
            found += member(session, value, name)
    note_extensions(session, declared, name, found)
    yield from found or extension(session, declared, name, _of(session, place, base))


def _call(session: Session, _: Declared, place: Expressed, function: int) -> Iterator[Value]:
    results = [v for value in _of(session, place, function) for v in result(session, value)]
    for one in results or passed_on(session, place, function):
        returned = isinstance(one, Definition) and one.kind in CALLABLE_KINDS
        # A function that is returned is a value, not a name of the function.
        yield Instance(one) if returned and isinstance(one, Definition) else one


def _item(session: Session, _: Declared, place: Expressed, base: int) -> Iterator[Value]:
    for value in _of(session, place, base):
        yield from elements(session, value)


def _enter(session: Session, _: Declared, place: Expressed, base: int) -> Iterator[Value]:
    for value in _of(session, place, base):
        yield from entered(session, value)


def _instance(session: Session, _: Declared, place: Expressed, base: int) -> Iterator[Value]:
    for value in _of(session, place, base):
        yield from instances(session, value)


def _holding(
    session: Session, _: Declared, place: Expressed, base: int, inner: int
) -> Iterator[Value]:
    types = [one for value in _of(session, place, base) for one in instances(session, value)]
    first = next((one.of for one in types if isinstance(one, Instance)), None)
    yield Instance(first, place._replace(number=inner))


def _either(session: Session, _: Declared, place: Expressed, *choices: int) -> Iterator[Value]:
    for one in choices:
        yield from _of(session, place, one)


_OPERATIONS: dict[str, Operation] = {
    "name": _name,
    "define": _define,
    "import": _import,
    "self": _self,
    "super": _super,
    "own": _own,
    "member": _member,
    "call": _call,
    "item": _item,
    "enter": _enter,
    "instance": _instance,
    "holding": _holding,
    "either": _either,
}
