"""Map constants of Ruby and modules of Elixir to file paths."""

from __future__ import annotations

import re
from itertools import takewhile


def constant_parts(name: str) -> list[str]:
    """Return the leading parts of a name that are constants, without a method at the end."""
    return list(takewhile(lambda part: part[:1].isupper(), name.split(".")))


def snake_case(name: str) -> str:
    """Return the file name of a constant: `shop_cart` for `ShopCart`."""
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z\d])([A-Z])", r"\1_\2", apart).lower()
