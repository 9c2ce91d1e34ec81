"""Answer a search together with the callers, callees and tests of the best symbols.

The hits get the larger part of the budget. The links of the best symbols follow, one line each, so
that an agent does not need the usual next calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from codeindex.graph.covering_tests import TestEvidence, covering_tests
from codeindex.query.validation import check_budget
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, agent_answer, json_size
from codeindex.search.pack.agent_text import answer_text
from codeindex.search.pack.text_lines import section_title
from codeindex.store.catalog.files import stored_text
from codeindex.store.graph.adjacency import incoming_links
from codeindex.store.graph.links import links_from
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_name
from codeindex.text.words import query_words, stemmed_words
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
_WEAKEST_TEST = TestEvidence.CALLS_THROUGH
"""Tests with weaker evidence are not shown: fewer than half of them run the function."""
_MAX_LINE_WIDTH = 120
"""Characters of a line of code that is shown for a link."""


@dataclass(frozen=True, slots=True)
class SymbolLink:
    """A caller, callee or test (`symbol`) of the symbol `of`.

    For a caller, `line` is the line of the call and `text` the code there. For a callee or a test,
    `line` is the line of its definition and `text` is empty.
    """

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
        for of, links in groupby(self.links, key=lambda link: link.of):
            yield section_title(of)
            for _, same in groupby(links, key=lambda link: (link.role, link.text or link.file)):
                yield _line(list(same))


_VERBS: Mapping[LinkRole, str] = {
    "caller": "called at",
    "callee": "calls in",
    "test": "tested in",
}


def search_budget(budget: int) -> int:
    """Return the tokens of a budget that the hits may take; 0 means no limit.

    Raise QueryError if the budget is out of range.
    """
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
    terms = frozenset(query_words(answer.query))
    links = [link for node in nodes for link in _links_of(connection, node, shown, terms)]
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
    connection: sqlite3.Connection,
    node: Node,
    shown: set[tuple[str, str]],
    terms: frozenset[str],
) -> Iterator[SymbolLink]:
    """Yield a symbol's certain callers outside of tests, what it calls, and its tests."""
    of = shorten_name(node.qualified, node.path)
    yield from _callers(connection, node, of, shown)
    yield from _callees(connection, node, of, shown, terms)
    tests = [test for test in covering_tests(connection, [node]) if test.evidence <= _WEAKEST_TEST]
    for test in tests[: _MAX_LINKS["test"]]:
        yield SymbolLink("test", of, test.node.path, test.node.line, test.node.qualified, "")


def _callees(
    connection: sqlite3.Connection,
    node: Node,
    of: str,
    shown: set[tuple[str, str]],
    terms: frozenset[str],
) -> Iterator[SymbolLink]:
    """Yield what a symbol certainly calls, file by file; first what has words of the question."""
    callees = {
        link.node.id: link.node
        for link in links_from(connection, node, "calls")
        if link.node
        and link.certainty == "resolved"
        and link.node.id != node.id
        and (link.node.path, link.node.qualified) not in shown
    }
    by_words = sorted(
        callees.values(), key=lambda callee: -len(terms & set(stemmed_words(callee.qualified)))
    )
    files: dict[str, list[Node]] = {}
    for callee in by_words[: _MAX_LINKS["callee"]]:
        files.setdefault(callee.path, []).append(callee)
    for same in files.values():
        for callee in same:
            yield SymbolLink("callee", of, callee.path, callee.line, callee.qualified, "")


def _callers(
    connection: sqlite3.Connection, node: Node, of: str, shown: set[tuple[str, str]]
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
        yield SymbolLink("caller", of, who.path, line, who.qualified, text)


def _declarations(connection: sqlite3.Connection, node: Node) -> list[int]:
    """Return the ids of a function's prototypes, because calls may be resolved to a prototype."""
    return [
        declaration.id
        for declaration in symbols_by_name(connection, node.qualified)
        if node.has_body and not declaration.has_body and declaration.kind == node.kind
    ]


def _line(links: Sequence[SymbolLink]) -> str:
    """Return a line for one link with its code, or for links of one role to one file."""
    first = links[0]
    verb = _VERBS[first.role]
    if first.text:
        name = shorten_name(first.symbol, first.file)
        return escape_line(f"{verb} {first.file}:{first.line} {name}: {first.text}")
    names = ", ".join(f"{shorten_name(link.symbol, link.file)}:{link.line}" for link in links)
    return escape_line(f"{verb} {first.file} {names}")


def _fitting(links: Sequence[SymbolLink], room: int) -> Iterator[SymbolLink]:
    """Yield the links that fit into `room` characters, shared between all symbols and roles."""
    rank: dict[tuple[str, LinkRole], int] = {}
    order: list[tuple[int, int]] = []
    for at, link in enumerate(links):
        nth = rank[link.of, link.role] = rank.get((link.of, link.role), 0) + 1
        order.append((nth, at))
    kept: set[int] = set()
    titles: set[str] = set()
    for _, at in sorted(order):
        link = links[at]
        heading = 0 if link.of in titles else len(section_title(link.of)) + 1
        room -= len(_line([link])) + 1 + heading
        if room < 0:
            break
        kept.add(at)
        titles.add(link.of)
    return (links[at] for at in sorted(kept))
