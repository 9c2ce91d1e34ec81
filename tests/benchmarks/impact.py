"""Compare `impact` with the transitive callers that an oracle states: `impact.py REPO=ORACLE...`.

ORACLE is a compiler's index (`.scip`, as `scip-python` and `scip-typescript` write it, kept outside
of the repository, where `impact` would read it) or `java`, `typescript` or `php` of
`graph_oracles.py`. Functions are drawn at random from those that have a user on either side; those
with more than 1,000 certain dependants are left out, because `index.graph.impact` lists no more.

What is equal on both sides:

- A user is the innermost function, method or test around a use, by our outline. Fields, classes and
  top-level code are followed, but not counted. Overloads of one name are one user,
  and users with the name of the subject are left out.
- Tests count like other code. At most `MAX_DEPTH` steps are followed.
- A call of a method means the method that the type of the receiver declares. Overrides, which may
  run instead, are followed by neither side, and a call on a union of types is certain for neither.
- A call of a type calls its own constructor, if one is written. A function counts as a caller of
  the functions that are defined inside it, because neither side knows when they are called.

"Calls" are the dependants with `by_calls` against the closure of the oracle's calls, "uses" all
certain dependants against the closure of all its references. "Judged" precision leaves out users
that the oracle cannot judge: we claim them by a chain with a use of which it states nothing, as
pyright of parameters without annotations; in the plain one they count as wrong. "By function" is
the mean of the shares of each function; the others are sums, in which functions with many users
count most.
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import graph_oracles
from searched import words_alone

from codeindex import Index
from codeindex.analysis.relations.dependants import MAX_DEPTH
from codeindex.analysis.relations.impact import Dependant, Impact
from codeindex.errors import QueryError
from codeindex.graph.scip.collect import IndexLocation, collect_references

_SEED = 11
_LIMIT = 1000
_UNION = 2
"""With so many functions, a call means one of them: its receiver has a union of types."""
_DRAWN = frozenset({"function", "method", "constructor"})
_COUNTED = frozenset({"function", "method", "constructor", "test", "property"})
_CONSTRUCTORS = frozenset({"__init__", "constructor", "__construct"})
_CALLED_KINDS = frozenset({"method", "constructor", "function"})
User = tuple[str, str]
"""A file and a qualified name."""


class Symbol(NamedTuple):
    """A row of our outline; lines include both ends."""

    id: int
    path: str
    name: str
    qualified: str
    kind: str
    line: int
    start: int
    end: int


class Use(NamedTuple):
    """A name in a line that means the symbols `targets`; none of them for something outside.

    `before` is the text before it in the line, "" if unknown.
    """

    path: str
    line: int
    name: str
    is_call: bool
    targets: frozenset[int]
    before: str = ""


@dataclass
class Outline:
    """Our symbols, by id and by file."""

    symbols: dict[int, Symbol] = field(default_factory=dict)
    files: dict[str, list[Symbol]] = field(default_factory=lambda: defaultdict(list))

    def around(self, path: str, line: int, before: str = "") -> Symbol | None:
        """Return the innermost symbol around a place: a line and the text before it in the line."""
        here = [
            it
            for it in self.files.get(path, ())
            if it.line <= line <= it.end
            and (it.line < line or not before or re.search(rf"\b{re.escape(it.name)}\b", before))
        ]
        return max(here, key=lambda it: (it.start, -it.end), default=None)

    def implicit(self) -> Iterator[tuple[int, int]]:
        """Yield (user, used): types of their constructors, functions of those inside them."""
        for symbols in self.files.values():
            by_name = defaultdict(list)
            for it in symbols:
                by_name[it.qualified].append(it)
            for it in symbols:
                parts = it.qualified.split(".")
                for number in range(1, len(parts)):
                    for outer in by_name[".".join(parts[:number])]:
                        is_owner = number == len(parts) - 1
                        makes = it.kind == "constructor" or it.name in _CONSTRUCTORS
                        holds = outer.kind in _COUNTED and outer.start <= it.line <= outer.end
                        if (makes and is_owner) or (holds and it.kind != "test"):
                            yield outer.id, it.id


def read_outline(connection: sqlite3.Connection) -> Outline:
    outline = Outline()
    for row in connection.execute(
        "SELECT s.id, f.path, s.name, s.qualified, s.kind, s.line, s.start_line, s.end_line"
        " FROM symbols s JOIN files f ON f.id = s.file_id ORDER BY s.file_id, s.number"
    ):
        symbol = Symbol(*row)
        outline.symbols[symbol.id] = symbol
        outline.files[symbol.path].append(symbol)
    return outline


def stated_uses(
    connection: sqlite3.Connection, root: Path, oracle: str, modules: Path, outline: Outline
) -> list[Use]:
    """Return all uses that an oracle knows anything of."""
    if not oracle.endswith(".scip"):
        return list(_asked_uses(root, oracle, modules, outline))
    path = Path(oracle).resolve()
    found = collect_references(connection, root, [IndexLocation(path.parent, path.name, "")])
    print(f"  {found.matching} of {found.documents} documents", *found.problems)
    return [
        Use(
            row.file.path,
            it.line,
            it.text,
            it.called,
            _without_union(outline, {*chain.from_iterable(it.targets)}),
        )
        for row in found.files.values()
        for it in row.references
    ]


def _asked_uses(root: Path, oracle: str, modules: Path, outline: Outline) -> Iterator[Use]:
    paths = sorted(outline.files)
    if oracle == "java":
        names = graph_oracles.java_names(root, paths)
        answers = [answer for columns in names for column in columns for answer in column]
    else:
        answers = graph_oracles.ORACLES[oracle](root, paths, 0, modules)
    lines: dict[str, list[str]] = {}
    for answer in answers:
        if answer.path not in lines:
            lines[answer.path] = (root / answer.path).read_text("utf-8", "replace").split("\n")
        before = lines[answer.path][answer.line - 1][: answer.column]
        every = (*answer.targets, *answer.beside)
        targets = _without_union(outline, {_defined_at(outline, each) for each in every} - {0})
        is_java_call = any(target.kind in _CALLED_KINDS for target in every)
        is_call = is_java_call if oracle == "java" else answer.use == "call"
        if answer.targets:
            yield Use(answer.path, answer.line, answer.name, is_call, targets, before)


def _without_union(outline: Outline, ids: set[int]) -> frozenset[int]:
    """Return the symbols, without any function if they are functions of several names.

    Such a call has a union of types as receiver, and may mean each of them.
    """
    symbols = [outline.symbols[key] for key in ids]
    run = {it.qualified for it in symbols if it.kind in {"function", "method"}}
    return frozenset(it.id for it in symbols if len(run) < _UNION or it.qualified not in run)


def _defined_at(outline: Outline, target: graph_oracles.Target) -> int:
    """Return our symbol for a definition: the one that starts nearest above its line; 0 if none."""
    here = [
        it
        for it in outline.files.get(target.path, ())
        if target.path and it.name == target.name and it.start <= target.line <= it.end
    ]
    if target.kind in {"method", "constructor"}:
        here = [it for it in here if it.kind not in {"class", "interface", "enum"}] or here
    return max(here, key=lambda it: it.start).id if here else 0


@dataclass
class Stated:
    """The users of each symbol by an oracle: symbols, or paths for top-level code.

    `known_names` has the names in each line, given by path and number, of which it states a target,
    in the repository or outside.
    """

    outline: Outline
    calls: dict[int, set[int | str]] = field(default_factory=lambda: defaultdict(set))
    uses: dict[int, set[int | str]] = field(default_factory=lambda: defaultdict(set))
    known_names: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))

    def reach(self, focus: set[int], users: Mapping[int, set[int | str]]) -> set[User]:
        """Return the functions that use a focus, directly or through others."""
        reached: set[int | str] = set()
        level: set[int | str] = {*focus}
        for _ in range(MAX_DEPTH):
            level = {
                user
                for key in level
                if isinstance(key, int)
                for user in users.get(key, ())
                if user not in reached and user not in focus
            }
            reached |= level
        found = [self.outline.symbols[key] for key in reached if isinstance(key, int)]
        own = {(it.path, it.qualified) for it in map(self.outline.symbols.get, focus) if it}
        return {(it.path, it.qualified) for it in found if it.kind in _COUNTED} - own


def link_uses(outline: Outline, uses: Iterable[Use]) -> Stated:
    stated = Stated(outline)
    for use in uses:
        symbol = outline.around(use.path, use.line, use.before if use.is_call else "")
        user = symbol.id if symbol else use.path
        stated.known_names[use.path, use.line].add(use.name)
        for key in use.targets:
            stated.uses[key].add(user)
            if use.is_call:
                stated.calls[key].add(user)
    for owner, used in outline.implicit():
        stated.calls[used].add(owner)
        stated.uses[used].add(owner)
    return stated


@dataclass
class Score:
    """Users of all drawn functions, and each function's own shares.

    Of the `claimed` users, `right` are stated by the oracle too, and `unjudged` ones are not, but
    it cannot judge them (see `is_unjudged`).
    """

    right: int = 0
    claimed: int = 0
    stated: int = 0
    unjudged: int = 0
    precisions: list[float] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)

    def add(self, ours: set[User], theirs: set[User], unjudged: set[User]) -> None:
        right = len(ours & theirs)
        self.right += right
        self.claimed += len(ours)
        self.stated += len(theirs)
        self.unjudged += len(unjudged - theirs)
        if ours:
            self.precisions.append(right / len(ours))
        if theirs:
            self.recalls.append(right / len(theirs))

    def line(self) -> str:
        judged = max(1, self.claimed - self.unjudged)
        return (
            f"precision {self.right / max(1, self.claimed):.3f} of {self.claimed}"
            f" (judged {self.right / judged:.3f}), recall {self.right / max(1, self.stated):.3f}"
            f" of {self.stated}; by function {_mean(self.precisions):.3f}"
            f" / {_mean(self.recalls):.3f}"
        )


def _mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def ours(report: Impact, *, by_calls: bool) -> dict[User, Dependant]:
    """Return the certain dependants that are functions."""
    return {
        (it.file, it.name): it
        for it in report.dependants
        if it.certainty == "resolved" and it.kind in _COUNTED and (it.by_calls or not by_calls)
    }


def is_unjudged(dependant: Dependant, subject: str, stated: Stated) -> bool:
    """Tell whether the oracle cannot judge a dependant.

    That is so if its chain from the subject has a use whose line and name the oracle does not have:
    it then says neither that the use means our target nor that it means another. Steps that no name
    is written for, such as from a function to one inside it, need no statement.
    """
    used = subject
    steps = [(it.file, it.line, it.name, it.kind) for it in dependant.chain]
    for file, line, name, kind in [*steps, (dependant.file, dependant.lines[0], "", dependant.how)]:
        names = {used.rpartition(".")[2], *used.split(".")[-2:-1]}
        is_written = kind not in {"contains", "constructs", "assigns"}
        if is_written and not names & stated.known_names.get((file, line), set()):
            return True
        used = name
    return False


def _focus_of(outline: Outline, report: Impact, subject: str) -> set[int]:
    """Return the symbols that a report is about, with what is defined inside of them."""
    places = {(it.file, it.line) for it in report.definitions}
    files = {path for path, _ in places}
    roots = [
        it
        for path in files
        for it in outline.files[path]
        if (path, it.line) in places and it.qualified == subject
    ]
    inside = [
        it.id
        for root in roots
        for it in outline.files[root.path]
        if root.start <= it.start and it.end <= root.end and it.qualified.startswith(f"{subject}.")
    ]
    return {root.id for root in roots} | {*inside}


def compare(
    index: Index, name: str, stated: Stated, scores: Mapping[str, Score], show: int
) -> bool:
    """Add the users of a function to the scores; return whether it has any on either side."""
    report = index.graph.impact(name, limit=_LIMIT)
    subject = name.partition("::")[2]
    focus = _focus_of(stated.outline, report, subject)
    theirs = {"calls": stated.reach(focus, stated.calls), "uses": stated.reach(focus, stated.uses)}
    symbols = [stated.outline.symbols[key] for key in focus]
    own = {(it.path, it.qualified) for it in symbols}
    found = {kind: ours(report, by_calls=kind == "calls") for kind in theirs}
    if not (found["calls"] or theirs["calls"]):
        return False
    for kind, score in scores.items():
        mine = found[kind].keys() - own
        unjudged = {key for key in mine if is_unjudged(found[kind][key], subject, stated)}
        score.add(mine, theirs[kind], unjudged)
        if kind == "calls":
            for word, keys in (("more", mine - theirs[kind]), ("missed", theirs[kind] - mine)):
                for key in sorted(keys)[:show]:
                    print(f"  {name}: {word} {key[0]} {key[1]}")
    return True


def measure(root: Path, oracle: str, modules: Path, functions: int, show: int) -> None:
    scores = {"calls": Score(), "uses": Score()}
    drawn = 0
    too_many = 0
    with Index.open(root) as index:
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            outline = read_outline(catalog.connection)
            uses = stated_uses(catalog.connection, root, oracle, modules, outline)
        stated = link_uses(outline, uses)
        for name in _names(outline, {use.path.rpartition(".")[2] for use in uses}):
            if drawn == functions:
                break
            try:
                total = index.graph.impact(name, limit=1).total_certain
            except QueryError:
                continue  # a title of a test with the characters that separate names
            too_many += total > _LIMIT
            drawn += total <= _LIMIT and compare(index, name, stated, scores, show)
    print(f"{root.name}: {drawn} functions, {too_many} with more than {_LIMIT} users left out")
    for kind, score in scores.items():
        print(f"  {kind}: {score.line()}")


def _names(outline: Outline, suffixes: Container[str]) -> list[str]:
    """Return the names of all functions in files with one of some suffixes, in random order."""
    names = {
        f"{it.path}::{it.qualified}"
        for it in outline.symbols.values()
        if it.kind in _DRAWN and it.path.rpartition(".")[2] in suffixes
    }
    ordered = sorted(names)
    random.Random(_SEED).shuffle(ordered)
    return ordered


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", metavar="REPO=ORACLE")
    parser.add_argument("--home", type=Path, help="keep indexes here")
    parser.add_argument("--functions", type=int, default=60)
    parser.add_argument("--modules", type=Path, default=Path(), help="where npm has installed")
    parser.add_argument("--show", type=int, default=0, help="print so many differences of each")
    args = parser.parse_args()
    with words_alone(args.home):
        for text in args.repositories:
            folder, _, oracle = text.partition("=")
            measure(Path(folder).resolve(), oracle, args.modules, args.functions, args.show)


if __name__ == "__main__":
    main()
