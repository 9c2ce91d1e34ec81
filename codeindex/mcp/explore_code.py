"""Answer the tool `explore_code` with code, callers, tests and uses of names for a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from codeindex.api.requests.combined import ExploreRequest
from codeindex.mcp.multi_call import answer_each, split_budget
from codeindex.mcp.nested_keys import nested_keys
from codeindex.mcp.reply import GrepReply, Reply, ReportReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ExploreCodeRequest
from codeindex.mcp.search_code import make_filters, note_hits
from codeindex.mcp.session import AgentSession
from codeindex.query.identifiers import query_names
from codeindex.search.pack.text_lines import section_title
from codeindex.text.sanitize import escape_line
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Filters

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.search.explore import Exploration

_MIN_BUDGET = 400
"""Least budget of each of several queries: enough for places, a short function and links."""
_MAX_USES = 3
"""Most constants and fields whose uses are listed, and as many functions and types."""
_MAX_NAMES = 20
"""Most names of a question that are looked up."""
_RARE = 8
"""Uses of a function or type are listed only if at most so many lines have its name. Measured on 15
explorations: these lists show 13 more of the lines that agents cited, for 470 tokens. With 16, the
lists displace code, and fewer cited lines are shown."""
_MOST_TRIED = 4
"""Most functions and types whose lines are searched. A search takes about 40 ms of processor time
in a repository of 5,000 files. With 6 or 20, no more of the lines that agents cited are shown."""
_KEY = re.compile(r"\w[-_.]\w")
"""What a name that no symbol has must contain if its lines are listed. Of the texts of sixty tasks,
explorations then show .383 of the places of right answers, not .379, for 15 tokens more each."""
_CURSOR = "more: cursor "
"""Begins a line that `search_code` ends with; here it would lead nowhere."""
_USES_SHARE = 0.08
"""Share of the budget for the uses of each name; 280 tokens of the default. After 5 of 15
explorations, agents searched for lines with names of their question."""


class NameUses(NamedTuple):
    """The lines that use a name which the question contains.

    They are lines of tests only if there are no others. `others` has those that the code of the
    answer does not show; `total` counts all of them.
    """

    name: str
    others: GrepReply
    total: int
    in_tests: bool

    def without(self, shown: Collection[tuple[str, int]]) -> NameUses:
        """Return the uses without the lines `shown`, which are (path, line number)."""
        results = [result.without(shown) for result in self.others.results]
        return self._replace(others=replace(self.others, results=results))


@dataclass(frozen=True, slots=True)
class ExploreReply(ReportReply):
    """A reply with an exploration, and with the lines that use names of the question."""

    uses: Sequence[NameUses] = ()

    def text(self) -> str:
        """Return the exploration, then the uses of names of the question."""
        return "\n".join((super(ExploreReply, self).text(), *_uses_text(self.uses)))


def explore_code(
    server: RepositoryServer, session: AgentSession, request: ExploreCodeRequest
) -> Reply[Exploration]:
    index = server.index(request.repo)
    filters = make_filters(
        server, request.path, "", repo=index.repository.name, member=request.member
    )
    share = split_budget(request.budget, len(request.query), least=_MIN_BUDGET)

    def reply(query: str) -> ReportReply:
        uses = (
            _uses_of_names(server, index, query, filters, share)
            if session.sent_as == "text"
            else ()
        )
        room = share - sum(each.others.size("text") for each in uses) if share else 0
        exploration = index.combined.explore_new(
            ExploreRequest(query, budget=room, sent_as=session.sent_as),
            filters=filters,
            seen=session.shown_lines(),
        )
        session.note_query(query)
        note_hits(session, exploration.answer)
        for region in exploration.code:
            lines = region.lines_sent(session.sent_as)
            session.note_shown(index.repository.name, region.path, lines)
        return ExploreReply(exploration, {}, whole=True, uses=_others(uses, exploration))

    return answer_each(request.query, reply)


def _uses_of_names(
    server: RepositoryServer, index: Index, query: str, filters: Filters, budget: int
) -> Sequence[NameUses]:
    """Return the lines that use constants, fields and rare names of a question.

    Names that no symbol has, such as keys of settings in strings, are among the rare ones.
    """
    room = int(budget * _USES_SHARE)
    values, others, tried = list[NameUses](), list[NameUses](), 0
    names = dict.fromkeys(_without_value(name) for name in query_names(query))
    for name, kinds in index.symbols.kinds(list(names)[:_MAX_NAMES]).items():
        values_full = len(values) == _MAX_USES
        others_full = len(others) == _MAX_USES or tried == _MOST_TRIED
        if values_full and others_full:
            break
        is_value = bool(kinds) and kinds.isdisjoint(CALLABLE_KINDS | OWNER_KINDS)
        uses = values if is_value else others
        if not (kinds or _KEY.search(name)) or (values_full if is_value else others_full):
            continue
        tried += not is_value
        found = _lines_with(server, index, name, filters, room)
        if is_value or 0 < found.total <= _RARE:
            uses.append(found)
    return [*values, *others]


def _lines_with(
    server: RepositoryServer, index: Index, name: str, filters: Filters, room: int
) -> NameUses:
    """Return the lines outside of tests that contain a name or, if there are none, all lines."""
    search = partial(
        server.grep,
        (name,),
        mode="exact",
        filters=filters,
        limit=room or None,
        symbols=True,
        repo=index.repository.name,
    )
    found = GrepReply(search(tests="exclude"), room)
    if found.total_count:
        keys = nested_keys(server, name, filters, found.results[0])
        found = replace(found, further=tuple(keys))
        return NameUses(name, found, found.total_count, in_tests=False)
    found = GrepReply(search(tests="include"), room)
    return NameUses(name, found, found.total_count, in_tests=True)


def _without_value(name: str) -> str:
    """Return the name of an option without dashes and value: `--seed-time=0` is `seed-time`."""
    return name.lstrip("-").partition("=")[0] if name.startswith("-") else name


def _others(uses: Sequence[NameUses], exploration: Exploration) -> Sequence[NameUses]:
    """Remove from the uses of each name the lines that the exploration shows as code."""
    shown = {(one.path, number) for one in exploration.code for number, _ in one.lines}
    return [each.without(shown) for each in uses]


def _uses_text(uses: Sequence[NameUses]) -> Iterator[str]:
    for name, others, total, in_tests in uses:
        if total and not others.total_count:
            where = "" if in_tests else " outside of tests"
            yield section_title(f"lines with {name}{where}: {total}, all above")
            yield from map(escape_line, others.further)
            continue
        yield section_title(f"other lines with {name}" if total else f"lines with {name}")
        yield from (line for line in others.text().split("\n") if not line.startswith(_CURSOR))
