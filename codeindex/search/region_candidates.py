"""Rank the code that may be shown for a question: by hits, names, relations and words.

In: the hits of a search, best first. Out: functions and other parts of files, the most useful
first. What a hit or a named symbol calls, what calls or uses it, and the methods of a type are
candidates too: names in a question are often those of settings, fields and types, and the
functions that use them decide.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from codeindex.languages import LANGUAGES
from codeindex.query.identifiers import query_names
from codeindex.search.excerpt import term_weights
from codeindex.search.neighbors import NeighborCaller, NeighborReader
from codeindex.search.pack.text_lines import has_content
from codeindex.search.unsearched_files import may_pass
from codeindex.store.catalog.file_lines import FileLines
from codeindex.store.catalog.files import file_traits
from codeindex.text.clauses import MOST_WHOLE_LINES, find_clauses
from codeindex.text.control_lines import CONTROL
from codeindex.text.words import query_words, stemmed_words
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Answer, Filters, Hit, Node, SymbolKind

_Place = tuple[str, int]
"""Path of a candidate's file, and number of the line with its definition, or of its first line."""
_MAX_HITS = 10
"""Most hits whose code may be shown. Right answers to explored tasks name 239 places: 71 of them
are in the first three hits, 53 in the next five, and 9 in the next twelve."""
_MAX_PARENTS = 8
"""Most functions among the hits, the best ones, whose callees and callers may be shown. On aria2,
teslamate and Sonarr, agents' first calls show .606 of the places of right answers, .596 with 5."""
_NAMED = 1.2
"""The worth of a symbol that the question names; the best hit has 1."""
_MOST_NAMES, _MOST_MEANINGS = 8, 2
"""Most names of a question that are looked up, and most definitions that a name may have."""
_RANK = 0.95
"""The worth of a hit is multiplied by this for each rank."""
_CONSTRUCTOR = 0.22
"""Factor for the worth of a hit that is a constructor; few of them then exceed `_LEAST`. With a
factor of that kind, 15 explorations take 290 tokens less, of 36,850, and do not show 2 of the 993
lines that answers cite."""
_CALLEE, _CALLER = 0.5, 0.25
"""Worth of a callee, as a share of the worth of the function that calls it; worth of a caller, as a
share of that of the function that it calls. Without callees and callers .53 of the places are
shown, with them .61 (`first_answer.py`, agents' calls of `explore_code`, 2,500 tokens). Likely
callers of methods, on receivers of unknown type, raise .366 and .572 to .380 and .579 (questions
and agents' calls on kanboard, FreshRSS, teslamate and collectd), with as many tokens."""
_BESIDE = 0.5
"""Worth of the other callers of a callee, as a share of that of the callee; of n callers each has
this share divided by 1 + log(1 + n). Without such callers, .585 of the places are shown on six
repositories, not .592 (agents' calls), and .546, not .551, on indico and Sonarr, which did not
serve to develop; with 1, .599 and .546."""
_USER = 0.5
"""Worth of the only user of a constant, field or macro, as a share of that one's worth; each of
several has less. Without users, .526 of the places are shown on six repositories, not .534."""
_MOST_USERS = 60
"""Most users that a constant, field, macro or callee may have if they are candidates: the code of
all of them is read. Each of more users would have less than a tenth of the worth."""
_METHOD = 1.0
"""Worth of a method of a type, as a share of that of the type. Without methods, .507 of the places
are shown on six repositories, not .534."""
_PLAIN_TYPE = 2
"""Factor for the worth of the users of a type without methods that decide, such as a struct. Of 48
questions for the places that change with such a type in irssi, grape, aria2, kanboard and
libarchive, .81 show its definition and .81 of the functions that use it; with 1, .81 and .74; if
neither is a candidate, .69 and .66, for 170 tokens less. Of the 72 explorations of
`first_answer.jsonl` there, as many places are shown."""
_ACCESSOR_LINES = 3
"""Most lines with content of a method that only reads or sets a value."""
_SAME_FILE = 1.3
"""Factor for a callee or caller in the function's own file; with 1, two hundredths fewer are
shown."""
_WORDLESS, _WITH_WORDS, _POWER = 0.1, 1.9, 1.5
"""Factor for a candidate: `_WORDLESS` plus up to `_WITH_WORDS` for the words of the question
in its code, by weight, as a share (to the power `_POWER`) of the most that any code has. Judged by
the words in its name instead, .35 of the lines that workers cited are shown on repositories of the
last blind rounds, not .39, and .51, not .60, of those of `first_answer.py` (five repositories)."""
_WORDLESS_HIT = 0.4
"""Factor for a hit other than the best without words of the question in its code; one with all of
them has 1, so that namesakes give way to code that is related. With 1, as many places of 35
questions on six repositories are shown in 6 % more tokens; of 20 first calls on four others .59 are
shown, not .57, in 5 % more."""
_GENERATED = 0.3
"""Factor for code that a program wrote: it is shown if hardly any other code answers. Of the same
questions, as many places are shown."""
_LEAST = 0.15
"""Code with less than this share of the best worth is neither shown nor named. Of the functions
that 206 commits changed, .70 are shown in 1,680 tokens with .2, and .71 in 1,730 with .15, if code
that is long for its worth is not shown (see `regions`)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Code that may be shown; `worth` tells how useful it is.

    The line `line` is always shown, the lines in `focus` if there is room. `reason` says how it is
    related to a hit or a named symbol; else it is "". `name` is the name of a function that may
    have several clauses, else "".
    """

    path: str
    symbol: str
    kind: str
    line: int
    start_line: int
    end_line: int
    worth: float
    reason: str = ""
    focus: frozenset[int] = frozenset()
    name: str = ""
    is_generated: bool = False

    @property
    def place(self) -> _Place:
        return self.path, self.line


