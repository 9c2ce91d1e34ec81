"""Answers to relationship questions: every use, certain ones first, and what stays open.

A list is complete for what was indexed: uses that are resolved; calls of a member of the right
name on something whose type is not known; lines that say the name and are neither. `Uses` names
the files that could not be parsed wholly, where there may be uses that only such lines show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from codeindex.search.corpus import Corpus
from codeindex.search.meaning import Object
from codeindex.search.relations import Asked, Relation
from codeindex.store.declarations import declarations_of, unparsed_files
from codeindex.store.dispatch import called_by
from codeindex.store.edges import (
    Edge,
    edges_to,
    edges_to_files,
    edges_to_module,
    edges_to_outer_base,
    edges_to_outside,
    lines_known,
    lines_using_others,
    possible_edges,
)
from codeindex.store.links import links_from
from codeindex.store.method_sets import IMPLICIT, implementing
from codeindex.store.nodes import files_of, kinds_of, symbols_of
from codeindex.store.sayings import lines_saying
from codeindex.store.steps import overriding
from codeindex.store.tests import sureness, tests_of
from codeindex.types import OWNER_KINDS, USE_KINDS, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3

_SHORTEST = 3
"""Shorter names stand everywhere."""
_KINDS = {
    Relation.CALLERS: ("calls",),
    Relation.USERS: USE_KINDS,
    Relation.IMPORTERS: ("imports",),
    Relation.SUBTYPES: ("extends",),
    Relation.CALLEES: ("calls",),
    Relation.USED: USE_KINDS,
    Relation.IMPORTED: ("imports",),
    Relation.TESTS: USE_KINDS,
}
_LINE_BITS = 32
"""Place and line as one number: a third faster to look up and to sort than a pair."""
_TELLING = {"overrides": -4, "extends": -3, "calls": -2, "imports": -1}
"""Which of several uses in a line is named."""
_OUTGOING = frozenset({Relation.CALLEES, Relation.USED, Relation.IMPORTED})


class Use(NamedTuple):
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
class Uses:
    """A complete answer; `unparsed` are files of which, in part, only the text is known.

    `looked` tells whether lines that merely say a name were looked for.
    """

    relation: str
    of: tuple[str, ...]
    found: tuple[Use, ...]
    unparsed: tuple[str, ...]
    looked: bool


def uses(connection: sqlite3.Connection, corpus: Corpus, asked: Asked, meant: Object) -> Uses:
    """Collect what a question about `meant` is answered with."""
    if asked.relation in _OUTGOING:
        found = tuple(_used_by(connection, asked.relation, meant))
    elif asked.relation is Relation.TESTS:
        found = tuple(_tests(connection, corpus, meant))
    else:
        found = _users(connection, corpus, asked, meant)
    return Uses(
        asked.relation,
        meant.names,
        found,
        tuple(one.path for one in unparsed_files(connection)),
        _looks_at_text(asked),
    )


def _used_by(connection: sqlite3.Connection, relation: Relation, meant: Object) -> Iterator[Use]:
    """Yield what symbols and files use, a target and a line once."""
    seen = set()
    files, symbols = set(meant.files), meant.symbols
    if relation is Relation.IMPORTED:  # which the file of a symbol does for it
        files, symbols = files | {one.file_id for one in symbols}, ()
    for node in (*symbols, *files_of(connection, sorted(files))):
        for link in links_from(connection, node, *_KINDS[relation]):
            if link.node and link.node.file_id in meant.files:
                continue  # what a file or folder has itself
            target = link.node.key if link.node else link.name
            for line in link.lines:
                if (node.file_id, line, target) not in seen:
                    seen.add((node.file_id, line, target))
                    yield Use(node.file_id, line, node.id, link.kind, link.certainty, target)


def _tests(connection: sqlite3.Connection, corpus: Corpus, meant: Object) -> Iterator[Use]:
    """Yield the tests of symbols, of all that files define, and those that use a package."""
    inside = declarations_of(connection, meant.files)
    nodes = [*meant.symbols, *(one for one in inside if "." not in one.qualified)]
    for node, reasons in tests_of(connection, [one for one in nodes if not one.is_test] or nodes):
        yield Use(node.file_id, node.line, node.id, ", ".join(reasons), sureness(reasons))
    if meant.packages:
        direct = edges_to(connection, [one.id for one in meant.symbols], *USE_KINDS)
        known = _certain(connection, Relation.USERS, meant, direct)
        yield from (one for one in _lines(corpus, known) if corpus.is_test[corpus.place[one.file]])


def _users(
    connection: sqlite3.Connection, corpus: Corpus, asked: Asked, meant: Object
) -> tuple[Use, ...]:
    kinds = _KINDS[asked.relation]
    types = [one for one in meant.symbols if one.kind in OWNER_KINDS]
    members = [one for one in meant.symbols if one.kind not in OWNER_KINDS]
    which = USE_KINDS if _looks_at_text(asked) else kinds
    of_members = edges_to(connection, [one.id for one in members], *which)
    direct = [*edges_to(connection, [one.id for one in types], *which), *of_members]
    certain = _certain(connection, asked.relation, meant, direct)
    found = _lines(corpus, certain or _of_files(connection, asked.relation, meant))
    known = {(one.file, one.line) for one in found}
    if "calls" in kinds:
        unknown = possible_edges(connection, meant.packages, languages=())
        possible = [*_through(connection, members), *_possible(connection, members), *unknown]
        found += _others(_lines(corpus, possible), known)
    if asked.sources:
        of_kind = kinds_of(connection, (one.symbol for one in found))
        found = [one for one in found if of_kind.get(one.symbol) in asked.sources]
    if not _looks_at_text(asked):
        return tuple(found)
    if asked.relation is Relation.CALLERS:
        found += _others(_handed_on(corpus, of_members), known)
    known = {(one.file, one.line) for one in found} | lines_known(direct)
    return (*found, *_textual(connection, corpus, meant, known))


def _through(connection: sqlite3.Connection, members: Sequence[Node]) -> Iterator[Edge]:
    """Yield calls of what methods stand in for: which of its subtypes runs is not known."""
    for edge in edges_to(connection, called_by(connection, members), "calls"):
        yield edge._replace(certainty="ambiguous")


def _possible(connection: sqlite3.Connection, members: Sequence[Node]) -> list[Edge]:
    """Return uses of something unknown that may be of these: only methods are handed on."""
    methods = [one for one in members if one.kind == SymbolKind.METHOD]
    others = [one for one in members if one.kind != SymbolKind.METHOD]
    return [
        edge
        for part in (methods, others)
        for edge in possible_edges(
            connection,
            {one.name for one in part},
            languages={one.language for one in part},
            handed=part is methods,
        )
    ]


def _looks_at_text(asked: Asked) -> bool:
    """Tell whether a mere mention may be an answer: a line of text is no function, and no class."""
    return asked.relation in {Relation.CALLERS, Relation.USERS} and not asked.sources


def _others(found: Iterable[Use], known: set[tuple[int, int]]) -> list[Use]:
    return [one for one in found if (one.file, one.line) not in known]


def _handed_on(corpus: Corpus, edges: Iterable[Edge]) -> Iterator[Use]:
    """Yield lines that name functions as values: whoever gets one may call it, unseen."""
    for one in _lines(corpus, (edge for edge in edges if edge.kind == "references")):
        yield one._replace(certainty="textual")


def _certain(
    connection: sqlite3.Connection, relation: Relation, meant: Object, direct: Iterable[Edge]
) -> list[Edge]:
    """Return the uses that are known to be of what is meant; `direct` are those of symbols."""
    kinds = _KINDS[relation]
    found = [one for one in direct if one.kind in kinds]
    found += edges_to_files(connection, meant.files, *kinds)
    if relation is Relation.USERS:
        found += _of_what_is_in(connection, meant.files)
    if relation is Relation.CALLERS:
        found += _making(connection, meant)
    for package in meant.packages:
        if "imports" in kinds:
            found += edges_to_module(connection, package)
        if relation in {Relation.CALLERS, Relation.USERS}:
            outside = edges_to_outside(connection, package)
            found += [one for one in outside if one.kind in kinds]
    if relation is Relation.SUBTYPES:
        for package in meant.packages:
            found += edges_to_outer_base(connection, package)
        found += (*_further(connection, found), *_overriding(connection, meant))
        found += _implementing(connection, meant, found)
    return found


def _of_what_is_in(connection: sqlite3.Connection, files: Sequence[int]) -> Iterator[Edge]:
    """Yield the uses, elsewhere, of what files define."""
    inside = [one.id for one in declarations_of(connection, files)]
    for edge in edges_to(connection, inside, *USE_KINDS):
        if edge.file not in files:
            yield edge


def _making(connection: sqlite3.Connection, meant: Object) -> list[Edge]:
    """Return where objects are made of the types whose constructors are meant."""
    owners = {
        (one.file_id, one.qualified.rpartition(".")[0])
        for one in meant.symbols
        if one.kind == SymbolKind.CONSTRUCTOR
    }
    types = declarations_of(connection, {file for file, _ in owners})
    made = [one.id for one in types if (one.file_id, one.qualified) in owners]
    return edges_to(connection, made, "calls")


def _of_files(connection: sqlite3.Connection, relation: Relation, meant: Object) -> Iterator[Edge]:
    """Yield the imports of the files of symbols that no import names, as in some languages none."""
    if relation is Relation.IMPORTERS:
        files = {one.file_id for one in meant.symbols}
        inside = [one.id for one in declarations_of(connection, files)]
        named = lines_known(edges_to(connection, inside, "imports"))
        for edge in edges_to_files(connection, files, "imports"):
            lines = " ".join(str(one) for one in edge.at if (edge.file, one) not in named)
            yield edge._replace(lines=lines, certainty="ambiguous")


def _lines(corpus: Corpus, edges: Iterable[Edge]) -> list[Use]:
    """Return a use a line, in order: the most telling one, `x()` before the `x` in it."""
    best: dict[int, Edge] = {}
    for edge in edges:
        place = corpus.place.get(edge.file)
        if place is None:
            continue
        for line in edge.at:
            key = place << _LINE_BITS | line
            other = best.setdefault(key, edge)
            if other is not edge and _TELLING.get(edge.kind, 0) < _TELLING.get(other.kind, 0):
                best[key] = edge
    mask = (1 << _LINE_BITS) - 1
    return [
        Use(one.file, key & mask, one.symbol, one.kind, one.certainty)
        for key, one in sorted(best.items(), key=itemgetter(0))
    ]


def _further(connection: sqlite3.Connection, edges: Iterable[Edge]) -> list[Edge]:
    """Return the subtypes of subtypes, down to the last."""
    seen: set[int] = set()
    found: list[Edge] = []
    layer = {one.symbol for one in edges} - {0}
    while layer := layer - seen:
        seen |= layer
        below = edges_to(connection, sorted(layer), "extends")
        found += below
        layer = {one.symbol for one in below} - {0}
    return found


def _implementing(
    connection: sqlite3.Connection, meant: Object, known: Iterable[Edge]
) -> Iterator[Edge]:
    """Yield the types that implement interfaces without saying so."""
    interfaces = [
        one.id
        for one in meant.symbols
        if one.kind == SymbolKind.INTERFACE and one.language == IMPLICIT
    ]
    if not interfaces:
        return
    saying = {one.symbol for one in known}
    found = implementing(connection, interfaces)
    for it in symbols_of(connection, found.keys() - saying):
        yield Edge(it.file_id, it.id, "extends", found[it.id], str(it.line), "")


def _overriding(connection: sqlite3.Connection, meant: Object) -> Iterator[Edge]:
    """Yield the methods that stand in for these ones in subtypes."""
    methods = [one.id for one in meant.symbols if one.kind == SymbolKind.METHOD]
    found = overriding(connection, methods)
    for it in symbols_of(connection, found):
        yield Edge(it.file_id, it.id, "overrides", found[it.id], str(it.line), "")


def _textual(
    connection: sqlite3.Connection, corpus: Corpus, meant: Object, known: set[tuple[int, int]]
) -> Iterator[Use]:
    """Yield lines that say a name and are neither its definition nor known to use any other."""
    outer = (re.split(r"[./:]", one)[-1] for one in meant.packages)
    names = sorted({*(one.name for one in meant.symbols), *outer})
    names = [one for one in names if len(one) >= _SHORTEST and one.isidentifier()]
    if not names:
        return
    known |= {(one.file_id, one.line) for one in meant.symbols}
    known |= lines_using_others(connection, names, {one.id for one in meant.symbols})
    said = lines_saying(connection, corpus.words, names)
    for file in sorted(said, key=corpus.place.__getitem__):
        for line in sorted(said[file]):
            if (file, line) not in known:
                yield Use(file, line, 0, "mentions", "textual")
