"""Find the uses of a published symbol or file in other repositories.

The using repository lists the external names in its code; the defining repository tells which of
these names its published packages define.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codeindex.analysis.focus import resolve_focus
from codeindex.graph.foreign_names import ForeignName, PublishedPlace, published_places
from codeindex.store.catalog.files import stored_text
from codeindex.store.graph.edges import possible_edges
from codeindex.store.graph.import_targets import files_importing, used_external_names
from codeindex.store.graph.links import linked_edges, links_to_external_names
from codeindex.store.symbols.declarations import declarations_in
from codeindex.text.truncate import truncate
from codeindex.types import Certainty, Neighbor, Node, SymbolKind
from codeindex.types.report import DataReport, Table, make_table

_WIDTH = 160
"""Most characters of a source line that are shown."""


@dataclass(frozen=True, slots=True)
class ForeignUse:
    """A use in another repository, by the symbol `name` or, if it is '', by top-level code.

    `written` is the name with which the code refers to the symbol or file.
    """

    repo: str
    path: str
    lines: tuple[int, ...]
    text: str
    name: str
    how: str
    written: str
    certainty: Certainty
    is_test: bool


@dataclass(frozen=True, slots=True)
class ForeignNames(DataReport):
    """Names with which code refers to symbols or files of other repositories.

    Names in `certain` definitely mean the subject of the question; the others may mean it.
    """

    names: tuple[ForeignName, ...]
    certain: frozenset[ForeignName] = frozenset()
    methods: frozenset[str] = frozenset()
    """Names of the subject's methods. Calls of such names are possible uses in files that use an
    owner."""
    owners: frozenset[ForeignName] = frozenset()
    """Names of the types that have these methods."""

    def columns(self) -> Table:
        return make_table(self.names, ("language", "name"))

    def text(self) -> Iterator[str]:
        yield from (name.name for name in self.names)


@dataclass(frozen=True, slots=True)
class ForeignUses(DataReport):
    """Uses, in one repository, of names that another repository defines."""

    uses: tuple[ForeignUse, ...]

    def columns(self) -> Table:
        return make_table(self.uses, ("repo", "path", "lines", "name", "certainty"), blank="-")

    def text(self) -> Iterator[str]:
        yield from describe_foreign_uses(self.uses)


@dataclass(frozen=True, slots=True)
class UsesElsewhere:
    """Uses in the repositories `searched`; the totals count before the limit.

    `failed` maps the name of each repository that could not be searched to a sentence with the
    reason.
    """

    searched: tuple[str, ...]
    uses: tuple[ForeignUse, ...]
    total_certain: int
    total_possible: int
    failed: Mapping[str, str]


def describe_uses_elsewhere(found: UsesElsewhere | None) -> Iterator[str]:
    """Yield lines of text about uses in other repositories; nothing for None.

    They are the counts, the repositories that were not searched, then each use.
    """
    if found is None:
        return
    total = found.total_certain + found.total_possible
    cut = f", the first {len(found.uses)}" if len(found.uses) < total else ""
    searched = ", ".join(found.searched) or "no other repository"
    yield (
        f"in {searched}: {found.total_certain} certain, {found.total_possible} possible uses{cut}"
    )
    for name, sentence in found.failed.items():
        yield f"{name} was not searched: {sentence}"
    yield from describe_foreign_uses(found.uses)


def describe_foreign_uses(uses: Sequence[ForeignUse]) -> Iterator[str]:
    """Yield a line of text for each use in another repository."""
    for use in uses:
        also = f"  also in {', '.join(map(str, use.lines[1:]))}" if use.lines[1:] else ""
        doubt = "" if use.certainty == "resolved" else "  (possible)"
        how = "" if use.how == "calls" else f"  ({use.how})"
        place = f"{use.repo}: {use.path}:{use.lines[0]}"
        yield f"{place}: {use.name or '(top level)'}{also}{how}{doubt}"


def list_external_names(connection: sqlite3.Connection) -> ForeignNames:
    """Return the names that code of this repository uses and other code defines."""
    names = used_external_names(connection)
    return ForeignNames(tuple(ForeignName(language, name) for language, name in names))


def keep_published_names(
    connection: sqlite3.Connection, names: Sequence[ForeignName]
) -> ForeignNames:
    """Return the subset of `names` that a package published by this repository defines."""
    return ForeignNames(tuple(published_places(connection, names)))


def keep_names_of_subject(
    connection: sqlite3.Connection, subject: str, names: Sequence[ForeignName]
) -> ForeignNames:
    """Return the subset of `names` that means `subject`, a symbol or file of this repository.

    A name is certain if its module declares the symbol or imports it by name. Raise QueryError for
    an unknown subject.
    """
    nodes = resolve_focus(connection, subject).nodes
    endings = {node.name for node in nodes if node.id}
    is_file = any(not node.id for node in nodes)
    likely = [name for name in names if is_file or name.name.rpartition(".")[2] in endings]
    places = published_places(connection, likely)
    certain, possible = set(), set()
    for node in nodes:
        matches = _file_matches if not node.id else _symbol_matches
        own, others = matches(connection, node, places)
        certain |= own
        possible |= others
    methods = [node for node in nodes if node.kind == SymbolKind.METHOD]
    return ForeignNames(
        tuple(sorted(certain | possible)),
        frozenset(certain),
        frozenset(node.name for node in methods),
        frozenset(_owner_names(connection, methods, names)),
    )


def _owner_names(
    connection: sqlite3.Connection, methods: Sequence[Node], names: Sequence[ForeignName]
) -> Iterator[ForeignName]:
    """Yield those of `names` that refer to a type that owns one of `methods`."""
    owners = {(node.file_id, node.qualified.rpartition(".")[0]) for node in methods}
    for owner in declarations_in(connection, {file for file, _ in owners}):
        if (owner.file_id, owner.qualified) in owners:
            likely = [name for name in names if name.name.rpartition(".")[2] == owner.name]
            certain, possible = _symbol_matches(
                connection, owner, published_places(connection, likely)
            )
            yield from certain | possible


_Matches = tuple[set[ForeignName], set[ForeignName]]
"""The names that certainly mean a node, and those that may mean it."""


def _file_matches(
    connection: sqlite3.Connection, node: Node, places: Mapping[ForeignName, PublishedPlace]
) -> _Matches:
    """Return (certain names, possible names) that refer to a file.

    They are names of its module and of its declarations.
    """
    certain = {
        name for name, place in places.items() if node.path in place.files and not place.symbol
    }
    possible: set[ForeignName] = set()
    written = {place.symbol for place in places.values()}
    for declared in declarations_in(connection, [node.file_id]):
        if {declared.qualified, declared.name} & written:
            own, others = _symbol_matches(connection, declared, places)
            certain |= own
            possible |= others
    return certain, possible - certain


def _symbol_matches(
    connection: sqlite3.Connection, node: Node, places: Mapping[ForeignName, PublishedPlace]
) -> _Matches:
    """Return (certain names, possible names) by which another repository refers to a symbol.

    `places` maps each name in the other repository to its place in this one. A name is certain if
    its place is the symbol's own file or a file that imports the symbol by name. It is possible if
    its place is a file that imports the symbol's module and may re-export the symbol.
    """
    certain = {
        name
        for name, place in places.items()
        if node.path in place.files and place.symbol == node.qualified
    }
    exporting = files_importing(connection, node)
    possible = set()
    for name, place in places.items():
        if place.symbol != node.name or node.path in place.files:
            continue
        kinds = {exporting[path] for path in place.files if path in exporting}
        if True in kinds:
            certain.add(name)
        elif kinds:
            possible.add(name)
    return certain, possible


def find_uses_of_names(
    connection: sqlite3.Connection,
    repo: str,
    found: ForeignNames,
    *,
    unsure: Collection[ForeignName],
) -> ForeignUses:
    """Return the uses in this repository of names that another repository defines.

    `found` has these names. Calls of the methods in `found.methods` are possible uses, and only in
    files that use one of the types `found.owners`. All other uses are certain if their name is in
    `found.certain` and not in `unsure`, and possible otherwise.
    """
    certain = found.certain - set(unsure)
    uses = [
        _use(connection, repo, link, node, is_certain=_foreign_name(link, node) in certain)
        for link, node in _links(connection, found.names)
    ]
    users = {node.path for _, node in _links(connection, found.owners)}
    languages = {name.language for name in found.owners}
    uses += (
        _use(connection, repo, link, link.node, is_certain=False)
        for link in linked_edges(
            connection, possible_edges(connection, found.methods, languages=languages)
        )
        if link.node and link.node.path in users
    )
    return ForeignUses(tuple(sorted(uses, key=_order)))


def _links(
    connection: sqlite3.Connection, names: Collection[ForeignName]
) -> Iterator[tuple[Neighbor, Node]]:
    """Yield (use, node that contains it) for each use of one of the names."""
    for link in links_to_external_names(connection, {name.name for name in names}):
        if link.node and _foreign_name(link, link.node) in names:
            yield link, link.node


def _use(
    connection: sqlite3.Connection, repo: str, link: Neighbor, node: Node, *, is_certain: bool
) -> ForeignUse:
    return ForeignUse(
        repo=repo,
        path=node.path,
        lines=link.lines,
        text=_line(connection, node.path, link.lines[0]),
        name=node.qualified,
        how=link.kind,
        written=link.name,
        certainty="resolved" if is_certain else "ambiguous",
        is_test=bool(node.is_test),
    )


def _foreign_name(link: Neighbor, node: Node) -> ForeignName:
    return ForeignName(node.language, link.name)


def _order(use: ForeignUse) -> tuple[bool, bool, str, tuple[int, ...]]:
    return use.certainty != "resolved", use.is_test, use.path, use.lines


def _line(connection: sqlite3.Connection, path: str, number: int) -> str:
    lines = stored_text(connection, path).split("\n")[number - 1 : number]
    return truncate("".join(lines).strip(), _WIDTH)
