"""Score the definitions of files by the weighted words of a question that they contain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.ask.question import WeightedQuestion
from codeindex.store.catalog.file_columns import mostly_test_folders
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.lookups import symbols_with_words
from codeindex.store.symbols.nodes import file_nodes
from codeindex.text.words import stemmed_words
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Hit, Node

if TYPE_CHECKING:
    import sqlite3

# All weights below were set by reading the answers to twenty questions about two repositories, and
# were not measured on others. Each note gives the reason why a weight is larger than another.

_IN_NAME, _IN_ABBREVIATION, _IN_DOC, _IN_OWNER, _IN_BODY = 1.0, 0.7, 0.75, 0.45, 0.4
"""Weight of a word by the part of a definition that has it; the highest weight counts."""
_LONG = 60
"""Lines above which words of the body count half: a long definition has any word somewhere."""
_SHORTEST_ABBREVIATION = 4
"""Fewest letters of a word of a name that can abbreviate a word of the question."""
_EXTRA_WORDS = 0.2
"""Share of the score that a definition loses if no word of its name is in the question."""
_FILE_WITHOUT_HIT, _FILE_BY_SCORE = 0.55, 0.45
"""Factor for a file that the search did not find, and what the best file gets in addition."""
_IN_TESTS = 0.3
_HIT, _DOCUMENTED = 1.12, 1.05
"""Factors for a definition that the search found, and for a definition with a description."""
_VALUE, _DEFINED_VALUE, _NESTED, _CONSTRUCTOR, _ASYNC_TWIN = 0.5, 1.25, 0.75, 0.7, 0.95
"""Factors by kind. Values rank higher in questions what something is, functions in others."""
_BY_LENGTH = 0.06
"""Added to the factor of a definition of 10 lines, and twice for 100 lines: of two definitions with
the same words, the short one often only calls the long one."""

_MOST_DEFINING = 40
"""Most symbols, named by words of the question, whose files are read besides those of hits."""
_MOST_TERMS = 100
"""Most words to look for in names, heaviest first: SQLite adds up 1,000 terms at most."""
_LEAST_SHARE_OF_NAME = 0.25
"""Share of the question's weight that a name must have for its file to be read."""
_TEST_WORDS = frozenset(["test", "tests", "tested", "spec"])
VALUES = frozenset(["constant", "variable", "field", "enum_member", "property"])
"""Kinds of symbols whose definition is a single line."""


@dataclass(frozen=True, slots=True)
class CandidateFile:
    """A file with its lines, and the hits of the search that are in it."""

    node: Node
    lines: tuple[str, ...]
    hits: tuple[Hit, ...]

    @property
    def best_score(self) -> float:
        return max((hit.score for hit in self.hits), default=0.0)

    def has_hit(self, node: Node) -> bool:
        """Return whether a hit is this very definition, not only code around it."""
        return any(hit.symbol == node.qualified for hit in self.hits)


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    """A definition with its score, and the share of the question in its name and description."""

    node: Node
    score: float
    share: float


def read_sources(
    connection: sqlite3.Connection, hits: Sequence[Hit], question: WeightedQuestion
) -> dict[int, CandidateFile]:
    """Return by id the files of the hits, and files that define names with the question's words."""
    hits_by_path: dict[str, list[Hit]] = {}
    for hit in hits:
        hits_by_path.setdefault(hit.path, []).append(hit)
    for path in _defining_files(connection, question):
        hits_by_path.setdefault(path, [])
    return {
        node.file_id: CandidateFile(
            node,
            tuple(stored_text(connection, node.path).split("\n")),
            tuple(hits_by_path[node.path]),
        )
        for node in file_nodes(connection, hits_by_path)
    }


def _defining_files(connection: sqlite3.Connection, question: WeightedQuestion) -> list[str]:
    """Return paths of files that define a name with two words of the question, or its only word."""
    weights = question.weights
    terms = sorted((term for term in weights if term.isalnum()), key=lambda term: -weights[term])
    terms = terms[:_MOST_TERMS]
    if not terms:
        return []
    nodes = symbols_with_words(connection, terms, least=min(2, len(terms)), limit=_MOST_DEFINING)
    return [node.path for node in nodes if question.share_in(node.name) >= _LEAST_SHARE_OF_NAME]


def rank_definitions(
    connection: sqlite3.Connection, sources: Mapping[int, CandidateFile], question: WeightedQuestion
) -> list[AnswerCandidate]:
    """Return the definitions of the files, best score first."""
    best = max((source.best_score for source in sources.values()), default=0.0) or 1.0
    wants_tests = not _TEST_WORDS.isdisjoint(question.text.lower().split())
    test_folders = mostly_test_folders(connection)
    line_words = {
        file: [frozenset(stemmed_words(line)) for line in source.lines]
        for file, source in sources.items()
    }
    candidates = []
    for node in declarations_in(connection, sources):
        source = sources[node.file_id]
        score, share = _score(node, question, line_words[node.file_id])
        file = _FILE_WITHOUT_HIT + _FILE_BY_SCORE * (source.best_score / best) ** 0.5
        is_test = node.is_test or node.path.partition("/")[0] in test_folders
        test = _IN_TESTS if is_test and not wants_tests else 1.0
        bonus = (_HIT if source.has_hit(node) else 1.0) * (_DOCUMENTED if node.doc else 1.0)
        candidates.append(AnswerCandidate(node, score * file * test * bonus, share))
    return sorted(candidates, key=_sort_key)


