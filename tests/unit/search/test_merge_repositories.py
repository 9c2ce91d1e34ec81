"""Answers of several repositories: one order, however it is paged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.errors import QueryError
from codeindex.search.pack.merge_repositories import (
    RepositoryCursor,
    decode_repository_cursor,
    merge_hits,
)
from codeindex.types import Hit
from tests.unit.search.test_budget import hit

LISTS = st.lists(st.lists(st.sampled_from([0.1, 0.5, 0.9]), max_size=8), min_size=1, max_size=4)


def lists_of(scores: list[list[float]]) -> list[list[Hit]]:
    return [
        [replace(hit(rank, "x\n", score=score), repo=f"r{at}") for rank, score in enumerate(one)]
        for at, one in enumerate(scores)
    ]


@given(LISTS, st.lists(st.integers(1, 5), min_size=40, max_size=40))
def test_pages_joined_are_the_whole(scores: list[list[float]], sizes: list[int]) -> None:
    lists = lists_of(scores)
    places = RepositoryCursor({f"r{at}": (0, 1) for at in range(len(lists))})
    paged: list[Hit] = []
    for size in sizes:
        left = [one[places.by_repo[f"r{at}"][0] :][:size] for at, one in enumerate(lists)]
        page = merge_hits(left, size)
        places = decode_repository_cursor(places.after(page).encoded(), list(places.by_repo))
        paged += page
    assert paged == list(merge_hits(lists, 1000))
    assert len(paged) == sum(map(len, lists))


@given(LISTS)
def test_each_list_keeps_its_order(scores: list[list[float]]) -> None:
    whole = merge_hits(lists_of(scores), 1000)
    for at, one in enumerate(lists_of(scores)):
        assert [each for each in whole if each.repo == f"r{at}"] == one


@given(st.text())
def test_anything_else_is_no_cursor(text: str) -> None:
    with pytest.raises(QueryError, match="does not belong to a search of several"):
        decode_repository_cursor(text, ["shop"])


def test_a_cursor_of_other_repositories_is_refused() -> None:
    cursor = RepositoryCursor({"a": (1, 1), "b": (0, 1)}).encoded()
    with pytest.raises(QueryError, match="belongs to another scope"):
        decode_repository_cursor(cursor, ["a"])
    assert decode_repository_cursor(cursor, ["a", "b", "c"]).by_repo == {"a": (1, 1), "b": (0, 1)}
