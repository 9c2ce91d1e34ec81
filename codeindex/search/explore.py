"""Answer a question with the code of the best functions, and of their callees and callers.

Nearly all of the budget goes to code. One line for each of some callers and tests of the best
symbols, and a list of the places without code follow.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

from codeindex.graph.covering_tests import TestEvidence, tests_with_evidence
from codeindex.graph.dispatch import subtypes
from codeindex.search.name_uses import NameUses
from codeindex.search.neighbors import NeighborReader
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, agent_answer, json_size
from codeindex.search.pack.agent_text import answer_text, frame_lines
from codeindex.search.pack.text_lines import marked_path, section_title
from codeindex.search.region_candidates import Candidate
from codeindex.search.regions import CodeRegion, CodeRegionDict
from codeindex.search.unsearched_files import may_pass
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_name, shorten_names
from codeindex.text.truncate import truncate
from codeindex.types import (
    CALLABLE_KINDS,
    OWNER_KINDS,
    AgentFormat,
    Answer,
    AnswerDict,
    Filters,
    Hit,
    Node,
    SafeText,
    SymbolKind,
)
from codeindex.types.report import plural

LinkRole = Literal["caller", "test", "subtype"]
_CODE_SHARE = 0.9
"""Share of the budget that code may take, after the header and the list of places; callers and
tests get the rest. At .8, .37 of the lines that agents' answers cite are shown, not .39."""
_ROUTED = frozenset({"relation", "flow"})
"""Fields of `Answer.meta` that mark a list from the graph; such a list is shown as it is."""
_MAX_SYMBOLS = 3
"""Most symbols whose links are shown. For .84 of the dev questions, a right function is among the
first three."""
_MIN_SCORE_SHARE = 0.25
"""A symbol's links are shown only if its score is at least this share of the best result's
score."""
_MAX_LINKS: Mapping[LinkRole, int] = {"caller": 2, "test": 1, "subtype": 12}
"""Most callers, tests and subtypes that are listed for a symbol; the budget may allow fewer.
Callees are not listed: that took 5 % of the answers to agents, and callees that matter are shown as
code. A subtype takes ten tokens; who had asked which classes include a concern searched again."""
_TYPE_NAME = re.compile(r"\b[A-Z]\w+")
_EXTENDED = OWNER_KINDS | {SymbolKind.MODULE}
"""Kinds of symbols that others extend or include."""
_WEAKEST_TEST = TestEvidence.CALLS_THROUGH
"""Weakest evidence with which a test is shown. Of tests with weaker evidence, fewer than half run
the function."""
_MAX_LINE_WIDTH = 120
"""Most characters of the line of code that a link shows."""


@dataclass(frozen=True, slots=True)
class SymbolLink:
    """A link from the symbol `of` to `symbol`, which is a caller, a test or a subtype of it.

    `of_file` and `of_line` are the place where `of` is defined. For a caller, `line` is the line of
    the call and `text` its code. For a test and a subtype, `line` is the line of its definition and
    `text` is empty; for the last subtype, `text` may say how many more there are.
    """

    role: LinkRole
    of: str
    of_file: str
    of_line: int
    file: str
    line: int
    symbol: str
    text: str

    @property
    def subject(self) -> _Subject:
        return _Subject(self.of_file, self.of_line, self.of)


class _Subject(NamedTuple):
    """A symbol whose links are shown: the place of its definition, and its short name."""

    path: str
    line: int
    name: str

    def is_in(self, region: CodeRegion) -> bool:
        """Tell whether the region shows code of the symbol."""
        return region.path == self.path and shorten_name(region.symbol, region.path) == self.name

    def begins_in(self, region: CodeRegion) -> bool:
        """Tell whether the region shows the symbol from its definition on."""
        return self.is_in(region) and region.start_line <= self.line <= region.end_line


def _subject(node: Node) -> _Subject:
    return _Subject(node.path, node.line, shorten_name(node.qualified, node.path))


class ExplorationDict(TypedDict):
    """JSON form of an `Exploration`."""

    answer: AnswerDict
    code: list[CodeRegionDict]
    links: list[Annotated[dict[str, Any], SymbolLink]]