def rank_regions(
    neighbors: NeighborReader, answer: Answer, *, filters: Filters, texts: FileLines
) -> tuple[list[Candidate], Mapping[str, float]]:
    """Return (candidates, word weights) for a question and the hits of its search.

    The candidates are sorted by `worth`, the most useful first. The weights are {stemmed word of
    the question: weight}; a word that few candidates contain has a high weight. A symbol that the
    question names is a candidate only if its file passes `filters`.
    """
    pool = _Pool(neighbors, texts)
    for rank, node in enumerate(_named_symbols(neighbors, answer.query, filters)):
        pool.add_symbol(node, _NAMED * _RANK**rank)
    best = max((hit.score for hit in answer.hits), default=0.0) or 1.0
    for rank, hit in enumerate(answer.hits[:_MAX_HITS]):
        pool.add_hit(hit, hit.score / best * _RANK**rank)
    return pool.ranked(frozenset(query_words(answer.query)))


def _named_symbols(neighbors: NeighborReader, query: str, filters: Filters) -> Iterator[Node]:
    """Yield the definitions of the names in a question, in the order of these names.

    Constructors are left out: a question that names a class seldom asks how it is made. If a name
    has more than `_MOST_MEANINGS` types, none of them is yielded; the same holds for its other
    definitions.
    """
    for name in list(dict.fromkeys(query_names(query)))[:_MOST_NAMES]:
        matching = [
            node
            for node in neighbors.named(name)
            if node.name in name
            and node.kind != SymbolKind.CONSTRUCTOR
            and not node.is_bodiless
            and may_pass(node.path, filters)
        ]
        types = [node for node in matching if node.kind in OWNER_KINDS]
        others = [node for node in matching if node.kind not in OWNER_KINDS]
        for meanings in (others, types):
            if len(meanings) <= _MOST_MEANINGS:
                yield from meanings


