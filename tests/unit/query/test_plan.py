"""The plan of a question: its terms with what else counts as them, and how much each tells."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.query.long_question import LONG, is_long, weigh_pieces
from codeindex.query.plan import FOCUS, MOST_TERMS, QueryPlan, plan_query
from codeindex.text.near_names import near_names
from codeindex.text.words import STOP_WORDS, query_words, stem_word, stemmed_words


@dataclass(frozen=True)
class Index:
    """An index of the words of one text."""

    text: str = ""

    @functools.cached_property
    def words(self) -> list[str]:
        return sorted(set(stemmed_words(self.text)))

    def frequency(self, word: str, /) -> int:
        return self.words.count(word)

    def words_near(self, word: str, /, *, slips: int) -> Mapping[str, int]:
        return near_names(self.words, word, slips=slips) if self.words else {}

    def words_containing(self, part: str, /) -> Collection[str]:
        return {one for one in self.words if part in one}


def weights(plan: QueryPlan) -> dict[str, float]:
    return {one.word: one.weight for one in plan.terms}


_LETTERS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=9)
_ODD = st.text("ab\U0001f600\u7528\u6237 \n`<!-->_-./:#\x00\ud800", max_size=1_000)


@given(st.one_of(st.text(max_size=500), _ODD))
def test_any_text_has_a_plan_within_bounds(text: str) -> None:
    plan = plan_query(text, Index("threadpool"))
    assert len(plan.terms) <= MOST_TERMS
    assert len(plan.focus) <= FOCUS + len(plan.focus.splitlines())
    assert all(0.0 < one.weight <= 1.0 for one in plan.terms)
    assert len({one.word for one in plan.terms}) == len(plan.terms)


@given(st.lists(_LETTERS, min_size=1, max_size=LONG).map(" ".join))
def test_the_words_of_a_short_question_tell_alike(text: str) -> None:
    assert weights(plan_query(text, Index())) == dict.fromkeys(query_words(text), 1.0)


@given(_LETTERS, _LETTERS, st.sampled_from([" ", "-", "_"]))
def test_neighbours_that_the_index_has_in_one_word_count_as_it(a: str, b: str, gap: str) -> None:
    if {a, b} & STOP_WORDS:
        return
    plan = plan_query(f"{a}{gap}{b}", Index(a + b))
    joined = {one.word: one.joined for one in plan.terms}
    assert stem_word(a + b) in joined[stem_word(a)]
    assert stem_word(a + b) in joined[stem_word(b)]


@given(_LETTERS, _LETTERS)
def test_a_word_counts_as_the_two_that_the_index_has(a: str, b: str) -> None:
    if {a, b} & STOP_WORDS or stem_word(a + b) != a + b:
        return
    (term,) = plan_query(a + b, Index(f"{a} {b}")).terms
    assert (stem_word(a), stem_word(b)) in term.split


def test_words_that_the_index_has_not_in_one_stay_apart() -> None:
    plan = plan_query("thread pool size", Index("thread pool size"))
    assert [one.joined for one in plan.terms] == [(), (), ()]


def test_a_phrasal_verb_is_the_compound_that_the_index_has() -> None:
    found = weights(plan_query("how does a user log in", Index("login log user")))
    assert found == {"user": 1.0, "login": 1.0, "log": 0.3}
    assert weights(plan_query("log in a user", Index("log user"))) == {"log": 1.0, "user": 1.0}
    assert "login" in weights(plan_query("log in at the login page", Index("login log page")))


def test_words_of_different_sentences_are_not_joined() -> None:
    plan = plan_query("a thread. pool size", Index("threadpool"))
    assert not any(one.joined for one in plan.terms)


@pytest.mark.parametrize(("said", "meant"), [("recieve", "receive"), ("requst", "request")])
def test_a_word_that_the_index_has_not_counts_as_the_nearest(said: str, meant: str) -> None:
    (term,) = plan_query(said, Index(f"{meant} other words")).terms
    assert term.others == (stem_word(meant),)


def test_a_word_that_the_index_has_is_not_corrected() -> None:
    (term,) = plan_query("casting", Index("casting coasting")).terms
    assert term.others == ()


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("where is X-Forwarded-For handled?", ("x-forwarded-for",)),
        ("what does --max-file-size do", ("--max-file-size",)),
        ("send application/json as UTF-8.", ("application/json", "utf-8")),
        ("the key foo.bar.baz", ("foo.bar.baz",)),
        ("since 1.2.3, on 2024-01-01", ()),
        ("plain words of a question", ()),
    ],
)
def test_words_with_signs_between_them_are_literals(text: str, literals: tuple[str, ...]) -> None:
    assert tuple(one.text for one in plan_query(text, Index()).literals) == literals


@pytest.mark.parametrize(
    ("text", "is_unit"),
    [("X-Forwarded-For", True), ("--dry-run", True), ("a.b", True), ("non-blocking", False)],
)
def test_words_of_sentences_keep_their_meaning_beside_a_hyphen(text: str, is_unit: bool) -> None:
    (literal,) = plan_query(text, Index()).literals
    assert literal.is_unit is is_unit


def test_colours_of_a_terminal_are_no_words() -> None:
    assert list(weights(plan_query("\x1b[31mfailed\x1b[0m to open", Index()))) == ["fail", "open"]


def test_stop_words_alone_are_looked_for() -> None:
    assert [one.word for one in plan_query("how is it that", Index()).terms] == stemmed_words(
        "how is it that"
    )


def test_a_letter_that_is_a_word_is_found_in_pairs() -> None:
    (term,) = plan_query("\u7528", Index("\u7528\u6237\u8ba4\u8bc1")).terms
    assert "\u7528\u6237" in term.others


ISSUE = """Frobnicator drops the last widget

### Steps to reproduce
- [x] I searched existing issues
- Python version: 3.11.2
See https://tracker.example/elsewhere for the whole story of this.

Calling `flush_widgets` twice loses whatever was queued in between, since the marmalade is
emptied before anything else has been looked at by the collaborator.

```
2024-01-01 12:00:00 ERROR zebra exploded
```
Signed-off-by: Somebody Important <somebody@example.com>
"""


def test_title_names_and_code_tell_most_of_an_issue() -> None:
    found = weights(plan_query(ISSUE, Index(ISSUE)))
    assert found["frobnicator"] == found["widget"] == 1.0
    assert found["marmalad"] < found["flushwidgets"] < 1.0
    assert found["zebra"] < found["marmalad"]


@pytest.mark.parametrize("word", ["reproduc", "python", "search", "elsewher", "important"])
def test_templates_links_and_trailers_tell_nothing(word: str) -> None:
    assert word not in weights(plan_query(ISSUE, Index(ISSUE)))


def test_a_long_question_is_looked_for_by_words_that_the_index_has() -> None:
    text = " ".join(f"word{number}" for number in range(100))
    assert set(weights(plan_query(text, Index("word7 word50")))) <= set(
        stemmed_words("word7 word50")
    )


@given(st.text(max_size=300))
def test_weighted_pieces_are_in_the_question(text: str) -> None:
    assert all(piece in text or len(text.split()) > LONG for piece, _ in weigh_pieces(text))


def test_literals_of_a_long_question_are_no_units() -> None:
    template = "- [x] I have searched the existing issues\n" * 8
    text = f"Support X-Forwarded-For header\n{template}" + "The proxy loses the address. " * 8
    assert is_long(text)
    literals = plan_query(text, Index("proxy")).literals
    assert [(literal.text, literal.is_unit) for literal in literals][:1] == [
        ("x-forwarded-for", False)
    ]
