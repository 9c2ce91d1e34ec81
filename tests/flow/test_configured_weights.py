"""The settings `test_weight` and `navigation_doc_boost` shift the odds of results."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.types import Hit
from tests.conftest import Repository

CODE, TEST = "shop/pay.py", "tests/test_pay.py"
FILES = {
    CODE: 'def refund(card):\n    """Send money back to a card."""\n    return -card\n',
    TEST: 'def test_refund():\n    """Send money back to a card."""\n    assert 1\n',
    "README.md": "# Shop\n\n## How to refund a card\n\nCall `refund` to send money back.\n",
}
QUESTION = "send money back to a card"
HOW_TO = "how do I refund a card"


@pytest.fixture
def index(home: Path, repository: Repository) -> Iterator[Index]:
    assert not home.exists()
    with Index.open(repository(FILES)) as opened:
        opened.sync(structure_only=True)
        yield opened


def configure(index: Index, line: str) -> None:
    (index.root / ".ai-devtools.yaml").write_text(f"code-index:\n  {line}\n")


def result(index: Index, question: str, path: str) -> Hit:
    """Return the only result of a file."""
    answer = index.search(question)
    (hit,) = [hit for hit in (*answer.hits, *answer.navigation) if hit.path == path]
    return hit


def odds(hit: Hit) -> float:
    return math.log(hit.score / (1 - hit.score))


def test_the_odds_of_tests_are_multiplied_by_their_weight(index: Index) -> None:
    code, test = (result(index, QUESTION, path) for path in (CODE, TEST))
    configure(index, "test_weight: 2")
    heavier = result(index, QUESTION, TEST)
    assert odds(heavier) - odds(test) == pytest.approx(math.log(2 / 0.5), abs=0.05)
    assert heavier.why["test"] - test.why["test"] == pytest.approx(math.log(2 / 0.5), abs=2e-3)
    assert result(index, QUESTION, CODE).score == code.score
    configure(index, "test_weight: 0")
    assert result(index, QUESTION, TEST).score < 1e-9
    assert result(index, QUESTION, CODE).score == code.score


def test_explanations_have_the_same_scores(index: Index) -> None:
    configure(index, "test_weight: 2")
    explained = {each.file_path: each.score for each in index.explain.search(QUESTION).hits}
    assert explained[TEST] == pytest.approx(result(index, QUESTION, TEST).score, abs=1e-4)


def test_evaluations_rank_as_searches_do(index: Index) -> None:
    for word in ("parcel", "ticket", "coupon", "basket"):
        text = f"Print the label of a {word} on the slow printer."
        body = f"printer.label({word}, slow=True)"
        code = f'def send_{word}({word}):\n    """{text}"""\n    return {body}\n'
        (index.root / f"shop/{word}.py").write_text(code)
        test = f"def test_send_{word}():\n    # {text}\n    assert {body}\n"
        (index.root / f"tests/test_{word}.py").write_text(test)
    index.sync(structure_only=True)
    before = [score.ndcg.mean for score in index.evaluation.evaluate().scores]
    configure(index, "test_weight: 10")
    index.search(QUESTION)  # reads the settings again
    after = [score.ndcg.mean for score in index.evaluation.evaluate().scores]
    assert before > after


def test_sections_of_navigation_documents_get_the_boost(index: Index) -> None:
    before = result(index, HOW_TO, "README.md")
    configure(index, "navigation_doc_boost: 3")
    after = result(index, HOW_TO, "README.md")
    assert odds(after) - odds(before) == pytest.approx(math.log(2), abs=0.05)
    assert after.why["navigation_doc"] == pytest.approx(math.log(2), abs=1e-3)
    configure(index, "navigation_doc_boost: 0")
    answer = index.search(HOW_TO)
    assert "README.md" not in {hit.path for hit in (*answer.hits, *answer.navigation)}