@dataclass(frozen=True, slots=True)
class Exploration:
    """The answer of `explore`: code, the callers and tests of the best symbols, and hits.

    The hits are those of `answer`, the answer of the search. They have code only if the answer is
    a list from the graph (`is_routed`); otherwise they are places. `others` are related functions
    that a text names without their code. `uses` are the lines with names of the question.
    """

    answer: Answer
    code: tuple[CodeRegion, ...]
    links: tuple[SymbolLink, ...]
    others: tuple[Candidate, ...] = ()
    uses: tuple[NameUses, ...] = ()

    @property
    def paths(self) -> set[str]:
        """The paths of all files whose code is shown or whose places are listed."""
        hits = (*self.answer.hits, *self.answer.navigation)
        shown = {region.path for region in self.code} | {link.file for link in self.links}
        return {hit.path for hit in hits}.union(shown, *(use.paths for use in self.uses))

    @property
    def is_empty(self) -> bool:
        """Whether the search found no hit."""
        return not self.answer.hits

    def as_dict(self) -> ExplorationDict:
        """Return the answer in the form for agents, the code and the links."""
        return {
            "answer": agent_answer(self.answer),
            "code": [region.as_dict() for region in self.code],
            "links": [asdict(link) for link in self.links],
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """Return (header, rows): a row for each result and each link."""
        rows = [("result", hit.path, str(_line_in(hit)), hit.symbol) for hit in self.answer.hits]
        rows += [(link.role, link.file, str(link.line), link.symbol) for link in self.links]
        return ("role", "file", "line", "symbol"), rows

    def text(self) -> Iterator[str]:
        """Yield a header, the code of each function with its links, and the places without code.

        The lines with names of the question follow.
        """
        yield from self._answer_text()
        for use in self.uses:
            yield from use.text()

    def _answer_text(self) -> Iterator[str]:
        if is_routed(self.answer):
            yield from answer_text(self.answer).split("\n")
            yield from self._links_elsewhere()
            return
        before, after = frame_lines(self.answer)
        yield from before
        for path, regions in groupby(self.code, key=lambda region: region.path):
            of_file = list(regions)
            yield section_title(marked_path(path, is_generated=of_file[0].is_generated))
            for region in of_file:
                yield from region.text()
                for subject, links in self._links():
                    if self._region_of(subject) is region:
                        yield from map(_line, links)
        yield from self._links_elsewhere()
        yield from _other_places(self.answer.hits, self.code, self.others)
        yield from after

    def _links(self) -> Iterator[tuple[_Subject, list[SymbolLink]]]:
        for subject, links in groupby(self.links, key=lambda link: link.subject):
            yield subject, list(links)

    def _links_elsewhere(self) -> Iterator[str]:
        """Yield, for each symbol whose code is not shown, its name and then its links."""
        for subject, links in self._links():
            if self._region_of(subject) is None:
                yield section_title(subject.name)
                yield from map(_line, links)

    def _region_of(self, subject: _Subject) -> CodeRegion | None:
        """Return the shown code below which a symbol's callers and tests are listed.

        None if its code is not shown.
        """
        shown = [*filter(subject.begins_in, self.code), *filter(subject.is_in, self.code)]
        return shown[0] if shown else None


def is_routed(answer: Answer) -> bool:
    """Tell whether the answer is a list from the graph instead of ranked hits.

    Such a list has the uses of a symbol, or the steps of a flow.
    """
    return not _ROUTED.isdisjoint(answer.meta)


def without_code(answer: Answer) -> Answer:
    """Return an answer without the code of its hits; only the places of the hits remain."""
    hits = tuple(
        hit if hit.shown == "seen" else replace(hit, text=SafeText(""), shown="pointer")
        for hit in answer.hits
    )
    return replace(answer, hits=hits)


def _other_places(
    hits: Sequence[Hit], code: Sequence[CodeRegion], functions: Sequence[Candidate]
) -> Iterator[str]:
    """Yield the places of `functions`, and of hits whose code is not shown; one line per file."""
    others: dict[str, list[str]] = {}
    for hit in hits:
        if not any(_is_in(hit, region) for region in code):
            name = shorten_names(hit.symbol, hit.path) or hit.heading_path
            path = marked_path(hit.path, is_generated=hit.is_generated)
            others.setdefault(path, []).append(f"{name}:{_line_in(hit)}")
    for one in functions:
        name = shorten_name(one.symbol, one.path)
        path = marked_path(one.path, is_generated=one.is_generated)
        others.setdefault(path, []).append(f"{name}:{one.line}")
    yield from (escape_line(f"also: {path} {', '.join(of)}") for path, of in others.items())


def _is_in(hit: Hit, region: CodeRegion) -> bool:
    """Tell whether a region shows the line of a hit, or a clause that is within the hit."""
    if hit.path != region.path:
        return False
    if region.start_line <= _line_in(hit) <= region.end_line:
        return True
    is_clause = region.symbol == hit.symbol and region.start_line >= hit.start_line
    return is_clause and region.end_line <= hit.end_line


def _line_in(hit: Hit) -> int:
    """Return the line of a hit's symbol or, if the hit begins below it, the hit's first line.

    So a hit in one clause of a function is not taken for the function's first clause.
    """
    return hit.line if hit.start_line <= hit.line <= hit.end_line else hit.start_line


_VERBS: Mapping[LinkRole, str] = {
    "caller": "called at",
    "test": "tested in",
    "subtype": "extended in",
}


def code_room(budget: int, answer: Answer, sent_as: AgentFormat) -> int:
    """Return how many characters code may take, after the answer's header and places.

    `budget` is for everything together, in tokens; 0 means no limit.
    """
    return int(_left(budget, answer, (), sent_as) * _CODE_SHARE)


def _left(budget: int, answer: Answer, code: Sequence[CodeRegion], sent_as: AgentFormat) -> int:
    """Return how many characters of a budget remain after an answer and code.

    `budget` is in tokens; 0 means no limit.
    """
    if not budget:
        return sys.maxsize
    if sent_as == "text":
        size = sum(len(line) + 1 for line in Exploration(answer, tuple(code), ()).text())
    else:
        size = json_size(agent_answer(answer)) + sum(region.size(sent_as) for region in code)
    return max(0, budget * CHARACTERS_A_TOKEN - size)


def link_symbols(
    neighbors: NeighborReader,
    answer: Answer,
    code: Sequence[CodeRegion],
    *,
    budget: int,
    sent_as: AgentFormat,
    filters: Filters,
) -> tuple[SymbolLink, ...]:
    """Return the links of the best symbols that fit into the budget beside an answer and its code.

    A link leads to a caller, a test, or a subtype of a type that the question names (in files that
    pass `filters`). If there is code, only symbols whose code is shown have callers and tests.
    `budget` counts tokens of everything together; 0 means no limit.
    """
    nodes = [
        node
        for node in _best_nodes(neighbors, answer.hits)
        if not code or any(_subject(node).is_in(region) for region in code)
    ]
    shown = {(hit.path, hit.symbol) for hit in answer.hits if hit.shown in {"full", "skeleton"}}
    shown |= {(region.path, region.symbol) for region in code}
    types = _named_types(neighbors, answer.query, filters)
    links = [link for node in types for link in _subtypes(neighbors, node)]
    links += [link for node in nodes for link in _links_of(neighbors, node, shown)]
    return tuple(_fitting(links, _left(budget, answer, code, sent_as)))


def _best_nodes(neighbors: NeighborReader, hits: Sequence[Hit]) -> Iterator[Node]:
    """Yield the functions and types that the best results define, each once."""
    known: set[int] = set()
    least = hits[0].score * _MIN_SCORE_SHARE if hits else 0.0
    for hit in hits:
        if len(known) == _MAX_SYMBOLS or hit.score < least:
            return
        if hit.is_test:
            continue
        node = neighbors.defined_symbol(hit)
        if node and node.id not in known and node.kind in CALLABLE_KINDS | OWNER_KINDS:
            known.add(node.id)
            yield node


def _links_of(
    neighbors: NeighborReader, node: Node, shown: set[tuple[str, str]]
) -> Iterator[SymbolLink]:
    """Yield links from a symbol to its resolved callers outside of tests, and to tests.

    Code in `shown`, as (path, qualified name), is left out.
    """
    of = _subject(node)
    yield from _callers(neighbors, node, of, shown)
    tests = tests_with_evidence(neighbors.connection, [node], _WEAKEST_TEST, neighbors.tests)
    for test in tests[: _MAX_LINKS["test"]]:
        yield _link("test", of, test.node.path, test.node.line, test.node.qualified, "")


def _named_types(neighbors: NeighborReader, query: str, filters: Filters) -> Iterator[Node]:
    """Yield the types and modules that a question names as they are spelt.

    A name of several of them stands for none.
    """
    for name in dict.fromkeys(_TYPE_NAME.findall(query)):
        known = [one for one in neighbors.named(name) if one.name == name]
        types = [one for one in known if one.kind in _EXTENDED and may_pass(one.path, filters)]
        if len(types) == 1:
            yield types[0]


def _subtypes(neighbors: NeighborReader, node: Node) -> Iterator[SymbolLink]:
    """Yield links to the certain subtypes of a type outside of tests, such as classes with a mixin.

    There are at most `_MAX_LINKS`; the text of the last link says how many more there are.
    """
    found = subtypes(neighbors.connection, node)
    certain = [key for key, certainty in found.items() if certainty == "resolved"]
    types = [one for one in symbols_by_id(neighbors.connection, certain) if not one.is_test]
    listed = types[: _MAX_LINKS["subtype"]]
    for one in listed:
        more = len(types) - len(listed) if one is listed[-1] else 0
        text = f"and {plural(more, 'more type')}" if more else ""
        yield _link("subtype", _subject(node), one.path, one.line, one.qualified, text)


def _callers(
    neighbors: NeighborReader, node: Node, of: _Subject, shown: set[tuple[str, str]]
) -> Iterator[SymbolLink]:
    """Yield a link to the first call in each resolved caller whose code is not shown.

    `shown` are (path, qualified name) of what is shown; the links belong to the subject `of`.
    """
    outside = [
        (caller.node, caller.lines[0])
        for caller in neighbors.callers(node)
        if not caller.node.is_test and (caller.node.path, caller.node.qualified) not in shown
    ]
    for who, line in outside[: _MAX_LINKS["caller"]]:
        code = stored_text(neighbors.connection, who.path).split("\n")[line - 1].strip()
        text = truncate(code, _MAX_LINE_WIDTH)
        yield _link("caller", of, who.path, line, who.qualified, text)


def _link(role: LinkRole, of: _Subject, file: str, line: int, symbol: str, text: str) -> SymbolLink:
    return SymbolLink(role, of.name, of.path, of.line, file, line, symbol, text)


def _line(link: SymbolLink) -> str:
    """Return the line of text for a link, with its code if it has some."""
    name, verb = shorten_name(link.symbol, link.file), _VERBS[link.role]
    if link.text:
        return escape_line(f"{verb} {link.file}:{link.line} {name}: {link.text}")
    return escape_line(f"{verb} {link.file} {name}:{link.line}")


def _fitting(links: Sequence[SymbolLink], room: int) -> Iterator[SymbolLink]:
    """Yield the links that fit into `room` characters.

    The first links of each symbol and role (caller, test) take precedence over others.
    """
    rank: dict[tuple[_Subject, LinkRole], int] = {}
    order: list[tuple[int, int]] = []
    for at, link in enumerate(links):
        nth = rank[link.subject, link.role] = rank.get((link.subject, link.role), 0) + 1
        order.append((nth, at))
    kept: set[int] = set()
    titles: set[_Subject] = set()
    for _, at in sorted(order):
        link = links[at]
        heading = 0 if link.subject in titles else len(section_title(link.of)) + 1
        room -= len(_line(link)) + 1 + heading
        if room < 0:
            break
        kept.add(at)
        titles.add(link.subject)
    return (links[at] for at in sorted(kept))
