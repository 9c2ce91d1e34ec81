"""Find the tests of a symbol or file by calls, dispatch, types and names.

Each test gets the strongest evidence found for it. The comments on `TestEvidence` give the share of
tests with that evidence that really ran the symbol, measured against coverage contexts
(`docs/benchmarks.md`). `test_likelihood` decides which tests are shown, and in which order.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from math import ceil, inf, log1p
from typing import NamedTuple

from codeindex.graph.dispatch import possible_callees_above
from codeindex.graph.test_likelihood import (
    LIKELY,
    MAX_BEYOND,
    TestFeatures,
    TestWords,
    run_likelihood,
)
from codeindex.graph.test_paths import (
    ALL_STEPS,
    CALL_OR_OWNER_STEPS,
    CALL_STEPS,
    USE_STEPS,
    TestGraph,
    TestPaths,
)
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import test_file_records
from codeindex.store.graph.edges import possible_edges, uses_in_tests
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.lookups import owners_of_name, test_symbols_containing
from codeindex.store.symbols.nodes import file_nodes, nodes_by_id, symbols_by_id, test_files_among
from codeindex.text.file_names import subject_name
from codeindex.text.words import fold_name, part_set
from codeindex.types import OWNER_KINDS, Certainty, Node


class TestEvidence(IntEnum):
    """The kind of evidence that a test runs a symbol, the strongest first.

    Each comment gives the share of tests with this evidence that really ran the function. It was
    measured on the functions of click, jinja, marshmallow and structlog that at most ten tests run.
    """

    CALLS = 1  # .86 to .98
    CALLS_MEMBER = 2  # .65 to .94: calls its name on an unknown receiver, and uses its type
    DISPATCH = 3  # .18 to .66: calls the overridden method, and uses its type
    CALLS_THROUGH = 4  # .27 to .62: one symbol lies between
    USES = 5  # .27 to 1.0: references, at most one symbol between
    USES_TYPE = 6  # .15 to .57: nothing calls the method, the test uses its type and more
    CALLS_FAR = 7  # .04 to .40: two symbols between
    CALLS_FARTHER = 8  # .06 to .10: three symbols between
    NAMED = 9  # .06 to .58: named after it, in a file named after its file
    POSSIBLE = 10  # .01 to .03
    REACHES = 11  # nothing above, and uses of all kinds or names lead to it
    FILE = 12


MAY_CALL_IT = "may call it"
_REASONS: Mapping[TestEvidence, str] = {
    TestEvidence.CALLS: "calls",
    TestEvidence.CALLS_MEMBER: "may call it, uses its type",
    TestEvidence.DISPATCH: "calls what it overrides, uses its type",
    TestEvidence.CALLS_THROUGH: "calls",
    TestEvidence.USES: "uses",
    TestEvidence.REACHES: "uses code that leads to it",
    TestEvidence.USES_TYPE: "uses its type",
    TestEvidence.CALLS_FAR: "calls",
    TestEvidence.CALLS_FARTHER: "calls",
    TestEvidence.NAMED: "named after it",
    TestEvidence.POSSIBLE: MAY_CALL_IT,
}
_CALLS = (
    TestEvidence.CALLS,
    TestEvidence.CALLS_THROUGH,
    TestEvidence.CALLS_FAR,
    TestEvidence.CALLS_FARTHER,
)
_MAX_ALIKE = 10
"""Maximum number of tests with one kind of weak evidence: if there are 11 to 30 near tests, .18 of
them are right."""
_NEAR = 1.5
"""Steps beyond the nearest test within which other tests also count as near."""
_REACH_FARTHEST = 6.0
"""Maximum length of paths along all kinds of steps: with 9, answers take half as long again and
recall on four repositories is .004 higher."""
_UNREACHED = 20.0
"""Stands for the length of a path that does not exist."""
_MAX_COMPARED = 250
"""Maximum number of tests whose code is compared with that of the symbol."""
_SHORTEST = 4
"""Minimum letters of a symbol's name to search in names of tests: a short name like `get` is in too
many."""
_CALLS_FARTHEST, _USES_FARTHEST, _TYPE_FARTHEST, _OWNER_FARTHEST = 4.0, 2.0, 2.5, 4.0
"""Maximum lengths of paths to tests: less than a tenth of the tests on longer paths are right."""


class CoveringTest(NamedTuple):
    """A test, or a test file, that may run a symbol.

    `distance` is the number of steps to the symbol in the graph, 0 if a name is the only evidence.
    `reasons` are phrases for display. `shown` is false for tests with weak evidence.
    """

    node: Node
    evidence: TestEvidence
    reasons: tuple[str, ...]
    distance: int
    shown: bool

    @property
    def certainty(self) -> Certainty:
        """Return `resolved` for the evidence `CALLS` or `CALLS_THROUGH`, else `ambiguous`."""
        by_calls = self.evidence in {TestEvidence.CALLS, TestEvidence.CALLS_THROUGH}
        return "resolved" if by_calls else "ambiguous"


class _Found(NamedTuple):
    """The evidence that a test runs a symbol, and the path length from the symbol to the test.

    Smaller values are stronger evidence.
    """

    evidence: TestEvidence
    length: float


def covering_tests(
    connection: sqlite3.Connection, targets: Sequence[Node], graph: TestGraph | None = None
) -> list[CoveringTest]:
    """Return the tests that may run one of the `targets`, the likeliest ones first.

    Tests with weak evidence are marked as not `shown`, so that answers only count them. Whole test
    files are added only if there is no test function to show. `graph` keeps what earlier searches
    have read.
    """
    search = TestSearch(connection, targets, graph)
    chances = {test: run_likelihood(each) for test, each in search.features().items()}
    tests = search.tests(chances)
    if not any(test.shown for test in tests):
        naming = search.naming()
        tests = [test._replace(shown=test.node.id in naming) for test in tests]
    tests = [test for test in tests if _is_listed(test)]
    tests.sort(
        key=lambda test: (not test.shown, -chances.get(test.node.id, 0.0), *search.order(test))
    )
    if not any(test.shown for test in tests):
        tests = [*_test_files(connection, targets, search.own), *tests]
    return tests


def tests_with_evidence(
    connection: sqlite3.Connection,
    targets: Sequence[Node],
    weakest: TestEvidence,
    graph: TestGraph,
) -> list[CoveringTest]:
    """Return the tests of one of the `targets` whose evidence is not below `weakest`.

    The strongest evidence comes first. No test is read, so it is faster than `covering_tests`.
    `graph` keeps what earlier searches have read.
    """
    search = TestSearch(connection, targets, graph)
    tests = [test for test in search.tests({}) if test.evidence <= weakest]
    return sorted(tests, key=search.order)


def _is_listed(test: CoveringTest) -> bool:
    return test.shown or test.evidence is not TestEvidence.REACHES


class TestSearch:
    """Finds the tests that may run the symbols in `targets`, with the evidence for each test."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        targets: Sequence[Node],
        graph: TestGraph | None = None,
    ) -> None:
        self._connection = connection
        self._targets = targets
        self._paths = TestPaths(connection, graph)
        self._words = [part_set(node.qualified) for node in targets]
        self._subjects = {subject_name(node.path) for node in targets}
        self.own = {node.id for node in _with_members(connection, targets)}
        self._above = possible_callees_above(connection, targets)
        self._callers_by_name: set[int] = set()
        self._named: set[int] = set()
        self._reached: dict[int, float] = {}
        self._types: dict[int, float] = {}
        self._found = self._by_symbol()

    def tests(self, chances: Mapping[int, float]) -> list[CoveringTest]:
        """Return the found tests; `chances` is {test id: likelihood that it runs a target}."""
        tests = self._found | {
            test: _Found(TestEvidence.REACHES, self._reached[test])
            for test in chances
            if test not in self._found
        }
        best = min((each.evidence for each in tests.values()), default=TestEvidence.FILE)
        surest = {TestEvidence.CALLS, best} & set(_CALLS)
        hidden = {TestEvidence.POSSIBLE} if best is TestEvidence.CALLS else set()
        return [
            CoveringTest(
                node,
                tests[node.id].evidence,
                tuple(self._reasons(node, tests[node.id])),
                self._distance(tests[node.id]),
                tests[node.id].evidence in surest
                or (tests[node.id].evidence not in hidden and chances.get(node.id, 0) >= LIKELY),
            )
            for node in symbols_by_id(self._connection, tests)
        ]

    def naming(self) -> set[int]:
        """Return the tests that name a command or route which leads to a target, if few are near.

        Tests count as near if their paths are at most `_NEAR` steps longer than the shortest one.
        """
        limit = min(self._reached.values(), default=0.0) + _NEAR
        near = {test for test, length in self._reached.items() if length <= limit}
        return near & self._paths.naming if len(near) <= _MAX_ALIKE else set()

    def features(self) -> dict[int, TestFeatures]:
        """Return {test id: features} of at most `_MAX_COMPARED` tests that may run a target.

        These are tests with evidence, and tests that a path of any steps (`ALL_STEPS`) connects
        with a target. Tests with more than `POSSIBLE` evidence come first, then short paths.
        """
        self._reached = self._reaching()
        lengths = dict.fromkeys(self._found, _UNREACHED) | self._reached
        sorted_lengths = sorted(lengths.values())
        tests = sorted(lengths, key=lambda test: self._comparison_order(test, lengths[test]))
        del tests[_MAX_COMPARED:]
        facts = [self._paths.facts[test] for test in tests]
        words = TestWords(facts, self._targets, self._paths.words_of).features()
        return {
            test: each._replace(
                **self._evidence_of(test),
                uses_no_type=bool(self._types) and test not in self._types,
                steps=self._reached.get(test, 0.0),
                as_near=log1p(bisect_right(sorted_lengths, lengths[test])),
                beyond_nearest=min(lengths[test] - sorted_lengths[0], MAX_BEYOND),
            )
            for test, each in zip(tests, words, strict=True)
        }

    def _comparison_order(self, test: int, length: float) -> tuple[object, ...]:
        """Return the sort key by which tests are compared first. Ids differ between indexes."""
        found = self._found.get(test)
        is_weak = found is None or found.evidence is TestEvidence.POSSIBLE
        return is_weak, length, *self._paths.place(test)

    def _evidence_of(self, test: int) -> dict[str, float]:
        found = self._found.get(test)
        name = found.evidence.name.lower() if found else ""
        return {name: 1.0} if name in TestFeatures._fields else {}

    def _reasons(self, node: Node, found: _Found) -> Iterator[str]:
        if found.evidence is TestEvidence.REACHES and node.id in self._paths.naming:
            yield "names a command or route that leads to it"
        elif found.evidence is not TestEvidence.POSSIBLE or node.id in self._callers_by_name:
            yield _REASONS[found.evidence]
        if node.id in self._named and found.evidence is not TestEvidence.NAMED:
            yield _REASONS[TestEvidence.NAMED]

    @staticmethod
    def _distance(found: _Found) -> int:
        by_name = found.evidence in {TestEvidence.NAMED, TestEvidence.POSSIBLE}
        return 0 if by_name else max(1, round(found.length + 0.01))

    def order(self, test: CoveringTest) -> tuple[object, ...]:
        """Return the sort key of a test: the strongest evidence and the shortest path first."""
        found = self._found.get(test.node.id)
        common = self._common_words(test.node.qualified)
        by_name = test.node.id in self._callers_by_name
        near_file = subject_name(test.node.path) in self._subjects
        return (
            *(test.evidence, found.length if found else inf, -common, not by_name),
            *(not near_file, test.node.path, test.node.line),
        )

    def _by_symbol(self) -> dict[int, _Found]:
        """Return the strongest evidence of each test function, by symbol id."""
        found: dict[int, _Found] = {}
        for symbol, evidence, length in self._all_evidence():
            each = _Found(evidence, length)
            if symbol not in self.own and (symbol not in found or each < found[symbol]):
                found[symbol] = each
        return found

    def _all_evidence(self) -> Iterator[tuple[int, TestEvidence, float]]:
        starts = dict.fromkeys(self.own, 0.0)
        calls = self._paths.distances(starts, CALL_STEPS, farthest=_CALLS_FARTHEST)
        for test, length in calls.items():
            yield test, _of_calls(length), length
        uses = self._paths.distances(starts, USE_STEPS, farthest=_USES_FARTHEST)
        yield from ((test, TestEvidence.USES, length) for test, length in uses.items())
        one_of_several = self._paths.users_of_several(node.id for node in self._targets)
        self._callers_by_name = self._possible_callers() | one_of_several
        self._named = self._tests_named_after()
        types = self._types = self._type_users()
        near = types | dict.fromkeys(one_of_several, 1.0)
        for test in self._callers_by_name:
            evidence = TestEvidence.CALLS_MEMBER if test in near else TestEvidence.POSSIBLE
            yield test, evidence, near.get(test, 1.0)
        for test, length in self._dispatching(types):
            yield test, TestEvidence.DISPATCH, length
        implicit = any(node.name.startswith("__") for node in self._targets)
        owner = self._paths.distances(starts, CALL_OR_OWNER_STEPS, farthest=_OWNER_FARTHEST)
        supported = {
            test: length
            for test, length in owner.items()
            if test in self._callers_by_name
            or test in self._named
            or (implicit and types.get(test, _TYPE_FARTHEST) <= 1)
        }
        is_few = len(supported) <= _MAX_ALIKE
        for test, length in supported.items():
            yield test, TestEvidence.USES_TYPE if is_few else TestEvidence.POSSIBLE, length
        like = self._most_alike(
            test
            for test in self._named
            if subject_name(self._paths.facts[test].path) in self._subjects
        )
        for test in self._named:
            yield test, TestEvidence.NAMED if test in like else TestEvidence.POSSIBLE, 9.0

    def _reaching(self) -> dict[int, float]:
        """Return {test id: length of its shortest path to a target along any steps}."""
        starts = dict.fromkeys(self._above, 0.5) | dict.fromkeys(self.own, 0.0)
        return self._paths.distances(starts, ALL_STEPS, farthest=_REACH_FARTHEST)

    def _most_alike(self, tests: Iterable[int]) -> set[int]:
        """Return the tests whose names share the most words with a target's name.

        Return an empty set if there are more than `_MAX_ALIKE` of them.
        """
        common = {test: self._common_words(self._paths.facts[test].qualified) for test in tests}
        most = max(common.values(), default=0)
        found = {test for test, count in common.items() if count == most}
        return found if len(found) <= _MAX_ALIKE else set()

    def _common_words(self, qualified: str) -> int:
        words = part_set(qualified)
        return max((len(words & own) for own in self._words), default=0)

    def _type_users(self) -> dict[int, float]:
        """Return {test id: path length} of the tests that use the type of a target or a subtype."""
        owners = self._paths.owners([node.id for node in self._targets])
        starts = dict.fromkeys(owners, 0.0)
        return self._paths.distances(starts, USE_STEPS, farthest=_TYPE_FARTHEST)

    def _dispatching(self, types: Mapping[int, float]) -> Iterator[tuple[int, float]]:
        """Yield (test id, path length) of tests that may run a target by dynamic dispatch.

        Such a test calls a method that a target overrides or implements. It also uses the target's
        type: only tests in `types` are yielded.
        """
        starts = dict.fromkeys(self._above, 0.0)
        if starts and types:
            found = self._paths.distances(starts, CALL_STEPS, farthest=_CALLS_FARTHEST)
            yield from ((test, length) for test, length in found.items() if test in types)

    def _possible_callers(self) -> set[int]:
        members = [node for node in self._targets if node.kind not in OWNER_KINDS]
        names, languages = ({node.name for node in members}, {node.language for node in members})
        edges = possible_edges(self._connection, names, languages=languages)
        tests = test_files_among(self._connection, (edge.file for edge in edges))
        has_others = any(LANGUAGES[language].inline_tests for language in languages)
        return self._paths.tests_around(
            edge.symbol for edge in edges if has_others or edge.file in tests
        )

    def _tests_named_after(self) -> set[int]:
        found: set[int] = set()
        for name in {node.name for node in self._targets}:
            tests = self._tests_with_name(name)
            owners = owners_of_name(self._connection, name, fold_name(name)) if tests else set()
            for node in self._targets:
                if node.name == name:
                    found |= _named_after(node, tests, owners)
        return found

    def _tests_with_name(self, name: str) -> dict[int, str]:
        """Return {test id: text} of the tests whose names contain `name` or a variant of it.

        The text is the folded file name and qualified name of the test.
        """
        ids = {
            symbol
            for variant in _name_variants(name)
            for symbol in test_symbols_containing(self._connection, variant)
        }
        facts = {test: self._paths.facts[test] for test in self._paths.tests_among(ids)}
        return {
            test: fold_name(f"{fact.path.rpartition('/')[2]} {fact.qualified}")
            for test, fact in facts.items()
        }


