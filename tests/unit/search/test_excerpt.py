"""Which lines of long code are shown for a question."""

from __future__ import annotations

from codeindex.search.excerpt import telling_lines

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
