"""Follow the users of symbols to tests: calls, fixtures, set-up methods, test classes."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import inf

from codeindex.graph.registered_names import RegisteredNames
from codeindex.languages import LANGUAGES, language_for_path
from codeindex.languages._library_members import is_library_member
from codeindex.store.catalog.file_lines import FileLines
from codeindex.store.graph.edges import possible_edges
from codeindex.store.graph.user_ids import (
    IncomingUse,
    definition_counts,
    incoming_uses,
    symbols_of_files,
    test_functions_taking,
)
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.text.words import fold_name, stemmed_text
from codeindex.types import INITIALIZERS, OVERLOAD_PREFIX, OWNER_KINDS, Node, SymbolKind

_SEVERAL = "one of several"
StepCosts = dict[str, float]
"""{kind of step: its length}; a kind that is missing is not followed."""

CALL_STEPS: StepCosts = {
    "calls": 1,
    "constructs": 0,
    "contains": 0,
    "class body": 0.5,
    "fixture": 0.5,
    "set-up": 0.5,
}
"""Steps along which a test that runs to its end certainly runs the symbol."""
USE_STEPS: StepCosts = CALL_STEPS | {"references": 1, "extends": 1}
CALL_OR_OWNER_STEPS: StepCosts = CALL_STEPS | {"owner": 1.5}
"""Also step from a method that nothing calls to the users of its type: a framework, the runtime or
an unknown receiver may call the method."""

ALL_STEPS: StepCosts = USE_STEPS | {
    "owner": 1,
    "registered name": 1,
    _SEVERAL: 1.5,
    "rare member name": 1.5,
    "member name": 3,
}
"""All kinds of steps from a symbol to the tests that may run it. A call of one of several
definitions leads to each of them, such as that of a member of a union type. A step by a member name
leads to code that calls the name on an unknown receiver, one by a registered name to a test that
names the command or route."""
_RARE = 4
"""Maximum number of definitions of a rare name: each doubling costs half a step (`ALL_STEPS` has
the cost of two, and of 16)."""

_CONSTRUCTORS = INITIALIZERS | {"__post_init__"}
_MAX_VISITED = 4000
"""Maximum number of visited symbols: paths to more of them say nothing about tests."""
_MAX_VISITED_BY_NAME = 1500
"""Maximum number of visited symbols in a search that also follows member names."""
_MAX_FIXTURES = 40
_MAX_REGISTERED = 40
"""Maximum number of functions whose registered names are looked up in tests, the nearest ones."""


@dataclass(slots=True)
class TestGraph:
    """A cache of what searches for tests have read from one generation of the catalog.

    The keys are ids of symbols, unless stated otherwise.
    """

    facts: dict[int, Node] = field(default_factory=dict)
    outlines: dict[int, dict[str, int]] = field(default_factory=dict)
    """{file id: {qualified name: id of the first symbol with it}}"""
    are_tests: dict[int, bool] = field(default_factory=dict)
    users: dict[int, dict[int, str]] = field(default_factory=dict)
    """{symbol: {user: kind of step}}, without steps by names and by fixtures"""
    by_name: dict[int, dict[int, str]] = field(default_factory=dict)
    """{symbol: {user: kind of step}} of steps by the name of a member"""
    fixture_users: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The functions that take a fixture as a parameter; none for other symbols."""
    naming_tests: dict[int, set[int]] = field(default_factory=dict)
    """The functions in tests that name the command or route which a symbol implements."""
    words: dict[int, Counter[str]] = field(default_factory=dict)
    """The words of a symbol's code."""

    @property
    def size(self) -> int:
        """Return about how many values are cached; 10,000 take 1 to 2 MB."""
        return (
            2 * len(self.facts)
            + 4 * len(self.users)
            + 40 * len(self.outlines)
            + 50 * len(self.words)
        )


