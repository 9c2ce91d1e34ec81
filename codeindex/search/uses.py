"""Answers to relationship questions: every use, certain ones first, and what stays open.

A list is complete for what was indexed: uses that are resolved; calls of a member of the right
name on something whose type is not known; lines that say the name and are neither. `Uses` names
the files that could not be parsed wholly, where there may be uses that only such lines show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codeindex.search.relations import Asked, Object, Relation
from codeindex.store.declarations import declarations_of, unparsed_files
from codeindex.store.links import (
    files_of,
    lines_using,
    links_from,
    links_to,
    links_to_files,
    links_to_module,
    links_to_outer_base,
    links_to_outside,
    possible_calls,
    symbols_of,
)
from codeindex.store.sayings import lines_saying
from codeindex.store.steps import overriding
from codeindex.store.tests import sureness, tests_of
from codeindex.types import OWNER_KINDS, USE_KINDS, Link, Node, SymbolKind

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
_TELLING = {"overrides": -4, "extends": -3, "calls": -2, "imports": -1}
"""Which of several uses in a line is named."""
_OUTGOING = frozenset({Relation.CALLEES, Relation.USED, Relation.IMPORTED})


@dataclass(frozen=True, slots=True)
class Use:
    """A line that uses something; `node` is what the line is a part of."""

    node: Node
    line: int
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


def uses(connection: sqlite3.Connection, asked: Asked, meant: Object) -> Uses:
    """Collect what a question about `meant` is answered with."""
    if asked.relation in _OUTGOING:
        found = tuple(_used_by(connection, asked.relation, meant))
    elif asked.relation is Relation.TESTS:
        found = tuple(_tests(connection, meant))
    else:
        found = _users(connection, asked, meant)
    return Uses(
        asked.relation,
        tuple(dict.fromkeys(one.key for one in meant.symbols)) or (asked.object,),
        found,
        tuple(one.path for one in unparsed_files(connection)),
        _looks_at_text(asked),
    )


def _used_by(connection: sqlite3.Connection, relation: Relation, meant: Object) -> Iterator[Use]:
    """Yield what symbols and files use, a target and a line once."""
    seen = set()
    for node in (*meant.symbols, *files_of(connection, meant.files)):
        for link in links_from(connection, node, *_KINDS[relation]):
            target = link.node.key if link.node else link.name
            for line in link.lines:
                if (node.path, line, target) not in seen:
                    seen.add((node.path, line, target))
                    yield Use(node, line, link.kind, link.certainty, target)


def _tests(connection: sqlite3.Connection, meant: Object) -> Iterator[Use]:
    """Yield the tests of symbols, of all that files define, and those that use a package."""
    inside = declarations_of(connection, meant.files)
    nodes = [*meant.symbols, *(one for one in inside if "." not in one.qualified)]
    for node, reasons in tests_of(connection, [one for one in nodes if not one.is_test] or nodes):
        yield Use(node, node.line, ", ".join(reasons), sureness(reasons))
    if meant.package:
        links = _certain(connection, Relation.USERS, meant)
        yield from _lines(one for one in links if one.node and one.node.is_test)


def _users(connection: sqlite3.Connection, asked: Asked, meant: Object) -> tuple[Use, ...]:
    kinds = _KINDS[asked.relation]
    certain = _certain(connection, asked.relation, meant)
    members = [one for one in meant.symbols if one.kind not in OWNER_KINDS and "calls" in kinds]
    possible = _possible(connection, members)
    found = _lines(certain)
    known = {(one.node.path, one.line) for one in found}
    found += _others(_lines(possible), known)
    if asked.sources:
        found = [one for one in found if one.node.kind in asked.sources]
    if not _looks_at_text(asked):
        return tuple(found)
    if asked.relation is Relation.CALLERS:
        found += _others(_handed_on(connection, members), known)
    return (*found, *_textual(connection, meant, found))


def _possible(connection: sqlite3.Connection, members: Sequence[Node]) -> list[Link]:
    """Return uses of something unknown that may be of these: only methods are handed on."""
    methods = [one for one in members if one.kind == SymbolKind.METHOD]
    others = [one for one in members if one.kind != SymbolKind.METHOD]
    return [
        link
        for part in (methods, others)
        for link in possible_calls(
            connection,
            {one.name for one in part},
            languages={one.language for one in part},
            handed=part is methods,
        )
    ]


def _looks_at_text(asked: Asked) -> bool:
    """Tell whether a mere mention may be an answer: a line of text is no function, and no class."""
    return asked.relation in {Relation.CALLERS, Relation.USERS} and not asked.sources


def _others(found: Iterable[Use], known: set[tuple[str, int]]) -> list[Use]:
    return [one for one in found if (one.node.path, one.line) not in known]


def _handed_on(connection: sqlite3.Connection, members: Sequence[Node]) -> Iterator[Use]:
    """Yield lines that name functions as values: whoever gets one may call it, unseen."""
    for one in _lines(links_to(connection, [one.id for one in members], "references")):
        yield replace(one, certainty="textual")


def _certain(connection: sqlite3.Connection, relation: Relation, meant: Object) -> list[Link]:
    """Return the uses that are known to be of what is meant."""
    kinds = _KINDS[relation]
    found = links_to(connection, [one.id for one in meant.symbols], *kinds)
    found += links_to_files(connection, meant.files, *kinds)
    if meant.package and "imports" in kinds:
        found += links_to_module(connection, meant.package)
    if meant.package and relation in {Relation.CALLERS, Relation.USERS}:
        outside = links_to_outside(connection, meant.package)
        found += [one for one in outside if one.kind in kinds]
    if relation is Relation.SUBTYPES:
        found += links_to_outer_base(connection, meant.package) if meant.package else []
        found += _further(connection, found) + _overriding(connection, meant)
    return found


def _lines(links: Iterable[Link]) -> list[Use]:
    """Return a use a line: the most telling one, `x()` before the `x` in it."""
    best: dict[tuple[str, int], Use] = {}
    for link in sorted(links, key=lambda one: _TELLING.get(one.kind, 0)):
        for line in link.lines if link.node else ():
            if link.node:
                use = Use(link.node, line, link.kind, link.certainty)
                best.setdefault((link.node.path, line), use)
    return [best[key] for key in sorted(best)]


def _further(connection: sqlite3.Connection, links: Iterable[Link]) -> list[Link]:
    """Return the subtypes of subtypes, down to the last."""
    seen: set[int] = set()
    found: list[Link] = []
    layer = [one.node.id for one in links if one.node]
    while layer := [one for one in layer if one and one not in seen]:
        seen.update(layer)
        below = links_to(connection, layer, "extends")
        found += below
        layer = [one.node.id for one in below if one.node]
    return found


def _overriding(connection: sqlite3.Connection, meant: Object) -> list[Link]:
    """Return the methods that stand in for these ones in subtypes."""
    methods = [one.id for one in meant.symbols if one.kind == SymbolKind.METHOD]
    steps = {one.target: one for one in overriding(connection, methods)}
    return [
        Link(
            "overrides",
            "resolved" if steps[it.id].certainty == "resolved" else "ambiguous",
            (it.line,),
            "",
            it,
        )
        for it in symbols_of(connection, steps)
    ]


def _textual(connection: sqlite3.Connection, meant: Object, found: Iterable[Use]) -> Iterator[Use]:
    """Yield lines that say a name and are neither its definition nor known to use any other."""
    names = sorted({one.name for one in meant.symbols} | {meant.package})
    names = [one for one in names if len(one) >= _SHORTEST and one.isidentifier()]
    if not names:
        return
    known = {(one.node.path, one.line) for one in found}
    known |= {(one.path, one.line) for one in meant.symbols}
    known |= lines_using(connection, names)
    said = lines_saying(connection, names)
    for node in files_of(connection, said):
        for number in sorted(said[node.file_id]):
            if (node.path, number) not in known:
                yield Use(node, number, "mentions", "textual")
