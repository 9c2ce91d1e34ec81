"""Find the callers of a symbol: certain ones, possible ones, and code that passes it as a value.

A possible call goes through a supertype or interface. Or its receiver has an unknown type and it
probably means the symbol (`graph.possible_calls`); other calls of the same name are only counted.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.relations.call_conditions import conditions_around
from codeindex.analysis.relations.foreign_uses import UsesElsewhere, describe_uses_elsewhere
from codeindex.analysis.relations.other_mentions import NO_MENTIONS, Mentions, find_mentions
from codeindex.analysis.subject import (
    ResolvedName,
    describe_definitions,
    find_symbols,
    list_definitions,
    unique_keys,
)
from codeindex.graph.dispatch import possible_callees_above, possible_callees_below
from codeindex.graph.possible_calls import possible_calls_of
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import known_files_at, stored_lines_with, stored_text
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.adjacency import IncomingLink, incoming_links
from codeindex.store.graph.edges import StoredEdge, edges_through_root
from codeindex.store.graph.links import linked_edges
from codeindex.store.graph.overloads import count_overloads_by_line, split_by_certainty
from codeindex.store.symbols.nodes import symbols_by_id, symbols_by_name
from codeindex.text.short_names import shorten_name
from codeindex.text.truncate import truncate
from codeindex.text.words import names_pattern
from codeindex.types import (
    CALLABLE_KINDS,
    OVERLOAD_PREFIX,
    OWNER_KINDS,
    Certainty,
    Neighbor,
    Node,
    Skipped,
    SymbolKind,
    UseKind,
    by_name_suffix,
    first_unread,
    unparsed_suffix,
)
from codeindex.types.report import DataReport, Table, make_table, plural

DEFAULT_CALLERS = 20
_PASSABLE_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
"""Only symbols of these kinds are passed as values; code that names a property or field reads
it."""
_IMPLEMENTATIONS = 10
"""Maximum implementations that are listed; `find` in mode implementers lists all."""
_MAX_CALLS = 4
"""Most calls of one caller whose line is shown; the others' numbers are listed."""
_MAX_NAMED = 8
"""Calls by name only are listed if they are no more: an agent that is told their number alone looks
for them with a further call."""
_WIDTH = 160
"""Most characters of a source line that are shown."""
_RENAMING = re.compile(r"^(?=.*\b(?:import|use|using|require|export)\b).*(?:\bas\b|=>|[=:]\s*\w)")
"""A line that imports a name and may give it another one, with which other lines call it."""


@dataclass(frozen=True, slots=True)
class CallLine:
    """A line with a call.

    `inside` has the control lines, like `if ready`, under which the call is indented in its
    function, the outermost first; "" for none.
    """

    line: int
    text: str
    inside: str


@dataclass(frozen=True, slots=True)
class Caller:
    """A calling symbol (or file, for top-level code); `text` is the line of its first call.

    `handed_on` is true if the caller passes the symbol as a value, so that the receiver may call
    it. `through` names the method of a supertype or interface that the caller calls instead of the
    symbol. `of` names the called definition if the symbol's name has several.
    """

    file: str
    lines: tuple[int, ...]
    text: str
    name: str
    kind: str
    certainty: Certainty
    is_test: bool
    handed_on: bool = False
    through: str = ""
    of: str = ""
    by_compiler: bool = False
    """Whether a compiler's index confirms each of the lines."""
    inside: str = ""
    """The lines of an `if`, loop and the like that the first call is indented under, the outermost
    first; "" for none."""
    others: tuple[CallLine, ...] = ()
    """The next calls."""


