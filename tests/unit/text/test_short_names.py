"""Names are shortened by what the path says, and still find their symbol."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.text.short_names import shorten_name, shorten_names

PARTS = st.lists(st.from_regex(r"[A-Za-z_]{1,8}", fullmatch=True), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("name", "path", "shown"),
    [
        ("Shop.Cart.Price.add", "lib/shop/cart/price.ex", "Price.add"),
        ("Shop.CartPrice.add", "lib/shop/cart_price.ex", "CartPrice.add"),
        ("Shop.Cart.Price.add", "other.ex", "Shop.Cart.Price.add"),
        ("Outer.Inner.add", "src/Outer.java", "Inner.add"),
        ("Shop.Core.Carts.Cart.Add", "src/Shop.Core/Carts/Cart.cs", "Cart.Add"),
        ("Cart.add", "cart.py", "Cart.add"),
        ("add", "cart.py", "add"),
        ("", "cart.py", ""),
    ],
)
def test_what_the_path_says_is_left_out(name: str, path: str, shown: str) -> None:
    assert shorten_name(name, path) == shown


def test_the_owner_of_several_names_is_named_once() -> None:
    assert shorten_names("A.B.C.f, A.B.C.g, h", "a/b/c.ex") == "C.f, g, h"


@given(PARTS, PARTS)
def test_a_short_name_is_the_end_of_the_name(parts: list[str], folders: list[str]) -> None:
    name = ".".join(parts)
    short = shorten_name(name, "/".join(folders))
    assert f".{name}".endswith(f".{short}")
    assert short.count(".") >= min(1, len(parts) - 1)