class TestPaths:
    """Finds the shortest paths from symbols to the tests that may run them.

    `graph` keeps what is read from the catalog, so that nothing is read twice.
    """

    def __init__(self, connection: sqlite3.Connection, graph: TestGraph | None = None) -> None:
        self.graph = graph or TestGraph()
        self.facts = self.graph.facts
        self.files = FileLines(connection)
        self.naming: set[int] = set()
        """The functions in tests that were reached by a registered name."""
        self._connection = connection
        self._registered_names = RegisteredNames(connection, self.files)
        self._fixtures: set[int] = set()
        """The fixtures whose users this search follows."""
        self._registered: set[int] = set()
        """The functions whose registered names this search follows."""

    def distances(
        self, starts: Mapping[int, float], steps: StepCosts, *, farthest: float
    ) -> dict[int, float]:
        """Return {test id: length of the shortest path from a symbol to the test function}.

        `starts` maps symbol ids to the lengths with which their paths begin; `steps` has the length
        of each kind of step. Paths longer than `farthest` are not followed, except by one call of
        a helper in a test file, which is a part of the test.
        """
        waiting: defaultdict[float, set[int]] = defaultdict(set)
        for symbol, length in starts.items():
            waiting[length].add(symbol)
        lengths: dict[int, float] = {}
        follows_names = "member name" in steps
        most = _MAX_VISITED_BY_NAME if follows_names else _MAX_VISITED
        while waiting and len(lengths) < most:
            length = min(waiting)
            level = waiting.pop(length) - lengths.keys()
            lengths |= dict.fromkeys(level, length)
            self._load_facts(level)
            tests = self.tests_among(level - starts.keys())
            onward = sorted(level - tests, key=self.place)
            self._load(onward)
            if follows_names:
                self._load_by_name(onward)
            for symbol in onward:
                facts = self.facts.get(symbol)
                is_helper = facts is not None and facts.is_test and length <= farthest
                for user, kind in self._users_of(symbol, with_names=follows_names).items():
                    if user in lengths:
                        continue
                    longer = length + steps.get(kind, inf)
                    if longer <= farthest or (is_helper and kind == "calls"):
                        waiting[longer].add(user)
        tests = self.tests_among(lengths.keys() - starts.keys())
        return {symbol: length for symbol, length in lengths.items() if symbol in tests}

    def place(self, symbol: int) -> tuple[str, int, str]:
        """Return (path, line, qualified name) of a symbol as a sort key.

        Ids are no sort key, because they depend on the order in which files were indexed.
        """
        facts = self.facts.get(symbol)
        return (facts.path, facts.line, facts.qualified) if facts else ("", 0, "")

    def _users_of(self, symbol: int, *, with_names: bool) -> Mapping[int, str]:
        """Return {user: kind of step} for a symbol whose users are loaded."""
        users = self.graph.users[symbol]
        fixture = dict.fromkeys(self._fixture_users(symbol), "fixture")
        if with_names:
            naming = dict.fromkeys(self._naming_tests(symbol), "registered name")
            return fixture | self.graph.by_name[symbol] | naming | users
        return fixture | users if fixture else users

    def tests_among(self, symbols: Collection[int]) -> set[int]:
        """Return the test functions among these symbols; a helper in a test file is none."""
        are_tests = self.graph.are_tests
        missing = [symbol for symbol in symbols if symbol not in are_tests]
        self._load_facts(missing)
        for symbol in missing:
            facts = self.facts.get(symbol)
            are_tests[symbol] = facts is not None and self._has_test_form(facts)
        return {symbol for symbol in symbols if are_tests[symbol]}

    def _has_test_form(self, facts: Node) -> bool:
        if facts.kind in OWNER_KINDS:
            return False
        if not facts.is_test:
            return self._is_inline_test(facts)
        special = LANGUAGES[facts.language].test_name
        is_named = fold_name(facts.name).startswith("test") or (
            special is not None and special.match(facts.name) is not None
        )
        return (
            facts.kind == SymbolKind.TEST
            or (is_named and facts.kind in {"function", "method"})
            or self._has_test_annotation(facts)
        )

    def _is_inline_test(self, facts: Node) -> bool:
        """Tell whether a function is a test in the file that it tests.

        The code above a function is read only if `test` is in its name or that of a module around
        it (`mod tests`), or if it begins above the line of the name, as with attributes.
        """
        if not LANGUAGES[facts.language].inline_tests:
            return False
        return facts.kind == SymbolKind.TEST or (
            ("test" in fold_name(facts.qualified) or facts.start_line < facts.line)
            and self._has_test_annotation(facts)
        )

    def _has_test_annotation(self, facts: Node) -> bool:
        annotation = LANGUAGES[facts.language].test_annotation
        return annotation.search(self._head(facts)) is not None

    def words_of(self, symbol: Node) -> Counter[str]:
        """Return how often each stemmed word occurs in the code of a symbol."""
        words = self.graph.words
        if symbol.id not in words:
            code = self.files.code(symbol.path, symbol.start_line, symbol.end_line)
            words[symbol.id] = Counter(stemmed_text(code).split())
        return words[symbol.id]

    def users_of_several(self, symbols: Iterable[int]) -> set[int]:
        """Return the tests with a call of a symbol or of another definition, as of a union type.

        The users of the symbols must be loaded.
        """
        users = [self.graph.users.get(symbol, {}).items() for symbol in symbols]
        return self.tests_around(user for user, kind in chain(*users) if kind == _SEVERAL)

    def tests_around(self, symbols: Iterable[int]) -> set[int]:
        """Return the test functions among `symbols`, and the test functions that contain one."""
        found, level = set[int](), set(symbols)
        while level:
            found |= self.tests_among(level)
            level = self._owners(level)
        return found

    def owners(self, symbols: Collection[int]) -> set[int]:
        """Return the ids of the types that directly contain at least one of the symbols."""
        found = self._owners(symbols)
        self._load_facts(found)
        return {owner for owner in found if self.facts[owner].kind in OWNER_KINDS}

    def _load_facts(self, symbols: Iterable[int]) -> None:
        missing = {symbol for symbol in symbols if symbol and symbol not in self.facts}
        if missing:
            self.facts.update((each.id, each) for each in symbols_by_id(self._connection, missing))

    def _load_outlines(self, symbols: Iterable[int]) -> None:
        """Load the outlines of the files that define these symbols (`TestGraph.outlines`).

        The facts of the symbols must be loaded.
        """
        outlines = self.graph.outlines
        files = {self.facts[symbol].file_id for symbol in symbols if symbol in self.facts}
        for file, outline in symbols_of_files(self._connection, files - outlines.keys()).items():
            by_name = outlines.setdefault(file, {})
            for each in outline:
                by_name.setdefault(each.qualified, each.id)

    def _load(self, symbols: Iterable[int]) -> None:
        """Load the users of these symbols, with the kind of step from each (`TestGraph.users`)."""
        users = self.graph.users
        missing = [symbol for symbol in symbols if symbol not in users]
        users.update((symbol, {}) for symbol in missing)
        for use in incoming_uses(self._connection, missing):
            if use.source and use.source != use.target:
                known = users[use.target]
                if known.get(use.source) != "calls" and (step := _step_of(use)):
                    known[use.source] = step
        self._load_facts(self._owners(missing))
        for symbol in missing:
            if facts := self.facts.get(symbol):
                called = self._is_called(symbol)
                for user, kind in self._implicit_users(facts, called=called):
                    users[symbol].setdefault(user, kind)

    def _is_called(self, symbol: int) -> bool:
        return "calls" in self.graph.users.get(symbol, {}).values()

    def _load_by_name(self, symbols: Iterable[int]) -> None:
        """Load the code that calls the names of these symbols on receivers of unknown type.

        It goes to `TestGraph.by_name`.
        """
        found = self.graph.by_name
        missing = [symbol for symbol in symbols if symbol not in found]
        found.update((symbol, {}) for symbol in missing)
        facts = [self.facts[symbol] for symbol in missing if symbol in self.facts]
        facts = [each for each in facts if not each.is_test and each.kind not in OWNER_KINDS]
        callers: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        for language in {each.language for each in facts}:
            names = {each.name for each in facts if each.language == language}
            for edge in possible_edges(self._connection, names, languages=(language,)):
                callers[edge.name, language].add(edge.symbol)
        counts = definition_counts(self._connection, {name for name, _ in callers})
        for each in facts:
            is_rare = counts.get(each.name, 0) <= _RARE
            is_rare &= not is_library_member(each.name, each.language)
            kind = "rare member name" if is_rare else "member name"
            users = callers[each.name, each.language] - {0, each.id}
            found[each.id] = dict.fromkeys(users, kind)

    def _naming_tests(self, symbol: int) -> set[int]:
        """Return the functions in tests that name the command or route which a symbol implements.

        The registered names of at most `_MAX_REGISTERED` functions are followed.
        """
        facts = self.facts.get(symbol)
        if facts is None or facts.is_test or facts.kind in OWNER_KINDS:
            return set()
        called = self._is_called(symbol)
        is_followed = symbol in self._registered or len(self._registered) < _MAX_REGISTERED
        if not is_followed or (called and facts.start_line == facts.line):
            return set()
        self._registered.add(symbol)
        known = self.graph.naming_tests
        if symbol not in known:
            known[symbol] = self._registered_names.tests_naming(facts, called=called)
        self.naming |= known[symbol]
        return known[symbol]

    def _implicit_users(self, facts: Node, *, called: bool) -> Iterator[tuple[int, str]]:
        """Yield (user id, kind of step) for symbols that run a symbol without naming it.

        An example is a type for its constructor. `called` is true if the symbol has callers that
        name it.
        """
        owner = self._owner(facts.id)
        if owner is not None:
            if self.facts[owner].kind not in OWNER_KINDS:
                yield owner, "contains"
            elif facts.name in _CONSTRUCTORS:
                yield owner, "constructs"
            elif facts.is_test:
                yield owner, "class body"
            elif not called or facts.name.startswith("__"):
                yield owner, "owner"
            set_up = LANGUAGES[facts.language].set_up_methods
            if facts.is_test and fold_name(facts.name) in set_up:
                yield from ((member, "set-up") for member in self._members(owner, facts.file_id))

    def _owners(self, symbols: Collection[int]) -> set[int]:
        """Return the ids of the symbols that directly contain at least one of the symbols."""
        self._load_facts(symbols)
        self._load_outlines(symbols)
        return {owner for symbol in symbols if (owner := self._owner(symbol)) is not None}

    def _owner(self, symbol: int) -> int | None:
        """Return the id of the symbol that contains a symbol, whose outline must be loaded."""
        facts = self.facts.get(symbol)
        if facts is None:
            return None
        owner = facts.qualified.rpartition(".")[0]
        return self.graph.outlines.get(facts.file_id, {}).get(owner) if owner else None

    def _members(self, owner: int, file: int) -> Iterator[int]:
        prefix = f"{self.facts[owner].qualified}."
        for qualified, member in self.graph.outlines[file].items():
            if qualified.startswith(prefix):
                yield member

    def _fixture_users(self, symbol: int) -> Sequence[int]:
        """Return the functions that receive a fixture's result through a parameter.

        At most `_MAX_FIXTURES` fixtures are followed.
        """
        facts = self.facts.get(symbol)
        if facts is None or not facts.is_test or facts.kind not in {"function", "method"}:
            return ()
        fixture = LANGUAGES[facts.language].fixture
        is_followed = symbol in self._fixtures or len(self._fixtures) < _MAX_FIXTURES
        if fixture is None or not is_followed:
            return ()
        known = self.graph.fixture_users
        if symbol not in known:
            is_fixture = fixture.search(self._head(facts)) is not None
            known[symbol] = tuple(self._functions_taking(facts)) if is_fixture else ()
        if known[symbol]:
            self._fixtures.add(symbol)
        return known[symbol]

    def _functions_taking(self, facts: Node) -> Iterator[int]:
        """Yield the functions with a parameter that has the name of a fixture."""
        shared = facts.path.rpartition("/")[2] in LANGUAGES[facts.language].fixture_files
        folder = f"{facts.path.rpartition('/')[0]}/".lstrip("/") if shared else facts.path
        parameter = re.compile(rf"[(,*]\s*{re.escape(facts.name)}\s*[,:)=]")
        for user, signature in test_functions_taking(self._connection, facts.name, folder):
            if user != facts.id and parameter.search(signature):
                yield user

    def _head(self, facts: Node) -> str:
        """Return a definition's lines up to its name, with decorators and annotations."""
        return self.files.code(facts.path, facts.start_line, facts.line)


def _step_of(use: IncomingUse) -> str:
    """Return the kind of step from a symbol to its user; "" for a reference that is not certain."""
    if use.certainty == "resolved" or use.name.startswith(OVERLOAD_PREFIX):
        return use.kind
    return _SEVERAL if use.kind == "calls" else ""


def inline_tests(connection: sqlite3.Connection, symbols: Mapping[str, Iterable[int]]) -> set[int]:
    """Return the tests among symbols outside of test files: `symbols` is {path: symbol ids}."""
    likely = (ids for path, ids in symbols.items() if _may_have_inline_tests(path))
    return TestPaths(connection).tests_among(list(chain.from_iterable(likely)))


@lru_cache(maxsize=20_000)
def _may_have_inline_tests(path: str) -> bool:
    language = language_for_path(path)
    return language is not None and language.inline_tests