@dataclass(frozen=True, slots=True)
class Callers(DataReport):
    """The callers of a symbol; the `total_*` fields count before the limit.

    `through` maps the name of a supertype method to the number of calls of that method, which may
    run the symbol. `implementations` are overrides of the symbol: a call of the symbol may run
    them.
    """

    symbol: str
    definitions: tuple[ResolvedName, ...]
    callers: tuple[Caller, ...]
    total_certain: int
    total_ambiguous: int
    through: Mapping[str, int]
    implementations: tuple[ResolvedName, ...]
    total_implementations: int
    truncated: bool
    limited_to: str = ""
    """The listing filter as a phrase, such as `, without tests`."""
    by_name_only: int = 0
    """Number of other places that call a member of this name, which are unlikely to mean it."""
    named: tuple[Caller, ...] = ()
    """These places if they are few; else none."""
    unread: int = 0
    """Number of code files that were skipped or parsed only partly and may contain further calls.
    Files that do not contain the name are not counted."""
    unread_paths: tuple[str, ...] = ()
    """Paths of the first of these files."""
    elsewhere: UsesElsewhere | None = None
    """Uses in other repositories that the request names; None if it names none."""
    mentions: Mentions = NO_MENTIONS
    """Lines with the symbol's name that may be uses of it; searched only if no caller is found
    except the symbol itself."""

    def columns(self) -> Table:
        header = ("file", "lines", "kind", "name", "certainty")
        return make_table(self.callers, header, blank="-")

    def text(self) -> Iterator[str]:
        compiled = sum(caller.by_compiler for caller in self.callers)
        known = f" (of those shown, {compiled} by a compiler's index)" if compiled else ""
        counts = f"{self.total_certain} certain{known}, {self.total_ambiguous} possible"
        cut = f", the first {len(self.callers)}" if self.truncated else ""
        rest = by_name_suffix(self.by_name_only)
        yield (
            f"{self.symbol}: {counts} callers{self.limited_to}{cut}{rest}"
            f"{unparsed_suffix(self.unread, self.unread_paths)}"
        )
        yield from describe_definitions(self.definitions)
        for name, count in self.through.items():
            yield f"  {count} through {name}"
        if self.implementations:
            yield f"  its callers may run {plural(self.total_implementations, 'implementation')}:"
            yield from (
                f"    {definition.file}:{definition.line} {definition.name}"
                for definition in self.implementations
            )
        for caller in self.callers:
            yield from _caller_lines(caller, doubt=_doubt_remark(caller))
        if self.named:
            yield "  by name only:"
            for caller in self.named:
                yield from _caller_lines(caller, doubt="")
        yield from self.mentions.text()
        yield from describe_uses_elsewhere(self.elsewhere)


def _caller_lines(caller: Caller, *, doubt: str) -> Iterator[str]:
    """Yield text lines about a caller: one for its first call, one for each further shown call.

    `doubt` is a remark for uncertain calls, '' for certain ones.
    """
    shown = {call.line for call in caller.others}
    more = [line for line in caller.lines[1:] if line not in shown]
    also = f"  also in {', '.join(map(str, more))}" if more else ""
    name = shorten_name(caller.name, caller.file) or "(top level)"
    place = f"{caller.file}:{caller.lines[0]}: {name}{also}{doubt}"
    yield f"{place}: {caller.text}{_under(caller.inside)}"
    for call in caller.others:
        yield f"  {call.line}: {call.text}{_under(call.inside)}"


def _under(inside: str) -> str:
    return f"  [in: {inside}]" if inside else ""


def _doubt_remark(caller: Caller) -> str:
    if caller.certainty == "resolved":
        return ""
    method = ".".join(caller.through.rpartition("::")[2].split(".")[-2:])
    why = f"through {method}" if method else "possible"
    return "  (handed on)" if caller.handed_on else f"  ({why})"


def find_callers(
    connection: sqlite3.Connection,
    symbol: str,
    *,
    limit: int = DEFAULT_CALLERS,
    inside: ListingFilter = NO_FILTER,
    root: Path | None = None,
) -> Callers:
    """Return the callers of a symbol; raise QueryError for an unknown name.

    If there are more than `limit`, callers outside of tests are kept first. `root` is the root of
    the repository: code there that is not indexed is named if it has the name of the symbol.
    """
    nodes = find_symbols(connection, symbol)
    uses = list(incoming_links(connection, unique_keys(nodes)))
    found, by_name_only = _all_callers(connection, nodes, uses)
    callers, named = inside.kept(found), inside.kept(by_name_only)
    kept_callers = sorted(callers, key=lambda caller: (caller.is_test, _order(caller)))[:limit]
    behind = symbols_by_id(connection, possible_callees_below(connection, nodes))
    unread = _unread_files(connection, nodes, uses, (*found, *by_name_only), root)
    listed = {(each.file, at) for each in (*found, *by_name_only) for at in each.lines}
    own = {(node.path, node.qualified) for node in nodes}
    is_used = any((caller.file, caller.name) not in own for caller in found)
    return Callers(
        symbol=symbol,
        definitions=list_definitions(nodes),
        callers=tuple(_add_text(connection, sorted(kept_callers, key=_order))),
        total_certain=sum(caller.certainty == "resolved" for caller in callers),
        total_ambiguous=sum(caller.certainty != "resolved" for caller in callers),
        through=dict(Counter(caller.through for caller in callers if caller.through).most_common()),
        implementations=list_definitions(behind[:_IMPLEMENTATIONS]),
        total_implementations=len(behind),
        truncated=len(callers) > limit,
        limited_to=str(inside),
        by_name_only=len(named),
        named=tuple(_add_text(connection, named if len(named) <= _MAX_NAMED else ())),
        unread=len(unread),
        unread_paths=first_unread(file.path for file in unread),
        mentions=NO_MENTIONS
        if is_used
        else find_mentions(connection, nodes, listed, inside=inside),
    )


