"""Collecting the answers of shares that are slow, lost or not loaded."""

from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import pytest

from codeindex.api.requests.core import SearchRequest
from codeindex.cluster.fan_out import SharedQuery, Suspects, search_shares
from codeindex.cluster.share import ShareAnswers
from codeindex.errors import NotReadyError, QueryError
from codeindex.types import Answer, Coverage, Readiness

COPIES = {"cart": ("one", "two"), "money": ("two", "one")}


def empty_answer(query: str) -> Answer:
    return Answer(
        query,
        "concept",
        (),
        (),
        0,
        None,
        1,
        ("cart",),
        Readiness(1.0, 1.0),
        Coverage(0, 0, 0, 0, 0),
        {},
    )


@dataclass
class StandIn:
    """A fake `Share`: it answers for repositories in `has`, raises `error`, or never replies."""

    name: str
    has: tuple[str, ...] = ("cart", "money")
    error: Exception | None = None
    errors: int = 10**9  # calls that end with `error`
    loads: int = 0  # calls after these in which nothing is loaded
    is_silent: bool = False
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def submit(self, method: str, *values: Any) -> Future[Any]:
        assert method == "search"
        names = tuple(values[0])
        self.asked.append(names)
        future: Future[Any] = Future()
        if self.error and len(self.asked) <= self.errors:
            future.set_exception(self.error)
        elif not self.is_silent:
            loading = len(self.asked) <= (self.errors if self.error else 0) + self.loads
            has = () if loading else self.has
            answers = {name: empty_answer(self.name) for name in names if name in has}
            failed = {name: "It is still being loaded." for name in names if name not in has}
            commits = dict.fromkeys(answers, "c0ffee")
            future.set_result(ShareAnswers(answers, commits, failed, frozenset(failed)))
        return future


def search(
    one: StandIn, two: StandIn, suspects: Suspects | None = None, seconds: float = 0.2
) -> ShareAnswers:
    query = SharedQuery(SearchRequest("cart"), {}, seconds)
    shares = {"one": one, "two": two}
    return search_shares(shares, COPIES, query, suspects=suspects or Suspects())


def test_each_repository_is_asked_once_if_all_answer() -> None:
    one, two = StandIn("one"), StandIn("two")
    found = search(one, two)
    assert {name: answer.query for name, answer in found.answers.items()} == {
        "cart": "one",
        "money": "two",
    }
    assert found.failed == {}
    assert (one.asked, two.asked) == ([("cart",)], [("money",)])


@pytest.mark.parametrize(
    "bad",
    [
        StandIn("one", is_silent=True),
        StandIn("one", error=NotReadyError("It is lost.")),
        StandIn("one", has=()),
    ],
    ids=["silent", "lost", "not loaded"],
)
def test_the_second_copy_answers_for_a_share_that_does_not(bad: StandIn) -> None:
    found = search(bad, StandIn("two"))
    assert {answer.query for answer in found.answers.values()} == {"two"}
    assert found.answers.keys() == {"cart", "money"}
    assert found.failed == {}


def test_a_share_that_was_lost_is_asked_last_for_a_while() -> None:
    suspects = Suspects()
    lost, two = StandIn("one", error=NotReadyError("It is lost.")), StandIn("two")
    search(lost, two, suspects)
    lost.asked.clear()
    search(lost, two, suspects)
    assert lost.asked == []
    assert two.asked[-1] == ("cart", "money")


def test_repositories_without_an_answer_are_named_with_the_reason() -> None:
    found = search(StandIn("one", has=("cart",)), StandIn("two", is_silent=True))
    assert found.answers.keys() == {"cart"}
    assert found.failed == {"money": "It is still being loaded."}
    found = search(StandIn("one", is_silent=True), StandIn("two", is_silent=True))
    assert set(found.failed.values()) == {"Its machine did not answer within 0.2 s."}


def test_an_invalid_query_is_no_failure_of_a_share() -> None:
    with pytest.raises(QueryError):
        search(StandIn("one", error=QueryError("It is empty.")), StandIn("two"))


@pytest.mark.parametrize(
    "other",
    [
        StandIn("two", has=()),
        StandIn("two", is_silent=True),
        StandIn("two", error=NotReadyError("It is lost.")),
    ],
    ids=["not loaded", "silent", "lost"],
)
def test_a_share_that_is_lost_for_a_moment_is_asked_again(other: StandIn) -> None:
    one = StandIn("one", error=NotReadyError("It is lost."), errors=2)
    found = search(one, other, seconds=10)
    assert {answer.query for answer in found.answers.values()} == {"one"}
    assert found.answers.keys() == {"cart", "money"}
    assert found.failed == {}


def test_a_share_that_stays_lost_is_asked_until_the_time_is_up() -> None:
    one, two = (StandIn(name, error=NotReadyError(f"{name} is lost.")) for name in ("one", "two"))
    found = search(one, two, seconds=0.5)
    assert len(one.asked) > 1
    assert len(two.asked) > 1
    assert found.failed.keys() == {"cart", "money"}
    assert set(found.failed.values()) <= {"one is lost.", "two is lost."}


def test_a_share_that_loads_after_a_loss_is_waited_for_and_one_at_the_start_is_not() -> None:
    lost = NotReadyError("It is lost.")
    one, two = (StandIn(name, error=lost, errors=1, loads=2) for name in ("one", "two"))
    assert search(one, two, seconds=10).answers.keys() == {"cart", "money"}
    one, two = (StandIn(name, loads=2) for name in ("one", "two"))
    assert search(one, two, seconds=10).failed.keys() == {"cart", "money"}
    assert (len(one.asked), len(two.asked)) == (2, 2)
