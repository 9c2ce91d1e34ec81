"""Join the parses of several variants of a file, which select different branches of `#if`.

All rows of the first variant count; of another one, only rows that no earlier variant shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.expression_table import LOST_MARK
from codeindex.ingest.parse.conditionals import (
    ConditionalGroup,
    Variant,
    blank_rows,
    branch_rows,
    conditional_variants,
    read_groups,
    unreadable_groups,
)
from codeindex.ingest.parse.definitions import read_definitions
from codeindex.ingest.parse.error_recovery import REDACTED_VALUES, RowRange, repair_rows
from codeindex.ingest.parse.grammars import QueryMatches
from codeindex.ingest.parse.nesting import CapturedDefinition
from codeindex.ingest.parse.parse_loss import LostText, ParseLoss, error_rows
from codeindex.languages import Language
from codeindex.types import Relations

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeindex.ingest.parse.grammars import MatchList

_CALLABLE_NAME = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_ROUNDS = 2
"""Maximum searches for further directives that a grammar does not understand."""
_FEW_LOST = 3
"""Rows with errors up to which no other selection of branches is tried."""
Parse = Callable[[bytes], "Node"]


class Reading(NamedTuple):
    """The query matches of one parse of a file, and the rows that the parser did not understand.

    `new` are the 0-based rows whose matches count, because no earlier variant of the file has them;
    None means all rows.
    """

    matches: QueryMatches
    root: Node
    lost: LostText = LostText()
    new: frozenset[int] | None = None

    def in_rows(self, new: frozenset[int] | None, unread: frozenset[int]) -> Reading:
        """Return a copy in which only matches in the rows `new` count; None means all rows.

        Rows in `unread`, which no variant of the file shows, are added to the lost rows.
        """
        lost = self.lost.rows if new is None else self.lost.rows & new
        return self._replace(new=new, lost=self.lost._replace(rows=lost | unread))


class ParsedVariant(NamedTuple):
    """A file with only some branches of its `#if` groups, and its syntax tree.

    `rows` are the rows that no earlier variant has; None for the first variant, of which all rows
    count. `errors` are the rows with syntax errors among these; `unread` are rows that no variant
    has.
    """

    source: bytes
    root: Node
    errors: frozenset[int]
    rows: frozenset[int] | None = None
    unread: frozenset[int] = frozenset()

    @property
    def span(self) -> RowRange | None:
        """The range of rows from the first to the last of `rows`; None if all rows count.

        The end is excluded.
        """
        return (min(self.rows), max(self.rows) + 1) if self.rows else None


def readable_variants(
    source: bytes, root: Node, language: Language, parse: Parse
) -> list[ParsedVariant]:
    """Return variants of a source in which the parser finds the fewest errors.

    First, known unparsable constructs are repaired. A source without errors, or in a language
    without `#if`, has one variant: the whole source. `parse` parses a source.
    """
    whole = _repaired(source, root, language, parse)
    if not language.conditional_directives or not whole.root.has_error:
        return [whole]
    groups = read_groups(source)
    unreadable = _unreadable_groups(groups, whole.root)
    best = [whole]
    for last_first in (False, True) if unreadable else ():
        select = partial(
            conditional_variants, groups, undefined=language.undefined_macros, last_first=last_first
        )
        match = partial(_repaired, language=language, parse=parse)
        parsed = _parsed_variants(source, groups, {*unreadable}, select, match)
        if _count_errors(parsed) < _count_errors(best):
            best = parsed
        if _count_errors(best) <= _FEW_LOST:
            break
    return best


def _count_errors(variants: Iterable[ParsedVariant]) -> int:
    return sum(len(variant.errors | variant.unread) for variant in variants)


def _repaired(source: bytes, root: Node | None, language: Language, parse: Parse) -> ParsedVariant:
    """Blank text that the grammar cannot parse; return the parse with the fewest error rows.

    The language's `repairs` match such text. Redacted values are replaced by names. A repair that
    leaves as many rows with errors is not used.
    """
    root = root or parse(source)
    errors = error_rows(root)
    groups = (*language.repairs, REDACTED_VALUES)
    together = tuple(repair for group in groups for repair in group)
    lines = frozenset(range(source.count(b"\n") + 1))
    trials = [(group, None) for group in (together, *groups)]
    for repairs, rows in [*trials, (together, lines)] if errors else ():
        repaired = repair_rows(source, repairs, rows or errors)
        if repaired == source:
            continue
        other = parse(repaired)
        remaining = error_rows(other)
        if len(remaining) < len(errors):
            source, root, errors = repaired, other, remaining
    return ParsedVariant(source, root, errors)


def _parsed_variants(
    source: bytes,
    groups: Sequence[ConditionalGroup],
    unreadable: set[int],
    select: Callable[[set[int]], Iterable[Variant]],
    parse: Callable[[bytes, None], ParsedVariant],
) -> list[ParsedVariant]:
    """Parse the variants of a source that `select` yields for the unreadable groups.

    If the first parse shows further groups that cannot be parsed, select and parse again. `groups`
    are the outermost `#if` groups; `unreadable` are byte offsets.
    """
    selected = list(select(unreadable))
    first = parse(blank_rows(source, selected[0].blanked), None)
    for _ in range(_ROUNDS):
        further = _further_unreadable(first.root, groups, selected[0].blanked, source)
        if further <= unreadable:
            break
        unreadable |= further
        selected = list(select(unreadable))
        first = parse(blank_rows(source, selected[0].blanked), None)
    shown = frozenset().union(*(variant.new for variant in selected))
    unread = frozenset(branch_rows(groups, unreadable) - shown)
    parsed = [first._replace(errors=first.errors - selected[0].blanked, unread=unread)]
    for variant in selected[1:]:
        other = parse(blank_rows(source, variant.blanked), None)
        parsed.append(other._replace(errors=other.errors & variant.new, rows=variant.new))
    return parsed


def _further_unreadable(
    root: Node, groups: Sequence[ConditionalGroup], blanked: frozenset[int], source: bytes
) -> set[int]:
    """Return the byte offsets of `#if` groups outside of blanked rows that still do not parse.

    These can be more than before, because one error can hide another.
    """
    found = _unreadable_groups(groups, root)
    return {start for start in found if source.count(b"\n", 0, start) not in blanked}


def _unreadable_groups(groups: Sequence[ConditionalGroup], root: Node) -> set[int]:
    errors = error_rows(root)
    return unreadable_groups(groups, lambda start: _is_readable(root, start), errors)


def _is_readable(root: Node, start: int) -> bool:
    """Tell whether the `#if` group at the byte offset `start` was parsed without an error."""
    node: Node | None = root.descendant_for_byte_range(start, start + 1)
    while node is not None and node.start_byte >= start and not node.type.startswith("preproc_if"):
        node = node.parent
    known = node is not None and node.type.startswith("preproc_if")
    return known and node is not None and node.start_byte <= start and not node.has_error


def _count_lost(readings: Sequence[Reading]) -> int:
    return len(frozenset().union(*(reading.lost.rows for reading in readings)))


def total_loss(readings: Sequence[Reading]) -> ParseLoss:
    """Return the parse loss of a file: what the parser lost in all of its variants together."""
    broken = [reading for reading in readings if reading.root.has_error]
    line = min((_first_error_line(reading.root) for reading in broken), default=0)
    definition = any(reading.lost.definition for reading in broken)
    return ParseLoss(line, _count_lost(readings), definition)


def _first_error_line(root: Node) -> int:
    """Return the 1-based line of the first syntax error: that of the innermost error node."""
    node: Node | None = root
    line = 0
    while node is not None:
        line = node.start_point[0] + 1
        broken = (child for child in node.children if child.has_error or child.is_missing)
        node = next(broken, None)
    return line


def mark_lost_names(relations: Relations, readings: Sequence[Reading], source: bytes) -> Relations:
    """Add the names of functions that lost lines may define to the declared values.

    Each has `LOST_MARK` as prefix. Calls of such a name are not resolved with certainty to the
    definition in another file. `readings` know which lines the parser lost.
    """
    rows = frozenset().union(*(reading.lost.rows for reading in readings))
    if not rows:
        return relations
    lines = source.split(b"\n")
    text = b"\n".join(lines[row] for row in sorted(rows) if row < len(lines))
    names = sorted({name.decode() for name in _CALLABLE_NAME.findall(text)})
    expressions = (*(relations.expressions or (("unknown",),)), ("lost",))
    values = [(LOST_MARK + name, len(expressions) - 1) for name in names]
    return replace(relations, expressions=expressions, values=(*relations.values, *values))


def joined_matches(readings: Sequence[Reading]) -> QueryMatches:
    """Join the query matches of all variants of a file.

    A match of a later variant is kept only if a node is in rows that no earlier variant has.
    """
    if len(readings) == 1:
        return readings[0].matches
    joined = QueryMatches([], [], [])
    for reading in readings:
        for matches, own in zip(joined, reading.matches, strict=True):
            matches.extend(own if reading.new is None else _matches_in(own, reading.new))
    return joined


def _matches_in(matches: MatchList, rows: frozenset[int]) -> MatchList:
    return [
        (pattern, match)
        for pattern, match in matches
        if any(node.start_point[0] in rows for nodes in match.values() for node in nodes)
    ]


def defined_in_variants(
    readings: Sequence[Reading], language: Language, source: bytes
) -> list[CapturedDefinition]:
    """Return the definitions in all variants of a file, each once.

    If variants differ only in the head of a definition, the first variant's definition is used.
    """
    definitions = read_definitions(readings[0].matches.symbols, language, source)
    for number, reading in enumerate(readings[1:], 1):
        new = read_definitions(reading.matches.symbols, language, source)
        definitions += list(_new_definitions(new, definitions, reading.new or frozenset(), number))
    return definitions


def _new_definitions(
    found: Sequence[CapturedDefinition],
    known: Sequence[CapturedDefinition],
    rows: frozenset[int],
    variant: int,
) -> Iterator[CapturedDefinition]:
    for definition in found:
        if definition.line - 1 not in rows:
            continue
        complete = all(row - 1 in rows for row in range(definition.line, definition.rows[1] + 1))
        if not complete and any(_overlap(definition, other) for other in known):
            continue
        yield definition._replace(variant=variant)


def _overlap(definition: CapturedDefinition, other: CapturedDefinition) -> bool:
    same = (definition.name, definition.kind) == (other.name, other.kind)
    return same and definition.start < other.end and other.start < definition.end
