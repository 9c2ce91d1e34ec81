"""Judge to which definitions a member call may refer if the receiver's type is unknown.

This is the only place that decides which calls by name count as evidence. Each pair of a call and a
definition of the name gets a likelihood from what can be seen: imports, other members that are
called on the receiver, names, arguments and folders. The weights are fitted by
`tests/benchmarks/possible_calls.py` to the targets of such calls that compilers state.
"""

from __future__ import annotations

import posixpath
import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from math import log
from typing import NamedTuple

from codeindex.graph.logistic import logistic_likelihood
from codeindex.graph.resolve.parameters import needed_count, split_signature
from codeindex.languages import LANGUAGES, language_family
from codeindex.languages._library_members import is_library_member
from codeindex.store.graph.edges import StoredEdge, possible_edges
from codeindex.store.graph.possible_targets import (
    importers,
    members_named,
    names_by_receiver,
    names_of_members,
)
from codeindex.store.symbols.nodes import nodes_by_id
from codeindex.types import OWNER_KINDS, Node, SymbolKind

LIKELY = 0.5
"""Calls with at least this likelihood are shown; docs/benchmarks.md has the accuracy."""
_MAX_RIVALS = 60
"""Maximum number of definitions of a name that are compared with the searched one."""
_MAX_INDIRECT = 500
"""Maximum number of importing files whose own importers are looked up."""
_SHORTEST_PART = 3
"""Minimum letters of a receiver that can be a part or an abbreviation of a type's name."""
_OWN = frozenset({"self", "this", "super", "cls", "Self", "static", "parent"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


class PossibleCalls(NamedTuple):
    """Member calls that may mean a searched member: same name, receiver of unknown type.

    `likely` calls are shown to the user; `others` probably mean another member.
    """

    likely: list[StoredEdge]
    others: list[StoredEdge]


class Evidence(NamedTuple):
    """Features of a call and of one definition of the called name; most are from 0 to 1.

    `better_*` is 1 if another definition of the name is nearer in this feature.
    """

    always: float = 1
    same_file: float = 0
    imports: float = 0
    """1 if the file of the call imports the file of the definition."""
    imports_indirectly: float = 0
    """1 if the file of the call imports a file that imports the file of the definition."""
    better_import: float = 0
    same_folder: float = 0
    named_like_owner: float = 0
    """1 if the receiver has the name of the type: `cache` for `Cache`."""
    named_after_part: float = 0
    """1 if the receiver has the last word of the type's name: `response` for `HttpResponse`."""
    abbreviates: float = 0
    """1 if the receiver abbreviates the type's name: `req` for `Request`."""
    other_type: float = 0
    """1 if the receiver is written like a type, such as `JSON`, but not named after this type."""
    better_name: float = 0
    arguments_fit: float = 0
    arguments_differ: float = 0
    share_of_members: float = 0
    """Of the other names that the file calls on the receiver, the share that the type has too."""
    no_other_member: float = 0
    """1 if other names are called on the receiver, and the type has none of them."""
    better_members: float = 0
    defined_in_test: float = 0
    library_name: float = 0
    """1 if types of the language's library have a member of this name."""
    library_name_of_owner: float = 0
    """1 if the library has a member of this name, but the receiver is named after the type."""
    special_name: float = 0
    rivals: float = 0
    """Logarithm of the number of definitions of the name."""


WEIGHTS = Evidence(
    always=-2.36,
    same_file=1.70,
    imports=2.44,
    imports_indirectly=2.30,
    better_import=-0.76,
    same_folder=-0.06,
    named_like_owner=0.79,
    named_after_part=1.05,
    abbreviates=2.54,
    other_type=-0.28,
    better_name=-0.76,
    arguments_fit=-0.42,
    arguments_differ=-1.31,
    share_of_members=1.89,
    no_other_member=-1.20,
    better_members=-2.99,
    defined_in_test=-0.09,
    library_name=-2.65,
    library_name_of_owner=-0.14,
    special_name=-1.58,
    rivals=0.02,
)
"""The weight of each feature in the sum whose logistic function is the likelihood. They are fitted
on ten repositories. docs/benchmarks.md has the accuracy on each repository with weights that are
fitted on the other nine."""


def possible_calls_of(
    connection: sqlite3.Connection, members: Sequence[Node], *, with_references: bool = True
) -> PossibleCalls:
    """Return the calls on receivers of unknown type that may mean one of `members`.

    With `with_references`, the result also has references in a base type to a method that only
    subtypes define; these count as likely.
    """
    likely: list[StoredEdge] = []
    others: list[StoredEdge] = []
    for is_method in (True, False):
        part = [
            node
            for node in members
            if node.kind not in OWNER_KINDS and (node.kind == SymbolKind.METHOD) == is_method
        ]
        names, languages = {node.name for node in part}, {node.language for node in part}
        edges = possible_edges(
            connection, names, languages=languages, with_references=with_references and is_method
        )
        judge = CallJudge(connection, part, edges)
        for edge in edges:
            (likely if judge.likelihood(edge) >= LIKELY else others).append(edge)
    return PossibleCalls(likely, others)


class CallJudge:
    """Computes how likely calls on receivers of unknown type mean one of some definitions."""

    def __init__(
        self, connection: sqlite3.Connection, members: Sequence[Node], edges: Sequence[StoredEdge]
    ) -> None:
        """Read from the catalog what is known about `edges`, the calls that may mean `members`.

        Nothing is read for calls that cannot mean one, because no overload takes their arguments.
        """
        accepted = {
            (name, arguments)
            for name, arguments in {(edge.name, edge.arguments) for edge in edges}
            if any(
                each.name == name and not _is_other_overload(arguments, each) for each in members
            )
        }
        calls = [
            edge
            for edge in edges
            if edge.kind == "calls" and (edge.name, edge.arguments) in accepted
        ]
        self._wanted = {node.id for node in members} if calls else set()
        languages = sorted(
            frozenset[str]().union(*(language_family(node.language) for node in members))
        )
        self._candidates: defaultdict[str, list[Node]] = defaultdict(list)
        for member in members_named(connection, {edge.name for edge in calls}, languages):
            self._candidates[member.name].append(member)
        for found in self._candidates.values():
            found.sort(key=lambda member: (member.id not in self._wanted, member.id))
            del found[max(_MAX_RIVALS, sum(item.id in self._wanted for item in found)) :]
        every = [member for found in self._candidates.values() for member in found]
        files = nodes_by_id(connection, ((edge.file, 0) for edge in calls))
        self._files = {file.file_id: file for file in files.values()}
        self._reach = _Reach(connection, {member.file_id for member in every})
        receivers = ((edge.file, edge.receiver) for edge in calls)
        self._called = names_by_receiver(connection, receivers)
        self._members = names_of_members(
            connection, {(each.file_id, _owner(each)) for each in every}
        )
        self._names: dict[tuple[str, str], int] = {}
        self._known: dict[tuple[int, str, str, int], float] = {}

    def likelihood(self, edge: StoredEdge) -> float:
        """Return the likelihood, 0 to 1, that a call means one of `members`.

        It is 1 for edges that are no calls. Other definitions of the name can only lower it (their
        weights are negative), so they are compared only if the call would be likely without them.
        """
        if edge.kind != "calls":
            return 1.0
        key = (edge.file, edge.receiver, edge.name, edge.arguments)
        known = self._known.get(key)
        if known is None:
            known = max(
                map(likelihood, self.evidence(edge, self._wanted, alone=True).values()), default=0.0
            )
            if known >= LIKELY:
                known = max(map(likelihood, self.evidence(edge, self._wanted).values()))
            self._known[key] = known
        return known

    def evidence(
        self, edge: StoredEdge, symbols: Collection[int], *, alone: bool = False
    ) -> dict[int, Evidence]:
        """Return {symbol id: evidence} for those of `symbols` that have the called name.

        With `alone`, the definitions are not compared with other definitions of the name.
        """
        candidates = self._candidates.get(edge.name, ())
        file = self._files.get(edge.file)
        wanted = [
            each
            for each in candidates
            if each.id in symbols and not _is_other_overload(edge.arguments, each)
        ]
        if not wanted or file is None:
            return {}
        compared = {
            each.id: self._compare(edge, each) for each in (wanted if alone else candidates)
        }
        best = _Comparison(*map(max, zip(*compared.values(), strict=True)))
        found = {}
        for each in wanted:
            own = compared[each.id]
            best_there = own if alone else best
            found[each.id] = _evidence(edge, file, each, own, best_there, len(candidates))
        return found

    def _compare(self, edge: StoredEdge, candidate: Node) -> _Comparison:
        others = self._called.get((edge.file, edge.receiver), set()) - {edge.name}
        known = others & self._members[candidate.file_id, _owner(candidate)]
        return _Comparison(
            self._reach.of(edge.file, candidate.file_id),
            self._likeness(edge.receiver, candidate),
            len(known) / len(others) if others and edge.receiver not in _OWN else -1,
        )

    def _likeness(self, receiver: str, candidate: Node) -> int:
        owner = _owner(candidate).rpartition(".")[2] or _stem(candidate.path)
        key = (receiver, owner)
        known = self._names.get(key)
        if known is None:
            known = self._names[key] = 0 if receiver in _OWN else name_likeness(receiver, owner)
        return known


class _Comparison(NamedTuple):
    """The features of a definition that are compared with those of its namesakes.

    Higher values make it more likely that a call means the definition.
    """

    reach: int
    likeness: int
    share_of_members: float
    """As `Evidence.share_of_members`; -1 if no other name is called, or the receiver is `self`."""


_SAME_FILE, _IMPORTED, _IMPORTED_INDIRECTLY = 3, 2, 1
_EQUAL, _PART, _ABBREVIATION = 3, 2, 1


class _Reach:
    """Tells how files import certain files: directly, or through one other file."""

    def __init__(self, connection: sqlite3.Connection, files: Collection[int]) -> None:
        self._direct = importers(connection, files)
        between = {file for found in self._direct.values() for file in found}
        self._between = importers(connection, between) if len(between) <= _MAX_INDIRECT else {}
        self._indirect: dict[int, set[int]] = {}

    def of(self, source: int, target: int) -> int:
        """Return how near the file `source` is to the file `target` by imports.

        It is 3 for the same file, 2 for a direct and 1 for an indirect import, 0 without an import.
        """
        if source == target:
            return _SAME_FILE
        direct = self._direct.get(target, set())
        if source in direct:
            return _IMPORTED
        if target not in self._indirect:
            found = (self._between.get(file, set()) for file in direct)
            self._indirect[target] = set().union(*found)
        return _IMPORTED_INDIRECTLY if source in self._indirect[target] else 0


def _owner(member: Node) -> str:
    """Return the qualified name of the type or function that contains a member, "" for none."""
    return member.qualified.rpartition(".")[0]


def _evidence(
    edge: StoredEdge,
    file: Node,
    candidate: Node,
    own: _Comparison,
    best: _Comparison,
    rivals: int,
) -> Evidence:
    fits = _fits(edge.arguments, candidate)
    library = is_library_member(edge.name, candidate.language)
    folders = posixpath.dirname(file.path), posixpath.dirname(candidate.path)
    return Evidence(
        same_file=own.reach == _SAME_FILE,
        imports=own.reach == _IMPORTED,
        imports_indirectly=own.reach == _IMPORTED_INDIRECTLY,
        better_import=best.reach > own.reach,
        same_folder=folders[0] == folders[1] and own.reach != _SAME_FILE,
        named_like_owner=own.likeness == _EQUAL,
        named_after_part=own.likeness == _PART,
        abbreviates=own.likeness == _ABBREVIATION,
        other_type=edge.receiver[:1].isupper() and not own.likeness,
        better_name=best.likeness > own.likeness,
        arguments_fit=fits is True,
        arguments_differ=fits is False,
        share_of_members=max(0.0, own.share_of_members),
        no_other_member=own.share_of_members == 0,
        better_members=best.share_of_members > own.share_of_members,
        defined_in_test=candidate.is_test and not file.is_test,
        library_name=library,
        library_name_of_owner=library and own.likeness >= _PART,
        special_name=edge.name.startswith("__"),
        rivals=log(rivals),
    )


def likelihood(evidence: Evidence) -> float:
    """Return the likelihood, 0 to 1, that a call means a definition."""
    return logistic_likelihood(evidence, WEIGHTS)


def _is_other_overload(arguments: int, candidate: Node) -> bool:
    """Tell whether a call cannot mean a definition, because the number of arguments differs.

    False in languages without overloads by the number of arguments.
    """
    language = LANGUAGES[candidate.language]
    if language.accepted_arguments:
        accepted = language.accepted_arguments(candidate.signature, candidate.name)
        return arguments >= 0 and arguments not in accepted
    if language.separate_declarations:  # the declaration has the default values
        _, parameters = split_signature(candidate.signature, candidate.name)
        arguments = max(arguments, len(parameters or ()))
    return language.overloads and _fits(arguments, candidate) is False


def _fits(arguments: int, candidate: Node) -> bool | None:
    """Tell whether a definition accepts a call with this number of arguments; None if unknown."""
    return _accepts(candidate.language, candidate.signature, candidate.name, arguments)


@lru_cache(maxsize=1024)  # many calls are compared with the same few definitions
def _accepts(language: str, signature: str, name: str, arguments: int) -> bool | None:
    _, parameters = split_signature(signature, name)
    rules = LANGUAGES[language]
    if arguments < 0 or parameters is None or rules.any_argument_count:
        return None
    texts = [text.strip() for text in parameters]
    if texts and rules.receiver_parameter.fullmatch(texts[0]):
        del texts[0]
    texts = [text for text in texts if text not in {"*", "/"}]
    is_repeated = rules.repeated_parameter.search
    repeated = [text for text in texts if text.startswith("*") or is_repeated(text)]
    is_enough = needed_count(texts, repeated, rules.optional_parameter) <= arguments
    return is_enough and (bool(repeated) or arguments <= len(texts))


def name_likeness(receiver: str, owner: str) -> int:
    """Return how much a receiver is named like a type: 3 equal, 2 a part, 1 abbreviated, 0 not."""
    receiver_words, owner_words = (
        [word.lower() for word in _WORD.findall(name)] for name in (receiver, owner)
    )
    short, long = "".join(receiver_words), "".join(owner_words)
    if not short or not long:
        return 0
    if short.removesuffix("s") == long.removesuffix("s"):
        return _EQUAL
    is_part = (len(short) >= _SHORTEST_PART and long.startswith(short)) or long.endswith(short)
    if receiver_words[-1] == owner_words[-1] or (is_part and len(short) >= _SHORTEST_PART):
        return _PART
    if len(long) >= _SHORTEST_PART and short.endswith(long):
        return _PART
    is_initial = short in {long[0], "".join(word[0] for word in owner_words)}
    if is_initial or not set(receiver_words).isdisjoint(owner_words):
        return _ABBREVIATION
    shortens = len(short) >= _SHORTEST_PART and short[0] == long[0] and _is_inside(short, long)
    return _ABBREVIATION if shortens else 0


def _is_inside(letters: str, word: str) -> bool:
    """Tell whether `word` contains the `letters` in this order, not necessarily adjacent."""
    rest = iter(word)
    return all(letter in rest for letter in letters)


def _stem(path: str) -> str:
    return posixpath.basename(path).partition(".")[0]
