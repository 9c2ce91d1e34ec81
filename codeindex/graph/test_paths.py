"""Follow the users of symbols to tests: calls, fixtures, set-up methods, test classes."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf

from codeindex.graph.registered_names import RegisteredNames
from codeindex.languages import LANGUAGES, language_for_path
from codeindex.languages._library_members import is_library_member
from codeindex.store.catalog.file_lines import FileLines
from codeindex.store.graph.edges import possible_edges
from codeindex.store.graph.user_ids import (
    SymbolFacts,
    definition_counts,
    incoming_uses,
    symbol_facts,
    symbols_of_files,
    test_functions_taking,
)
from codeindex.text.words import fold_name
from codeindex.types import INITIALIZERS, OVERLOAD_PREFIX, OWNER_KINDS, SymbolKind

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
    "rare member name": 1.5,
    "member name": 3,
}
"""All kinds of steps from a symbol to the tests that may run it. A step by a member name leads to
code that calls the name on an unknown receiver, one by a registered name to a test that names the
command or route."""
_RARE = 4
"""Maximum number of definitions of a rare name: each doubling costs half a step (`ALL_STEPS` has
the cost of two, and of 16)."""

_CONSTRUCTORS = INITIALIZERS | {"__post_init__"}
_SET_UP = frozenset({"setup", "setupmethod", "setupclass", "beforeeach", "beforeall", "before"})
"""Folded names of methods that run before every test of their class."""
_MAX_VISITED = 4000
"""Maximum number of visited symbols: paths to more of them say nothing about tests."""
_MAX_VISITED_BY_NAME = 1500
"""Maximum number of visited symbols in a search that also follows member names."""
_MAX_FIXTURES = 40
_MAX_REGISTERED = 40
"""Maximum number of functions whose registered names are looked up in tests, the nearest ones."""
_TEST_ANNOTATION = re.compile(
    r"^\s*(?:@|#\[|\[)(?:\w+(?:\.|::))*(?:\w*[Tt]est(?:Case|Method)?|Fact|Theory)(?![\w.:])",
    re.MULTILINE,
)


class TestPaths:
    """Finds the shortest paths from symbols to the tests that may run them.

    Each edge is read from the catalog only once.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.facts: dict[int, SymbolFacts] = {}
        self.files = FileLines(connection)
        self._connection = connection
        self._users: dict[int, dict[int, str]] = {}
        self._in_file: dict[int, dict[str, int]] = {}
        self._registered_names = RegisteredNames(connection, self.files)
        self._are_tests: dict[int, bool] = {}
        self._fixtures_followed = 0
        self._registered_followed = 0
        self._by_name: dict[int, dict[int, str]] = {}
        self.naming: set[int] = set()
        """The functions in tests that were reached by a registered name."""

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
            tests = self.tests_among(level - starts.keys())
            onward = sorted(level - tests, key=self._place)
            self._load(onward)
            if follows_names:
                self._load_by_name(onward)
            for symbol in onward:
                facts = self.facts.get(symbol)
                is_helper = facts is not None and facts.is_test and length <= farthest
                by_name = self._by_name.get(symbol, {}) if follows_names else {}
                for user, kind in (by_name | self._users.get(symbol, {})).items():
                    longer = length + steps.get(kind, inf)
                    is_near = longer <= farthest or (is_helper and kind == "calls")
                    if is_near and user not in lengths:
                        waiting[longer].add(user)
            self._load_facts(user for users in waiting.values() for user in users)
        tests = self.tests_among(lengths.keys() - starts.keys())
        return {symbol: length for symbol, length in lengths.items() if symbol in tests}

    def _place(self, symbol: int) -> tuple[str, int]:
        """Return the path and line of a symbol: unlike ids, they are the same in every index."""
        facts = self.facts.get(symbol)
        return (facts.path, facts.line) if facts else ("", 0)

    def tests_among(self, symbols: Collection[int]) -> set[int]:
        """Return the test functions among these symbols; a helper in a test file is none."""
        missing = [symbol for symbol in symbols if symbol not in self._are_tests]
        self._load_facts(missing)
        for symbol in missing:
            facts = self.facts.get(symbol)
            self._are_tests[symbol] = facts is not None and self._has_test_form(facts)
        return {symbol for symbol in symbols if self._are_tests[symbol]}

    def _has_test_form(self, facts: SymbolFacts) -> bool:
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
            or bool(_TEST_ANNOTATION.search(self._head(facts)))
        )

    def _is_inline_test(self, facts: SymbolFacts) -> bool:
        """Tell whether a function is a test in the file that it tests.

        The code above a function is read only if `test` is in its name or that of a module around
        it (`mod tests`).
        """
        if not LANGUAGES[facts.language].inline_tests:
            return False
        return facts.kind == SymbolKind.TEST or (
            "test" in fold_name(facts.qualified)
            and _TEST_ANNOTATION.search(self._head(facts)) is not None
        )

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
            facts = list(symbol_facts(self._connection, missing))
            self.facts |= {each.id: each for each in facts}
            files = {each.file for each in facts} - self._in_file.keys()
            for file, symbols_ in symbols_of_files(self._connection, files).items():
                by_name = self._in_file.setdefault(file, {})
                for each in symbols_:
                    by_name.setdefault(each.qualified, each.id)

    def _load(self, symbols: Iterable[int]) -> None:
        """Read which symbols use these symbols, and by which kind of step, like `calls`.

        Results are kept in `_users`.
        """
        missing = [symbol for symbol in symbols if symbol not in self._users]
        for symbol in missing:
            self._users[symbol] = {}
        for use in incoming_uses(self._connection, missing):
            sure = use.certainty == "resolved" or use.name.startswith(OVERLOAD_PREFIX)
            if sure and use.source and use.source != use.target:
                known = self._users[use.target]
                if known.get(use.source) != "calls":
                    known[use.source] = use.kind
        self._load_facts(self._owners(missing))
        for symbol in missing:
            if facts := self.facts.get(symbol):
                called = "calls" in self._users[symbol].values()
                for user, kind in self._implicit_users(facts, called=called):
                    self._users[symbol].setdefault(user, kind)

    def _load_by_name(self, symbols: Iterable[int]) -> None:
        """Read which symbols may use these symbols by a member name or a registered name.

        Results are kept in `_by_name`: {symbol id: {user id: kind of step, like `member name`}}.
        """
        missing = [symbol for symbol in symbols if symbol not in self._by_name]
        self._by_name |= {symbol: {} for symbol in missing}
        facts = [self.facts[symbol] for symbol in missing if symbol in self.facts]
        facts = [each for each in facts if not each.is_test and each.kind not in OWNER_KINDS]
        names, languages = {each.name for each in facts}, {each.language for each in facts}
        callers: defaultdict[str, set[int]] = defaultdict(set)
        for edge in possible_edges(self._connection, names, languages=languages):
            callers[edge.name].add(edge.symbol)
        counts = definition_counts(self._connection, callers)
        for each in facts:
            is_rare = counts.get(each.name, 0) <= _RARE
            is_rare &= not is_library_member(each.name, each.language)
            kind = "rare member name" if is_rare else "member name"
            self._by_name[each.id] |= dict.fromkeys(callers[each.name] - {0, each.id}, kind)
            self._by_name[each.id] |= dict.fromkeys(self._naming_tests(each), "registered name")

    def _naming_tests(self, facts: SymbolFacts) -> set[int]:
        """Return the functions in tests that name the command or route which `facts` implements."""
        called = "calls" in self._users.get(facts.id, {}).values()
        if self._registered_followed >= _MAX_REGISTERED or (
            called and facts.start_line == facts.line
        ):
            return set()
        found = self._registered_names.tests_naming(facts, called=called)
        self._registered_followed += 1
        self.naming |= found
        return found

    def _implicit_users(self, facts: SymbolFacts, *, called: bool) -> Iterator[tuple[int, str]]:
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
            if facts.is_test and fold_name(facts.name) in _SET_UP:
                yield from ((member, "set-up") for member in self._members(owner, facts.file))
        if facts.is_test and facts.kind in {"function", "method"}:
            yield from ((user, "fixture") for user in self._fixture_users(facts))

    def _owners(self, symbols: Collection[int]) -> set[int]:
        """Return the ids of the symbols that directly contain at least one of the symbols."""
        self._load_facts(symbols)
        return {owner for symbol in symbols if (owner := self._owner(symbol)) is not None}

    def _owner(self, symbol: int) -> int | None:
        """Return the id of the symbol that contains a symbol, whose facts must be loaded."""
        facts = self.facts.get(symbol)
        if facts is None:
            return None
        owner = facts.qualified.rpartition(".")[0]
        return self._in_file.get(facts.file, {}).get(owner) if owner else None

    def _members(self, owner: int, file: int) -> Iterator[int]:
        prefix = f"{self.facts[owner].qualified}."
        for qualified, member in self._in_file[file].items():
            if qualified.startswith(prefix):
                yield member

    def _fixture_users(self, facts: SymbolFacts) -> Iterator[int]:
        """Yield the functions that receive a fixture's result through a parameter."""
        language = LANGUAGES[facts.language]
        fixture = language.fixture
        if fixture is None or self._fixtures_followed >= _MAX_FIXTURES:
            return
        if not fixture.search(self._head(facts)):
            return
        self._fixtures_followed += 1
        shared = facts.path.rpartition("/")[2] in language.fixture_files
        folder = f"{facts.path.rpartition('/')[0]}/".lstrip("/") if shared else facts.path
        parameter = re.compile(rf"[(,*]\s*{re.escape(facts.name)}\s*[,:)=]")
        for user, signature in test_functions_taking(self._connection, facts.name, folder):
            if user != facts.id and parameter.search(signature):
                yield user

    def _head(self, facts: SymbolFacts) -> str:
        """Return the source lines of a definition up to the line of its name.

        They contain its decorators and annotations.
        """
        return self.files.code(facts.path, facts.start_line, facts.line)


def inline_tests(connection: sqlite3.Connection, paths: Mapping[int, str]) -> set[int]:
    """Return the tests among symbols that are not in test files; `paths` is {symbol id: path}."""
    likely = [symbol for symbol, path in paths.items() if _may_have_inline_tests(path)]
    return TestPaths(connection).tests_among(likely)


def _may_have_inline_tests(path: str) -> bool:
    language = language_for_path(path)
    return language is not None and language.inline_tests
