"""Turn captured definitions into symbols with lines, documentation, owners and kinds."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from codeindex.ingest.parse.comments import comment_summary
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Symbol, SymbolKind

_SEPARATORS = re.compile(r"::|\\")
_VARIABLES = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})
_MEMBERS = frozenset({SymbolKind.PROPERTY, SymbolKind.FIELD})
_OWNERS = OWNER_KINDS | {SymbolKind.ENUM_MEMBER}


class CapturedDefinition(NamedTuple):
    """A definition as the query for symbols captured it.

    `start`, `end` and `body` are byte offsets; `body` is -1 without a body. `rows` are the first
    and last line of the definition, `line` is the line of its name. `variant` is the number of the
    variant of the file that has the definition: variants select different branches of `#if`. For
    `spelling` see `Language.other_spelling`. `parameters` is the number of parameters of a clause,
    -1 if it does not identify a function.
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
    parameters: int = -1
    variant: int = 0
    spelling: str = ""


class NodeExtent(NamedTuple):
    """The extent of a syntax node: byte offsets and 1-based rows."""

    start: int
    end: int
    first: int
    last: int


class PlacedSymbol(NamedTuple):
    """A symbol and the byte offsets of its definition and body; `body` is -1 without a body.

    For `spelling` see `Language.other_spelling`.
    """

    start: int
    end: int
    symbol: Symbol
    body: int = -1
    spelling: str = ""


class LeadingComment(NamedTuple):
    """A comment or attribute on lines of its own, and the first of these lines."""

    first: int
    comment: str


def build_symbols(
    definitions: Iterable[CapturedDefinition],
    *,
    wrappers: Iterable[NodeExtent],
    above: Mapping[int, LeadingComment],
    unnamed: Iterable[NodeExtent],
) -> list[PlacedSymbol]:
    """Convert captured definitions to symbols, in the order of the source.

    `wrappers` are nodes around a definition that belong to it, such as decorators. `above` maps the
    last row of each comment or attribute on lines of its own to that comment. `unnamed` are the
    classes without a name.
    """
    ordered = sorted(
        definitions,
        key=lambda definition: (
            definition.start,
            -definition.end,
            definition.line,
            definition.name,
        ),
    )
    widened = _add_wrapper_rows(ordered, sorted(wrappers))
    return list(_nest(_merge_clauses(_add_comments(widened, above)), sorted(unnamed)))


def _add_wrapper_rows(
    definitions: list[CapturedDefinition], wrappers: Sequence[NodeExtent]
) -> list[CapturedDefinition]:
    """Extend the rows of the first definition in each wrapper to the rows of the wrapper."""
    starts = [definition.start for definition in definitions]
    for wrapper in reversed(wrappers):
        index = bisect_left(starts, wrapper.start)
        if index == len(definitions) or definitions[index].start >= wrapper.end:
            continue
        first, last = definitions[index].rows
        if definitions[index].end + 2 >= wrapper.end:  # at most 2 bytes follow, like `;`
            last = max(last, wrapper.last)
        rows = (min(first, wrapper.first), last)
        definitions[index] = definitions[index]._replace(rows=rows)
    return definitions


def _add_comments(
    definitions: Iterable[CapturedDefinition], above: Mapping[int, LeadingComment]
) -> list[CapturedDefinition]:
    """Add the comments right above each definition to its rows, and use them as documentation.

    `above` maps the last row of a comment to the comment. A docstring takes precedence over the
    comments. A member that starts on its owner's line, like the field of a record, leaves the
    comments to the owner.
    """
    documented = []
    first_on_row: dict[int, CapturedDefinition] = {}
    for definition in definitions:
        outer = first_on_row.setdefault(definition.rows[0], definition)
        if outer.start < definition.start and definition.end <= outer.end:
            documented.append(definition)
            continue
        first, comments = definition.rows[0], []
        while first - 1 in above:
            first, comment = above[first - 1]
            comments.append(comment.rstrip())  # a doc comment of Rust includes its line break
        doc = definition.doc or comment_summary("\n".join(reversed(comments)))
        documented.append(definition._replace(rows=(first, definition.rows[1]), doc=doc))
    return documented


def _merge_clauses(definitions: Iterable[CapturedDefinition]) -> list[CapturedDefinition]:
    """Merge consecutive clauses of one function into one definition.

    Clauses belong together if they have the same name and number of parameters. If the number is
    unknown, clauses with a comment between them are not merged.
    """
    merged: list[CapturedDefinition] = []
    first_clause: dict[tuple[str, int], int] = {}
    for definition in definitions:
        function = definition.name, definition.parameters
        index = first_clause.get(function, -1)
        is_same = definition.parameters >= 0 or definition.rows[0] == definition.line
        continues = definition.clause and index >= 0 and is_same
        if continues and merged[-1].end <= merged[index].end <= definition.start:
            first = merged[index]
            body = first.body if first.body >= 0 else definition.body
            rows = (first.rows[0], definition.rows[1])
            merged[index] = first._replace(end=definition.end, body=body, rows=rows)
            continue
        if definition.clause:
            first_clause[function] = len(merged)
        merged.append(definition)
    return merged


