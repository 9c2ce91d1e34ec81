"""Editors, links and looks of code."""

from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.cli.display import format_link, supports_hyperlinks
from codeindex.cli.editor import editor_command
from codeindex.ingest.parse.syntax_child import highlight_texts, syntax_spans


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("vim", ["vim", "+7", "/a b.py"]),
        ("nvim -u NONE", ["nvim", "-u", "NONE", "+7", "/a b.py"]),
        ("/usr/bin/emacsclient -t", ["/usr/bin/emacsclient", "-t", "+7", "/a b.py"]),
        ("nano", ["nano", "+7", "/a b.py"]),
        ("code --wait", ["code", "--wait", "-g", "/a b.py:7"]),
        ("cursor", ["cursor", "-g", "/a b.py:7"]),
        ("subl -w", ["subl", "-w", "/a b.py:7"]),
        ("zed", ["zed", "/a b.py:7"]),
        ("hx", ["hx", "/a b.py:7"]),
        ("pycharm", ["pycharm", "--line", "7", "/a b.py"]),
        ("unheard-of", ["unheard-of", "/a b.py"]),
    ],
)
def test_each_editor_gets_the_line_in_its_own_notation(editor: str, words: list[str]) -> None:
    assert editor_command(editor, Path("/a b.py"), 7) == words


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ({}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"VTE_VERSION": "7200"}, True),
        ({"VTE_VERSION": "4600"}, False),
        ({"WT_SESSION": "x"}, True),
        ({"WT_SESSION": "x", "TMUX": "/tmp/tmux"}, False),
        ({"WT_SESSION": "x", "NO_COLOR": "1"}, False),
        ({"FORCE_HYPERLINK": "1", "TMUX": "/tmp/tmux"}, True),
        ({"FORCE_HYPERLINK": "0", "WT_SESSION": "x"}, False),
    ],
)
def test_links_are_for_terminals_that_are_known_to_open_them(
    said: dict[str, str], known: bool
) -> None:
    assert supports_hyperlinks(said) == known


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_no_name_of_a_file_ends_a_link(name: str) -> None:
    link = format_link("file://host", Path("/top") / name.lstrip("/"), 3)
    assert link.isascii()
    assert link.isprintable()
    assert " " not in link
    assert unquote(link) == f"file://host{(Path('/top') / name.lstrip('/')).as_posix()}#3"


@pytest.mark.parametrize(
    ("language", "line", "looks"),
    [
        ("python", "def ring(x): return 'a'", "def:keyword ring:name return:keyword 'a':string"),
        (
            "go",
            "func Ring() int { return 3 }",
            "func:keyword Ring:name int:type return:keyword 3:number",
        ),
        ("rust", "fn ring() -> u32 { 1 } // c", "fn:keyword ring:name u32:type 1:number c:comment"),
        (
            "java",
            'class A { String s = "q"; }',
            'class:keyword A:name String:type "q":string',
        ),
        (
            "ruby",
            "def ring; nil; end # c",
            "def:keyword ring:name nil:keyword end:keyword c:comment",
        ),
    ],
)
def test_keywords_strings_numbers_and_names_have_a_look(
    language: str, line: str, looks: str
) -> None:
    spans = syntax_spans(language, line)[0]
    found = [f"{line[start:end].lstrip('/# ')}:{kind}" for start, end, kind in spans]
    assert [one for one in looks.split() if one not in found] == []


@given(st.text(max_size=200))
def test_looks_stay_within_their_lines_and_in_order(text: str) -> None:
    for line, spans in zip(text.split("\n"), syntax_spans("python", text), strict=True):
        ends = [0, *(column for start, end, _ in spans for column in (start, end)), len(line)]
        assert ends == sorted(ends)


def test_a_language_without_a_grammar_has_no_looks() -> None:
    assert highlight_texts([("text", "if"), ("unheard-of", "if"), ("python", "if")]) == (
        '[[], [], [[[0, 2, "keyword"]]]]'
    )
