"""What an expression sets out from: a type around, a path's first name, a function that extends."""

from __future__ import annotations

from collections.abc import Sequence

from codeindex.ingest.locate import EXTENDING
from codeindex.ingest.resolve.names import at_top
from codeindex.ingest.resolve.session import Session
from codeindex.ingest.resolve.values import Declared, Module, Outside, Value
from codeindex.types import Definition, SymbolKind


def types_called(session: Session, declared: Declared, name: str) -> Sequence[Definition]:
    """Return the type around some code, which may stand outside of it: C++ `void A::b() {}`."""
    own = [one for one in declared.symbols.get(name, ()) if one.kind is not SymbolKind.IMPL]
    elsewhere = () if own else at_top(session, declared, name)
    return (own or [one for one in elsewhere if isinstance(one, Definition)])[:1]


def leading(session: Session, declared: Declared, name: str) -> Sequence[Value]:
    """Return what begins a path: a name of the file, else a module or something outside."""
    found = at_top(session, declared, name)
    place = None if found else session.locate(declared.path, name)
    return found or ((Module(place),) if place else (Outside(name),))


def extension(session: Session, declared: Declared, name: str) -> Sequence[Value]:
    """Return a function outside of a type that is called as a member: a file's own, or imported."""
    bare = name.removesuffix("()")
    known = bare in declared.locals or bare in declared.values
    meant = at_top(session, declared, name) if known and declared.language in EXTENDING else ()
    return [one for one in meant if isinstance(one, Definition) and _is_extension(session, one)]


def _is_extension(session: Session, one: Definition) -> bool:
    """Tell whether a member is seen around the type that it is a member of."""
    owner, _, bare = one.qualified.rpartition(".")
    around, dot, _ = owner.rpartition(".")
    declared = session.declared(one.file)
    return bool(owner and declared and f"{around}{dot}{bare}" in declared.values)
