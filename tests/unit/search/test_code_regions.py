"""Short symbols are shown in one line, which has all of their code."""

from __future__ import annotations

import pytest

from codeindex.search.regions import CodeRegion

GETTER = ("# The total.", "def total(self):", "    return 1")
WRITER = ("void total(int *a, int *b) {", "  *a = 1;", "  --*b;", "}")


def region(*texts: str, without: frozenset[int] = frozenset()) -> CodeRegion:
    lines = tuple(line for line in enumerate(texts, 1) if line[0] not in without)
    return CodeRegion("a.py", "Cart.total", "method", 1, len(texts), "calls add", lines)


def test_a_short_function_takes_one_line_without_the_comment_above() -> None:
    getter = region(*GETTER)
    assert list(getter.text()) == ["-- 2-3: def total(self): return 1"]
    assert getter.lines_sent("text") == [(2, GETTER[1]), (3, GETTER[2])]
    assert getter.lines_sent("json") == getter.lines


@pytest.mark.parametrize(
    "shown",
    [
        region(*WRITER),  # pointers, not comments
        region("def total(self):", "    add()", "    return 1", without=frozenset({2})),
    ],
)
def test_no_statement_is_missing_in_one_line(shown: CodeRegion) -> None:
    title, *code = shown.text()
    assert title.startswith("-- 1-")
    assert title.endswith(" Cart.total (calls add)")
    assert len(code) >= 2
    assert shown.lines_sent("text") == shown.lines
