"""Map constants in Ruby and modules in Elixir to file names."""

from __future__ import annotations

import re
from itertools import takewhile


def constant_parts(name: str) -> list[str]:
    """Return the capitalized parts at the start of a dotted name.

    For `Shop.Cart.add`, these are `Shop` and `Cart`.
    """
    return list(takewhile(lambda part: part[:1].isupper(), name.split(".")))


def snake_case(name: str) -> str:
    """Return the file name that a constant suggests: `shop_cart` for `ShopCart`."""
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z\d])([A-Z])", r"\1_\2", apart).lower()
