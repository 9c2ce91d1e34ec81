"""Questions about ways through the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.query.flow_phrases import parse_flow_endpoints

pytestmark = pytest.mark.usefixtures("home")

SHOP = {
    "shop/api.py": (
        "from shop.service import Orders\n\n\ndef create_order(request):\n"
        "    orders = Orders()\n    return orders.place(request)\n"
    ),
    "shop/service.py": (
        "from shop.store import Store\n\n\nclass Orders:\n    def __init__(self):\n"
        "        self.store = Store()\n\n    def place(self, request):\n"
        "        return self.store.save(request)\n"
    ),
    "shop/store.py": "class Store:\n    def save(self, row):\n        return row\n",
    "shop/report.py": "def monthly():\n    return []\n",
}


@pytest.fixture
def shop(repository: Callable[..., Path]) -> Iterator[Index]:
    with Index.open(repository(SHOP)) as index:
        index.sync(structure_only=True)
        yield index


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("data flow from API to database", ("API", "database")),
        ("path from login to session", ("login", "session")),
        ("how does request get to handler?", ("request", "handler")),
        ("what happens between the `Cart` class and the Store method", ("Cart", "Store")),
        ("trace the call from create_order to save step by step", ("create_order", "save")),
        ("how are orders stored", None),
    ],
)
def test_both_ends_are_read_out_of_a_question(question: str, ends: tuple[str, str] | None) -> None:
    assert parse_flow_endpoints(question) == ends


def test_a_flow_is_listed_step_by_step_with_its_lines(shop: Index) -> None:
    answer = shop.search("path from create_order to Store.save")
    assert [(hit.path, hit.start_line) for hit in answer.hits] == [
        ("shop/api.py", 6),
        ("shop/service.py", 9),
    ]
    (path,) = answer.meta["flow"]["paths"]
    assert [(one["source"], one["target"]) for one in path] == [
        ("shop/api.py::create_order", "shop/service.py::Orders.place"),
        ("shop/service.py::Orders.place", "shop/store.py::Store.save"),
    ]
    assert answer.hits[0].text.strip() == "return orders.place(request)"


def test_between_files_the_imports_are_the_way(shop: Index) -> None:
    answer = shop.search("path from shop/service.py to shop/store.py")
    assert answer.hits[0].path == "shop/service.py"


def test_without_a_path_the_ordinary_search_answers(shop: Index) -> None:
    answer = shop.search("path from monthly to Store.save")
    assert answer.query_type == "flow"
    assert "flow" not in answer.meta
    assert {hit.path for hit in answer.hits} >= {"shop/report.py", "shop/store.py"}


def test_calls_in_a_circle_end(repository: Callable[..., Path]) -> None:
    files = {
        "a.py": "def one():\n    two()\n\n\ndef two():\n    one()\n\n\ndef three():\n    pass\n"
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        assert "flow" not in index.search("path from one to three").meta
        assert len(index.search("path from one to two").meta["flow"]["paths"]) == 1


def test_a_member_of_something_unknown_is_not_looked_for_in_another_language(
    repository: Callable[..., Path], home: Path
) -> None:
    root = repository(
        {
            "web.py": "def page(it):\n    it.charge()\n",
            "Bill.java": "class Bill {\n  void charge() { store(); }\n  void store() { }\n}\n",
        }
    )
    with Index.open(root) as index:
        index.sync(structure_only=True)
        answer = index.search("data flow from page to Bill.store")
    assert home.exists()
    assert "flow" not in answer.meta