def _named_after(node: Node, tests: Mapping[int, str], owners: set[str]) -> set[int]:
    """Return which of `tests` are named after a symbol, not after its namesake in another type.

    `tests` maps tests to their folded names; `owners` are the qualified names of all types that
    have a symbol of the node's name. A test is dropped if its name contains another owner, but not
    the node's owner. Short names of other owners are ignored, because many test names contain them.
    """
    around = node.qualified.rpartition(".")[0]
    owner = fold_name(_last_name(around)) if around else subject_name(node.path)
    others = {fold_name(_last_name(other)) for other in owners - {around}}
    own = fold_name(node.name)
    rivals = {name for name in others if len(name) >= _SHORTEST and name not in own}
    return {
        test
        for test, text in tests.items()
        if (owner and owner in text) or not any(rival in text for rival in rivals)
    }


def _last_name(qualified: str) -> str:
    return qualified.rpartition(".")[2]


def _of_calls(length: float) -> TestEvidence:
    return _CALLS[min(ceil(length), len(_CALLS)) - 1] if length else TestEvidence.CALLS


def _name_variants(name: str) -> Iterator[str]:
    """Yield the forms of a symbol's name by which to find it in the names of tests.

    For `do_trim` they are `dotrim` and `trim`, since its test may be `test_trim`. Short forms are
    left out.
    """
    parts = [part for part in name.split("_") if part]
    for variant in {name, "".join(parts[1:])}:
        folded = fold_name(variant)
        if len(folded) >= _SHORTEST:
            yield folded


