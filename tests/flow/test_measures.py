"""What is complex, how healthy code is, and where types flow, asked of real indexes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeindex import Index
from codeindex.analysis.signature import signature_types
from codeindex.errors import QueryError

pytestmark = pytest.mark.usefixtures("home")
Repository = Callable[..., Path]

CART = '''\
"""The cart."""

import json

from shop.money import Money


class Cart:
    """What a customer wants."""

    best: Money = Money(0)

    def total(self, tax: Money, *, plain: bool = False) -> Money:
        """Sum up."""
        if plain:
            for _ in range(3):
                if tax:
                    return tax
        return json.loads("0")

    def _peek(self) -> "Money":
        return Money(1)


def empty() -> Cart:
    return Cart()
'''
MONEY = """\
class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents


# Deprecated spelling, kept for callers.
@deprecated("use Money")
def coin() -> Money:
    return Money(1)
"""
OTHER = """\
from elsewhere import Money


def pay(money: Money) -> None:
    print(money)
"""
TESTS = """\
from shop.cart import Cart


def test_total():
    assert Cart().total(1)


def make_cart():
    return Cart()
"""
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": CART,
    "shop/money.py": MONEY,
    "shop/other.py": OTHER,
    "tests/test_cart.py": TESTS,
}


@pytest.fixture
def root(repository: Repository) -> Path:
    made = repository(FILES)
    with Index.open(made) as index:
        index.sync(structure_only=True)
    return made


def test_the_hardest_function_comes_first_with_the_score_of_the_contract(root: Path) -> None:
    with Index.open(root) as index:
        found = index.overview.hotspots(limit=2)
    first = found.hotspots[0]
    assert (first.name, first.cyclomatic, first.max_nesting) == ("Cart.total", 4, 3)
    assert (first.param_count, first.body_lines) == (2, 6)
    assert first.score == 4 + 3 * 2 + 2 * 0.5 + 6 / 20
    assert (found.total, len(found.hotspots)) == (8, 2)


def test_hotspots_are_narrowed_by_place_and_least_complexity(root: Path) -> None:
    with Index.open(root) as index:
        assert {one.file for one in index.overview.hotspots("tests").hotspots} == {
            "tests/test_cart.py"
        }
        assert [one.name for one in index.overview.hotspots(min_complexity=2).hotspots] == [
            "Cart.total"
        ]
        by_lines = index.overview.hotspots(sort_by="body_lines").hotspots
    assert [one.body_lines for one in by_lines] == sorted(
        (one.body_lines for one in by_lines), reverse=True
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"limit": 101}, "from 1 to 100"),
        ({"limit": 0}, "from 1 to 100"),
        ({"sort_by": "age"}, "use one of score, complexity"),
        ({"path": "shop/carts.py"}, "did you mean 'shop/cart.py'"),
    ],
)
def test_a_bad_request_for_hotspots_says_what_to_do(
    root: Path, options: dict[str, Any], said: str
) -> None:
    with Index.open(root) as index, pytest.raises(QueryError, match=said):
        index.overview.hotspots(**options)


def test_health_counts_what_there_is(root: Path) -> None:
    with Index.open(root) as index:
        found = index.overview.health().as_dict()
    assert (found["total_functions"], found["analyzed"]) == (8, 8)
    assert found["complexity"] == {"avg": 1.38, "median": 1.0, "max": 4, "p90": 4}
    assert (found["test_count"], found["deprecated_count"]) == (1, 1)
    assert found["documented_pct"] == 25.0
    assert found["hottest_files"][0] == {
        "file": "shop/cart.py",
        "functions": 3,
        "avg_complexity": 2.0,
        "max_complexity": 4,
    }


def test_health_counts_declared_functions_apart(repository: Repository) -> None:
    files = {"a.h": "int f(void);\nint g(void);\n", "a.c": "int f(void) { return 1; }\n"}
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        said = list(index.overview.health().text())
    assert said[0] == "all: 3 functions, 1 with a body, in 2 files"


def test_health_of_a_place_without_functions_is_all_zeros(repository: Repository) -> None:
    with Index.open(repository({"notes.md": "# Notes\n"})) as index:
        index.sync(structure_only=True)
        found = index.overview.health().as_dict()
    assert (found["analyzed"], found["high_complexity_pct"], found["documented_pct"]) == (0, 0, 0)


def test_a_type_is_followed_from_who_gives_it_to_who_takes_it(root: Path) -> None:
    with Index.open(root) as index:
        found = index.graph.type_flow("Money")
    assert [one.name for one in found.producers] == ["Cart.total", "Cart._peek", "coin"]
    assert [one.name for one in found.consumers] == ["Cart.total"]
    assert {one.certainty for one in found.producers} == {"resolved"}


def test_fields_of_a_type_are_told_when_asked_for(root: Path) -> None:
    with Index.open(root) as index:
        found = index.graph.type_flow("Money", include_fields=True)
    assert [(one.name, one.role) for one in found.consumers] == [
        ("Cart.best", "field"),
        ("Cart.total", "consumer"),
    ]


def test_counts_of_a_flow_are_those_before_the_limit(root: Path) -> None:
    with Index.open(root) as index:
        found = index.graph.type_flow("Money", limit=1)
    assert (found.producers_count, len(found.producers)) == (3, 1)


def test_a_type_of_nobody_names_the_nearest(root: Path) -> None:
    with Index.open(root) as index, pytest.raises(QueryError, match="did you mean Money"):
        index.graph.type_flow("Mony")


def test_an_edit_is_seen_by_the_next_question(root: Path) -> None:
    text = CART.replace("return Money(1)", "return Money(1) if self else Money(2)")
    (root / "shop/cart.py").write_text(text)
    with Index.open(root) as index:
        found = {
            one.name: one.cyclomatic for one in index.overview.hotspots("shop/cart.py").hotspots
        }
    assert found["Cart._peek"] == 2


@pytest.mark.parametrize(
    ("language", "name", "signature", "takes", "gives"),
    [
        ("python", "f", "def f(a: A, b: Callable[[B], C] = g(E, 1), c=E) -> D", "A B C", "D"),
        ("go", "F", "func (r *R) F(a A, b ...B) (C, error)", "A B", "C error"),
        ("rust", "f", "pub fn f<T: Into<A>>(&self, b: &B) -> Option<C> where T: D", "B", "C"),
        ("typescript", "f", "f<T>(a: A, b?: (c: C) => D): Promise<E>", "A C D", "E"),
        ("typescript", "f", "f(a: A = new B(1, 2), c: C): D", "A C", "D"),
        ("java", "f", "public static List<A> f(B b, C... c) throws D", "B C", "A"),
        ("c", "f", "static struct A *f(const struct B *b)", "B", "A"),
        ("cpp", "f", "auto f(const B& b) -> A", "B", "A"),
        ("kotlin", "f", "fun f(a: A): B", "A", "B"),
        ("scala", "f", "def f(a: A)(b: B): C", "A B", "C"),
        ("haskell", "f", "f :: Show x => A -> [B] -> IO C", "A B", "C"),
    ],
)
def test_heads_part_at_the_parameters(
    language: str, name: str, signature: str, takes: str, gives: str
) -> None:
    head = signature_types(signature, name, language)
    types = set("ABCDE")
    assert {one for one in takes.split() if one in types} == types & set(_words(head.takes))
    assert {one for one in gives.split() if one in types} == types & set(_words(head.gives))


def _words(text: str) -> list[str]:
    return "".join(one if one.isalnum() else " " for one in text).split()