class _Pool:
    """Collects candidates by place, and ranks them when all are added.

    `_found` has named symbols and hits. `_related` has their callees, callers, users and methods,
    and the clauses of long functions. A place may be in both.
    """

    def __init__(self, neighbors: NeighborReader, texts: FileLines) -> None:
        self._neighbors = neighbors
        self._texts = texts
        self._found: dict[_Place, Candidate] = {}
        self._related: dict[_Place, Candidate] = {}
        self._parents = 0
        self._used: set[str] = set()

    def add_symbol(self, node: Node, worth: float) -> None:
        """Add a symbol that the question names, and its callees, callers, users or methods.

        Of a type with methods, these are added, not its own code.
        """
        if node.kind not in OWNER_KINDS or not self._neighbors.methods(node):
            self._add_whole(_of_node(node, worth), range(0))
        self._add_related(node, worth)

    def add_hit(self, hit: Hit, worth: float) -> None:
        """Add a hit, and the callees, callers, users or methods of the symbol that it defines."""
        node = self._neighbors.defined_symbol(hit)
        if node is None or node.kind not in CALLABLE_KINDS:
            _keep(self._found, _of_hit(hit, worth))
        else:
            worth *= _CONSTRUCTOR if node.kind == SymbolKind.CONSTRUCTOR else 1
            self._add_whole(_of_node(node, worth), range(hit.start_line, hit.end_line + 1))
        if node is None or hit.is_test:
            return
        if node.kind in CALLABLE_KINDS:
            self._parents += 1
        if node.kind not in CALLABLE_KINDS or self._parents <= _MAX_PARENTS:
            self._add_related(node, worth)

    def ranked(self, terms: frozenset[str]) -> tuple[list[Candidate], Mapping[str, float]]:
        """Return (candidates, the most useful first; {term: weight}), as `rank_regions` does.

        `terms` are the stemmed words of the question; rare ones among the candidates weigh more.
        The worth of code rises with the words of the question that it contains, but not that of
        named symbols and the best hit; generated code has little. If the same code is related and
        a hit or a named symbol, both worths are added.
        """
        everything = self._related | self._found
        words = {
            place: terms.intersection(
                stemmed_words(self._texts.code(one.path, one.start_line, one.end_line))
            )
            for place, one in everything.items()
        }
        weights = term_weights(words.values(), terms)
        totals = {place: sum(map(weights.__getitem__, of)) for place, of in words.items()}
        most = max(totals.values(), default=0.0) or 1.0
        found = dict(self._found)
        for place, one in self._found.items():
            if one.worth < 1:
                factor = _WORDLESS_HIT + (1 - _WORDLESS_HIT) * totals[place] / most
                found[place] = replace(one, worth=one.worth * factor)
        everything |= found
        for place, one in self._related.items():
            share = (totals[place] / most) ** _POWER
            worth = one.worth * (_WORDLESS + _WITH_WORDS * share)
            everything[place] = _sum(found.get(place), replace(one, worth=worth))
        ranked = self._with_origin(everything.values())
        least = _LEAST * min(1.0, max((one.worth for one in ranked), default=0.0))
        kept = [one for one in ranked if one.worth >= least]
        return sorted(kept, key=lambda one: -one.worth), weights

    def _with_origin(self, candidates: Collection[Candidate]) -> list[Candidate]:
        """Return the candidates; generated code is marked and has less worth."""
        traits = file_traits(self._neighbors.connection, {one.path for one in candidates})
        generated = {path for path, own in traits.items() if own.is_generated}
        return [
            replace(one, worth=one.worth * _GENERATED, is_generated=True)
            if one.path in generated
            else one
            for one in candidates
        ]

    def _add_whole(self, new: Candidate, lines: range) -> None:
        """Add a function; of a long one with clauses, add the clauses instead.

        Clauses that contain none of `lines` have less worth.
        """
        clauses = _clauses(replace(new, focus=frozenset(lines)), self._texts)
        if not clauses:
            _keep(self._found, new)
        less = _CALLEE * _SAME_FILE
        for one in clauses:
            worth = one.worth * (1 if one.focus else less)
            _keep(self._related, replace(one, worth=worth, focus=frozenset()))

    def _add_related(self, node: Node, worth: float) -> None:
        related: Iterable[Candidate]
        if node.kind in CALLABLE_KINDS:
            related = _called_and_calling(self._neighbors, node, worth)
        elif node.kind in OWNER_KINDS:
            related = list(_methods(self._neighbors, node, worth, self._texts))
            related = related or list(_users(self._neighbors, node, worth * _PLAIN_TYPE))
        elif node.qualified in self._used:
            return
        else:
            self._used.add(node.qualified)
            related = _users(self._neighbors, node, worth)
        for one in related:
            for part in _with_calls(one, self._texts):
                _keep(self._related, part)


def _sum(found: Candidate | None, related: Candidate) -> Candidate:
    """Return the candidate with the higher worth, with the worth of both."""
    if found is None:
        return related
    better = max(found, related, key=lambda one: one.worth)
    return replace(better, worth=found.worth + related.worth)


def _keep(kept: dict[_Place, Candidate], new: Candidate) -> None:
    """Add a candidate, unless the same code is there already with at least this worth."""
    known = kept.get(new.place)
    if known is None or known.worth < new.worth:
        kept[new.place] = new


