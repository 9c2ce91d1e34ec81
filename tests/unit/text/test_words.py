"""Text to words."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.text.words import (
    STOP_WORDS,
    fold_name,
    names_pattern,
    normal_form,
    query_words,
    stem_word,
    stemmed_words,
    word_offsets,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("validateToken", ["validat", "token", "validatetoken"]),
        ("validate_token", ["validat", "token", "validatetoken"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("parseURL", ["pars", "url", "parseurl"]),
        ("sha256sum", ["sha", "256", "sum", "sha256sum"]),
        ("utf8", ["utf", "8", "utf8"]),
        ("MAX_SIZE", ["max", "size", "maxsize"]),
        ("__init__", ["init"]),
        ("a.b/c-d", ["a", "b", "c", "d"]),
        ("größeMax", ["größe", "max", "größemax"]),
        ("", []),
        ("!? --", []),
    ],
)
def test_identifiers_are_split_and_kept_whole(text: str, expected: list[str]) -> None:
    assert stemmed_words(text) == expected


@pytest.mark.parametrize("spelling", ["validateToken", "validate_token", "ValidateToken"])
def test_spellings_of_a_compound_meet(spelling: str) -> None:
    assert stemmed_words(spelling) == stemmed_words("validateToken")
    assert set(stemmed_words("validate token")) <= set(stemmed_words(spelling))


def test_cjk_text_is_cut_into_pairs() -> None:
    assert stemmed_words("用户认证")[:3] == ["用户", "户认", "认证"]
    assert {"中", "token"} <= set(stemmed_words("中token"))
    assert {"token", "用户"} <= set(stemmed_words("token用户"))


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("queries", "query"),
        ("importers", "importer"),
        ("class", "class"),
        ("status", "status"),
        ("running", "run"),
        ("calling", "call"),
        ("cached", "cach"),
        ("cache", "cach"),
        ("ties", "tie"),
        ("bus", "bus"),
    ],
)
def test_common_endings_are_stripped(word: str, stemmed: str) -> None:
    assert stem_word(word) == stemmed


def test_a_query_loses_its_stop_words_but_not_all_its_words() -> None:
    assert query_words("how does the parser work with files") == ["parser"]
    assert query_words("what is this") == ["what", "is", "this"]
    assert query_words("retry retries RETRY") == ["retry"]


@given(st.sampled_from(sorted(STOP_WORDS)))
def test_a_stop_word_alone_is_kept(word: str) -> None:
    assert query_words(word) == stemmed_words(word)


@given(st.text())
def test_every_word_is_lower_case_and_none_is_empty(text: str) -> None:
    for word in stemmed_words(text):
        assert word
        assert word == word.lower()


@given(st.text(), st.text())
def test_texts_apart_have_their_own_words(left: str, right: str) -> None:
    assert stemmed_words(f"{left} {right}") == stemmed_words(left) + stemmed_words(right)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20))
def test_a_stem_is_a_start_of_its_word_and_never_shorter_than_three(word: str) -> None:
    stemmed = stem_word(word)
    assert len(stemmed) >= min(3, len(word))
    assert word.startswith(stemmed.removesuffix("y"))


def test_data_is_no_word() -> None:
    assert stemmed_words("x " + "a1" * 40) == ["x"]


@given(st.text())
def test_folding_forgets_case_and_underscores(name: str) -> None:
    assert "_" not in fold_name(name)
    assert fold_name(f"_{name}_") == fold_name(name)
    assert fold_name("getUser_ID") == fold_name("get_userId") == "getuserid"


@given(st.text(st.sampled_from("\n a\u0301e\u1100\u1161\ufb01\u2026\uff21\u200d")))
def test_text_is_normalized_line_by_line(text: str) -> None:
    assert normal_form(text) == unicodedata.normalize("NFKC", text)


@given(st.text(st.sampled_from("ab_.\n\u00e9\u00b2\u0301")), st.sampled_from(["ab", "a", "a_b"]))
def test_a_name_is_found_where_it_is_a_whole_word(text: str, name: str) -> None:
    expected = [match.start() for match in names_pattern([name]).finditer(text)]
    assert list(word_offsets(text, name)) == expected
