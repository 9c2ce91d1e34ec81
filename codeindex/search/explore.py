"""A question in one answer: the code that answers it, and what calls, is called by and tests that.

The answer of a search comes first, packed into the larger part of the budget. What is linked with
its best symbols follows, a line each, so that the usual next calls (callers, tests) are not needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from codeindex.graph.covering_tests import MAY_CALL_IT, covering_tests
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
_SHARE = 0.75
"""Share of the budget that goes to the code that answers."""
_SYMBOLS = 3
"""Best symbols of which links are shown: a right function is among the first three for .84 of the
dev questions."""
_LIKELY = 0.25
"""Share of the best result's score below which a symbol's links are not shown."""
_EACH: Mapping[LinkRole, int] = {"caller": 3, "callee": 6, "test": 2}
"""Links of one symbol that are shown, as far as the budget allows."""
_WIDTH = 120
"""Characters of a line of code that shows a link."""


@dataclass(frozen=True, slots=True)
class SymbolLink:
    """What is linked with a symbol that answers; `text` is the line that shows it."""

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
        """The files that the answer speaks of."""
        hits = (*self.answer.hits, *self.answer.navigation)
        return {one.path for one in hits} | {one.file for one in self.links}

    @property
    def is_empty(self) -> bool:
        """True where nothing was found."""
        return not self.answer.hits

    def as_dict(self) -> ExplorationDict:
        """Return the answer as agents get it, and the links."""
        return {"answer": agent_answer(self.answer), "links": [asdict(one) for one in self.links]}

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """Return a row for each result and each link."""
        rows = [
            ("result", hit.path, str(hit.line or hit.start_line), hit.symbol)
            for hit in self.answer.hits
        ]
        rows += [(one.role, one.file, str(one.line), one.symbol) for one in self.links]
        return ("role", "file", "line", "symbol"), rows

    def text(self) -> Iterator[str]:
        """Yield the answer, then the links under the symbol that they are of."""
        yield from answer_text(self.answer).split("\n")
        before: tuple[str, str] = ("", "")
        for one in self.links:
            if (one.of, one.role) != before:
                yield _heading(one)
            before = (one.of, one.role)
            yield _line(one)


_TITLES: Mapping[LinkRole, str] = {
    "caller": "callers of",
    "callee": "called by",
    "test": "tests of",
}


def search_budget(budget: int) -> int:
    """Return the tokens of a budget that the answer of the search may take; QueryError if unfit."""
    check_budget(budget)
    return max(1, int(budget * _SHARE)) if budget else 0


def remaining_budget(budget: int, answer: Answer, sent_as: AgentFormat) -> int:
    """Return the tokens that are left beside an answer, at least 1; 0 where there is no limit."""
    if not budget:
        return 0
    size = len(answer_text(answer)) if sent_as == "text" else json_size(agent_answer(answer))
    return max(1, budget - size // CHARACTERS_A_TOKEN)


def link_symbols(
    connection: sqlite3.Connection, answer: Answer, *, budget: int
) -> tuple[SymbolLink, ...]:
    """Return the links of an answer's best symbols, as many as `budget` tokens hold; 0 is all."""
    nodes = list(_best_nodes(connection, answer.hits))
    shown = {(hit.path, hit.symbol) for hit in answer.hits if hit.shown in {"full", "skeleton"}}
    found = [one for node in nodes for one in _links_of(connection, node, shown)]
    return tuple(_fitting(found, budget * CHARACTERS_A_TOKEN) if budget else found)


def _best_nodes(connection: sqlite3.Connection, hits: Sequence[Hit]) -> Iterator[Node]:
    """Yield the functions and types of the best results, each once."""
    known: set[int] = set()
    least = hits[0].score * _LIKELY if hits else 0.0
    for hit in hits:
        if len(known) == _SYMBOLS or hit.score < least:
            return
        if hit.is_test or not hit.symbol:
            continue
        for node in _defined(connection, hit):
            if node.id not in known and node.kind in CALLABLE_KINDS | OWNER_KINDS:
                known.add(node.id)
                yield node


