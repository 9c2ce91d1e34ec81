"""Where the compiler's index adds references to a file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeindex.graph.scip.overlay import _innermost_symbols
from codeindex.store.graph.compiler_files import SymbolPlace

LINES = st.integers(1, 12)


def placed(start: int, end: int) -> SymbolPlace:
    return SymbolPlace(1, "f", "f", "function", start, min(start, end), max(start, end), 1)


PLACES = st.lists(st.builds(placed, LINES, LINES))


@given(PLACES)
def test_the_shortest_symbol_around_a_line_is_the_innermost(places: list[SymbolPlace]) -> None:
    found = _innermost_symbols(places)
    for line in range(14):
        around = [
            (place.end_line - place.start_line, -number)
            for number, place in enumerate(places)
            if place.start_line <= line <= place.end_line
        ]
        assert found.get(line, -1) == (-min(around)[1] if around else -1)
