"""The pieces that may answer: definitions, each by how much of the question it says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.ask.question import WeightedQuestion
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import SYMBOL_COLUMNS, file_nodes
from codeindex.text.words import stemmed_words
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Hit, Node

if TYPE_CHECKING:
    import sqlite3

_NAME, _OWNER, _DOC, _BODY = 1.0, 0.45, 0.75, 0.4
"""What a word counts where it stands; a word counts once, where it counts most. These and the
other weights of this module were set by reading the answers to twenty questions about two
repositories; no third one has judged them."""
_LONG = 60
"""Lines: in a longer definition any word stands somewhere."""
_TEST = 0.3
_MOST_NAMED = 40
_MOST_TERMS = 100
"""Words of a question, those that tell most, by which names are looked through: SQLite adds up
1,000 at most."""
_STRAY = 0.25
"""What the place of a file that the search did not find is worth."""
_TESTING = frozenset(["test", "tests", "tested", "spec"])


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was found, its lines, and where in it the search saw an answer."""

    node: Node
    lines: tuple[str, ...]
    hits: tuple[Hit, ...]

    @property
    def chance(self) -> float:
        return max((one.score for one in self.hits), default=0.0)

    def hit(self, node: Node) -> bool:
        """Tell whether the search found a definition itself, and not what is around it."""
        return any(one.symbol == node.qualified for one in self.hits)


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    """A definition, and how well it answers."""

    node: Node
    score: float
    share: float
    """Of the question, said by its name and its description."""


def read_sources(
    connection: sqlite3.Connection, hits: Sequence[Hit], question: WeightedQuestion
) -> dict[int, SourceFile]:
    """Read the files that the search found, and those that define what the question spells out."""
    wanted: dict[str, list[Hit]] = {}
    for hit in hits:
        wanted.setdefault(hit.path, []).append(hit)
    for path in _defining(connection, question):
        wanted.setdefault(path, [])
    nodes = file_nodes(connection, wanted)
    return {
        one.file_id: SourceFile(
            one, tuple(stored_text(connection, one.path).split("\n")), tuple(wanted[one.path])
        )
        for one in nodes
    }


def _defining(connection: sqlite3.Connection, question: WeightedQuestion) -> Iterable[str]:
    """Return files that define a name with two of the words in it, or all of them."""
    weights = question.weights
    terms = sorted((one for one in weights if one.isalnum()), key=lambda one: -weights[one])
    terms = terms[:_MOST_TERMS]
    if not terms:
        return []
    has = " + ".join("(s.folded LIKE ?)" for _ in terms)
    rows = connection.execute(
        f"SELECT {SYMBOL_COLUMNS} FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (marks)
        f" WHERE NOT f.is_test AND {has} >= ? ORDER BY {has} DESC, f.centrality DESC LIMIT ?",
        (*(like := [f"%{one}%" for one in terms]), min(2, len(terms)), *like, _MOST_NAMED),
    )
    nodes = [Node(*row) for row in rows]
    return [one.path for one in nodes if question.said_in(one.name) >= _STRAY]


def rank_candidates(
    connection: sqlite3.Connection, found: Mapping[int, SourceFile], question: WeightedQuestion
) -> list[AnswerCandidate]:
    """Return what the files define, what answers best first."""
    best = max((one.chance for one in found.values()), default=0.0) or 1.0
    wants_tests = not _TESTING.isdisjoint(question.text.lower().split())
    testing = _testing_folders(connection)
    scored = []
    lines = {
        key: [frozenset(stemmed_words(line)) for line in one.lines] for key, one in found.items()
    }
    for node in declarations_in(connection, found):
        source = found[node.file_id]
        unit = _unit(node, question, lines[node.file_id])
        place = 0.55 + 0.45 * (source.chance / best) ** 0.5
        aside = node.is_test or node.path.partition("/")[0] in testing
        test = _TEST if aside and not wants_tests else 1.0
        known = (_HIT if source.hit(node) else 1.0) * (_DESCRIBED if node.doc else 1.0)
        scored.append(AnswerCandidate(node, unit.score * place * test * known, unit.share))
    return sorted(scored, key=lambda one: (-round(one.score, 2), one.node.path, one.node.line))


def _testing_folders(connection: sqlite3.Connection) -> set[str]:
    """Return the outermost folders that hold little but tests and what those need."""
    rows = connection.execute(
        "SELECT substr(path, 1, instr(path, '/') - 1) AS folder FROM files"
        " WHERE instr(path, '/') GROUP BY folder HAVING avg(is_test) > 0.5"
    )
    return {one for (one,) in rows}


