"""Turn definitions, found one by one, into symbols with their lines, docs and owners."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from codeindex.ingest.parse.comments import comment_summary
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Symbol, SymbolKind

_SEPARATORS = re.compile(r"::|\\")
_STORED = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})
_MEMBERS = frozenset({SymbolKind.PROPERTY, SymbolKind.FIELD})
_OWNERS = OWNER_KINDS | {SymbolKind.ENUM_MEMBER}


class NestedDefinition(NamedTuple):
    """A definition as a query saw it; `start`, `end` and `body` are bytes, `rows` its lines.

    `body` is -1 where there is none.
    """

    name: str
    scope: str
    kind: SymbolKind
    line: int
    start: int
    end: int
    body: int
    rows: tuple[int, int]
    signature: str
    doc: str
    clause: bool


class NodeExtent(NamedTuple):
    """Where a node starts and ends, in bytes and in 1-based rows."""

    start: int
    end: int
    first: int
    last: int


class PlacedSymbol(NamedTuple):
    """A symbol with the bytes of its definition, and where its body starts, -1 without one."""

    start: int
    end: int
    symbol: Symbol
    body: int = -1


class LeadingComment(NamedTuple):
    """A comment or attribute that has its lines to itself, by its first row."""

    first: int
    comment: str


def build_symbols(
    found: Iterable[NestedDefinition],
    *,
    wrappers: Iterable[NodeExtent],
    above: Mapping[int, LeadingComment],
) -> list[PlacedSymbol]:
    """Return the symbols in order; `above` holds what may stand over one, by its last row."""
    ordered = sorted(found, key=lambda f: (f.start, -f.end, f.line, f.name))
    return list(_nested(_joined(_documented(_widened(ordered, sorted(wrappers)), above))))


def _widened(
    found: list[NestedDefinition], wrappers: Sequence[NodeExtent]
) -> list[NestedDefinition]:
    """Give each wrapper's lines to the first definition inside it."""
    starts = [one.start for one in found]
    for wrapper in reversed(wrappers):
        at = bisect_left(starts, wrapper.start)
        if at == len(found) or found[at].start >= wrapper.end:
            continue
        first, last = found[at].rows
        if found[at].end + 2 >= wrapper.end:
            last = max(last, wrapper.last)
        found[at] = found[at]._replace(rows=(min(first, wrapper.first), last))
    return found


def _documented(
    found: Iterable[NestedDefinition], above: Mapping[int, LeadingComment]
) -> list[NestedDefinition]:
    """Put the comments right above a definition into its lines and, failing better, its doc.

    A member that starts on its owner's line, as a record's do, leaves the comments to the owner.
    """
    out = []
    first_on: dict[int, NestedDefinition] = {}
    for one in found:
        outer = first_on.setdefault(one.rows[0], one)
        if outer.start < one.start and one.end <= outer.end:
            out.append(one)
            continue
        first, comments = one.rows[0], []
        while first - 1 in above:
            first, comment = above[first - 1]
            comments.append(comment)
        doc = one.doc or comment_summary("\n".join(reversed(comments)))
        out.append(one._replace(rows=(first, one.rows[1]), doc=doc))
    return out


def _joined(found: Iterable[NestedDefinition]) -> list[NestedDefinition]:
    """Make one definition of clauses of one name that follow each other without a comment."""
    out: list[NestedDefinition] = []
    heads: dict[str, int] = {}
    for one in found:
        at = heads.get(one.name, -1)
        bare = one.clause and at >= 0 and one.rows[0] == one.line
        if bare and out[-1].end <= out[at].end <= one.start:
            first = out[at]
            body = first.body if first.body >= 0 else one.body
            rows = (first.rows[0], one.rows[1])
            out[at] = first._replace(end=one.end, body=body, rows=rows)
            continue
        if one.clause:
            heads[one.name] = len(out)
        out.append(one)
    return out


def _nested(found: Sequence[NestedDefinition]) -> Iterable[PlacedSymbol]:
    """Turn nesting into qualified names; a function whose owner is a type is a method."""
    owners: list[tuple[NestedDefinition, Symbol]] = []
    fields: set[str] = set()
    for one in found:
        while owners and not _owns(owners[-1][0], one):
            owners.pop()
        owner = _owner(one.kind, [symbol for _, symbol in owners])
        if one.kind in _STORED and owner and owner.kind in CALLABLE_KINDS:
            continue
        symbol = _symbol(one, owner)
        if symbol.kind is SymbolKind.FIELD:
            if symbol.qualified in fields:
                continue  # set once more
            fields.add(symbol.qualified)
        yield PlacedSymbol(one.start, one.end, symbol, one.body)
        owners.append((one, symbol))


def _owns(outer: NestedDefinition, inner: NestedDefinition) -> bool:
    """Tell whether one is inside the other; the names of `int a, b;` have one span and are not."""
    return inner.end <= outer.end and (inner.start, inner.end) != (outer.start, outer.end)


def _owner(kind: SymbolKind, around: Sequence[Symbol]) -> Symbol | None:
    """Return the innermost owner; what a method sets is its type's.

    A property in a function outside of any type is of an object without a name.
    """
    skipped = CALLABLE_KINDS | {SymbolKind.PROPERTY} if kind in _MEMBERS else frozenset()
    owners = [one for one in around if one.kind not in skipped]
    if not owners and kind is SymbolKind.PROPERTY:
        owners = list(around)
    return owners[-1] if owners else None


def _symbol(one: NestedDefinition, owner: Symbol | None) -> Symbol:
    prefix = [owner.qualified] if owner else []
    if one.scope and not (owner and owner.qualified.endswith(one.scope)):
        prefix.append(one.scope)
    kind = one.kind
    if kind is SymbolKind.FUNCTION and (one.scope or (owner and owner.kind in _OWNERS)):
        kind = SymbolKind.METHOD
    return Symbol(
        name=one.name,
        qualified=".".join([*prefix, _SEPARATORS.sub(".", one.name)]),
        kind=kind,
        line=one.line,
        start_line=one.rows[0],
        end_line=one.rows[1],
        signature=one.signature,
        doc=one.doc,
    )
