"""Find every usage that answers a relationship question, resolved usages first.

The list is complete for what was indexed: resolved usages, calls of a member of that name on a
receiver of unknown type, and lines that only mention the name. `UsageList.unparsed` names the files
that were parsed in part: they may have usages that the graph lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.covering_tests import covering_tests, test_certainty
from codeindex.query.relation import RelationQuery
from codeindex.query.relation_phrases import Relation
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.resolved_edges import (
    edge_kinds,
    importing_edges,
    possible_member_edges,
    resolved_edges,
    supertype_call_edges,
)
from codeindex.search.routes.subject import Subject
from codeindex.search.routes.usage_kind import filter_by_usage_kind, has_usage_kind
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.edges import (
    Edge,
    edges_to,
    lines_of_other_symbols,
    possible_edges,
    resolved_lines,
)
from codeindex.store.graph.links import links_from
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.identifier_occurrences import identifier_lines
from codeindex.store.symbols.nodes import file_nodes_by_id, symbol_kinds
from codeindex.types import OWNER_KINDS, USE_KINDS

if TYPE_CHECKING:
    import sqlite3

_SHORTEST = 3
"""Shorter names stand everywhere."""
_LINE_BITS = 32
"""Place and line as one number: a third faster to look up and to sort than a pair."""
_TELLING = {"overrides": -4, "extends": -3, "calls": -2, "imports": -1}
"""Which of several uses in a line is named."""
_OUTGOING = frozenset({Relation.CALLEES, Relation.USED, Relation.IMPORTED})


class UsageLine(NamedTuple):
    """A line that uses something: of a symbol, or of the file outside of any: then that is 0.

    A tuple, and by ids, since there are thousands of which a page is shown. `certainty` may be
    `textual` too.
    """

    file: int
    line: int
    symbol: int
    how: str
    certainty: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class UsageList:
    """A complete answer; `unparsed` are files of code of which not every use is known.

    `looked` tells whether lines that merely say a name were looked for.
    """

    relation: str
    of: tuple[str, ...]
    found: tuple[UsageLine, ...]
    unparsed: tuple[str, ...]
    looked: bool


def find_usages(
    connection: sqlite3.Connection, corpus: Corpus, asked: RelationQuery, meant: Subject
) -> UsageList:
    """Collect what a question about `meant` is answered with."""
    if asked.relation in _OUTGOING:
        found = tuple(_used_by(connection, asked.relation, meant))
    elif asked.relation is Relation.TESTS:
        found = tuple(_tests(connection, corpus, meant))
    else:
        used = _users(connection, corpus, asked, meant)
        found = tuple(filter_by_usage_kind(connection, asked.relation, _names(meant), used))
    return UsageList(
        asked.relation,
        meant.names,
        found,
        tuple(one.path for one in incomplete_files(connection)),
        _looks_at_text(asked),
    )


def _used_by(
    connection: sqlite3.Connection, relation: Relation, meant: Subject
) -> Iterator[UsageLine]:
    """Yield what symbols and files use, a target and a line once."""
    seen = set()
    files, symbols = set(meant.files), meant.symbols
    if relation is Relation.IMPORTED:  # which the file of a symbol does for it
        files, symbols = files | {one.file_id for one in symbols}, ()
    for node in (*symbols, *file_nodes_by_id(connection, sorted(files))):
        for link in links_from(connection, node, *edge_kinds(relation)):
            if link.node and link.node.file_id in meant.files:
                continue  # what a file or folder has itself
            target = link.node.key if link.node else link.name
            for line in link.lines:
                if (node.file_id, line, target) not in seen:
                    seen.add((node.file_id, line, target))
                    yield UsageLine(node.file_id, line, node.id, link.kind, link.certainty, target)


def _tests(connection: sqlite3.Connection, corpus: Corpus, meant: Subject) -> Iterator[UsageLine]:
    """Yield the tests of symbols, of all that files define, and those that use a package."""
    inside = declarations_in(connection, meant.files)
    nodes = [*meant.symbols, *(one for one in inside if "." not in one.qualified)]
    for node, reasons in covering_tests(
        connection, [one for one in nodes if not one.is_test] or nodes
    ):
        yield UsageLine(
            node.file_id, node.line, node.id, ", ".join(reasons), test_certainty(reasons)
        )
    if meant.packages:
        direct = edges_to(connection, [one.id for one in meant.symbols], *USE_KINDS)
        known = resolved_edges(connection, Relation.USERS, meant, direct)
        yield from (
            one for one in _lines(corpus, known) if corpus.is_test[corpus.file_positions[one.file]]
        )


def _users(
    connection: sqlite3.Connection, corpus: Corpus, asked: RelationQuery, meant: Subject
) -> tuple[UsageLine, ...]:
    kinds = edge_kinds(asked.relation)
    types = [one for one in meant.symbols if one.kind in OWNER_KINDS]
    members = [one for one in meant.symbols if one.kind not in OWNER_KINDS]
    which = USE_KINDS if _looks_at_text(asked) else kinds
    of_members = edges_to(connection, [one.id for one in members], *which)
    direct = [*edges_to(connection, [one.id for one in types], *which), *of_members]
    certain = resolved_edges(connection, asked.relation, meant, direct)
    found = _lines(corpus, certain or importing_edges(connection, asked.relation, meant))
    known = {(one.file, one.line) for one in found}
    if "calls" in kinds:
        unknown = possible_edges(connection, [meant.said] * bool(meant.said), languages=())
        possible = [
            *supertype_call_edges(connection, members),
            *possible_member_edges(connection, members),
            *unknown,
        ]
        found += _others(_lines(corpus, possible), known)
    if asked.sources:
        of_kind = symbol_kinds(connection, (one.symbol for one in found))
        found = [one for one in found if of_kind.get(one.symbol) in asked.sources]
    if not _looks_at_text(asked):
        return tuple(found)
    if asked.relation is Relation.CALLERS:
        found += _others(_handed_on(corpus, of_members), known)
    known = {(one.file, one.line) for one in found} | resolved_lines(direct)
    return (*found, *_textual(connection, corpus, meant, known))


def _names(meant: Subject) -> list[str]:
    """Return what a line has to say of something to be about it."""
    outer = (re.split(r"[./:]", one)[-1] for one in meant.packages)
    return sorted(
        {*(one.name for one in meant.symbols), *outer, *([meant.said] * bool(meant.said))}
    )


def _looks_at_text(asked: RelationQuery) -> bool:
    """Tell whether a mere mention may be an answer: a line of text is no function, and no class."""
    looking = asked.relation in {Relation.CALLERS, Relation.USERS} or has_usage_kind(asked.relation)
    return looking and not asked.sources


def _others(found: Iterable[UsageLine], known: set[tuple[int, int]]) -> list[UsageLine]:
    return [one for one in found if (one.file, one.line) not in known]


def _handed_on(corpus: Corpus, edges: Iterable[Edge]) -> Iterator[UsageLine]:
    """Yield lines that name functions as values: whoever gets one may call it, unseen."""
    for one in _lines(corpus, (edge for edge in edges if edge.kind == "references")):
        yield one._replace(certainty="textual")


def _lines(corpus: Corpus, edges: Iterable[Edge]) -> list[UsageLine]:
    """Return a use a line, in order: the most telling one, `x()` before the `x` in it."""
    best: dict[int, Edge] = {}
    for edge in edges:
        place = corpus.file_positions.get(edge.file)
        if place is None:
            continue
        for line in edge.at:
            key = place << _LINE_BITS | line
            other = best.setdefault(key, edge)
            if other is not edge and _TELLING.get(edge.kind, 0) < _TELLING.get(other.kind, 0):
                best[key] = edge
    mask = (1 << _LINE_BITS) - 1
    return [
        UsageLine(one.file, key & mask, one.symbol, one.kind, one.certainty)
        for key, one in sorted(best.items(), key=itemgetter(0))
    ]


def _textual(
    connection: sqlite3.Connection, corpus: Corpus, meant: Subject, known: set[tuple[int, int]]
) -> Iterator[UsageLine]:
    """Yield lines that say a name and are neither its definition nor known to use any other."""
    names = [one for one in _names(meant) if len(one) >= _SHORTEST]
    names = [one for one in names if one.isidentifier() or one == meant.said]
    if not names:
        return
    known |= {(one.file_id, one.line) for one in meant.symbols}
    known |= lines_of_other_symbols(connection, names, {one.id for one in meant.symbols})
    said = identifier_lines(connection, corpus.words, names)
    for file in sorted(said, key=corpus.file_positions.__getitem__):
        for line in sorted(said[file]):
            if (file, line) not in known:
                yield UsageLine(file, line, 0, "mentions", "textual")
