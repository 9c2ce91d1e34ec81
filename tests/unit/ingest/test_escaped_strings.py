"""Strings with many escapes: their first text documents or names a definition."""

import pytest
from tree_sitter import QueryCursor

from codeindex.ingest.parse.grammars import compile_grammar
from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import LANGUAGES
from codeindex.types import SafeText


def parsed(language: str, text: str) -> list[tuple[str, str]]:
    symbols = parse_text(LANGUAGES[language], SafeText(text), "a").symbols
    return [(symbol.name, symbol.doc) for symbol in symbols]


@pytest.mark.parametrize("first", ["", "$(SIGNATURES)"])
def test_the_first_text_of_a_string_documents_a_julia_function(first: str) -> None:
    doc = "back" if first else "Give back"
    text = f'"{first or "Give "}back \\"it\\" \\"now\\"."\nf(x) = 1\n'
    assert parsed("julia", text) == [("f", doc)]


def test_the_first_text_of_a_string_documents_an_elixir_function() -> None:
    text = 'defmodule A do\n  @doc "Give back \\"it\\" \\"now\\"."\n  def f(x), do: 1\nend\n'
    assert ("f", "Give back") in parsed("elixir", text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("julia", '@testset "gives \\"it\\" \\"now\\"" begin\n  f(1)\nend\n'),
        ("elixir", 'test "gives \\"it\\" \\"now\\"" do\n  f(1)\nend\n'),
        ("ruby", 'it "gives \\"it\\" \\"now\\"" do\n  f(1)\nend\n'),
    ],
)
def test_the_first_text_of_a_string_names_a_test(language: str, text: str) -> None:
    assert [name.strip() for name, _ in parsed(language, text)] == ["gives"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("julia", '"{}"\nf(x) = 1\n@testset "{}" begin\n  f(1)\nend\n'),
        ("elixir", 'defmodule A do\n  @moduledoc "{}"\n  @doc "{}"\n  def f(x), do: 1\nend\n'),
        ("ruby", 'require "{}"\nit "{}" do\n  f(1)\nend\n'),
    ],
)
def test_a_query_matches_as_often_however_many_escapes_a_string_has(
    language: str, text: str
) -> None:
    """A match for each escape takes time cubed by their number: 10 s for JSON of 20 kB."""
    grammar = compile_grammar(language, language)
    few, many = (
        grammar.parser.parse(text.replace("{}", 'x\\"' * number).encode()) for number in (2, 20)
    )
    counts = [len(QueryCursor(grammar.query).matches(tree.root_node)) for tree in (few, many)]
    assert counts[0] == counts[1]
