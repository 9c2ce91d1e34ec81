"""Cutting text for people at its headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.chunk.code import LineTokens
from codeindex.ingest.chunk.prose import Heading, prose_spans, read_headings
from codeindex.languages import language_for_path

LANGUAGES = ["markdown", "rst", "asciidoc", "org", "pod", "text"]
PIECES = [
    "# A",
    "## B",
    "### C #",
    "= A",
    "== B",
    "====",
    "----",
    "---",
    "```",
    "~~~",
    "* A",
    "=head1 A",
    "",
    "word",
]


def titles(text: str, language: str) -> list[tuple[int, int, str]]:
    return [(h.line, h.level, h.title) for h in read_headings(text.split("\n"), language=language)]


def sections(text: str, language: str = "markdown") -> list[tuple[int, int, str]]:
    rows = text.split("\n")
    spans = prose_spans(rows, LineTokens.of([1] * len(rows)), language=language)
    return [(span.start_line, span.end_line, " > ".join(span.heading)) for span in spans]


@given(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=30),
    st.sampled_from(LANGUAGES),
    st.sampled_from([1, 250, 700]),
)
def test_spans_cover_each_line_once_and_in_order(
    rows: list[str], language: str, tokens: int
) -> None:
    spans = prose_spans(rows, LineTokens.of([tokens] * len(rows)), language=language)
    covered = [line for span in spans for line in range(span.start_line, span.end_line + 1)]
    assert covered == list(range(1, len(rows) + 1))


def test_a_section_carries_the_headings_above_it() -> None:
    text = "intro\n# Key Patterns\nall\n## Import Pattern\none\n## Export\n# Setup\nrun"
    assert sections(text) == [
        (1, 1, ""),
        (2, 3, "Key Patterns"),
        (4, 5, "Key Patterns > Import Pattern"),
        (6, 6, "Key Patterns > Export"),
        (7, 8, "Setup"),
    ]


def test_a_level_may_be_left_out() -> None:
    assert sections("# A\n### B\n## C")[1:] == [(2, 2, "A > B"), (3, 3, "A > C")]


def test_a_long_section_is_cut_into_windows_under_one_heading() -> None:
    rows = ["# Long", *["text"] * 9]
    spans = prose_spans(rows, LineTokens.of([200] * 10), language="markdown")
    assert [(span.start_line, span.end_line) for span in spans] == [
        (1, 3),
        (4, 6),
        (7, 9),
        (10, 10),
    ]
    assert {span.heading for span in spans} == {("Long",)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A #\n#B\n####### C\n    # D", [(1, 1, "A")]),
        ("```sh\n# A\n```\n# B", [(4, 1, "B")]),
        ("~~~\n```\n# A\n~~~\n# B", [(5, 1, "B")]),
        ("````\n```\n# A\n````\n# B", [(5, 1, "B")]),
        ("```\n# never closed", []),
        ("Title\n=====\n\nPart\n---", [(1, 1, "Title"), (4, 2, "Part")]),
        ("text\nlast of a paragraph\n---", []),
        ("- item\n---\n\n| a |\n---", []),
        ("---\ntitle: x\n# no\n---\n# A", [(5, 1, "A")]),
        ("A\n-\n\n---\n", []),
    ],
)
def test_headings_of_markdown(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert titles(text, "markdown") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Title\n=====\n\nPart\n----\n\nNext\n----",
            [(1, 1, "Title"), (4, 2, "Part"), (7, 2, "Next")],
        ),
        ("=====\nTitle\n=====\n\nPart\n=====", [(2, 1, "Title"), (5, 2, "Part")]),
        ("Longer than its rule\n===", []),
        ("a paragraph\nof two lines\n============", []),
        ("One\n~~~\n\nTwo\n***\n\nThree\n~~~~~", [(1, 1, "One"), (4, 2, "Two"), (7, 1, "Three")]),
    ],
)
def test_headings_of_rst(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert titles(text, "rst") == expected


def test_headings_of_asciidoc() -> None:
    text = "= Title\n\n== Part\n----\n== no\n----\n=== Deep"
    assert titles(text, "asciidoc") == [(1, 1, "Title"), (3, 2, "Part"), (7, 3, "Deep")]


def test_headings_of_org_and_pod() -> None:
    text = "#+TITLE: Manual\n* Part one :noexport:\n** Deep\n*bold* text\n- * item\n* Next"
    assert titles(text, "org") == [
        (1, 0, "Manual"),
        (2, 1, "Part one"),
        (3, 2, "Deep"),
        (6, 1, "Next"),
    ]
    text = "=pod\n\n=head1 NAME\n\nshop\n\n=head2 new\n\n  =head1 code\n\n=cut"
    assert titles(text, "pod") == [(3, 1, "NAME"), (7, 2, "new")]


@pytest.mark.parametrize(
    ("name", "language"),
    [("a.Rmd", "markdown"), ("a.qmd", "markdown"), ("a.org", "org"), ("Shop.pod", "pod")],
)
def test_documents_are_known_by_their_suffix(name: str, language: str) -> None:
    found = language_for_path(name)
    assert found
    assert found.name == language
    assert found.prose


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('<a name="install"></a>Install', "Install"),
        ("Install <!-- toc: no --> now", "Install now"),
        ("<kbd>Ctrl</kbd>+C and <b class='x > y'>bold</b>", "Ctrl+C and bold"),
        ("one<br/>two", "one two"),
        ('<img src="a.png" alt="The shop" width=3>', "The shop"),
        ('<img src="a.png" alt="no"> Shop', "Shop"),
        ("`Vec<a>` and Option<T>", "`Vec<a>` and Option<T>"),
        ("get <name> if a < b and c > d", "get <name> if a < b and c > d"),
        ("<!-- nothing -->", ""),
    ],
)
def test_a_heading_is_its_text_without_tags(written: str, title: str) -> None:
    assert titles(f"## {written}", "markdown") == [(1, 2, title)]


def test_an_underlined_heading_is_its_text_without_tags() -> None:
    assert titles("<a id=x></a> Shop\n===", "markdown") == [(1, 1, "Shop")]


def test_a_heading_without_text_is_no_part_of_a_path() -> None:
    assert sections("# Shop\n## <!-- x -->\n### <i>Deep</i>\ntext")[-1][2] == "Shop > Deep"


def test_plain_text_has_no_headings() -> None:
    assert list(read_headings(["# A", "="], language="text")) == []
    assert list(read_headings(["# A"], language="markdown")) == [Heading(1, 1, "A")]