def _with_members(connection: sqlite3.Connection, targets: Sequence[Node]) -> list[Node]:
    """Return the targets, and the members of each target that is a type.

    A test of `Cart.add` is also a test of `Cart`.
    """
    owners = [item for item in targets if item.kind in OWNER_KINDS]
    below = declarations_in(connection, {owner.file_id for owner in owners})
    prefixes = {(owner.path, f"{owner.qualified}.") for owner in owners}
    members = [
        item
        for item in below
        if any(item.path == path and item.qualified.startswith(start) for path, start in prefixes)
    ]
    return [*targets, *members]


def test_files_named_after(connection: sqlite3.Connection, paths: Iterable[str]) -> list[Node]:
    """Return the test files that are named after other files, like `test_cart.py` after `cart.py`.

    `paths` are the paths of these other files.
    """
    subjects: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        subjects[subject_name(path)].add(path)
    named = (
        file.path
        for file in test_file_records(connection)
        if subjects.get(subject_name(file.path), set()) - {file.path}
        if LANGUAGES[file.language].symbols
    )
    return file_nodes(connection, named)


def _test_files(
    connection: sqlite3.Connection, targets: Sequence[Node], ids: Collection[int]
) -> Iterator[CoveringTest]:
    """Yield test files as evidence for `targets`, where `ids` are theirs and of their members.

    They are named after a target's file, import a target, or use one in top-level code.
    """
    reasons: dict[int, list[str]] = {}
    for file, symbol, kind, _ in sorted(uses_in_tests(connection, ids)):
        if not symbol or kind == "imports":
            reasons.setdefault(file, []).append("imports it" if kind == "imports" else "uses")
    for node in test_files_named_after(connection, (item.path for item in targets)):
        reasons.setdefault(node.file_id, []).append("file named after its file")
    own = {node.file_id for node in targets}
    nodes = nodes_by_id(connection, ((file, 0) for file in reasons if file not in own))
    for (file, _), node in sorted(nodes.items(), key=lambda item: item[1].path):
        why = tuple(dict.fromkeys(reasons[file]))
        yield CoveringTest(node, TestEvidence.FILE, why, 0, shown=True)
