"""Splitting code into chunk spans."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.chunk.code import (
    DEFINITION_TOKENS,
    FRAGMENT_TOKENS,
    WHOLE_TOKENS,
    WINDOW_TOKENS,
    LineTokens,
    code_spans,
    window_spans,
)
from codeindex.types import ChunkSpan, Symbol, SymbolKind

KINDS = [SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.FIELD, SymbolKind.NAMESPACE]


def symbol(name: str, start: int, end: int, kind: SymbolKind = SymbolKind.FUNCTION) -> Symbol:
    return Symbol(name, name, kind, line=start, start_line=start, end_line=end)


def lines_of(spans: Sequence[ChunkSpan]) -> list[int]:
    return [line for d in spans for line in range(d.start_line, d.end_line + 1)]


def ranges(spans: Sequence[ChunkSpan]) -> list[tuple[int, int]]:
    return [(span.start_line, span.end_line) for span in spans]


@st.composite
def files(draw: st.DrawFn) -> tuple[LineTokens, list[Symbol]]:
    """Draw a file and any symbols in it: overlapping, nested, identical, in no order."""
    tokens = draw(st.lists(st.sampled_from([0, 1, 10, 40, 300, 900]), min_size=1, max_size=60))
    row = st.integers(min_value=1, max_value=len(tokens))
    ends = st.tuples(row, row, st.sampled_from(KINDS))
    found = draw(st.lists(ends, max_size=25))
    symbols = [symbol(f"s{i}", min(a, b), max(a, b), kind) for i, (a, b, kind) in enumerate(found)]
    return LineTokens.of(tokens), symbols


@given(files())
def test_spans_cover_each_line_once_and_in_order(file: tuple[LineTokens, list[Symbol]]) -> None:
    lines, symbols = file
    assert lines_of(code_spans(symbols, lines)) == list(range(1, lines.count + 1))


@given(files())
def test_windows_cover_each_line_and_respect_the_limit(
    file: tuple[LineTokens, list[Symbol]],
) -> None:
    lines, _ = file
    spans = window_spans(lines)
    assert lines_of(spans) == list(range(1, lines.count + 1))
    for start, end in ranges(spans):
        assert start == end or lines.tokens(start, end) <= WINDOW_TOKENS


@given(files())
def test_a_draft_with_several_lines_is_never_much_larger_than_the_largest_allowed(
    file: tuple[LineTokens, list[Symbol]],
) -> None:
    lines, symbols = file
    total = lines.tokens(1, lines.count)
    limit = DEFINITION_TOKENS if total <= DEFINITION_TOKENS else WINDOW_TOKENS + 900
    for start, end in ranges(code_spans(symbols, lines)):
        assert lines.tokens(start, end) <= limit + 2 * FRAGMENT_TOKENS * len(symbols)


def test_an_empty_file_has_no_spans() -> None:
    assert code_spans([], LineTokens.of([])) == []
    assert window_spans(LineTokens.of([])) == []


def test_a_small_file_with_one_function_is_one_draft_about_its_only_definition() -> None:
    lines = LineTokens.of([WHOLE_TOKENS - 1, 0, 0, 0])
    only = symbol("load", 2, 3)
    constant = symbol("LIMIT", 1, 1, SymbolKind.CONSTANT)
    assert code_spans([constant, only], lines) == [ChunkSpan(1, 4, symbol=only)]


def test_each_of_several_functions_of_a_small_file_has_a_draft_of_its_own() -> None:
    lines = LineTokens.of([WHOLE_TOKENS - 90, 40, 40, 0])
    load, save = symbol("load", 2, 2), symbol("save", 3, 4)
    spans = code_spans([load, save], lines)
    assert [span.symbol for span in spans] == [None, load, save]
    assert ranges(spans) == [(1, 1), (2, 2), (3, 4)]


def test_a_small_file_has_the_symbols_of_its_namespace() -> None:
    lines = LineTokens.of([1] * 6)
    space = symbol("Shop", 1, 6, SymbolKind.NAMESPACE)
    only, other = symbol("Cart", 2, 4, SymbolKind.CLASS), symbol("Money", 5, 6, SymbolKind.CLASS)
    assert code_spans([space, only], lines) == [ChunkSpan(1, 6, symbol=only)]
    assert code_spans([space, only, other], lines) == [ChunkSpan(1, 6, symbol=space)]


def test_the_line_of_a_namespace_is_no_chunk_of_its_own() -> None:
    lines = LineTokens.of([1, 1, *[300] * 4])
    space = symbol("Shop", 1, 6, SymbolKind.NAMESPACE)
    members = [symbol(f"m{i}", i, i + 1, SymbolKind.CLASS) for i in (3, 5)]
    assert ranges(code_spans([space, *members], lines)) == [(1, 4), (5, 6)]


def test_from_five_hundred_tokens_on_a_file_is_cut_by_its_definitions() -> None:
    lines = LineTokens.of([100] * 5)
    first, second = symbol("load", 1, 3), symbol("save", 4, 5)
    assert code_spans([first, second], lines) == [
        ChunkSpan(1, 3, symbol=first),
        ChunkSpan(4, 5, symbol=second),
    ]


def test_a_type_is_cut_by_its_methods() -> None:
    shop = symbol("Shop", 1, 20, SymbolKind.CLASS)
    methods = [symbol(f"m{i}", i, i + 4, SymbolKind.METHOD) for i in range(1, 20, 5)]
    medium = LineTokens.of([DEFINITION_TOKENS // 20] * 20)
    assert ranges(code_spans([shop, *methods], medium)) == [(1, 5), (6, 10), (11, 15), (16, 20)]


def test_a_function_too_large_for_a_chunk_is_cut_by_windows_that_all_name_it() -> None:
    spans = code_spans([symbol("huge", 1, 30)], LineTokens.of([100] * 30))
    assert len(spans) == 30 * 100 // WINDOW_TOKENS
    assert {span.symbol.name for span in spans if span.symbol} == {"huge"}


def test_the_first_chunk_of_a_class_of_sixty_methods_lists_them_all() -> None:
    shop = symbol("Shop", 1, 182, SymbolKind.CLASS)
    methods = [symbol(f"m{i}", 3 + 3 * i, 5 + 3 * i, SymbolKind.METHOD) for i in range(60)]
    first, second, *_ = code_spans([shop, *methods], LineTokens.of([30] * 182))
    assert first.symbol == shop
    assert first.context == "# Class: Shop\n# Related: " + ", ".join(f"m{i}" for i in range(60))
    assert second.context == "# Class: Shop\n# Related: m1, m2, m3, m4, m5, m6, m7, m8"


def test_a_few_tokens_between_definitions_join_a_neighbour() -> None:
    few = FRAGMENT_TOKENS - 1
    functions = [symbol("load", 2, 2), symbol("save", 4, 4)]
    joined = code_spans(functions, LineTokens.of([few, 300, few, 300, few]))
    assert ranges(joined) == [(1, 3), (4, 5)]
    many = FRAGMENT_TOKENS
    cut = code_spans(functions, LineTokens.of([many, 300, many, 300, many]))
    assert ranges(cut) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]


def test_types_nested_beyond_reason_are_cut_all_the_same() -> None:
    deep = [symbol(f"C{i}", i, 4001 - i, SymbolKind.CLASS) for i in range(1, 2001)]
    spans = code_spans(deep, LineTokens.of([2] * 4000))
    assert lines_of(spans) == list(range(1, 4001))