def _all_callers(
    connection: sqlite3.Connection, nodes: Sequence[Node], uses: Sequence[IncomingLink]
) -> tuple[Sequence[Caller], Sequence[Caller]]:
    """Return (callers of the symbols, code that calls only something of the same name).

    `uses` are the links to the symbols.
    """
    direct = _without_repeated(_direct_callers(uses, nodes, "calls"), nodes)
    through = _new_callers(
        direct,
        [*_supertype_callers(connection, nodes), *_callers_of_declarations(connection, nodes)],
    )
    members = [node for node in nodes if node.kind not in OWNER_KINDS]
    calls = possible_calls_of(connection, members)
    likely = (*calls.likely, *_through_root(connection, nodes))
    possible = _new_callers((*direct, *through), _by_name(connection, likely))
    found = (*direct, *through, *possible)
    functions = [node for node in members if node.kind in _PASSABLE_KINDS]
    handed = _new_callers(found, _direct_callers(uses, functions, "references"))
    unlikely = _new_callers(found, _by_name(connection, calls.others))
    return (*found, *handed), unlikely


def _unread_files(
    connection: sqlite3.Connection,
    nodes: Sequence[Node],
    uses: Iterable[IncomingLink],
    callers: Iterable[Caller],
    root: Path | None,
) -> list[Skipped]:
    """Return the files that were not read completely and may have calls besides `callers`.

    A file with the names is left out if all lines that contain one are known uses or definitions,
    and none of these lines may import the symbol under another name.
    """
    is_plain = all(node.kind != SymbolKind.CONSTRUCTOR for node in nodes)
    names = {node.name for node in nodes} if is_plain else set()
    languages = {node.language for node in nodes}
    files = incomplete_files(connection, names, languages=languages, root=root)
    if not names:
        return list(files)
    known = {(caller.file, line) for caller in callers for line in caller.lines}
    known |= {(node.path, node.line) for node in nodes}
    known |= {(link.node.path, line) for *_, link in uses if link.node for line in link.lines}
    written = names_pattern(names)

    def may_have_more(file: Skipped) -> bool:
        found = dict(stored_lines_with(connection, file.path, written))
        is_listed = found and all((file.path, at) in known for at in found)
        return not is_listed or any(map(_RENAMING.search, found.values()))

    return list(filter(may_have_more, files))


def _order(caller: Caller) -> tuple[bool, bool, bool, bool]:
    return caller.certainty != "resolved", caller.handed_on, not caller.through, caller.is_test


def _direct_callers(
    uses: Iterable[IncomingLink], nodes: Sequence[Node], kind: str
) -> Iterator[Caller]:
    """Yield the callers that use some symbols by uses of one kind, like `calls`.

    `uses` may have links to other symbols, too. The caller's field `of` is set only if there are
    several symbols.
    """
    keys = unique_keys(nodes)
    own = [use for use in uses if use.symbol in keys and use.link.kind == kind]
    callers = [
        _make_caller(link, link.node, of=keys[symbol] if symbol and len(keys) > 1 else "")
        for symbol, link in _resolve_overloads(own)
        if link.node
    ]
    yield from sorted(callers, key=lambda caller: (caller.file, caller.lines))


def _without_repeated(callers: Iterable[Caller], nodes: Sequence[Node]) -> list[Caller]:
    """Drop callers of a type if all of their lines are also calls of its constructor."""
    all_callers = list(callers)
    types = {node.key for node in nodes if node.kind in OWNER_KINDS}
    of_types = [caller for caller in all_callers if caller.of in types]
    others = [caller for caller in all_callers if caller.of not in types]
    kept = {id(caller) for caller in (*others, *_new_callers(others, of_types))}
    return [caller for caller in all_callers if id(caller) in kept]


