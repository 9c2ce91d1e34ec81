"""Find every usage that answers a relationship question, resolved usages first.

The list is complete for the indexed files. It contains resolved usages, then calls of a member of
that name on a receiver of unknown type, then lines that only mention the name. A file that was
parsed only in part may have usages that the graph lacks; `UsageList.unparsed` names such files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from codeindex.graph.covering_tests import covering_tests
from codeindex.graph.possible_calls import possible_calls_of
from codeindex.query.relation import RelationQuery
from codeindex.query.relation_phrases import Relation
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.resolved_edges import (
    edge_kinds,
    importing_edges,
    resolved_edges,
    supertype_call_edges,
)
from codeindex.search.routes.subject import Subject
from codeindex.search.routes.usage_kind import filter_by_usage_kind, has_usage_kind
from codeindex.search.routes.usage_line import UsageLine, UsageList
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.edges import (
    StoredEdge,
    edges_to,
    lines_of_external_symbols,
    lines_of_other_symbols,
    possible_edges,
    resolved_lines,
)
from codeindex.store.graph.links import links_from
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.identifier_occurrences import identifier_lines
from codeindex.store.symbols.nodes import file_nodes_by_id, symbol_kinds
from codeindex.store.symbols.written_names import last_part
from codeindex.types import OWNER_KINDS, USE_KINDS, Skipped

_SHORTEST_NAME = 3
"""Least letters of a name whose mentions are searched; shorter names are in too many lines."""
_LINE_BITS = 32
"""Bits for the line in an integer of file and line; integers sort a third faster than pairs."""
_PRECEDENCE = {"overrides": -4, "extends": -3, "calls": -2, "imports": -1}
"""Of several usages in a line, the one with the lowest number is kept: a call `x()` rather than a
reference `x`."""
_OUTGOING = frozenset({Relation.CALLEES, Relation.USED, Relation.IMPORTED})
_UNNAMED = _OUTGOING | {Relation.TESTS, Relation.IMPORTERS, Relation.MAKERS}
"""Relations of code that need not contain the subject's name: a test may run it through other code,
`import *` names no symbol, and `new()` names no type in C#."""


def find_usages(
    connection: sqlite3.Connection, corpus: Corpus, query: RelationQuery, subject: Subject
) -> UsageList:
    """Return every use that answers a relationship question about `subject`."""
    if query.relation in _OUTGOING:
        usages = tuple(_outgoing(connection, query.relation, subject))
    elif query.relation is Relation.TESTS:
        usages = tuple(_covering_tests(connection, corpus, subject))
    else:
        incoming = _incoming(connection, corpus, query, subject)
        usages = tuple(
            filter_by_usage_kind(connection, query.relation, _written_names(subject), incoming)
        )
    return UsageList(
        query.relation,
        subject.names,
        usages,
        tuple(file.path for file in _incomplete_files(connection, query.relation, subject)),
        _allows_mentions(query),
    )


def _incomplete_files(
    connection: sqlite3.Connection, relation: Relation, subject: Subject
) -> Sequence[Skipped]:
    """Return the files that were not read completely and may have further uses of a subject.

    Files that contain none of its names are left out, unless it is a file or a package, or the
    relation needs no name.
    """
    needs_no_name = subject.files or subject.packages or relation in _UNNAMED
    return incomplete_files(connection, () if needs_no_name else _written_names(subject))


def _outgoing(
    connection: sqlite3.Connection, relation: Relation, subject: Subject
) -> Iterator[UsageLine]:
    """Yield what the subject's symbols and files use, for questions such as "what does X call".

    Each pair of line and target is yielded once.
    """
    yielded = set()
    files, symbols = set(subject.files), subject.symbols
    if relation is Relation.IMPORTED:  # symbols have the imports of their files
        files, symbols = files | {node.file_id for node in symbols}, ()
    for node in (*symbols, *file_nodes_by_id(connection, sorted(files))):
        for link in links_from(connection, node, *edge_kinds(relation)):
            if link.node and link.node.file_id in subject.files:
                continue  # a use inside the subject itself
            target = link.node.key if link.node else link.name
            for line in link.lines:
                if (node.file_id, line, target) not in yielded:
                    yielded.add((node.file_id, line, target))
                    yield UsageLine(node.file_id, line, node.id, link.kind, link.certainty, target)


def _covering_tests(
    connection: sqlite3.Connection, corpus: Corpus, subject: Subject
) -> Iterator[UsageLine]:
    """Yield the tests of a subject's symbols, files and packages."""
    inside = declarations_in(connection, subject.files)
    nodes = [*subject.symbols, *(node for node in inside if "." not in node.qualified)]
    tested = [node for node in nodes if not node.is_test] or nodes
    for test in covering_tests(connection, tested):
        if test.shown:
            node, kind = test.node, ", ".join(test.reasons)
            yield UsageLine(node.file_id, node.line, node.id, kind, test.certainty)
    if subject.packages:
        direct = edges_to(connection, [node.id for node in subject.symbols], *USE_KINDS)
        edges = resolved_edges(connection, Relation.USERS, subject, direct)
        for usage in _by_line(corpus, edges):
            if corpus.is_test[corpus.file_positions[usage.file]]:
                yield usage


