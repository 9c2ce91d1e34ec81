"""Two small repositories are asked a hundred questions whose file and function are known.

`tests/fixtures/questions.tsv` was written before anything was searched, in the words of somebody
who does not know the code's names. Each labelled function is right; questions without one are
answered by their file. Nothing is embedded, so that it runs everywhere.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import pytest

from codeindex import Index
from codeindex.evaluation.metrics import CodeSpan, covers_function, ranking_quality
from tests.conftest import own_data

FIXTURES = Path(__file__).parents[1] / "fixtures"
LEVELS = ("words", "token")
FLOORS = {
    "words": {
        "file@1": 0.75,  # measured: .80
        "file NDCG@10": 0.84,  # .87
        "place@1": 0.66,  # .70
        "place@3": 0.77,  # .81
        "document@3": 0.66,  # .83: five of six
    },
    "token": {
        "file@1": 0.77,  # .81
        "file NDCG@10": 0.87,  # .90
        "place@1": 0.67,  # .71
        "place@3": 0.79,  # .83
        "document@3": 0.66,  # .83: five of six
    },
}
"""Shares of the questions, a little below what was measured beside them.

`file@1` and `file NDCG@10` are of the 99 questions that code answers, `place` of the 98 that a
function does, `document@3` of the six that a document does, which is to stand beside code.
"""
DENIABLE = frozenset({"reconnect if the network drops", "shrink the history file"})
"""Questions whose telling words stand in no file of the fixture: these may find nothing."""
HOW_TO = "how-to"
"""Kind of the questions that documents answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its kind, the files that answer it, and the functions by their names."""

    repository: str
    kind: str
    text: str
    paths: tuple[str, ...]
    functions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the lines that answer it and those of the hits, best first."""

    question: Question
    places: tuple[CodeSpan, ...]
    hits: tuple[CodeSpan, ...]

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(path for path, _, _ in self.hits))

    def has_file(self, depth: int) -> bool:
        return any(path in self.question.paths for path in self.files[:depth])

    def has_place(self, depth: int) -> bool:
        return any(covers_function(hit, one) for hit in self.hits[:depth] for one in self.places)


def questions() -> list[Question]:
    with (FIXTURES / "questions.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Question(
            row["repository"],
            row["kind"],
            row["question"],
            tuple(row["path"].split()),
            tuple(row["functions"].split()),
        )
        for row in rows
    ]


def definitions(index: Index) -> Mapping[tuple[str, str], CodeSpan]:
    """Return the lines of every symbol, by its file and its qualified name."""
    with index.reader().catalog() as (catalog, _):
        rows = catalog.connection.execute(
            "SELECT f.path, s.qualified, s.start_line, s.end_line FROM symbols s"
            " JOIN files f ON f.id = s.file_id"
        ).fetchall()
    return {(path, name): (path, first, last) for path, name, first, last in rows}


def places_of(
    question: Question, known: Mapping[tuple[str, str], CodeSpan]
) -> tuple[CodeSpan, ...]:
    names = [(path, name) for path in question.paths for name in question.functions]
    return tuple(known[one] for one in names if one in known)


def answers(root: Path, level: str, asked: Sequence[Question]) -> Iterator[Asked]:
    with Index.open(root, root=True, flags={}) as index:
        index.sync(structure_only=True)
        known = definitions(index)
    flags = {"embedding.model": "none"} if level == "words" else {}
    with Index.open(root, root=True, flags=flags) as index:
        for one in asked:
            hits = index.search(one.text, limit=30).hits
            lines = tuple((hit.path, hit.start_line, hit.end_line) for hit in hits)
            yield Asked(one, places_of(one, known), lines)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Asked]]:
    """Ask every question at both levels of evidence: words alone, and token vectors."""
    folder = tmp_path_factory.mktemp("quality")
    found: dict[str, list[Asked]] = {level: [] for level in LEVELS}
    with own_data(folder) as patch:
        patch.delenv("CODEINDEX_EMBEDDING_MODEL")
        patch.setenv("HF_HUB_OFFLINE", "1")
        every = questions()
        for name in dict.fromkeys(one.repository for one in every):
            shutil.copytree(FIXTURES / name, folder / name)
            mine = [one for one in every if one.repository == name]
            for level in LEVELS:
                found[level] += answers(folder / name, level, mine)
    return found


def test_every_label_is_a_definition(asked: Mapping[str, list[Asked]]) -> None:
    """A function that is renamed in a fixture takes its questions along."""
    for one in asked["words"]:
        named = {path for path, _, _ in one.places}
        assert not one.question.functions or named == set(one.question.paths), one.question
    assert len(asked["words"]) > 100


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_that_is_there_is_denied(asked: Mapping[str, list[Asked]], level: str) -> None:
    denied = {one.question.text for one in asked[level] if not one.hits}
    assert denied <= DENIABLE, sorted(denied - DENIABLE)


@pytest.mark.parametrize("level", LEVELS)
def test_the_right_file_and_function_come_first(
    asked: Mapping[str, list[Asked]], level: str
) -> None:
    figures = measured(asked[level])
    low = {name: value for name, value in figures.items() if value < FLOORS[level][name]}
    assert not low, "\n".join([f"{level}: {figures}", *misses(asked[level])])


def measured(every: Sequence[Asked]) -> dict[str, float]:
    placed = [one for one in every if one.places]
    documents, code = (
        [one for one in every if (one.question.kind == HOW_TO) == is_how]
        for is_how in (True, False)
    )
    return {
        "file@1": fmean(one.has_file(1) for one in code),
        "file NDCG@10": fmean(file_ndcg(one) for one in code),
        "place@1": fmean(one.has_place(1) for one in placed),
        "place@3": fmean(one.has_place(3) for one in placed),
        "document@3": fmean(one.has_file(3) for one in documents),
    }


def file_ndcg(one: Asked) -> float:
    """Judge the order of files; of several that answer any will do."""
    ranks = [at for at, path in enumerate(one.files) if path in one.question.paths][:1]
    return ranking_quality(range(len(one.files)), ranks).ndcg


def misses(every: Sequence[Asked]) -> Iterator[str]:
    """Yield what is asked, wanted and shown where the first hit is not the place."""
    for one in every:
        first = one.hits[:1]
        wanted = " ".join((*one.question.paths, *one.question.functions))
        depth = 3 if one.question.kind == HOW_TO else 1
        is_right = one.has_place(depth) if one.places else one.has_file(depth)
        if not is_right:
            shown = f"{first[0][0]}:{first[0][1]}" if first else "nothing"
            yield f"  {one.question.kind}: {one.question.text!r}: wanted {wanted}, first {shown}"