def _resolve_overloads(uses: Sequence[IncomingLink]) -> Iterator[tuple[int, Neighbor]]:
    """Yield (id of the used symbol, use) for each use.

    If a call can mean several overloads and no other function, it is yielded once, with the id 0.
    """
    counts = count_overloads_by_line((use.link.node, use.link.lines, use.link.name) for use in uses)
    yielded: set[tuple[Node | None, tuple[int, ...]]] = set()
    for symbol, _, link in uses:
        if not link.name.startswith(OVERLOAD_PREFIX):
            yield symbol, link
            continue
        sure, others = map(tuple, split_by_certainty((link.node, link.lines, link.name), counts))
        if sure and (link.node, sure) not in yielded:
            yielded.add((link.node, sure))
            yield 0, link._replace(lines=sure, certainty="resolved")
        if others:
            yield symbol, link._replace(lines=others)


def _supertype_callers(connection: sqlite3.Connection, nodes: Sequence[Node]) -> Iterator[Caller]:
    """Yield the callers of supertype methods that the symbols override or implement.

    Their calls may run one of the symbols.
    """
    for node in symbols_by_id(connection, possible_callees_above(connection, nodes)):
        for caller in _direct_callers(incoming_links(connection, [node.id]), [node], "calls"):
            yield replace(caller, certainty="ambiguous", through=node.key)


def _callers_of_declarations(
    connection: sqlite3.Connection, nodes: Sequence[Node]
) -> Iterator[Caller]:
    """Yield the callers of header declarations that have several definitions, one for each build.

    Such a call may run any of the definitions. If there is only one definition, its edges already
    contain the calls.
    """
    known = {node.id for node in nodes}
    for node in nodes:
        language = LANGUAGES[node.language]
        is_shared = node.has_body and not node.signature.startswith("static")
        if not language.separate_declarations or node.kind not in CALLABLE_KINDS or not is_shared:
            continue
        same = symbols_by_name(connection, node.qualified)
        declarations = [
            each
            for each in same
            if each.id not in known and each.qualified == node.qualified and not each.has_body
        ]
        uses = incoming_links(connection, unique_keys(declarations))
        for caller in _direct_callers(uses, declarations, "calls"):
            yield replace(caller, certainty="ambiguous", of="")


def _new_callers(callers: Iterable[Caller], candidates: Iterable[Caller]) -> list[Caller]:
    """Return the candidates with at least one line that is not among the lines of `callers`."""
    lines = {(caller.file, caller.name, line) for caller in callers for line in caller.lines}
    return [
        caller
        for caller in candidates
        if not lines.issuperset((caller.file, caller.name, line) for line in caller.lines)
    ]


def _through_root(connection: sqlite3.Connection, nodes: Sequence[Node]) -> list[StoredEdge]:
    """Return uses that name `nodes` through the package of the root folder.

    They are ambiguous. There are none if the root folder is not a package itself.
    """
    package_files = {LANGUAGES[node.language].package_file for node in nodes} - {""}
    at_root = known_files_at(connection, package_files)
    names = [
        f"{node.module}.{node.qualified}"
        for node in nodes
        if LANGUAGES[node.language].package_file in at_root
    ]
    return [edge._replace(certainty="ambiguous") for edge in edges_through_root(connection, names)]


def _by_name(connection: sqlite3.Connection, edges: Sequence[StoredEdge]) -> Iterable[Caller]:
    """Return the callers in `edges`, whose calls have a receiver of unknown type.

    Only the name of the called member is known. A call that may mean several members is returned
    once.
    """
    links = linked_edges(connection, edges)
    return dict.fromkeys(_make_caller(link, link.node) for link in links if link.node)


def _make_caller(link: Neighbor, node: Node, *, of: str = "") -> Caller:
    handed_on = link.kind == UseKind.REFERENCE
    return Caller(
        file=node.path,
        lines=link.lines,
        text="",
        name=node.qualified,
        kind=node.kind,
        certainty="ambiguous" if handed_on else link.certainty,
        is_test=bool(node.is_test),
        handed_on=handed_on,
        of=of,
        by_compiler=bool(link.lines) and set(link.lines) <= set(link.compiler),
    )


def _add_text(connection: sqlite3.Connection, callers: Sequence[Caller]) -> Iterator[Caller]:
    """Add the texts of the first lines to callers, and yield them; every file is read once."""
    texts = {
        path: stored_text(connection, path).split("\n")
        for path in {caller.file for caller in callers}
    }
    for item in callers:
        lines = texts[item.file]
        first, *others = (
            CallLine(
                at,
                truncate("".join(lines[at - 1 : at]).strip(), _WIDTH),
                conditions_around(lines, at, item.name),
            )
            for at in item.lines[:_MAX_CALLS]
        )
        others = [call for call in others if (call.text, call.inside) != (first.text, first.inside)]
        yield replace(item, text=first.text, inside=first.inside, others=tuple(others))
