"""What comes after a syntax error is read for itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.parse.error_recovery import split_at_errors
from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import language_for_path
from codeindex.types import SafeText

BROKEN = (
    (
        "a.py",
        """def good(x):
    return x

def bad(x:
    return (

class After:
    def method(self):
        return good(1)

def last():
    return After()
""",
        "good After After.method last",
        4,
    ),
    (
        "a.go",
        """package a

func a() {
    if x {
}

func b() {
}

func c() {
    a()
}
""",
        "a b c",
        7,
    ),
    (
        "a.js",
        """function a() {
  if (x) {
  return 1;
}
function b() {
  return a();
}
class C {
  m() { return 1 }
}
""",
        "a b C C.m",
        10,
    ),
    (
        "a.go",
        """package a

func bad( {

func next() int {
	return good(2)
}
""",
        "next",
        3,
    ),
    (
        "A.java",
        """class A {
  void a() { if (x) {
  void b() { }
}
class B {
  void d() { }
}
""",
        "A A.a B B.d",
        4,
    ),
)
"""A file, its source, what is defined in it, and a line near which its error must be said to be."""


@pytest.mark.parametrize(("path", "source", "names", "near"), BROKEN)
def test_definitions_after_an_error_are_found(
    path: str, source: str, names: str, near: int
) -> None:
    language = language_for_path(path)
    assert language
    found = parse_text(language, SafeText(source))
    assert [one.qualified for one in found.symbols] == names.split()
    assert abs(found.loss.line - near) <= 3


def test_uses_after_an_error_are_those_of_the_definitions_around_them() -> None:
    language = language_for_path("a.py")
    assert language
    found = parse_text(language, SafeText(BROKEN[0][1]))
    names = {found.symbols[one.symbol].qualified for one in found.relations.uses if one.symbol >= 0}
    assert names >= {"After.method", "last"}


def test_a_namespace_with_a_small_error_in_it_stays_whole() -> None:
    language = language_for_path("a.cpp")
    assert language
    source = "namespace shop {\n\nint a() { return 1 +; }\n\nint b() { return 2; }\n\n}\n"
    found = parse_text(language, SafeText(source))
    assert [one.qualified for one in found.symbols] == ["shop", "shop.a", "shop.b"]
    assert found.loss.line == 3


def test_a_file_without_an_error_has_no_line_of_one() -> None:
    language = language_for_path("a.py")
    assert language
    assert parse_text(language, SafeText("x = 1\n")).loss.line == 0


LINES = st.lists(st.sampled_from(["def a():", "  x", "", "}", "end", "b"]), max_size=12)


@given(LINES, st.integers(0, 12), st.integers(0, 12))
def test_pieces_are_all_lines_once(lines: list[str], one: int, other: int) -> None:
    first, end = sorted((min(one, len(lines)), min(other, len(lines))))
    source = "\n".join(lines).encode()
    found = split_at_errors(source, [(first, end)] if first < end else [])
    rows = sorted(row for part in found for start, stop in part for row in range(start, stop))
    assert not found or rows == list(range(source.count(b"\n") + 1))
