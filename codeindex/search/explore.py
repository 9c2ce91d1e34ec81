"""Answer a search together with the callers, callees and tests of the best symbols.

The hits get the larger part of the budget. The links of the best symbols follow, one line each, so
that an agent does not need the usual next calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from codeindex.graph.covering_tests import covering_tests
from codeindex.query.validation import check_budget
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, agent_answer, json_size
from codeindex.search.pack.agent_text import answer_text
from codeindex.search.pack.text_lines import section_title
from codeindex.store.catalog.files import stored_text
from codeindex.store.graph.adjacency import incoming_links
from codeindex.store.graph.links import links_from
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.text.sanitize import escape_line
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, AgentFormat, Answer, AnswerDict, Hit, Node

if TYPE_CHECKING:
    import sqlite3

LinkRole = Literal["caller", "callee", "test"]
_HITS_SHARE = 0.75
"""Share of the budget that the hits get."""
_MAX_SYMBOLS = 3
"""Most symbols whose links are shown: for .84 of the dev questions a right function is among the
first three."""
_MIN_SCORE_SHARE = 0.25
"""Share of the best result's score below which a symbol's links are not shown."""
_MAX_LINKS: Mapping[LinkRole, int] = {"caller": 3, "callee": 6, "test": 2}
"""Links of one symbol that are shown, as far as the budget allows."""
_MAX_LINE_WIDTH = 120
"""Characters of a line of code that is shown for a link."""


@dataclass(frozen=True, slots=True)
class SymbolLink:
    """A caller, callee or test of a symbol; `text` is the line of code that shows the link."""

    role: LinkRole
    of: str
    file: str
    line: int
    symbol: str
    text: str


class ExplorationDict(TypedDict):
    """An `Exploration` in JSON."""

    answer: AnswerDict
    links: list[Annotated[dict[str, Any], SymbolLink]]


@dataclass(frozen=True, slots=True)
class Exploration:
    """The answer of a search, and the links of its best symbols, symbol by symbol."""

    answer: Answer
    links: tuple[SymbolLink, ...]

    @property
    def paths(self) -> set[str]:
        """The files of the hits and the links."""
        hits = (*self.answer.hits, *self.answer.navigation)
        return {hit.path for hit in hits} | {link.file for link in self.links}

    @property
    def is_empty(self) -> bool:
        """Whether the search found no hit."""
        return not self.answer.hits

    def as_dict(self) -> ExplorationDict:
        """Return the answer as agents get it, and the links."""
        return {"answer": agent_answer(self.answer), "links": [asdict(link) for link in self.links]}

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """Return a row for each result and each link."""
        rows = [
            ("result", hit.path, str(hit.line or hit.start_line), hit.symbol)
            for hit in self.answer.hits
        ]
        rows += [(link.role, link.file, str(link.line), link.symbol) for link in self.links]
        return ("role", "file", "line", "symbol"), rows

    def text(self) -> Iterator[str]:
        """Yield the answer, then the links under their symbol."""
        yield from answer_text(self.answer).split("\n")
        before: tuple[str, str] = ("", "")
        for link in self.links:
            if (link.of, link.role) != before:
                yield _heading(link)
            before = (link.of, link.role)
            yield _line(link)


_TITLES: Mapping[LinkRole, str] = {
    "caller": "callers of",
    "callee": "called by",
    "test": "tests of",
}


def search_budget(budget: int) -> int:
    """Return the tokens of a budget that the hits may take; raise QueryError if out of range."""
    check_budget(budget)
    return max(1, int(budget * _HITS_SHARE)) if budget else 0


def remaining_budget(budget: int, answer: Answer, sent_as: AgentFormat) -> int:
    """Return the tokens left after an answer, at least 1; 0 means no limit."""
    if not budget:
        return 0
    size = len(answer_text(answer)) if sent_as == "text" else json_size(agent_answer(answer))
    return max(1, budget - size // CHARACTERS_A_TOKEN)


def link_symbols(
    connection: sqlite3.Connection, answer: Answer, *, budget: int
) -> tuple[SymbolLink, ...]:
    """Return the links of the best symbols that fit into `budget` tokens; 0 means no limit."""
    nodes = list(_best_nodes(connection, answer.hits))
    shown = {(hit.path, hit.symbol) for hit in answer.hits if hit.shown in {"full", "skeleton"}}
    links = [link for node in nodes for link in _links_of(connection, node, shown)]
    return tuple(_fitting(links, budget * CHARACTERS_A_TOKEN) if budget else links)


def _best_nodes(connection: sqlite3.Connection, hits: Sequence[Hit]) -> Iterator[Node]:
    """Yield the functions and types of the best results, each once."""
    known: set[int] = set()
    least = hits[0].score * _MIN_SCORE_SHARE if hits else 0.0
    for hit in hits:
        if len(known) == _MAX_SYMBOLS or hit.score < least:
            return
        if hit.is_test or not hit.symbol:
            continue
        for node in _defined(connection, hit):
            if node.id not in known and node.kind in CALLABLE_KINDS | OWNER_KINDS:
                known.add(node.id)
                yield node


def _defined(connection: sqlite3.Connection, hit: Hit) -> list[Node]:
    """Return the symbol of a result, at most one; for a prototype, the definition with the body."""
    own = symbols_by_name(connection, f"{hit.path}::{hit.symbol.partition(', ')[0]}")[:1]
    if own and own[0].kind in CALLABLE_KINDS and not own[0].has_body:
        bodies = symbols_by_name(connection, own[0].qualified)
        return [body for body in bodies if body.has_body][:1] or own
    return own


def _links_of(
    connection: sqlite3.Connection, node: Node, shown: set[tuple[str, str]]
) -> Iterator[SymbolLink]:
    """Yield a symbol's certain callers outside of tests, what it calls, and its tests."""
    yield from _callers(connection, node, shown)
    callees = [
        SymbolLink(
            "callee", node.qualified, callee.node.path, callee.node.line, callee.node.qualified, ""
        )
        for callee in links_from(connection, node, "calls")
        if callee.node
        and callee.certainty == "resolved"
        and callee.node.id != node.id
        and (callee.node.path, callee.node.qualified) not in shown
    ]
    yield from list(dict.fromkeys(callees))[: _MAX_LINKS["callee"]]
    tests = [test for test in covering_tests(connection, [node]) if test.shown]
    for test in tests[: _MAX_LINKS["test"]]:
        name = test.node.qualified or "(file)"
        place = (test.node.path, test.node.line, name)
        yield SymbolLink("test", node.qualified, *place, test.reasons[0])


