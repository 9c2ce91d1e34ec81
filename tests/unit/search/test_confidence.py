"""The model of an answer's confidence, and what it makes of answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex import Filters, Index
from codeindex.search.rank.confidence import ConfidenceSignals, load_confidence_model
from codeindex.search.weight_rows import EvidenceLevel
from tests.conftest import made_repository, own_data

LEVELS: tuple[EvidenceLevel, ...] = ("words", "token", "dense")
ORDER = ("weak", "likely", "strong")
NAMES = [one.name for one in fields(ConfidenceSignals)]
SHARE = st.floats(0, 1)
SIGNS = st.lists(SHARE, min_size=len(NAMES), max_size=len(NAMES)).map(
    lambda row: ConfidenceSignals(*row)
)
TOPICS = (
    "parse the header of a message",
    "render a page of the report",
    "lock the row of an order",
)
FILES = {
    f"app/{topic.split()[0]}.py": (
        f"def {topic.split()[0]}_{topic.split()[2]}(it):\n"
        f'    """{topic.capitalize()}."""\n    return it\n'
    )
    for topic in TOPICS
} | {f"app/m{n}.py": f"def step_{n}(x):\n    return x + {n}\n" for n in range(20)}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("sure")
    with own_data(folder), Index.open(made_repository(folder / "app", FILES)) as index:
        index.sync(structure_only=True)
        yield index


@pytest.mark.parametrize("evidence", LEVELS)
def test_each_level_of_evidence_has_a_weight_for_each_sign(evidence: EvidenceLevel) -> None:
    found = load_confidence_model(evidence)
    assert set(found.weights) == set(NAMES)
    assert 0 < found.likely < found.strong < 1


@given(SIGNS, st.sampled_from(LEVELS), SHARE)
def test_more_missing_words_never_make_an_answer_surer(
    signs: ConfidenceSignals, evidence: EvidenceLevel, missing: float
) -> None:
    more = replace(signs, missing=max(missing, signs.missing))
    found = load_confidence_model(evidence)
    assert 0 <= found.chance(more) <= found.chance(signs) <= 1
    assert ORDER.index(found.level(more)) <= ORDER.index(found.level(signs))


def test_a_name_is_surer_than_a_word_among_foreign_ones(app: Index) -> None:
    assert app.search("parse_header").confidence == "strong"
    mixed = app.search("header trombone rhubarb")
    assert mixed.hits
    assert mixed.confidence == "weak"
    assert mixed.missing_words == ("trombone", "rhubarb")


@pytest.mark.parametrize("topic", TOPICS)
def test_what_the_code_says_of_itself_is_no_weak_answer(app: Index, topic: str) -> None:
    answer = app.search(topic)
    assert answer.confidence in {"strong", "likely"}
    assert answer.missing_words == ()


def test_every_page_of_an_answer_has_the_same_confidence(app: Index) -> None:
    first = app.search("step of the order", limit=2)
    assert first.cursor
    again = app.search("step of the order", limit=2, cursor=first.cursor)
    assert again.confidence == first.confidence


def test_complete_lists_and_empty_answers_have_no_confidence(app: Index) -> None:
    assert app.search("what calls parse_header").confidence is None
    assert app.search("parse_header", filters=Filters(globs=("*.zig",))).confidence is None
