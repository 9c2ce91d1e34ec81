"""Searches that keep to a budget, and code that is like other code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeindex import Index
from codeindex.cli import main
from codeindex.errors import QueryError
from codeindex.search.pack.agent_json import agent_answer, json_size
from tests.conftest import Repository

RETRY = '''\
class Retry:
    """Tries payments again."""

    def next_delay(
        self,
        attempt,
    ):
        """Seconds to wait before a payment is tried again."""
{padding}
        return attempt

    def give_up(self, order):
{padding}
        raise PaymentError(order)
'''
PADDING = "\n".join(f"        step_{n} = {n}" for n in range(60))
FILES = {
    "shop/retry.py": RETRY.replace("{padding}", PADDING),
    "shop/cart.py": "def add_item(cart, item):\n    cart.items.append(item)\n    return cart\n",
    "shop/basket.py": "def put_item(basket, item):\n    basket.items.append(item)\n",
    "shop/pay.py": "def pay(order):\n    return charge(order, payment=True)\n",
    "docs/payments.md": "# Payments\n\nHow a payment is tried again.\n",
}


@pytest.fixture
def shop(home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose structure is indexed, as the current folder."""
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    root = repository(FILES)
    monkeypatch.chdir(root)
    assert run("index", "--structure-only").exit_code == 0
    assert home.is_dir()
    return root


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args, catch_exceptions=False)


def test_a_skeleton_shows_signatures_descriptions_and_telling_lines(shop: Path) -> None:
    with Index.open(shop) as index:
        answer = index.search("when is a payment tried again", budget=350)
        first = answer.hits[0]
    assert (first.path, first.shown) == ("shop/retry.py", "skeleton")
    lines = first.text.split("\n")
    assert "4:    def next_delay( self, attempt, )" in lines
    assert '8:        """Seconds to wait before a payment is tried again."""' in lines
    assert not any("step_9" in line for line in lines)
    assert json_size(agent_answer(answer)) <= 350 * 4


def test_pages_of_packed_answers_leave_nothing_out(shop: Path) -> None:
    with Index.open(shop) as index:
        whole = [hit.path for hit in index.search("payment item order").hits]
        paged: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            page = index.search("payment item order", budget=120, cursor=cursor)
            assert page.hits
            paged += [hit.path for hit in page.hits]
            cursor = page.cursor
    assert list(dict.fromkeys(paged)) == list(dict.fromkeys(whole))
    assert len(set(whole)) > 2


def test_budgets_and_spans_of_other_types_are_refused(shop: Path) -> None:
    with Index.open(shop) as index:
        for budget in ("9", -1, True, 10**9):
            with pytest.raises(QueryError, match="budget is"):
                index.search("pay", budget=budget)  # type: ignore[arg-type]
        for seen in (3, [3], [("a.py", 1)], [("a.py", "1", 2)], "abc"):
            with pytest.raises(QueryError, match="seen is"):
                index.search("pay", seen=seen)  # type: ignore[arg-type]


def test_similar_code_excludes_the_given_place(shop: Path) -> None:
    with Index.open(shop) as index:
        answer = index.similar("shop/cart.py:2", limit=5)
        assert answer.hits[0].path == "shop/basket.py"
        assert "shop/cart.py" not in [hit.path for hit in answer.hits]
        (shop / "shop/cart.py").write_text("\n" * 9 + FILES["shop/cart.py"], encoding="utf-8")
        assert index.similar("shop/cart.py:11").hits[0].path == "shop/basket.py"
        for place in ("shop/cart.py", "shop/cart.py:x", "shop/no.py:1", "shop/pay.py:99"):
            with pytest.raises(QueryError):
                index.similar(place)


def test_several_questions_give_each_hit_once_and_say_whose_it_is(shop: Path) -> None:
    with Index.open(shop) as index:
        both = index.search_many(("add item", "charge order", "add item"))
        alone = {query: index.search(query).hits for query in ("add item", "charge order")}
        for queries in ("add item", (), ("add item", "")):
            with pytest.raises(QueryError):
                index.search_many(queries)
    places = [(hit.path, hit.start_line) for hit in both.hits]
    wanted = {(hit.path, hit.start_line) for hits in alone.values() for hit in hits}
    assert (len(places), set(places)) == (len(wanted), wanted)
    assert [hit.score for hit in both.hits] == sorted((h.score for h in both.hits), reverse=True)
    for hit in both.hits:
        assert set(hit.why) <= set(alone)
        assert hit.score >= max(hit.why.values()) - 0.001


@pytest.mark.usefixtures("shop")
def test_the_command_line_asks_several_questions() -> None:
    done = run("search", "-q", "append to a basket", "-q", "charge an order", "-l")
    assert {"shop/basket.py", "shop/pay.py"} <= set(done.stdout.split())
    assert run("search", "add item", "-q", "charge", "shop/pay.py", "-l").stdout == "shop/pay.py\n"
    assert run("search", "add item", "-q", "charge", "-w").exit_code == 0
    assert run("search", "add item", "-q", "charge", "--budget", "200").exit_code == 2
    assert run("search", "add item", "-q", "charge", "--repo", "shop").exit_code == 2


@pytest.mark.usefixtures("shop")
def test_the_command_line_packs_and_compares_too() -> None:
    done = run("search", "when is a payment tried again", "--budget", "120", "-m", "9")
    assert done.exit_code == 0
    assert "shop/retry.py:" in done.stdout
    assert "left out to fit the budget: continue with --cursor" in done.stderr
    packed = json.loads(run("search", "payment", "--budget", "100", "--json").stdout)
    assert "pointer" in {one.get("shown") for one in packed["results"]}
    done = run("similar", "shop/cart.py:1", "-l", "-m", "1")
    assert (done.exit_code, done.stdout) == (0, "shop/basket.py\n")
    assert run("similar", "shop/cart.py").exit_code == 2
    assert run("search", "payment", "--budget", "150", "-w").exit_code == 2
