"""Patterns, what they must hold, and the lines that match, against looking at each line."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codeindex.errors import QueryError
from codeindex.search.exact.agent_lines import agent_lines
from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.search.exact.matchers import MatcherPool, TextBlock
from codeindex.search.exact.pattern import LinePattern, PatternRequest
from codeindex.search.exact.redaction_prefilter import may_match
from codeindex.search.exact.scan import compile_pattern, matching_lines, pattern_spans
from codeindex.search.pack.agent_json import json_size
from codeindex.secrets import redact
from codeindex.store.catalog.trigrams import (
    add_trigrams,
    chunks_with_substrings,
    create_trigrams,
    has_trigrams,
)
from codeindex.types import SafeText

ATOMS = st.sampled_from(
    (
        *("a", "b", ".", r"\s", r"\S", r"\w", r"\W", "[^a]", "[ab]", "^", "$", r"\b", r"\B", r"\A"),
        *(
            r"\Z",
            "a+",
            "b*?",
            r"\s*",
            "(?:ab|b)",
            "(?:a|[^b])+",
            "(?=b)",
            "(?!b)",
            "(?<=a)",
            "a{2}",
        ),
        *("(?<!a)", "(?>a*)", r"\s++", "é", "(?i:K)"),
    )
)
PATTERNS = st.lists(ATOMS, min_size=1, max_size=4).map("".join)
TEXTS = st.text("ab é\n\tK\u017f", max_size=30)


def pattern_of(text: str, **more: Any) -> LinePattern:
    (found,) = PatternRequest((text,), **more).patterns()
    return found


@given(PATTERNS, TEXTS, st.booleans(), st.booleans())
def test_a_text_is_looked_through_as_if_line_by_line(
    source: str, text: str, ignore: bool, words: bool
) -> None:
    case: Any = "ignore" if ignore else "exact"
    one = pattern_of(source, mode="regex", case=case, whole_words=words)
    made = compile_pattern(one.source, ignore_case=one.ignore_case, alone=one.alone)
    alone = re.compile(one.source, re.IGNORECASE if ignore else 0)
    wanted = [at for at, line in enumerate(text.split("\n")) if alone.search(line)]
    assert matching_lines(text, [made]) == wanted


@given(st.lists(st.text("aB é.", min_size=1, max_size=3), min_size=1, max_size=3), TEXTS)
def test_literals_are_found_as_text_has_them(texts: list[str], text: str) -> None:
    made = [
        compile_pattern(one.source, ignore_case=False, alone=one.alone)
        for one in PatternRequest(tuple(texts)).patterns()
    ]
    lines = text.split("\n")
    wanted = [at for at, line in enumerate(lines) if any(one in line for one in texts)]
    assert matching_lines(text, made) == wanted
    for line in lines:
        for start, end in pattern_spans(line, made):
            assert line[start:end] in texts


@pytest.mark.parametrize(
    ("source", "needles"),
    [
        ("retry", (("retry",),)),
        (r"def \w+_task\(", (("def ",), ("_task(",))),
        ("foo(bar|stop)qux", (("foo",), ("bar", "stop"), ("qux",))),
        ("foo(|bar)", (("foo",),)),
        (r"ab(cd)ef", (("abcdef",),)),
        (r"\bfoo\b", (("foo",),)),
        ("(foo)+", (("foo",),)),
        ("(foo)?bar*", (("ba",),)),
        ("[a]bc", (("abc",),)),
        ("[ab]cd", (("cd",),)),
        ("foo(?=bar)", (("foo",),)),
        (r"\d+", ()),
    ],
)
def test_what_a_match_must_hold_is_read_off_the_pattern(source: str, needles: object) -> None:
    assert pattern_of(source, mode="regex").needles == needles


SOURCES = st.lists(
    st.sampled_from(("abc", "ABK", "bic", "s\u017fk", ".", "(abc|bcd)", "[ab]", "(?:abc)+", "x?")),
    min_size=1,
    max_size=3,
).map("".join)


@pytest.fixture(scope="module")
def chunks() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE chunks (id INTEGER PRIMARY KEY, text TEXT)")
    create_trigrams(connection)
    assert has_trigrams(connection)
    return connection


@given(SOURCES, st.text("aAbBcCdkKsSi\u017f\u0131\u0130\u00e9\u212a\n", max_size=40), st.booleans())
def test_no_match_is_missed_by_the_index(
    chunks: sqlite3.Connection, source: str, text: str, ignore: bool
) -> None:
    one = pattern_of(source, mode="regex", case="ignore" if ignore else "exact")
    made = compile_pattern(one.source, ignore_case=ignore, alone=one.alone)
    chunks.execute("INSERT INTO chunks VALUES (1, ?)", (text,))
    add_trigrams(chunks, [(1, text)])
    found = chunks_with_substrings(chunks, one.needles)
    if matching_lines(text, [made]):
        assert found is None or found == [1]
        assert may_match(text, [one])
    chunks.execute("DELETE FROM chunks")
    assert not chunks_with_substrings(chunks, (("abc",),))


def test_without_the_index_everything_is_looked_at() -> None:
    connection = sqlite3.connect(":memory:")
    assert not has_trigrams(connection)
    assert chunks_with_substrings(connection, (("retry",),)) is None


@given(st.text("abc[]RED=\"' ", min_size=1, max_size=12))
def test_a_redacted_line_is_not_missed_for_what_its_secret_was(said: str) -> None:
    text = 'token = "ghp_0123456789abcdefghijABCDEFGHIJ0123" # abc'
    one = pattern_of(said)
    if said in redact(text).text:
        assert may_match(text, [one])


@pytest.mark.parametrize(
    ("text", "more", "sentence"),
    [
        ("", {}, "empty"),
        ("a\nb", {}, "several lines"),
        (r"a\nb", {"mode": "regex"}, "line end"),
        ("a" * 10_001, {}, "10,001 characters"),
        ("(", {"mode": "regex"}, "cannot be read"),
        (r"\p{L}", {"mode": "regex"}, r"bad escape \\p"),
        ("[[:alpha:]]", {"mode": "regex"}, "POSIX"),
        ("a{99999999999}", {"mode": "regex"}, "cannot be read"),
        (r"a\r", {"mode": "regex"}, "line end"),
        ("(?<=a+)b", {"mode": "regex"}, "look-behind requires fixed-width"),
        ("x(?:(?>y(?<!a|bc)))z", {"mode": "regex"}, "look-behind requires fixed-width"),
        (7, {}, "query is 7"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(text: Any, more: Any, sentence: str) -> None:
    with pytest.raises(QueryError, match=sentence):
        pattern_of(text, **more)


@pytest.mark.parametrize(
    ("text", "more", "may"),
    [
        ("é", {}, False),
        ("ü", {}, True),
        ("É", {"case": "ignore"}, True),
        ("é", {"mode": "regex"}, True),
        ("ü[", {}, True),
    ],
)
def test_letters_that_a_bundle_lacks_spare_its_redaction(text: str, more: Any, may: bool) -> None:
    assert may_match("var a = 'für';", [pattern_of(text, **more)]) is may


@pytest.mark.parametrize("text", [r"[^\n]+b", r"[^\r\n]*", r"b\r?$", r"(?<=ab|cd)e"])
def test_line_ends_that_are_not_asked_for_are_no_matter(text: str) -> None:
    assert pattern_of(text, mode="regex").source == text


@pytest.mark.parametrize("text", ["(?i)FOO", "(?x) foo # a name", "(?ix)F o o#"])
def test_flags_in_a_pattern_go_with_whole_words(text: str) -> None:
    one = pattern_of(text, mode="regex", whole_words=True)
    made = compile_pattern(one.source, ignore_case=one.ignore_case, alone=one.alone)
    assert matching_lines("a foo\nfoot", [made]) == [0]


@pytest.mark.parametrize(
    ("query", "mode", "hint"),
    [
        (r"save\|load", "regex", r"write | for one or the other"),
        (r"\<save\>", "regex", r"\b where a word"),
        (r"a\\|b", "regex", ""),
        ("save|load", "regex", ""),
        ("save|load", "exact", "use mode regex (-e)"),
        ("save", "exact", ""),
    ],
)
def test_a_suggestion_is_made_where_nothing_is_found(query: str, mode: Any, hint: str) -> None:
    def found(counts: dict[str, int]) -> GrepResult:
        return GrepResult("r", SafeText(query), mode, (), counts, 0, False, 1, 1)

    (none,) = list(found({}).remarks()) or [""]
    assert hint in none
    assert bool(none) is bool(hint)
    assert agent_lines(found({}), budget=0).get("hint", "") == none
    assert not found({"a.py": 1}).hint


@pytest.mark.parametrize(
    ("text", "mode", "ignored"),
    [("retry", "exact", True), ("Retry", "exact", False), (r"\Sretry", "regex", True),
     ("[A-Z]", "regex", False), ("(?:x|Y)", "regex", False), ("r+(?=S)", "regex", False)],
)  # fmt: skip
def test_smart_case_is_exact_where_a_capital_is_spelt_out(
    text: str, mode: Any, *, ignored: bool
) -> None:
    assert pattern_of(text, mode=mode, case="smart").ignore_case is ignored


def test_a_child_matches_and_is_used_again() -> None:
    children = MatcherPool()
    one = pattern_of("a+", mode="regex")
    texts = [TextBlock(1, 5, "x\naa\ny a"), TextBlock(2, 1, "nothing"), TextBlock(3, 1, "é a")]
    for _ in range(2):
        with children.matching([one]) as matcher:
            found = [(text.file, lines) for text, lines in matcher.lines(texts)]
            assert found == [(1, [1, 2]), (3, [0])]
            assert matcher.spans(["aa b a", ""]) == [[(0, 2), (5, 6)], []]
    first = children.take()
    children.give(first)
    assert children.take() is first
    first.close()


def found_of(lines: list[GrepLine], *, start: int = 0, total: int = 0) -> GrepResult:
    total = total or sum(one.is_match for one in lines)
    return GrepResult(
        repo="shop",
        query=SafeText("x"),
        mode="exact",
        lines=tuple(lines),
        counts={"a.py": total},
        start=start,
        has_more=False,
        index_version=3,
        searched_files=9,
    )


@given(st.lists(st.text('ab"é', max_size=40), min_size=1, max_size=30), st.integers(60, 400))
@example(
    ["", "", "", "", "a", "aa", "aa", "aa", 'a"', 'a"', 'a"', 'aa"', "aaaa", "aaaa", "", "aa"], 60
)
def test_pages_for_a_budget_hold_every_line_once(texts: list[str], budget: int) -> None:
    lines = [GrepLine("a.py", number, SafeText(text)) for number, text in enumerate(texts, 1)]
    shown: list[str] = []
    while len(shown) < len(lines):
        rest = found_of(lines[len(shown) :], start=len(shown), total=len(lines))
        page = agent_lines(rest, budget=budget)
        assert page["lines"]
        assert page["total_count"] == len(lines)
        assert json_size(page) <= budget * 4
        shown += page["lines"]
        assert page.get("truncated", False) == (len(shown) < len(lines))
    assert shown == [f"a.py:{number}:{text}" for number, text in enumerate(texts, 1)]


def test_a_page_for_a_budget_ends_with_a_match() -> None:
    lines = [GrepLine("a.py", n, SafeText("x" * 40), is_match=n % 3 == 0) for n in range(1, 30)]
    page = agent_lines(found_of(lines), budget=100)
    assert page["lines"][-1].startswith("a.py:")


def test_agents_see_the_surroundings_of_a_match_in_a_long_line() -> None:
    text = SafeText("a" * 500 + "needle" + "b" * 500)
    line = GrepLine("a.py", 1, text, spans=((500, 506),))
    (said,) = agent_lines(found_of([line]), budget=0)["lines"]
    assert "needle" in said
    assert said.startswith("a.py:1:…")
    assert said.endswith("…")
    assert len(said) < 260
