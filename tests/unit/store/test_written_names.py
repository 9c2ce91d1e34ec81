"""Names as people write them, with parameter types that tell overloads apart."""

from __future__ import annotations

import pytest

from codeindex.store.symbols.written_names import (
    accepts_arguments,
    overload_suffix,
    parse_written_name,
)


@pytest.mark.parametrize(
    ("signature", "suffix"),
    [
        ("void put()", "/0"),
        ("public void put(final int a, @Nullable List<String> b)", "(int, List)"),
        ("void put(int[] a, Object... rest)", "(int[], Object...)"),
        ("void put(const Item& item, Item *other)", "(const Item&, Item *)"),
        ("fun put(item: Item, count: Int = 1): Int", "(Item, Int)"),
        ("fun put(action: (Int) -> Int)", ""),
        ("void put(int a, ", ""),
        ("int put", ""),
    ],
)
def test_parameter_types_select_an_overload(signature: str, suffix: str) -> None:
    assert overload_suffix(signature, "put") == suffix
    if suffix:
        written = parse_written_name(f"a/Box.java::Box.put{suffix}")
        assert accepts_arguments(signature, written, exactly=True)


def test_arrays_differ_from_their_elements() -> None:
    written = parse_written_name("put(int)")
    assert accepts_arguments("void put(int[] a)", written)
    assert not accepts_arguments("void put(int[] a)", written, exactly=True)