def _sort_key(candidate: AnswerCandidate) -> tuple[float, str, int]:
    return (-round(candidate.score, 2), candidate.node.path, candidate.node.line)


def _score(
    node: Node, question: WeightedQuestion, lines: Sequence[frozenset[str]]
) -> tuple[float, float]:
    """Return a definition's score and the share of the question in its name and description."""
    name = frozenset(stemmed_words(node.name))
    last = node.line if node.kind in OWNER_KINDS else node.end_line
    body = frozenset[str]().union(*lines[node.line - 1 : last])
    length = 1 + node.end_line - node.line
    weights: dict[str, float] = {}
    for words, weight in (  # of several places of a word, the last in this list counts
        (body, _IN_BODY if length <= _LONG else _IN_BODY / 2),
        (frozenset(stemmed_words(node.qualified.rpartition(".")[0])), _IN_OWNER),
        (frozenset(stemmed_words(f"{node.doc} {node.signature}")), _IN_DOC),
        (_abbreviated_terms(name, question), _IN_ABBREVIATION),
        (name, _IN_NAME),
    ):
        weights.update(dict.fromkeys(question.terms(words), weight))
    score = math.fsum(question.weights[term] * weight for term, weight in weights.items())
    share = question.weight_of(term for term, weight in weights.items() if weight >= _IN_DOC)
    covered = min(1.0, len(question.terms(name)) / (len(name) or 1))
    name_factor = 1 - _EXTRA_WORDS + _EXTRA_WORDS * covered
    size = 1 + _BY_LENGTH * math.log10(length)
    return score * name_factor * _kind_factor(node, question) * size, share


def _abbreviated_terms(name: Iterable[str], question: WeightedQuestion) -> set[str]:
    """Return the question's words that share a beginning with a name: authentication for `auth`."""
    return {
        term
        for term in question.weights.keys() - question.absent
        for part in name
        if len(part) >= _SHORTEST_ABBREVIATION
        and term != part
        and (term.startswith(part) or part.startswith(term))
    }


def _kind_factor(node: Node, question: WeightedQuestion) -> float:
    if node.kind in VALUES:
        return _DEFINED_VALUE if question.wants_definition else _VALUE
    if node.kind == "constructor":
        return _CONSTRUCTOR
    if node.kind in CALLABLE_KINDS and node.qualified.count(".") > 1:
        return _NESTED
    return _ASYNC_TWIN if node.signature.startswith("async ") else 1.0


_SHORTEST_LINE, _LONGEST_LINE = 10, 160
_LEAST_SHARE_OF_LINE = 0.3
"""Share of the question's weight that a quoted line must have."""
_NO_CODE = ('"""', "'''", ":", "@", "..", "import ", "from ", ">>>", "* ", "- ", "raise Not")


def telling_lines(
    source: CandidateFile,
    node: Node,
    question: WeightedQuestion,
    *,
    most: int,
    skip: Iterable[int] = (),
) -> list[int]:
    """Return the numbers of the lines of code with the most of the question's weight, ascending."""
    skipped = set(skip)
    shares = []
    in_docstring = False
    for number in range(_first_body_line(source, node), _last_line(source, node) + 1):
        line = source.lines[number - 1].strip()
        marks = line.count('"""') + line.count("'''")
        was_in_docstring, in_docstring = in_docstring, in_docstring ^ (marks % 2 == 1)
        if was_in_docstring or marks or number in skipped or line.startswith(_NO_CODE):
            continue
        if not _SHORTEST_LINE <= len(line) <= _LONGEST_LINE:
            continue
        share = question.share_in(line)
        if share >= _LEAST_SHARE_OF_LINE:
            shares.append((-share, number))
    return sorted(number for _, number in sorted(shares)[:most])


def _last_line(source: CandidateFile, node: Node) -> int:
    return min(node.end_line, len(source.lines))


def _first_body_line(source: CandidateFile, node: Node) -> int:
    """Return the number of the line after the signature, which may take several lines."""
    left = len("".join(node.signature.split()))
    number = node.line
    while left > 0 and number < node.end_line and number <= len(source.lines):
        left -= len("".join(source.lines[number - 1].split()))
        number += 1
    return max(number, node.line + 1)


_DOC_START, _DOC_NEAR = 20, 12
"""First characters of a description to look for, and lines before and after to look in."""


def doc_line(source: CandidateFile, node: Node) -> int:
    """Return the number of the line in which a symbol's description begins; 0 if not found."""
    start = node.doc[:_DOC_START].split("\n")[0]
    if not start:
        return 0
    near = (
        *range(node.line, node.line + _DOC_NEAR),
        *range(node.line - 1, node.line - _DOC_NEAR, -1),
    )
    inside = (number for number in near if 0 < number <= len(source.lines))
    return next((number for number in inside if start in source.lines[number - 1]), 0)
