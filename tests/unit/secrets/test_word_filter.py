"""What is never searched for cannot be there: shortcuts of the detectors change no result."""

from hypothesis import given
from hypothesis import strategies as st

from codeindex.secrets import REDACTION_MARK, redact
from codeindex.secrets.detectors import DETECTORS
from codeindex.secrets.engine import RepeatedSearch, run_detectors
from codeindex.secrets.word_filter import WordFilter
from tests.unit.secrets.secret_forms import FORMS, Form

NEEDLES = sorted({needle for one in DETECTORS if not one.in_long_word for needle in one.needles})
FILTER = WordFilter(DETECTORS)
AROUND = st.text(alphabet="aZ9 _-=(\"'.\n\r\téß密\u212a\u0130\ud800", max_size=6)


@given(AROUND, st.sampled_from(NEEDLES), st.booleans(), AROUND)
def test_a_needle_that_is_in_a_text_is_selected(
    before: str, needle: str, capitals: bool, after: str
) -> None:
    text = before + (needle.upper() if capitals and needle.isascii() else needle) + after
    assert needle in FILTER.select(text).needles


@given(AROUND, st.sampled_from(FORMS), AROUND)
def test_what_was_seen_before_changes_no_selection(before: str, form: Form, after: str) -> None:
    text = f"{before}{form.plain}{after}"
    used, new = FILTER.select(text), WordFilter(DETECTORS).select(text)
    assert used == new


def test_texts_without_needles_select_nothing() -> None:
    assert FILTER.select("def add(a, b):\n    return a + b\n") == ([], frozenset())


def test_searching_changed_lines_finds_what_searching_all_finds() -> None:
    forms = [form.plain.splitlines() for form in FORMS[::3]]
    lines = [line for form in forms for line in (*form, "")]
    text = "\n".join(lines)
    search = RepeatedSearch(DETECTORS, text)
    spans = {hit.span for hit in search.first()}
    starts = {text.count("\n", 0, start) for start, _ in spans}
    changed, spans_of_changed, at = [], [], 0
    for number, line in enumerate(lines):
        now = f"{line} {REDACTION_MARK}" if number in starts else line
        changed.append(now)
        if number in starts:
            spans_of_changed.append((at, at + len(now)))
        at += len(now) + 1
    after = "\n".join(changed)
    again = set(search.again(after, spans_of_changed))
    touched = {hit for hit in run_detectors(DETECTORS, after) if _is_in(hit.span, spans_of_changed)}
    assert touched
    assert touched <= again <= set(run_detectors(DETECTORS, after))


def _is_in(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


def test_secrets_on_other_lines_are_found_after_the_first_is_taken_out() -> None:
    text = 'password = "hunter2!x"\nport = 1\n| name | password |\n|---|---|\n| a | b9!kQ2x |\n'
    assert redact(text).text.count(REDACTION_MARK) == 2
