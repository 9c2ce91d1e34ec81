"""Which lines of a hit are shown, and how."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from codeindex.formatting import (
    DisplayOptions,
    focus_lines,
    format_answer,
    format_columns,
    term_spans,
)
from codeindex.secrets import mark_as_safe
from codeindex.text.sanitize import escape_line
from codeindex.text.words import query_words
from codeindex.types import Answer, Coverage, Hit, Readiness

RETRY = """\
# Tries a payment again.
# Waits longer each time.
@limited
def retry_payment(order):
    for delay in DELAYS:
        wait(delay)
    raise PaymentError(order)
"""


def hit(text: str, *, symbol: str = "", kind: str = "block", start: int = 1) -> Hit:
    return Hit(
        repo="shop",
        path="a.py",
        start_line=start,
        end_line=start + text.rstrip("\n").count("\n"),
        score=1.0,
        text=mark_as_safe(text),
        symbol=symbol,
        kind=kind,
        language="python",
        module="a",
        is_test=False,
        has_secrets=False,
    )


def focus(one: Hit, query: str) -> tuple[int, ...]:
    return focus_lines(one, frozenset(query_words(query)))


def test_the_definition_is_shown_and_not_the_comment_above_it() -> None:
    one = hit(RETRY, symbol="Shop.retry_payment", kind="function", start=40)
    assert focus(replace(one, line=43), "unrelated") == (43,)
    assert focus(one, "unrelated") == (43,)  # nor where the line is not known


def test_beside_the_definition_the_lines_with_most_words_are_shown() -> None:
    one = hit(RETRY, symbol="retry_payment", kind="function")
    assert focus(replace(one, line=4), "payment error for an order") == (4, 1, 7)


def test_a_line_that_the_question_cites_is_shown_before_others() -> None:
    one = hit(RETRY, symbol="retry_payment", kind="function", start=40)
    terms = frozenset(query_words("payment order delay error"))
    assert 45 not in focus_lines(one, terms)
    assert focus_lines(replace(one, line=45), terms)[0] == 45


def test_of_a_later_part_of_something_long_no_first_line_is_shown() -> None:
    part = "        wait(delay)\n        log(delay)\n    raise PaymentError(order)\n"
    one = hit(part, symbol="retry_payment", kind="function", start=90)
    assert focus(one, "payment error for an order") == (92,)
    assert focus(one, "nothing of it") == (90,)


def test_a_later_part_of_a_long_function_is_shown_below_its_definition() -> None:
    part = "        wait(delay)\n        log(delay)\n    raise PaymentError(order)\n"
    one = hit(part, symbol="retry_payment", kind="function", start=90)
    one = replace(one, line=43, signature="def retry_payment(order):")
    view = DisplayOptions(roots={"shop": Path("/r")}, here=Path("/r"))
    assert list(format_answer(answer_of(one, "payment error for an order"), view)) == [
        "a.py:43:def retry_payment(order):",
        "a.py:92:    raise PaymentError(order)",
    ]
    around = list(format_answer(answer_of(one, "payment error"), replace(view, before=1)))
    assert around[0] == "a.py:43:def retry_payment(order):"
    assert around[1] == "--"


def test_a_define_is_no_comment() -> None:
    text = "// The most of them.\n#define MOST 3\n"
    assert focus(hit(text, symbol="MOST", kind="macro"), "x") == (2,)


def test_context_ends_where_the_hit_does_however_much_is_asked_for() -> None:
    view = DisplayOptions(roots={"shop": Path("/r")}, here=Path("/r"), before=10**20, after=10**20)
    one = hit(RETRY, symbol="retry_payment", kind="function", start=40)
    assert len(list(format_answer(answer_of(one, "x"), view))) == len(one.lines)


def answer_of(one: Hit, query: str) -> Answer:
    return Answer(
        query=query,
        query_type="concept",
        hits=(one,),
        navigation=(),
        total_count=1,
        cursor=None,
        index_version=1,
        searched_repos=("shop",),
        readiness=Readiness(1.0, 1.0),
        coverage=Coverage(1, 1, 0, 0, 0),
        meta={},
    )


def test_what_has_no_name_is_shown_by_its_words_alone() -> None:
    assert focus(hit("import os\n\nwait(3)\n"), "waiting") == (3,)
    assert focus(hit("\n\nimport os\n"), "nothing like it") == (3,)


def test_a_section_begins_with_its_heading() -> None:
    assert focus(hit("# Refunds\n\nMoney goes back.\n", kind="section"), "money") == (1, 3)


@given(st.text(), st.text(min_size=1), st.integers(1, 9))
def test_at_most_so_many_lines_are_shown_and_all_are_of_the_hit(
    text: str, query: str, most: int
) -> None:
    one = hit(text)
    shown = focus_lines(one, frozenset(query_words(query)), most=most)
    assert 1 <= len(shown) <= most
    assert all(one.start_line <= line <= one.end_line for line in shown)
    assert list(shown[1:]) == sorted(set(shown[1:]) - {shown[0]})


def test_only_line_feeds_end_a_line() -> None:
    assert hit("a\x0cb\u2028c\r\nd\n").lines == ["a\x0cb\u2028c", "d"]


def test_words_are_found_inside_names() -> None:
    line = "validateToken(retry_tokens, 'token', TOKENS)"
    found = [line[start:end] for start, end in term_spans(line, frozenset(query_words("tokens")))]
    assert found == ["Token", "tokens", "token", "TOKENS"]


def test_a_compound_name_is_found_whole() -> None:
    terms = frozenset(query_words("validate_token"))
    assert term_spans("x = validateToken", terms) == [(4, 17)]


@given(st.text())
def test_nothing_that_commands_a_terminal_is_left(text: str) -> None:
    shown = escape_line(text)
    assert not any(ord(one) < 0x20 and one != "\t" for one in shown)
    assert not any(0x7F <= ord(one) < 0xA0 for one in shown)
    assert escape_line("\x1b]0;owned\x07") == "\\x1b]0;owned\\x07"


def test_paths_can_be_opened_from_here() -> None:
    root = Path("/src/shop")
    assert DisplayOptions(roots={"": root}, here=root / "lib").path("lib/a.py") == "a.py"
    assert DisplayOptions(roots={"": root}, here=Path("/src")).path("lib/a.py") == "shop/lib/a.py"
    assert (
        DisplayOptions(roots={"": root}, here=Path("/tmp/x")).path("lib/a.py")
        == "/src/shop/lib/a.py"
    )


def test_columns_are_aligned_for_people_and_tabbed_for_programs() -> None:
    rows = [("a", "bc"), ("abc", "d")]
    assert list(format_columns(rows, aligned=True)) == ["a    bc", "abc  d"]
    assert list(format_columns(rows, aligned=False)) == ["a\tbc", "abc\td"]
    assert list(format_columns([], aligned=True)) == []


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1), st.booleans())
def test_whatever_a_cell_holds_a_row_is_a_line(rows: list[tuple[str, str]], aligned: bool) -> None:
    lines = list(format_columns(rows, aligned=aligned))
    assert len(lines) == len("\n".join(lines).split("\n")) == len(rows)
    assert aligned or all(line.count("\t") == 1 for line in lines)
    assert not any("\r" in line for line in lines)


def test_a_tab_in_a_name_is_spelt_out() -> None:
    assert list(format_columns([("a\tb\nc", "d")], aligned=False)) == ["a\\tb\\nc\td"]


def test_a_skeleton_that_says_where_its_hit_ends_shows_its_numbered_lines() -> None:
    text = mark_as_safe(
        "4:def retry_payment(order):\n7:    raise PaymentError(order)\n… to line 90"
    )
    shortened = replace(hit(RETRY), shown="skeleton", text=text)
    view = DisplayOptions(roots={"shop": Path("/shop")}, here=Path("/shop"))
    assert list(format_answer(answer_of(shortened, "retry"), view)) == [
        "a.py:4:def retry_payment(order):",
        "a.py:7:    raise PaymentError(order)",
    ]