def _unit(
    node: Node, question: WeightedQuestion, lines: Sequence[frozenset[str]]
) -> AnswerCandidate:
    owner = node.qualified.rpartition(".")[0]
    own = frozenset(stemmed_words(node.name))
    is_owner = node.kind in OWNER_KINDS
    body = frozenset[str]().union(*lines[node.line - 1 : node.line if is_owner else node.end_line])
    length = 1 + node.end_line - node.line
    worth = _BODY if length <= _LONG else _BODY / 2
    weights: dict[str, float] = {}
    for said, weight in (
        (body, worth),
        (frozenset(stemmed_words(owner)), _OWNER),
        (frozenset(stemmed_words(f"{node.doc} {node.signature}")), _DOC),
        (frozenset(_begun(own, question)), _BEGUN),
        (own, _NAME),
    ):
        weights.update(dict.fromkeys(question.terms(said), weight))
    score = sum(question.weights[one] * weight for one, weight in weights.items())
    named = sum(question.weights[one] for one, weight in weights.items() if weight >= _DOC)
    spread = min(1.0, len(question.terms(own)) / (len(own) or 1))  # a name that says no more
    kind = _kind(node, question)
    size = 1 + _OF_SIZE * math.log10(length)
    return AnswerCandidate(node, score * (0.8 + 0.2 * spread) * kind * size, named)


def _begun(own: Iterable[str], question: WeightedQuestion) -> set[str]:
    """Return the words of the question that a name abbreviates: `auth` for authentication."""
    return {
        term
        for term in question.weights.keys() - question.absent
        for one in own
        if len(one) >= _STEM and term != one and (term.startswith(one) or one.startswith(term))
    }


def _kind(node: Node, question: WeightedQuestion) -> float:
    """Weigh a definition by its kind: values say what something is, functions how it is done."""
    if node.kind in VALUES:
        return _SAYS_WHAT if question.is_what else _VALUE
    if node.kind == "constructor":
        return _CONSTRUCTOR
    if node.kind in CALLABLE_KINDS and node.qualified.count(".") > 1:
        return _NESTED
    return _TWIN if node.signature.startswith("async ") else 1.0


_BEGUN, _STEM = 0.7, 4
_VALUE, _SAYS_WHAT, _NESTED, _CONSTRUCTOR, _OF_SIZE = 0.5, 1.25, 0.75, 0.7, 0.06
_HIT, _DESCRIBED, _TWIN = 1.12, 1.05, 0.95
VALUES = frozenset(["constant", "variable", "field", "enum_member", "property"])
"""Kinds whose line says all."""


def telling_lines(
    source: SourceFile,
    node: Node,
    question: WeightedQuestion,
    *,
    most: int,
    skip: Iterable[int] = (),
) -> list[int]:
    """Return the lines of a definition that say most of the question, in their order."""
    known = set(skip)
    counted = []
    quoted = False
    for number in range(_body(source, node), min(node.end_line, len(source.lines)) + 1):
        line = source.lines[number - 1].strip()
        marks = line.count('"""') + line.count("'''")
        was, quoted = quoted, quoted ^ (marks % 2 == 1)
        if was or marks:
            continue
        if number in known or not _MIN <= len(line) <= _MAX or line.startswith(_NO_CODE):
            continue
        share = question.said_in(line)
        if share >= _TELLING:
            counted.append((-share, number))
    return sorted(number for _, number in sorted(counted)[:most])


def _body(source: SourceFile, node: Node) -> int:
    """Return the line after the signature, which may take several."""
    left = len("".join(node.signature.split()))
    number = node.line
    while left > 0 and number < node.end_line and number <= len(source.lines):
        left -= len("".join(source.lines[number - 1].split()))
        number += 1
    return max(number, node.line + 1)


_MIN, _MAX = 10, 160
_TELLING = 0.3
_NO_CODE = ('"""', "'''", ":", "@", "..", "import ", "from ", ">>>", "* ", "- ", "raise Not")


def doc_line(source: SourceFile, node: Node) -> int:
    """Return the line in which the description of a symbol begins; 0 if it is not found."""
    start = node.doc[:_START].split("\n")[0]
    if not start:
        return 0
    near = [*range(node.line, node.line + _NEAR), *range(node.line - 1, node.line - _NEAR, -1)]
    inside = (one for one in near if 0 < one <= len(source.lines))
    return next((one for one in inside if start in source.lines[one - 1]), 0)


_START, _NEAR = 20, 12
