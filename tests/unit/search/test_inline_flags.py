"""A flag such as `(?i)` inside a pattern applies to the rest of the group that contains it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.search.exact.inline_flags import scope_inline_flags
from codeindex.search.exact.pattern import PatternRequest


@pytest.mark.parametrize(
    ("written", "scoped"),
    [
        ("ab|(?i)c|d", "ab|(?i:c)|(?i:d)"),
        ("a(b(?i)c|d)e", "a(b(?i:c)|(?i:d))e"),
        ("a(?i)b(?s).", "a(?i:b(?s:.))"),
        ("(?i)a(?s).", "(?i)a(?s:.)"),
        (r"[(?i)]\(?i\)|[]|]", r"[(?i)]\(?i\)|[]|]"),
        ("(?:a)(?P<b>c)(?=d)", "(?:a)(?P<b>c)(?=d)"),
        ("a)(", "a)("),
    ],
)
def test_a_flag_is_scoped_to_the_rest_of_its_group(written: str, scoped: str) -> None:
    assert scope_inline_flags(written) == scoped


@given(st.lists(st.sampled_from(["a", "B", "|", "(", ")", "[b]", r"\|", "c*", "(?:"]), max_size=9))
def test_a_flag_at_the_first_place_means_the_same_as_at_the_start(parts: list[str]) -> None:
    pattern = "".join(parts)
    try:
        whole = re.compile(f"(?i){pattern}")
    except re.error:
        return
    scoped = re.compile(scope_inline_flags(f"(?:)(?i){pattern}"))
    for text in ("", "a", "b", "ab", "AB", "aBc", "|", "xbC"):
        assert bool(scoped.fullmatch(text)) == bool(whole.fullmatch(text))


def test_a_line_pattern_finds_both_cases_after_the_flag() -> None:
    (pattern,) = PatternRequest(("Exact|(?i)any=",), mode="regex").patterns()
    found = [line for line in ("Exact", "exact", "ANY=", "any=") if re.search(pattern.source, line)]
    assert found == ["Exact", "ANY=", "any="]
