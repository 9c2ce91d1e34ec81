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
