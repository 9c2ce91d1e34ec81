"""Patterns of syntax in every language, matched without a child process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeindex.ingest.parse.components import parse_script
from codeindex.ingest.parse.grammars import create_parser
from codeindex.ingest.parse.parser import blank_unparsable
from codeindex.languages import LANGUAGES
from codeindex.structural.metavariables import SpelledPattern, metavariable_uses
from codeindex.structural.pattern_nodes import PatternTooDeepError, pattern_roots
from codeindex.structural.syntax_match import compiled_syntax, find_matches
from tests.unit.structural.patterns import PATTERNS

if TYPE_CHECKING:
    from tree_sitter import Node

SAMPLES = Path(__file__).parents[2] / "languages"
GRAMMARS = sorted(name for name, language in LANGUAGES.items() if language.grammar)


def found(pattern: str, language: str, text: str) -> list[str]:
    """Return the first line of each match."""
    compiled = compiled_syntax(pattern, language)
    assert compiled, f"{pattern} does not parse"
    matches, _ = find_matches([compiled], language, "", text)
    lines = text.split("\n")
    return [lines[match.row][match.start : match.end] for match in matches]


def test_every_grammar_has_patterns() -> None:
    assert sorted(PATTERNS) == GRAMMARS


@pytest.mark.parametrize("language", GRAMMARS)
def test_patterns_match_code_of_their_language(language: str) -> None:
    missed = [pattern for pattern, text in PATTERNS[language] if not found(pattern, language, text)]
    assert missed == []


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("try: $A except: pass", "try:\n    a()\nexcept ValueError:\n    pass\n", []),
        ("try: $A except: pass", "try:\n    a()\n    b()\nexcept:\n    pass\n", []),
        ("try: $$$A except: pass", "try:\n    a()\n    b()\nexcept:\n    pass\n", ["try:"]),
        ("if $A: $$$B", "if a:\n    b()\nelse:\n    c()\n", []),
        ("if $A: $$$B else: $$$C", "if a:\n    b()\nelse:\n    c()\n", ["if a:"]),
        ("$A == $A", "x == y\nx.y == x.y\n", ["x.y == x.y"]),
        ("$_ == $_", "x == y\n", ["x == y"]),
        ("f($A)", "f()\nf(1, 2)\nf(3)\n", ["f(3)"]),
        ("f($$$)", "f()\nf(1, 2)\ng(3)\n", ["f()", "f(1, 2)"]),
        ("f(1, $$$A, 4)", "f(1, 4)\nf(1, 2, 3, 4,)\nf(1, 2)\n", ["f(1, 4)", "f(1, 2, 3, 4,)"]),
        ("f(a, b)", "f(\n    a,  # first\n    b,\n)\n", ["f("]),
        ('print("$A")', 'print("hello")\nprint(hello)\n', ['print("hello")']),
        ('print("a $A")', 'print("a b")\nprint("a $A")\n', ['print("a $A")']),
        ("$A.close(); return $B", "def f():\n    a.close()\n    return 1\n", ["a.close()"]),
        ("def $F(self): $$$B", "class A:\n    def f(self):\n        pass\n", ["def f(self):"]),
    ],
)
def test_what_a_pattern_of_python_matches(pattern: str, text: str, matches: list[str]) -> None:
    assert found(pattern, "python", text) == matches


@pytest.mark.parametrize("pattern", ["f(", "for $A", "} void f() {", "def"])
def test_code_that_does_not_parse_is_no_pattern(pattern: str) -> None:
    assert compiled_syntax(pattern, "c" if "void" in pattern else "python") is None


@pytest.mark.parametrize("pattern", ["$A", "$$$", "$A; $B"])
def test_metavariables_alone_have_no_meaning(pattern: str) -> None:
    compiled = compiled_syntax(pattern, "python")
    assert compiled
    assert compiled.alternatives == ()


def test_code_that_nests_too_deeply_is_refused() -> None:
    with pytest.raises(PatternTooDeepError):
        compiled_syntax("f(" * 200 + ")" * 200, "python")


def test_words_are_in_every_match() -> None:
    compiled = compiled_syntax('foo($A, "some text")', "python")
    assert compiled
    assert {b"foo", b"some", b"text"} <= compiled.words


class SampleNode(NamedTuple):
    """A named node of a sample, with the text of the file as the grammar can read it."""

    path: str
    text: str
    root: Node
    node: Node


@cache
def sample_nodes(language: str) -> list[SampleNode]:
    """Return the named nodes of the language's samples, but for long ones."""
    nodes = []
    for path in sorted((SAMPLES / language).iterdir()):
        if path.suffix == ".expected" or path.stem.lower() == "broken":
            continue
        source = path.read_bytes()
        if LANGUAGES[language].unparsable:
            source = blank_unparsable(source, LANGUAGES[language])
        parser = create_parser(language, path.name)
        _, root = parse_script(source, LANGUAGES[language], parser, with_bound=True)
        pending = [root]
        while pending:
            node = pending.pop()
            pending += node.children
            is_own = source[node.start_byte : node.end_byte] == node.text  # not made of markup
            if node.is_named and is_own and not node.has_error and len(node.text or b"") < 500:
                nodes.append(SampleNode(path.name, source.decode(), root, node))
    return nodes


@pytest.mark.parametrize("language", GRAMMARS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_code_as_a_pattern_finds_itself(language: str, data: st.DataObject) -> None:
    """Code that means the same when it stands alone is found where it was taken from."""
    path, text, root, node = data.draw(st.sampled_from(sample_nodes(language)))
    pattern = (node.text or b"").decode()
    compiled = compiled_syntax(pattern, language) if pattern.strip() == pattern else None
    if compiled is None or metavariable_uses(pattern) or node.is_extra:
        return
    there = SpelledPattern(text.encode(), node.start_byte, node.end_byte, ())
    if pattern_roots(root, there, ()) in compiled.alternatives:
        matches, _ = find_matches([compiled], language, path, text)
        assert node.start_point[0] in {match.row for match in matches}