def _callers(
    connection: sqlite3.Connection, node: Node, shown: set[tuple[str, str]]
) -> Iterator[SymbolLink]:
    """Yield the first call of each resolved caller; callers that the answer lacks come first."""
    callers = [
        (arrow.link.node, arrow.link.lines[0])
        for arrow in incoming_links(connection, [node.id, *_declarations(connection, node)])
        if arrow.link.kind == "calls" and arrow.link.certainty == "resolved" and arrow.link.node
    ]
    outside = [(who, line) for who, line in callers if not who.is_test and who.id != node.id]
    outside.sort(key=lambda caller: (caller[0].path, caller[0].qualified) in shown)
    for who, line in outside[: _MAX_LINKS["caller"]]:
        code = stored_text(connection, who.path).split("\n")[line - 1].strip()
        text = code if len(code) <= _MAX_LINE_WIDTH else f"{code[:_MAX_LINE_WIDTH]}…"
        yield SymbolLink("caller", node.qualified, who.path, line, who.qualified, text)


def _declarations(connection: sqlite3.Connection, node: Node) -> list[int]:
    """Return the ids of a function's prototypes, because calls may be resolved to a prototype."""
    return [
        declaration.id
        for declaration in symbols_by_name(connection, node.qualified)
        if node.has_body and not declaration.has_body and declaration.kind == node.kind
    ]


def _heading(link: SymbolLink) -> str:
    return section_title(f"{_TITLES[link.role]} {link.of}")


def _line(link: SymbolLink) -> str:
    text = f": {link.text}" if link.text else ""
    return escape_line(f"  {link.file}:{link.line} {link.symbol}{text}")


def _fitting(links: Sequence[SymbolLink], room: int) -> Iterator[SymbolLink]:
    """Yield the links that fit into `room` characters, shared between all symbols and roles."""
    rank: dict[tuple[str, LinkRole], int] = {}
    order: list[tuple[int, int]] = []
    for at, link in enumerate(links):
        nth = rank[link.of, link.role] = rank.get((link.of, link.role), 0) + 1
        order.append((nth, at))
    kept: set[int] = set()
    titles: set[tuple[str, LinkRole]] = set()
    for _, at in sorted(order):
        link = links[at]
        heading = 0 if (link.of, link.role) in titles else len(_heading(link)) + 1
        room -= len(_line(link)) + 1 + heading
        if room < 0:
            break
        kept.add(at)
        titles.add((link.of, link.role))
    return (links[at] for at in sorted(kept))
