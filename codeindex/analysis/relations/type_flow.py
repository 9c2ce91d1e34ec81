"""Find the functions that return a type and the functions that take it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.signature import SignatureTypes, signature_types
from codeindex.errors import QueryError
from codeindex.store.catalog.files import stored_text
from codeindex.store.graph.type_mentions import type_mentions, type_references
from codeindex.store.symbols.declarations import similar_names
from codeindex.types import OWNER_KINDS, Certainty, Node, SymbolKind
from codeindex.types.report import DataReport, Table, plural

_STORED_SIGNATURE_LENGTH = 300
"""Stored signatures are cut at this length; the source of a longer one is read."""
_FIELD_KINDS = frozenset({SymbolKind.FIELD, SymbolKind.PROPERTY})

_SHOWN_CHARACTERS = 120
"""Most characters of a signature in printed text."""
TypeRole = Literal["producer", "consumer", "field"]


@dataclass(frozen=True, slots=True)
class TypeUse:
    """A function or field that uses a type; its certainty is ambiguous if only the name matches."""

    file: str
    name: str
    kind: str
    signature: str
    line: int
    role: TypeRole
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class TypeFlow(DataReport):
    """Functions that return a type (producers) or take it (consumers).

    The counts are from before the limit was applied.
    """

    type_name: str
    definitions: tuple[str, ...]
    producers_count: int
    consumers_count: int
    producers: tuple[TypeUse, ...]
    consumers: tuple[TypeUse, ...]

    def columns(self) -> Table:
        header = ("role", "file", "line", "kind", "name", "certainty", "signature")
        rows = [
            (use.role, use.file, str(use.line), use.kind, use.name, use.certainty, use.signature)
            for use in (*self.producers, *self.consumers)
        ]
        return header, rows

    def text(self) -> Iterator[str]:
        yield (
            f"{self.type_name}: returned by {plural(self.producers_count, 'signature')},"
            f" taken by {self.consumers_count}; calls that create one are among its callers"
        )
        for use in (*self.producers, *self.consumers):
            doubt = "" if use.certainty == "resolved" else "  (by name only)"
            yield f"{use.role}  {use.file}:{use.line}: {use.signature[:_SHOWN_CHARACTERS]}{doubt}"


def find_type_flow(
    connection: sqlite3.Connection,
    type_name: str,
    *,
    inside: ListingFilter = NO_FILTER,
    include_fields: bool,
    limit: int,
) -> TypeFlow:
    """Return the producers and consumers of a type, which may be external.

    A function is left out if the name in its signature resolves to another type. Raise QueryError
    if no signature names the type.
    """
    name = type_name.strip().replace("::", ".").rpartition(".")[2]
    if not re.fullmatch(r"\w+", name):
        raise QueryError(f"{type_name!r} is not a type name: write it like `Cart`.")
    links = type_references(connection, name, kinds=OWNER_KINDS)
    uses = [
        flow
        for mention in type_mentions(connection, name, also=links.sources)
        if inside.holds(mention.path, is_test=False) and not links.means_another(mention.id)
        for flow in _type_uses(connection, mention, name, sure=links.is_sure(mention.id))
        if include_fields or flow.role != "field"
    ]
    if not uses and not links.definitions:
        near = similar_names(connection, name)
        hint = f": did you mean {' or '.join(near)}?" if near else "."
        raise QueryError(f"No signature names a type {type_name!r}{hint}")
    producers = _sort_uses(use for use in uses if use.role == "producer")
    consumers = _sort_uses(use for use in uses if use.role != "producer")
    return TypeFlow(
        type_name=type_name,
        definitions=links.definitions,
        producers_count=len(producers),
        consumers_count=len(consumers),
        producers=tuple(producers[:limit]),
        consumers=tuple(consumers[:limit]),
    )


def _type_uses(
    connection: sqlite3.Connection, mention: Node, name: str, *, sure: bool
) -> Iterator[TypeUse]:
    type_name = re.compile(rf"(?<!\w){name}(?!\w)")
    for role in _find_roles(connection, mention, type_name):
        yield TypeUse(
            file=mention.path,
            name=mention.qualified,
            kind=mention.kind,
            signature=mention.signature,
            line=mention.line,
            role=role,
            certainty="resolved" if sure else "ambiguous",
        )


def _find_roles(
    connection: sqlite3.Connection, mention: Node, type_name: re.Pattern[str]
) -> Iterator[TypeRole]:
    if mention.kind in _FIELD_KINDS and not mention.has_body:
        rest = type_name.search(mention.signature)
        if rest and rest.group() != mention.name:
            yield "field"
        return
    head = _read_signature_types(connection, mention)
    if type_name.search(head.gives):
        yield "producer"
    if type_name.search(head.takes):
        yield "consumer"


def _read_signature_types(connection: sqlite3.Connection, mention: Node) -> SignatureTypes:
    if len(mention.signature) < _STORED_SIGNATURE_LENGTH:
        return signature_types(mention.signature, mention.name, mention.language)
    lines = stored_text(connection, mention.path).split("\n")[mention.line - 1 : mention.end_line]
    return signature_types(" ".join(line.strip() for line in lines), mention.name, mention.language)


def _sort_uses(flows: Iterable[TypeUse]) -> list[TypeUse]:
    return sorted(flows, key=lambda use: (use.certainty != "resolved", use.file, use.line))