def _with_calls(neighbor: Candidate, texts: FileLines) -> Sequence[Candidate]:
    """Return a candidate for each clause of a long function; any other code as it is.

    If the function has lines in `focus`, such as its calls, only the clauses with such a line are
    returned.
    """
    clauses = _clauses(neighbor, texts)
    return [one for one in clauses if one.focus or not neighbor.focus] or [neighbor]


def _clauses(candidate: Candidate, texts: FileLines) -> Sequence[Candidate]:
    """Return a candidate for each clause of a long function; () for any other code.

    The `focus` of a clause has the focused lines of the function that are in the clause.
    """
    line, end = candidate.line, candidate.end_line
    if not candidate.name or end - line < MOST_WHOLE_LINES:
        return ()
    lines = texts.lines(candidate.path)
    return [
        replace(
            candidate,
            line=clause.line,
            start_line=clause.start_line,
            end_line=clause.end_line,
            focus=candidate.focus.intersection(range(clause.start_line, clause.end_line + 1)),
        )
        for clause in find_clauses(lines, candidate.name, line=line, end_line=end)
    ]


def _of_hit(hit: Hit, worth: float) -> Candidate:
    line = hit.line if hit.start_line <= hit.line <= hit.end_line else hit.start_line
    name = hit.symbol or hit.heading_path
    return Candidate(hit.path, name, hit.kind, line, hit.start_line, hit.end_line, worth)


def _of_node(node: Node, worth: float, reason: str = "") -> Candidate:
    return Candidate(
        node.path,
        node.qualified,
        node.kind,
        node.line,
        node.start_line,
        node.end_line,
        worth,
        reason,
        name=node.name if LANGUAGES[node.language].has_clauses else "",
    )


def _called_and_calling(neighbors: NeighborReader, node: Node, worth: float) -> Iterator[Candidate]:
    """Yield the functions that `node` calls or that call the same, then those that call it or may.

    `worth` is the worth of `node`. The candidates have less; those in the file of `node` have
    more than those in other files.
    """
    for callee in filter(_is_function, neighbors.callees(node)):
        near = worth * _CALLEE * _nearness(callee, node)
        yield _of_node(callee, near, f"called by {node.name}")
        if not neighbors.has_more_callers(callee, _MOST_USERS):
            others = [caller for caller in neighbors.callers(callee) if caller.node.id != node.id]
            share = _BESIDE / (1 + math.log(1 + len(others)))
            yield from _callers(others, callee, near * share)
    yield from _callers(neighbors.callers(node), node, worth * _CALLER)
    yield from _callers(neighbors.likely_callers(node), node, worth * _CALLER, verb="may call")


def _callers(
    callers: Sequence[NeighborCaller], node: Node, worth: float, *, verb: str = "calls"
) -> Iterator[Candidate]:
    for caller, lines in filter(lambda one: _is_function(one.node), callers):
        own = _of_node(caller, worth * _nearness(caller, node), f"{verb} {node.name}")
        yield replace(own, focus=frozenset(lines))


def _users(neighbors: NeighborReader, node: Node, worth: float) -> Iterator[Candidate]:
    """Yield the functions that use a constant, field or macro; the more, the less worth each."""
    users = neighbors.users(node)
    if len(users) > _MOST_USERS:
        return
    for user, lines in users:
        if _is_function(user):
            share = worth * _USER / (1 + math.log(len(users)))
            yield replace(_of_node(user, share, f"uses {node.name}"), focus=frozenset(lines))


def _methods(
    neighbors: NeighborReader, node: Node, worth: float, texts: FileLines
) -> Iterator[Candidate]:
    """Yield the methods of a type, without those that only read or set a value."""
    for method in filter(_is_function, neighbors.methods(node)):
        lines = texts.lines(method.path)[method.line - 1 : method.end_line]
        decides = any(map(CONTROL.match, lines))
        if decides or sum(map(has_content, lines)) > _ACCESSOR_LINES:
            yield _of_node(method, worth * _METHOD, f"of {node.name}")


def _is_function(found: Node) -> bool:
    return found.kind in CALLABLE_KINDS and not found.is_test


def _nearness(found: Node, node: Node) -> float:
    return _SAME_FILE if found.path == node.path else 1.0
