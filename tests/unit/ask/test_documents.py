"""The part of a section that is quoted for a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ask.blocks import section_blocks
from codeindex.ask.documents import Quote, best_blocks, is_quotable
from codeindex.ask.extract import Sentence
from tests.unit.ask.asked import MANUAL, asked, section

LIST = """\
The walker keeps its own copy of the tree:

- the tree may change while it is walked
- a reader must never wait for a writer
"""


def _quoted(text: str, question: str, first: int = 40) -> list[Sentence]:
    hit = section(text, first)
    blocks = best_blocks(section_blocks(hit), asked(question))
    return [*Quote(hit, tuple(blocks)).sentences()]


def test_a_short_section_is_quoted_from_the_paragraph_that_has_words_of_the_question() -> None:
    (quote,) = _quoted(MANUAL.partition("Take")[0], "why is the size of the file the same")
    assert quote.text.startswith("“Pages are laid out in one file, and a file cannot")
    assert str(quote.citations[0]) == "a.md:40"


def test_instructions_come_with_their_example() -> None:
    quote, code = _quoted(MANUAL, "how do I take a copy")
    assert quote.text == "“Take a copy like this:”"
    assert (code.part, [place.line for place in code.citations]) == ("code", [47])


def test_code_that_nothing_announces_is_quoted_for_instructions_alone() -> None:
    text = "A job is sent to the queue by its name.\n\n```\nqueue.send(job)\n```\n"
    parts = [sentence.part for sentence in _quoted(text, "how do I send a job to the queue")]
    assert parts == ["document", "code"]
    parts = [sentence.part for sentence in _quoted(text, "what sends a job to the queue")]
    assert parts == ["document"]


def test_a_section_of_code_is_quoted_below_its_heading_or_path() -> None:
    head, code = _quoted("```\nserve --auth joe:123\n```\n", "how do I set a password")
    assert (head.text, head.part, code.part) == ("a.md", "document", "code")


def test_the_items_of_a_list_are_quoted_with_what_announces_them() -> None:
    (quote,) = _quoted(LIST, "why must a reader never wait")
    assert quote.citations[0].line == 40
    assert quote.text == (
        "“The walker keeps its own copy of the tree: • the tree may change while it is walked"
        " • a reader must never wait for a writer”"
    )


def test_a_quote_begins_with_the_paragraph_that_it_refers_to() -> None:
    text = (
        "A worker that does not answer for a minute is ended by its supervisor.\n\n"
        "In this case the job goes back to the queue.\n"
    )
    (quote,) = _quoted(text, "when does a job go back to the queue")
    assert quote.text.startswith("“A worker that does not answer")


def test_a_quote_of_a_long_section_is_the_part_that_answers() -> None:
    filler = "".join(f"The option number {at} sets the width of a window.\n\n" for at in range(40))
    (quote,) = _quoted(f"{filler}Colours are read from the theme.\n", "where do colours come from")
    assert "Colours are read from the theme." in quote.text
    assert len(quote.text) < 600


def test_a_paragraph_in_a_script_that_the_question_does_not_have_is_not_quoted() -> None:
    text = "Задание возвращается в очередь после сбоя.\n\nA job goes back to the queue.\n"
    (quote,) = _quoted(text, "when does a job go back to the queue")
    assert quote.text == "“A job goes back to the queue.”"


@pytest.mark.parametrize(
    ("path", "question", "is_quoted"),
    [
        ("docs/guide.md", "how are jobs kept", True),
        ("CHANGELOG.md", "how are jobs kept", False),
        ("CHANGELOG.md", "how does newsboat keep jobs", False),
        ("CHANGELOG.md", "since which version are jobs kept", True),
        ("LICENSE", "how are jobs kept", False),
        (".github/notes.md", "how are jobs kept", False),
        ("po/de.po", "how are jobs kept", False),
    ],
)
def test_licences_translations_and_history_are_not_quoted(
    path: str, question: str, *, is_quoted: bool
) -> None:
    assert is_quotable(path, asked(question)) == is_quoted


@given(st.text(alphabet="ab .\n`:#-", max_size=200))
def test_a_quote_of_any_section_cites_lines_that_it_has(text: str) -> None:
    hit = section(text, 40)
    for sentence in _quoted(text, "how do I ab the ab"):
        for place in sentence.citations:
            assert place.says in hit.lines[place.line - hit.start_line]
            assert place.says or not hit.heading_path
