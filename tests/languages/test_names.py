"""Which language a file is, by its name."""

from collections import Counter

import pytest

from codeindex.languages import LANGUAGES, language_for_path

CLAIMS = Counter(claim for language in LANGUAGES.values() for claim in (*language.suffixes, *language.filenames))


def test_no_two_languages_claim_one_name() -> None:
    assert [claim for claim, times in CLAIMS.items() if times > 1] == []


def test_suffixes_are_lower_case_and_a_single_part() -> None:
    suffixes = [suffix for language in LANGUAGES.values() for suffix in language.suffixes]
    assert [s for s in suffixes if s != s.lower() or s.rfind(".") != 0] == []


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/main.zig", "zig"),
        ("lib/cart.ex", "elixir"),
        ("test/cart_test.exs", "elixir"),
        ("analysis.R", "r"),
        ("app/AppDelegate.m", "objective-c"),
        ("lib/Mojo/Base.pm", "perl"),
        ("CMakeLists.txt", "cmake"),
        ("docs/notes.txt", "text"),
        ("tools/Dockerfile", "dockerfile"),
        ("api.Dockerfile", "dockerfile"),
        ("README", "text"),
        ("README.MD", "markdown"),
        (".bashrc", "bash"),
        ("types.d.ts", "typescript"),
        ("lib/dune", "dune"),
        ("src/lexer.mll", "ocamllex"),
        ("src/parser.mly", "menhir"),
        ("paper.PDF", "pdf"),
        ("book.ipynb", "notebook"),
    ],
)
def test_a_path_names_its_language(path: str, language: str) -> None:
    known = language_for_path(path)
    assert known is not None
    assert known.name == language


@pytest.mark.parametrize("path", ["bin/go", "d", "a.unheard-of", "b."])
def test_a_name_that_does_not_tell_is_nobody_s(path: str) -> None:
    assert language_for_path(path) is None
