"""Questions of any length take work in proportion to it, and answers are answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import attrgetter
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex import Index
from codeindex.errors import QueryError
from codeindex.redact_query import _MAY_BE_SECRET
from codeindex.store.symbols.nodes import symbols_by_name
from tests.conftest import made_repository, own_data

LENGTH = 20_000
LONG = {
    "letters": "a" * LENGTH,
    "digits": "a1" * (LENGTH // 2),
    "owners": ".".join(["abc"] * (LENGTH // 4)),
    "folders": "/".join(["abc"] * (LENGTH // 4)),
    "distinct": "/".join(f"w{number}x" for number in range(LENGTH // 6)),
    "keywords": "password" * (LENGTH // 8),
    "brackets": "(" * LENGTH,
}
METHODS = (
    *("search", "combined.find", "answers.ask", "symbols.lookup", "symbols.signatures"),
    *("graph.callers", "changes.context", "source.read", "combined.summarize", "explain.search"),
    *("graph.type_flow", "source.tree"),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("long")
    with own_data(folder):
        files = {"shop/pay.py": "class Pay:\n    def charge(self):\n        return 1\n"}
        with Index.open(made_repository(folder / "shop", files)) as opened:
            opened.sync(structure_only=True)
            yield opened


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("method", METHODS)
def test_a_word_of_any_length_is_answered_or_refused(index: Index, method: str, kind: str) -> None:
    try:
        attrgetter(method)(index)(LONG[kind])
    except QueryError:
        return  # nothing is called so


@pytest.mark.parametrize("kind", LONG)
def test_why_not_accepts_names_that_no_file_can_have(index: Index, kind: str) -> None:
    with pytest.raises(QueryError, match=r"it has .* characters, of 4,096 at most"):
        index.explain.why_not(LONG[kind], "charge")


@pytest.mark.parametrize("kind", LONG)
def test_a_name_takes_a_few_look_ups_however_many_owners_it_has(index: Index, kind: str) -> None:
    asked: list[str] = []
    with index.reader().catalog() as (catalog, _):
        catalog.connection.set_trace_callback(asked.append)
        try:
            assert symbols_by_name(catalog.connection, LONG[kind]) == []
        finally:
            catalog.connection.set_trace_callback(None)
    assert len(asked) <= 2


def runs(parsed: Any, *, once: bool = False) -> Iterator[tuple[Any, bool]]:
    """Yield each repeat without bound, and whether it is gone through once."""
    for op, value in parsed:
        if op in {ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT}:
            _, most, inner = value
            if most is ops.MAXREPEAT:
                yield op, once or op is ops.POSSESSIVE_REPEAT
            yield from runs(inner, once=once)
        elif op is ops.BRANCH:
            for one in value[1]:
                yield from runs(one, once=once)
        elif op is ops.ATOMIC_GROUP:
            yield from runs(value, once=True)
        elif op is ops.SUBPATTERN:
            yield from runs(value[3], once=once)
        elif op in {ops.ASSERT, ops.ASSERT_NOT}:
            yield from runs(value[1], once=once)


def test_no_letter_of_a_word_is_looked_at_again_for_each_letter_before_it() -> None:
    found = list(runs(parser.parse(_MAY_BE_SECRET.pattern)))
    assert len(found) == 3
    assert all(once for _, once in found)
    slow = list(runs(parser.parse(SLOW.pattern)))
    assert not all(once for _, once in slow)


SLOW = re.compile(r"(?=\S*\d)\S{12}|://|-----|(?i:pass|pwd|secret|token|key)\w*[\"']?\s?[=:]")
"""What is asked, said in the plainest way."""
PIECES = ("pass", "key", "TOKEN", "Pwd", "secret", " ", "\n", "=", ":", "'", "a", "1", "_", "-")


@given(st.lists(st.sampled_from((*PIECES, "://", "-----", "é", "٣", "abcdefghijkl"))).map("".join))
def test_the_fast_test_for_secrets_agrees_with_the_slow_one(text: str) -> None:
    assert bool(_MAY_BE_SECRET.search(text)) == bool(SLOW.search(text))
