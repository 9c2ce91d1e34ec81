"""Which lines of long code are shown for a question."""

from __future__ import annotations

import pytest

from codeindex.search.excerpt import telling_lines
from codeindex.text.control_lines import ASSERTION

CODE = [f"total += price({number})" for number in range(100)]


def test_code_of_sixty_lines_is_shown_in_full() -> None:
    lines = [*enumerate(CODE[:60], 1)]
    assert telling_lines(lines, "parcel") == frozenset(range(1, 61))


def test_a_few_lines_between_shown_ones_are_shown_too() -> None:
    lines = [*enumerate(CODE, 1)]
    lines[39] = (40, "parcel.weigh()")
    lines[49] = (50, "parcel.seal()")
    lines[79] = (80, "parcel.send()")
    assert telling_lines(lines, "parcel") == {1, *range(40, 53), 80, 81, 82}


def test_a_few_last_lines_are_shown_too() -> None:
    lines = [*enumerate(CODE, 1)]
    lines[90] = (91, "parcel.send()")
    assert telling_lines(lines, "parcel") == {1, *range(91, 101)}
    lines[90], lines[79] = (91, CODE[90]), (80, "parcel.send()")
    assert telling_lines(lines, "parcel") == {1, *range(80, 83)}


def test_the_last_branch_of_a_shown_condition_is_shown() -> None:
    lines = [*enumerate([f"    {text}" for text in CODE], 1)]
    lines[19] = (20, "    if parcel:")
    lines[39] = (40, "    else:")
    lines[59] = (60, "        else:")
    shown = telling_lines(lines, "parcel")
    assert {20, 40, 41, 42} <= shown
    assert shown.isdisjoint({43, 61})
    lines[19] = (20, CODE[19])
    assert 41 not in telling_lines(lines, "parcel")


def test_of_a_test_the_assertions_are_shown_and_not_the_set_up() -> None:
    steps = [f"    parcel = make_parcel(number={number})" for number in range(100)]
    steps[60] = "    assert parcel.weight == 3"
    steps[90:95] = [f"    assert parcel.is_sealed({number})" for number in range(5)]
    shown = telling_lines([*enumerate(["def test_parcel():", *steps], 1)], "parcel number")
    assert {62, *range(92, 97)} <= shown
    assert len(shown) < 60


@pytest.mark.parametrize(
    "line",
    [
        "self.assertEqual(a, b)",
        "    assert.Equal(t, a, b)",
        "require.Len(t, found, 3)",
        't.Errorf("got %d", n)',
        "db.AssertMissing(t, users)",
        "expect(total).toBe(3)",
        "await expect(page).toHaveTitle('Shop')",
        "assert_eq!(total, 3);",
        "EXPECT_EQ(total, 3);",
        "result.Should().Be(3);",
        "total shouldBe 3",
        "verify(cart).add(3);",
        "refute cart.open?",
        'is($total, 3, "sum");',
    ],
)
def test_assertions_of_common_frameworks_are_recognised(line: str) -> None:
    assert ASSERTION.match(line)


@pytest.mark.parametrize(
    "line",
    [
        "require.NoError(t, err)",
        "const fs = require('fs')",
        'require "json"',
        "let file = File::open(path).expect(message);",
        "t.Run(name, func(t *testing.T) {",
        "cart.add(expected)",
    ],
)
def test_set_up_is_no_assertion(line: str) -> None:
    assert not ASSERTION.match(line)