def _defined(connection: sqlite3.Connection, hit: Hit) -> list[Node]:
    """Return the symbol of a result: of a prototype, the function whose body is elsewhere."""
    own = symbols_by_name(connection, f"{hit.path}::{hit.symbol.partition(', ')[0]}")[:1]
    if own and own[0].kind in CALLABLE_KINDS and not own[0].has_body:
        bodies = symbols_by_name(connection, own[0].qualified)
        return [one for one in bodies if one.has_body][:1] or own
    return own


def _links_of(
    connection: sqlite3.Connection, node: Node, shown: set[tuple[str, str]]
) -> Iterator[SymbolLink]:
    """Yield a symbol's certain callers outside of tests, what it calls, and its tests."""
    yield from _callers(connection, node, shown)
    callees = [
        SymbolLink("callee", node.qualified, one.node.path, one.node.line, one.node.qualified, "")
        for one in links_from(connection, node, "calls")
        if one.node
        and one.certainty == "resolved"
        and one.node.id != node.id
        and (one.node.path, one.node.qualified) not in shown
    ]
    yield from list(dict.fromkeys(callees))[: _EACH["callee"]]
    sure = [
        (test, why) for test, why in covering_tests(connection, [node]) if why != (MAY_CALL_IT,)
    ]
    for test, why in sure[: _EACH["test"]]:
        name = test.qualified or "(file)"
        yield SymbolLink("test", node.qualified, test.path, test.line, name, why[0])


def _callers(
    connection: sqlite3.Connection, node: Node, shown: set[tuple[str, str]]
) -> Iterator[SymbolLink]:
    """Yield the first line of each certain caller, those outside of the answer first."""
    callers = [
        (one.link.node, one.link.lines[0])
        for one in incoming_links(connection, [node.id, *_declarations(connection, node)])
        if one.link.kind == "calls" and one.link.certainty == "resolved" and one.link.node
    ]
    outside = [(who, line) for who, line in callers if not who.is_test and who.id != node.id]
    outside.sort(key=lambda one: (one[0].path, one[0].qualified) in shown)
    for who, line in outside[: _EACH["caller"]]:
        code = stored_text(connection, who.path).split("\n")[line - 1].strip()
        text = code if len(code) <= _WIDTH else f"{code[:_WIDTH]}…"
        yield SymbolLink("caller", node.qualified, who.path, line, who.qualified, text)


def _declarations(connection: sqlite3.Connection, node: Node) -> list[int]:
    """Return the ids of a function's prototypes: calls may be known as theirs."""
    return [
        one.id
        for one in symbols_by_name(connection, node.qualified)
        if node.has_body and not one.has_body and one.kind == node.kind
    ]


def _heading(one: SymbolLink) -> str:
    return section_title(f"{_TITLES[one.role]} {one.of}")


def _line(one: SymbolLink) -> str:
    text = f": {one.text}" if one.text else ""
    return escape_line(f"  {one.file}:{one.line} {one.symbol}{text}")


def _fitting(found: Sequence[SymbolLink], room: int) -> Iterator[SymbolLink]:
    """Yield the links that fit, one role after another so that none takes all the room."""
    rank: dict[tuple[str, LinkRole], int] = {}
    order: list[tuple[int, int]] = []
    for at, one in enumerate(found):
        nth = rank[one.of, one.role] = rank.get((one.of, one.role), 0) + 1
        order.append((nth, at))
    kept: set[int] = set()
    titles: set[tuple[str, LinkRole]] = set()
    for _, at in sorted(order):
        one = found[at]
        heading = 0 if (one.of, one.role) in titles else len(_heading(one)) + 1
        room -= len(_line(one)) + 1 + heading
        if room < 0:
            break
        kept.add(at)
        titles.add((one.of, one.role))
    return (found[at] for at in sorted(kept))