def _incoming(
    connection: sqlite3.Connection, corpus: Corpus, query: RelationQuery, subject: Subject
) -> tuple[UsageLine, ...]:
    """Return the uses of a subject: resolved ones, then possible ones, then mere mentions."""
    kinds = edge_kinds(query.relation)
    types = [node for node in subject.symbols if node.kind in OWNER_KINDS]
    members = [node for node in subject.symbols if node.kind not in OWNER_KINDS]
    allows_mentions = _allows_mentions(query)
    wanted = USE_KINDS if allows_mentions else kinds
    of_members = edges_to(connection, [node.id for node in members], *wanted)
    direct = [*edges_to(connection, [node.id for node in types], *wanted), *of_members]
    resolved = resolved_edges(connection, query.relation, subject, direct)
    usages = _by_line(corpus, resolved or importing_edges(connection, query.relation, subject))
    known = {(usage.file, usage.line) for usage in usages}
    if "calls" in kinds:
        unknown = [subject.unknown] if subject.unknown else []
        by_name = possible_calls_of(connection, members)
        possible = [
            *supertype_call_edges(connection, members),
            *by_name.likely,
            *possible_edges(connection, unknown, languages=()),
        ]
        usages += _without(_by_line(corpus, possible), known)
    if query.sources:
        source_kinds = symbol_kinds(connection, (usage.symbol for usage in usages))
        usages = [usage for usage in usages if source_kinds.get(usage.symbol) in query.sources]
    if not allows_mentions:
        return tuple(usages)
    if query.relation is Relation.CALLERS:
        usages += _without(_passed_as_values(corpus, of_members), known)
    known = {(usage.file, usage.line) for usage in usages} | resolved_lines(direct)
    return (*usages, *_mentions(connection, corpus, subject, known))


def _written_names(subject: Subject) -> list[str]:
    """Return the names with which a line may refer to a subject."""
    packages = (last_part(package) for package in subject.packages)
    unknown = {subject.unknown} if subject.unknown else set()
    return sorted({*(node.name for node in subject.symbols), *packages, *unknown})


def _allows_mentions(query: RelationQuery) -> bool:
    """Tell whether lines that only mention the subject's name may answer the question.

    They may not if the question asks for functions or classes.
    """
    by_text = query.relation in {Relation.CALLERS, Relation.USERS} or has_usage_kind(query.relation)
    return by_text and not query.sources


def _without(usages: Iterable[UsageLine], known: set[tuple[int, int]]) -> list[UsageLine]:
    return [usage for usage in usages if (usage.file, usage.line) not in known]


def _passed_as_values(corpus: Corpus, edges: Iterable[StoredEdge]) -> Iterator[UsageLine]:
    """Yield lines that use a function as a value, since whoever receives it may call it.

    Their certainty is `textual`.
    """
    for usage in _by_line(corpus, (edge for edge in edges if edge.kind == "references")):
        yield usage._replace(certainty="textual")


def _by_line(corpus: Corpus, edges: Iterable[StoredEdge]) -> list[UsageLine]:
    """Return one use per line, sorted by file and line.

    If a line has uses of several kinds, `_PRECEDENCE` decides which use is returned.
    """
    best: dict[int, StoredEdge] = {}
    for edge in edges:
        place = corpus.file_positions.get(edge.file)
        if place is None:
            continue
        for line in edge.at:
            key = place << _LINE_BITS | line
            other = best.setdefault(key, edge)
            if other is not edge and _PRECEDENCE.get(edge.kind, 0) < _PRECEDENCE.get(other.kind, 0):
                best[key] = edge
    mask = (1 << _LINE_BITS) - 1
    return [
        UsageLine(edge.file, key & mask, edge.symbol, edge.kind, edge.certainty)
        for key, edge in sorted(best.items(), key=itemgetter(0))
    ]


def _mentions(
    connection: sqlite3.Connection, corpus: Corpus, subject: Subject, known: set[tuple[int, int]]
) -> Iterator[UsageLine]:
    """Yield lines that only contain a name of the subject, as far as they may be uses.

    Definitions, lines in `known` ((file id, line)) and lines that use another symbol are left out.
    """
    names = [name for name in _written_names(subject) if len(name) >= _SHORTEST_NAME]
    names = [name for name in names if name.isidentifier() or name == subject.unknown]
    if not names:
        return
    known |= {(node.file_id, node.line) for node in subject.symbols}
    known |= lines_of_other_symbols(connection, names, {node.id for node in subject.symbols})
    known |= lines_of_external_symbols(connection, names)
    lines_by_file = identifier_lines(connection, corpus.words, names)
    for file in sorted(lines_by_file, key=corpus.file_positions.__getitem__):
        for line in sorted(lines_by_file[file]):
            if (file, line) not in known:
                yield UsageLine(file, line, 0, "mentions", "textual")
