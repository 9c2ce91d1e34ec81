"""Find the lines that use constants, fields and rare names of a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from codeindex.query.identifiers import query_names
from codeindex.search.exact.agent_lines_text import SLIGHT_EXCESS, agent_lines_text
from codeindex.search.exact.lines import GrepResult
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN
from codeindex.search.pack.text_lines import section_title
from codeindex.text.sanitize import escape_line
from codeindex.text.short_paths import shorten_paths
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS

_MAX_USES = 3
"""Most constants and fields whose uses are listed, and as many functions and types."""
_MAX_NAMES = 20
"""Most names of a question that are looked up."""
_RARE = 8
"""Uses of a function or type are listed only if at most so many lines have its name. Measured on 15
explorations: these lists show 13 more of the lines that agents cited, for 470 tokens. With 16, the
lists displace code, and fewer cited lines are shown."""
_MOST_LISTED = 60
"""Most lines with a name of which some are listed; more are counted. Of 193 explorations, 11 listed
lines of names that more lines have, for 265 tokens each; none of these lines was needed. Of names
in 21 to 60 lines, 4 were."""
_MOST_TRIED = 4
"""Most functions and types whose lines are searched. A search takes about 40 ms of processor time
in a repository of 5,000 files. With 6 or 20, no more of the lines that agents cited are shown."""
_KEY = re.compile(r"\w[-_.]\w")
"""What a name that no symbol has must contain if its lines are listed. Of the texts of sixty tasks,
explorations then show .383 of the places of right answers, not .379, for 15 tokens more each."""
_CURSOR = "more: cursor "
"""Begins a line that an exact search ends with; here it would lead nowhere."""
_USES_SHARE = 0.08
"""Share of the budget for the uses of each name; 280 tokens of the default of agents. After 5 of 15
explorations, agents searched for lines with names of their question."""


class NameUses(NamedTuple):
    """The lines that use a name which the question contains.

    They are lines of tests only if there are no others. `others` has those that the code of the
    answer does not show; `total` counts all of them. `room` is the most tokens of the text, 0 for
    no limit.
    """

    name: str
    others: GrepResult
    total: int
    in_tests: bool
    room: int

    @property
    def paths(self) -> set[str]:
        """The paths of the files whose lines are listed."""
        return {line.path for line in (*self.others.lines, *self.others.nested)}

    def without(self, shown: Collection[tuple[str, int]]) -> NameUses:
        """Return the uses without the lines `shown`, which are (path, line number)."""
        return self._replace(others=self.others.without(shown))

    def size(self) -> int:
        """Return the tokens of the lines as text, rounded up."""
        listed = () if self.total > _MOST_LISTED else self._lines()
        characters = sum(len(line) + 1 for line in shorten_paths(listed, self.paths))
        return -(-characters // CHARACTERS_A_TOKEN)

    def text(self) -> Iterator[str]:
        """Yield a title and the lines; if the answer shows all as code, a title that says so."""
        where = "" if self.in_tests else " outside of tests"
        if self.total and not self.others.total_count:
            yield section_title(f"lines with {self.name}{where}: {self.total}, all above")
            yield from map(escape_line, self.others.parted())
            return
        if self.total > _MOST_LISTED:
            yield section_title(f"lines with {self.name}{where}: {self.total:,}, not listed")
            return
        yield section_title(f"{'other ' if self.total else ''}lines with {self.name}")
        yield from self._lines()

    def _lines(self) -> Iterator[str]:
        text = agent_lines_text(self.others, budget=self.room, excess=SLIGHT_EXCESS)
        yield from (line for line in text.split("\n") if not line.startswith(_CURSOR))
        yield from map(escape_line, self.others.parted())


def find_name_uses(
    query: str,
    budget: int,
    kinds_of: Callable[[Sequence[str]], Mapping[str, frozenset[str]]],
    grep: Callable[..., GrepResult],
) -> Sequence[NameUses]:
    """Return the lines that use constants, fields and rare names of a question.

    Names that no symbol has, such as keys of settings in strings, are among the rare ones. `budget`
    is that of the whole answer, in tokens; 0 means no limit. `kinds_of` maps names to the kinds of
    the symbols that are called so, and `grep` finds lines as `Index.exact.grep` does.
    """
    room = int(budget * _USES_SHARE)
    values, others, tried = list[NameUses](), list[NameUses](), 0
    names = dict.fromkeys(_without_value(name) for name in query_names(query))
    for name, kinds in kinds_of(list(names)[:_MAX_NAMES]).items():
        values_full = len(values) == _MAX_USES
        others_full = len(others) == _MAX_USES or tried == _MOST_TRIED
        if values_full and others_full:
            break
        is_value = bool(kinds) and kinds.isdisjoint(CALLABLE_KINDS | OWNER_KINDS)
        uses = values if is_value else others
        if not (kinds or _KEY.search(name)) or (values_full if is_value else others_full):
            continue
        tried += not is_value
        found = _lines_with(name, grep, room)
        if is_value or 0 < found.total <= _RARE:
            uses.append(found)
    return [*values, *others]


def _lines_with(name: str, grep: Callable[..., GrepResult], room: int) -> NameUses:
    """Return the lines outside of tests that contain a name or, if there are none, all lines."""
    options = {"limit": room, "symbols": True, "spans": True, "likely_first": True}
    found = grep(name, tests="exclude", parted=True, **options)
    if found.total_count:
        return NameUses(name, found, found.total_count, in_tests=False, room=room)
    found = grep(name, tests="include", **options)
    return NameUses(name, found, found.total_count, in_tests=True, room=room)


def _without_value(name: str) -> str:
    """Return the name of an option without dashes and value: `--seed-time=0` is `seed-time`."""
    return name.lstrip("-").partition("=")[0] if name.startswith("-") else name