def _nest(
    definitions: Sequence[CapturedDefinition], unnamed: Sequence[NodeExtent]
) -> Iterable[PlacedSymbol]:
    """Yield a symbol with its qualified name for each definition.

    Local variables of functions are left out, and so are later assignments to a field that was
    yielded already. `unnamed` are the classes without a name.
    """
    around: list[tuple[CapturedDefinition, Symbol]] = []
    fields: set[str] = set()
    starts = _starts_around((definition.start for definition in definitions), unnamed)
    for definition, unnamed_start in zip(definitions, starts, strict=True):
        while around and not _contains(around[-1][0], definition):
            around.pop()
        owner = _owner_of(definition, around, unnamed_start)
        if definition.kind in _VARIABLES and owner and owner.kind in CALLABLE_KINDS:
            continue
        symbol = _build_symbol(definition, owner)
        if symbol.kind is SymbolKind.FIELD:
            if symbol.qualified in fields:
                continue  # a later assignment to the field
            fields.add(symbol.qualified)
        start, end, body = definition.start, definition.end, definition.body
        yield PlacedSymbol(start, end, symbol, body, definition.spelling)
        around.append((definition, symbol))


def _starts_around(offsets: Iterable[int], extents: Sequence[NodeExtent]) -> Iterator[int]:
    """Yield the start of the innermost extent around each offset, -1 where none is.

    Both are sorted; extents are nested or apart.
    """
    around: list[NodeExtent] = []
    following = 0
    for offset in offsets:
        while following < len(extents) and extents[following].start <= offset:
            around.append(extents[following])
            following += 1
        while around and around[-1].end <= offset:
            around.pop()
        yield around[-1].start if around else -1


def _contains(outer: CapturedDefinition, inner: CapturedDefinition) -> bool:
    """Tell whether the definition `inner` is nested in `outer`.

    Two definitions of the same extent, like the names in `int a, b;`, are not nested.
    """
    return inner.end <= outer.end and (inner.start, inner.end) != (outer.start, outer.end)


def _in_variant(variant: int, around: Iterable[tuple[CapturedDefinition, Symbol]]) -> list[Symbol]:
    """Return the definitions in `around` without functions of other variants of the file.

    `around` are the definitions that enclose a position; variants select different `#if` branches.
    """
    return [
        symbol
        for outer, symbol in around
        if outer.variant == variant or symbol.kind not in CALLABLE_KINDS
    ]


def _owner_of(
    definition: CapturedDefinition,
    around: Sequence[tuple[CapturedDefinition, Symbol]],
    unnamed_start: int,
) -> Symbol | None:
    """Return the definition in `around` to which a definition belongs; None without one.

    `unnamed_start` is where the innermost class without a name around it starts, -1 without one. A
    field of such a class belongs to the innermost definition around the class.
    """
    apart = [pair for pair in around if pair[0].start < unnamed_start]
    if definition.kind not in _MEMBERS or not apart:
        return _owner(definition.kind, _in_variant(definition.variant, around))
    inside = _in_variant(definition.variant, around[len(apart) :])
    return _owner(definition.kind, inside) or apart[-1][1]


def _owner(kind: SymbolKind, around: Sequence[Symbol]) -> Symbol | None:
    """Return the definition to which a definition of this kind belongs; None without one.

    It is the innermost in `around`, the enclosing definitions, with exceptions: a field that a
    method sets belongs to the method's type, and a property in a function outside of any type
    belongs to the function, because its object has no name.
    """
    skipped = CALLABLE_KINDS | {SymbolKind.PROPERTY} if kind in _MEMBERS else frozenset()
    owners = [symbol for symbol in around if symbol.kind not in skipped]
    if not owners and kind is SymbolKind.PROPERTY:
        owners = list(around)
    return owners[-1] if owners else None


def _build_symbol(definition: CapturedDefinition, owner: Symbol | None) -> Symbol:
    """Convert a captured definition to a symbol; a function that a type owns becomes a method."""
    scope, kind = definition.scope, definition.kind
    prefix = [owner.qualified] if owner else []
    if scope and not (owner and owner.qualified.endswith(scope)):
        prefix.append(scope)
    if kind is SymbolKind.FUNCTION and (scope or (owner and owner.kind in _OWNERS)):
        kind = SymbolKind.METHOD
    return Symbol(
        name=definition.name,
        qualified=".".join([*prefix, _SEPARATORS.sub(".", definition.name)]),
        kind=kind,
        line=definition.line,
        start_line=definition.rows[0],
        end_line=definition.rows[1],
        signature=definition.signature,
        doc=definition.doc,
    )
