"""A file is named for what its syntax errors cost, not for having one."""

from __future__ import annotations

import pytest

from codeindex.ingest.parse.parse_loss import ParseLoss
from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import language_for_path
from codeindex.types import SafeText

BODY = "".join(f"int f{n}(int a) {{\n    return a + {n};\n}}\n\n" for n in range(100))


def lost_in(path: str, source: str) -> ParseLoss:
    language = language_for_path(path)
    assert language
    return parse_text(language, SafeText(source)).loss


def test_a_macro_that_no_grammar_knows_costs_its_line_and_is_not_worth_a_word() -> None:
    found = lost_in("a.c", f"BEGIN_API(x) EXTERN\n\n{BODY}")
    assert found.line == 1
    assert found.lines <= 3
    assert not found.matters(400)


def test_the_head_of_a_definition_that_is_torn_always_matters() -> None:
    source = "".join(f"def f{n}(a):\n    return a\n\n\n" for n in range(100))
    found = lost_in("a.py", f"{source}def bad(x:\n    return (\n\n\n{source}")
    assert found.definition
    assert found.lines <= 3
    assert found.matters(800)


def test_lines_in_an_error_that_became_definitions_are_not_lost() -> None:
    found = lost_in("a.c", f"void go( {{\n{BODY}")
    assert 1 <= found.lines < 100


@pytest.mark.parametrize(
    ("lines", "of", "matters"),
    [(3, 10, False), (4, 10, True), (4, 399, True), (4, 400, False), (12, 1000, True)],
)
def test_more_than_three_lines_and_more_than_one_in_a_hundred_matter(
    lines: int, of: int, *, matters: bool
) -> None:
    assert ParseLoss(1, lines).matters(of) is matters


@pytest.mark.parametrize("path", ["a.ts", "a.tsx"])
def test_exports_of_types_are_parsed(path: str) -> None:
    source = 'export type * from "./cart"\nexport type * as bill from "./bill"\nexport class A {}\n'
    assert lost_in(path, source).lines == 0


@pytest.mark.parametrize("path", ["a.ts", "a.tsx"])
@pytest.mark.parametrize("type_", ['typeof import("./cart")', "import('./cart').Cart"])
def test_the_type_of_a_module_is_parsed_as_type_argument_of_a_call(path: str, type_: str) -> None:
    source = f"function total() {{\n  const cart = load<{type_}>()\n  return cart\n}}\n"
    assert lost_in(path, source).lines == 0
