"""Hits with a word of the query, as ripgrep's smart case and whole words find them."""

import pytest

from codeindex.search.word_filter import has_query_word


@pytest.mark.parametrize(
    ("query", "cased", "whole", "expected"),
    [
        ("TOKEN", False, False, True),
        ("TOKEN", True, False, False),
        ("token", True, False, True),
        ("Token", True, False, True),
        ("token", False, True, False),
        ("validateToken", True, True, True),
        ("validatetoken", False, True, True),
        ("where is the Token", True, False, True),
        ("???", False, True, False),
    ],
)
def test_smart_case_and_whole_words_are_ripgreps(
    query: str, cased: bool, whole: bool, expected: bool
) -> None:
    assert (
        has_query_word("def validateToken(x):", query, match_case=cased, whole_words=whole)
        is expected
    )
