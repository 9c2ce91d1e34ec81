"""Laws of packed answers: within the budget, in order, and nothing lost on the way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.errors import QueryError
from codeindex.query.cursor import cursor_after, decode_cursor
from codeindex.search.pack.agent_json import agent_answer, json_size
from codeindex.search.pack.budget import fit_answer, point_to_seen
from codeindex.search.pack.outline import hit_skeleton
from codeindex.secrets import mark_as_safe
from codeindex.types import Answer, Coverage, Hit, LineSpan, Readiness

BODY = "def retry(order):\n" + "    wait(order)\n" * 40


def hit(rank: int, text: str = "", *, path: str = "", start: int = 1, score: float = 0.5) -> Hit:
    text = text or BODY.replace("retry", f"retry_{rank}", 1)
    return Hit(
        repo="shop",
        path=path or f"shop/part_{rank}.py",
        start_line=start,
        end_line=start + text.rstrip("\n").count("\n"),
        score=score,
        text=mark_as_safe(text),
        symbol=f"retry_{rank}",
        kind="function",
        language="python",
        module="shop",
        is_test=False,
        has_secrets=False,
        rank=rank,
    )


def answer(*hits: Hit, docs: tuple[Hit, ...] = (), cursor: str | None = None) -> Answer:
    return Answer(
        query="retry",
        query_type="concept",
        hits=hits,
        navigation=docs,
        total_count=len(hits),
        cursor=cursor,
        index_version=3,
        searched_repos=("shop",),
        readiness=Readiness(1.0, 1.0),
        coverage=Coverage(9, 9, 0, 0, 0),
        meta={},
    )


def fitted(whole: Answer, budget: int) -> Answer:
    return fit_answer(
        whole,
        seen=(),
        budget=budget,
        outline=lambda one: {one.start_line: one.lines[0]},
        cursor_after=lambda hits: cursor_after(hits, whole),
    )


def tokens(of: Answer) -> float:
    return json_size(agent_answer(of)) / 4


HITS = st.lists(
    st.tuples(
        st.text(max_size=300) | st.just(BODY),
        st.sampled_from(["a.py", "src/b.py", "c/" * 60 + "c.py"]),
        st.integers(1, 60),
        st.floats(0, 1),
    ),
    max_size=12,
).map(lambda rows: [hit(i, t, path=p, start=s, score=f) for i, (t, p, s, f) in enumerate(rows)])


@given(HITS, HITS, st.integers(1, 1500))
def test_no_answer_is_over_its_budget_and_none_is_empty_that_need_not_be(
    hits: list[Hit], docs: list[Hit], budget: int
) -> None:
    whole = answer(*hits, docs=tuple(docs))
    try:
        short = fitted(whole, budget)
    except QueryError:
        assert tokens(answer()) + 20 > budget  # the frame of any answer, and a cursor
        return
    assert tokens(short) <= budget
    if hits and not short.hits:
        place = replace(hits[0], text=mark_as_safe(""), shown="pointer")
        assert tokens(replace(short, hits=(place,))) + 6 > budget  # room is kept for a cursor


@given(HITS, st.integers(60, 1500))
def test_packed_hits_are_a_prefix_of_the_list(hits: list[Hit], budget: int) -> None:
    short = fitted(answer(*hits), budget)
    count = decode_cursor(short.cursor, version=3) if short.cursor else len(hits)
    assert short.truncated == (count < len(hits))
    for one in hits[:count]:
        assert any(
            shown.path == one.path
            and shown.start_line <= one.start_line
            and one.end_line <= shown.end_line
            for shown in short.hits
        )
    last = max((shown.rank + 1 for shown in short.hits), default=0)
    assert last == count
    assert len(short.hits) <= count


def test_without_need_everything_is_shown_whole() -> None:
    whole = answer(hit(0), hit(1), hit(2))
    short = fitted(whole, 2000)
    assert [one.text for one in short.hits] == [one.text for one in whole.hits]
    assert (short.truncated, short.cursor) == (False, None)


def test_a_small_budget_shows_places_and_goes_on_after_the_last() -> None:
    whole = answer(*(hit(n, score=0.5 - n / 100) for n in range(10)))
    short = fitted(whole, 200)
    assert {one.shown for one in short.hits} <= {"pointer", "skeleton"}
    assert [one.rank for one in short.hits] == list(range(len(short.hits)))
    assert 0 < len(short.hits) < 10
    assert short.truncated
    assert short.cursor is not None
    assert decode_cursor(short.cursor, version=3) == len(short.hits)


def test_an_unlikely_hit_is_shown_by_its_place_however_much_room_there_is() -> None:
    short = fitted(answer(hit(0, score=0.4), hit(1, score=0.25), hit(2, score=0.2)), 9_000)
    assert [one.shown for one in short.hits] == ["full", "full", "pointer"]


def test_the_first_hit_has_its_body_when_that_is_a_third_of_the_room() -> None:
    body = "def retry(order):\n" + "    wait(order)\n" * 20
    short = fitted(answer(*(hit(n, body, score=0.5) for n in range(10))), 500)
    assert short.hits[0].shown == "full"
    assert short.hits[1].shown != "full"


def test_hits_that_touch_are_one_with_both_names() -> None:
    first = hit(0, "a = 1\nb = 2\n", path="x.py", start=4)
    second = hit(1, "q = 1\n", path="y.py")
    third = hit(2, "c = 3\nd = 4\n", path="x.py", start=6)
    short = fitted(answer(first, second, third), 400)
    assert [(one.path, one.start_line, one.end_line) for one in short.hits] == [
        ("x.py", 4, 7),
        ("y.py", 1, 1),
    ]
    assert short.hits[0].lines == ["a = 1", "b = 2", "c = 3", "d = 4"]
    assert (short.hits[0].symbol, short.hits[0].rank) == ("retry_0, retry_2", 2)


def test_what_was_seen_is_pointed_to() -> None:
    one, other = hit(0, "a\nb\nc\n"), hit(1, "a\nb\nc\n")
    seen = (
        LineSpan(one.path, 1, 2),
        LineSpan(one.path, 3, 9),
        LineSpan(other.path, 1, 2),
        LineSpan("no", 1, 9),
    )
    short = point_to_seen(answer(one, other), seen)
    assert [(each.shown, each.text == "") for each in short.hits] == [
        ("seen", True),
        ("full", False),
    ]
    elsewhere = (LineSpan(one.path, 1, 9, "another"),)
    assert point_to_seen(answer(one), elsewhere).hits[0].shown == "full"


def test_a_budget_without_room_is_refused_with_the_least_one() -> None:
    with pytest.raises(QueryError, match=r"A budget of 5 is too small: .* takes \d+"):
        fitted(answer(hit(0)), 5)


def test_a_skeleton_numbers_its_lines_and_loses_their_common_indent() -> None:
    one = hit(0, "    def a():\n        pass\n    x = 1\n        wait(order)\n", start=7)
    shown = hit_skeleton(one, {7: "    def a():"}, frozenset({"wait"}))
    assert shown == "7:def a():\n10:    wait(order)"


def test_agents_get_no_empty_fields() -> None:
    lean = agent_answer(answer(hit(0, "x = 1\n")))
    assert list(lean["results"][0]) == [
        "file_path",
        "start_line",
        "end_line",
        "score",
        "symbol",
        "kind",
        "content",
    ]
    assert None not in lean.values()
    assert agent_answer(answer())["results"] == []


def test_a_copy_in_another_file_is_shown_by_its_place() -> None:
    body = "def retry(order):\n    wait(order)\n"
    own, copy = hit(0, body, path="src/a.py"), hit(1, body.replace("    ", "  "), path="dist/a.py")
    again = hit(2, "def other(order):\n    wait(order)\n", path="dist/b.py")
    short = fitted(answer(own, copy, again), 9_000)
    assert [one.shown for one in short.hits] == ["full", "pointer", "full"]
