"""Which indexes of a share stay open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, cast

import pytest

from codeindex.cluster.open_indexes import OpenIndexes, most_open_indexes


class StandIn:
    """A fake `Index`: `used` marks it as open, and `close` as closed."""

    def __init__(self, root: str = "checkout") -> None:
        self.root = root
        self.is_open = False

    def close(self) -> None:
        self.is_open = False


@contextmanager
def used(indexes: OpenIndexes, name: str) -> Iterator[StandIn]:
    with indexes.using(name) as index:
        stand_in = cast("StandIn", index)
        stand_in.is_open = True
        yield stand_in


def open_names(stand_ins: dict[str, StandIn]) -> set[str]:
    return {name for name, one in stand_ins.items() if one.is_open}


def made(names: str, *, most: int) -> tuple[OpenIndexes, dict[str, StandIn]]:
    indexes, stand_ins = OpenIndexes(most), {name: StandIn() for name in names}
    for name, one in stand_ins.items():
        indexes.add(name, cast("Any", one))
    return indexes, stand_ins


def test_the_indexes_that_were_used_last_stay_open() -> None:
    indexes, stand_ins = made("abcd", most=2)
    for name in "abcad":
        with used(indexes, name):
            pass
    assert open_names(stand_ins) == {"a", "d"}
    with used(indexes, "b"):
        pass
    assert open_names(stand_ins) == {"d", "b"}


def test_an_index_in_use_is_not_closed() -> None:
    indexes, stand_ins = made("abcd", most=1)
    with used(indexes, "a"), ExitStack() as others:
        for name in "bcd":
            others.enter_context(used(indexes, name))
        assert open_names(stand_ins) == set("abcd")
        others.close()
        assert "a" in open_names(stand_ins)
    assert len(open_names(stand_ins)) == 1


def test_a_removed_index_is_closed_after_its_last_use() -> None:
    indexes, stand_ins = made("ab", most=5)
    with used(indexes, "a"):
        with used(indexes, "a"):
            indexes.remove("a")
            again = StandIn()
            indexes.add("a", cast("Any", again))
        assert open_names(stand_ins) == {"a"}
    assert open_names(stand_ins) == set()
    with used(indexes, "a") as now:
        assert now is again
    assert indexes.names() == {"a", "b"}
    with pytest.raises(KeyError), used(indexes, "c"):
        pass


def test_some_indexes_are_open_under_any_limit_of_files() -> None:
    assert 8 <= most_open_indexes() <= 200


def test_an_index_of_another_folder_replaces_the_former_one() -> None:
    indexes, stand_ins = made("a", most=5)
    with used(indexes, "a"):
        pass
    same, moved = StandIn(), StandIn("other checkout")
    indexes.add("a", cast("Any", same))
    with used(indexes, "a") as now:
        assert now is stand_ins["a"]
        indexes.add("a", cast("Any", moved))
        assert open_names(stand_ins) == {"a"}
    assert open_names(stand_ins) == set()
    with used(indexes, "a") as now:
        assert now is moved
