"""A section of source code that is cut to a size."""

import pytest

from codeindex.search.source_excerpt import SourceExcerpt

LINES = [(at, f"{'    ' * (at % 4)}total_{at} = price + {at}") for at in range(1, 3_000)]


@pytest.mark.parametrize("room", [500, 7_500, 30_000])
def test_a_long_section_fills_the_room_that_it_is_cut_to(room: int) -> None:
    cut = SourceExcerpt("shop/cart.py", "shop/cart.py:1-2999", 2_999, LINES).within(room)
    text = "".join(f"{line}\n" for line in cut.text())
    assert room - 100 < len(text) <= room
    assert text.endswith(f"… left out: read_code shop/cart.py:{len(cut.lines) + 1}-2999\n")


def test_a_section_keeps_its_first_line_and_is_whole_if_it_fits() -> None:
    section = SourceExcerpt("shop/cart.py", "shop/cart.py:1-9", 9, LINES[:9])
    assert section.within(1_000) == section
    assert section.within(10).lines == LINES[:1]
