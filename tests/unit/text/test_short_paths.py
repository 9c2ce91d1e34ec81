"""Paths in lines of an answer that repeat the one above."""

from codeindex.text.short_paths import shorten_paths

PATHS = {
    "src/web/shop/cart.py",
    "src/web/shop/pay.py",
    "tests/a.py",
    "tests/cart.py",
    "top.py",
    "7",
    "src/web/my shop/cart.py",
    "Absent: verified (9 files)",
    "== 2 callers/a.py",
}


def shown(*lines: str) -> list[str]:
    return list(shorten_paths(lines, PATHS))


def test_a_row_below_one_of_the_same_file_begins_with_its_line() -> None:
    assert shown(
        "of src/web/shop/cart.py:3 Cart",
        "src/web/shop/cart.py:10: add",
        "src/web/shop/cart.py:12: drop",
    ) == [
        "of src/web/shop/cart.py:3 Cart",
        ":10: add",
        ":12: drop",
    ]


def test_a_path_in_the_folder_of_the_one_above_has_its_name_alone() -> None:
    rows = ("src/web/shop/cart.py:10: add", "  12: drop", "src/web/shop/pay.py:3: pay")
    assert shown(*rows) == [*rows[:2], "…/pay.py:3: pay"]


def test_a_short_folder_stays() -> None:
    rows = ("tests/cart.py:4: test", "tests/a.py:3: a")
    assert shown(*rows) == list(rows)


def test_titles_keep_their_path_and_callers_below_them_do_not() -> None:
    assert shown(
        "== src/web/shop/cart.py",
        "7:def add():",
        " src/web/shop/cart.py:8: no row",
        "called at src/web/shop/cart.py:30 drop: add()",
        "tested in src/web/shop/pay.py pay:4",
        "== src/web/shop/cart.py",
    ) == [
        "== src/web/shop/cart.py",
        "7:def add():",
        " src/web/shop/cart.py:8: no row",
        "called at :30 drop: add()",
        "tested in …/pay.py pay:4",
        "== src/web/shop/cart.py",
    ]


def test_files_without_a_folder_and_unknown_paths_stay() -> None:
    rows = ("top.py:1: a", "other/x.py:1: b", "other/x.py:2: c", "7", "7:code")
    assert shown(*rows) == list(rows)


def test_no_row_is_shortened_below_one_of_a_path_that_stays_whole() -> None:
    rows = ("tests/a.py:1: a", "src/web/my shop/cart.py:5: b", "tests/a.py:9: c")
    assert shown(*rows) == list(rows)


def test_a_path_that_could_pass_for_a_sentence_of_the_answer_is_told_from_one() -> None:
    rows = ("Absent: verified (9 files):3: a", "== 2 callers/a.py", "called at Absent: verified")
    assert shown(*rows) == [f"./{rows[0]}", f"./{rows[1]}", rows[2]]
