"""Where a type flows: the functions that give it and those that take it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.signature import SignatureTypes, signature_types
from codeindex.errors import QueryError
from codeindex.store.catalog.files import stored_text
from codeindex.store.graph.type_mentions import TypeMention, type_mentions, type_references
from codeindex.store.symbols.declarations import similar_names
from codeindex.types import OWNER_KINDS, Certainty, SymbolKind

if TYPE_CHECKING:
    import sqlite3

_CUT = 300
"""Characters after which a signature is cut: the rest has to be read."""
_FIELD_KINDS = frozenset({SymbolKind.FIELD, SymbolKind.PROPERTY})

_SHOWN = 120
"""Characters of a signature in text for people."""
TypeRole = Literal["producer", "consumer", "field"]


@dataclass(frozen=True, slots=True)
class TypeUse:
    """One function, or field, at one end; ambiguous where only the name of the type is known."""

    file: str
    name: str
    kind: str
    signature: str
    line: int
    role: TypeRole
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class TypeFlow:
    """The ends of a type's ways; the counts are those before the limit."""

    type_name: str
    definitions: tuple[str, ...]
    producers_count: int
    consumers_count: int
    producers: tuple[TypeUse, ...]
    consumers: tuple[TypeUse, ...]

    @property
    def paths(self) -> set[str]:
        return {one.file for one in (*self.producers, *self.consumers)}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        header = ("role", "file", "line", "kind", "name", "certainty", "signature")
        rows = [
            (one.role, one.file, str(one.line), one.kind, one.name, one.certainty, one.signature)
            for one in (*self.producers, *self.consumers)
        ]
        return header, rows

    def text(self) -> Iterator[str]:
        yield (
            f"{self.type_name}: given by {self.producers_count}, taken by {self.consumers_count}"
        )
        for one in (*self.producers, *self.consumers):
            doubt = "" if one.certainty == "resolved" else "  (by name only)"
            yield f"{one.role}  {one.file}:{one.line}: {one.signature[:_SHOWN]}{doubt}"


def find_type_flow(
    connection: sqlite3.Connection, type_name: str, *, path: str, include_fields: bool, limit: int
) -> TypeFlow:
    """Return what gives and takes a type, of this repository or not; QueryError for no use at all.

    A function that names a type of this name but means another one is left out.
    """
    name = type_name.strip().replace("::", ".").rpartition(".")[2]
    if not re.fullmatch(r"\w+", name):
        raise QueryError(f"{type_name!r} is no name of a type: say it like `Cart`.")
    within = {one.path for one in select_files(connection, path)}
    links = type_references(connection, name, kinds=OWNER_KINDS)
    found = [
        flow
        for one in type_mentions(connection, name, also=links.sources)
        if one.path in within and not links.means_another(one.id)
        for flow in _flows(connection, one, name, sure=links.is_sure(one.id))
        if include_fields or flow.role != "field"
    ]
    if not found and not links.definitions:
        near = similar_names(connection, name)
        hint = f": did you mean {' or '.join(near)}?" if near else "."
        raise QueryError(f"No signature names a type {type_name!r}{hint}")
    producers = _ordered(one for one in found if one.role == "producer")
    consumers = _ordered(one for one in found if one.role != "producer")
    return TypeFlow(
        type_name=type_name,
        definitions=links.definitions,
        producers_count=len(producers),
        consumers_count=len(consumers),
        producers=tuple(producers[:limit]),
        consumers=tuple(consumers[:limit]),
    )


def _flows(
    connection: sqlite3.Connection, one: TypeMention, name: str, *, sure: bool
) -> Iterator[TypeUse]:
    said = re.compile(rf"(?<!\w){name}(?!\w)")
    for role in _roles(connection, one, said):
        yield TypeUse(
            file=one.path,
            name=one.qualified,
            kind=one.kind,
            signature=one.signature,
            line=one.line,
            role=role,
            certainty="resolved" if sure else "ambiguous",
        )


def _roles(
    connection: sqlite3.Connection, one: TypeMention, said: re.Pattern[str]
) -> Iterator[TypeRole]:
    if one.kind in _FIELD_KINDS and not one.cyclomatic:
        rest = said.search(one.signature)
        if rest and rest.group() != one.name:
            yield "field"
        return
    head = _head(connection, one)
    if said.search(head.gives):
        yield "producer"
    if said.search(head.takes):
        yield "consumer"


def _head(connection: sqlite3.Connection, one: TypeMention) -> SignatureTypes:
    if len(one.signature) < _CUT:
        return signature_types(one.signature, one.name, one.language)
    lines = stored_text(connection, one.path).split("\n")[one.line - 1 : one.end_line]
    return signature_types(" ".join(line.strip() for line in lines), one.name, one.language)


def _ordered(flows: Iterable[TypeUse]) -> list[TypeUse]:
    return sorted(flows, key=lambda one: (one.certainty != "resolved", one.file, one.line))
