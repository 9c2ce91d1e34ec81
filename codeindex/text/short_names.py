"""Shorten qualified names where the path beside them says the same."""

from __future__ import annotations

from pathlib import PurePosixPath

from codeindex.text.words import fold_name

_KEPT = 2
"""Parts of a name that always stay: the owner and the name find the symbol again."""


def shorten_name(qualified: str, path: str) -> str:
    """Return a name without the leading parts that are folders or the file of its path.

    `Shop.Cart.Price.add` in `lib/shop/cart/price.ex` is `Price.add`, also in `src/cart/price.ex`:
    manifests can map the first part to a folder of another name. Separators are dots.
    """
    parts = qualified.split(".")
    if len(parts) <= _KEPT:
        return qualified
    places = {fold_name(place) for place in PurePosixPath(path).with_suffix("").parts}
    folders = {fold_name(place) for place in PurePosixPath(path).parent.parts}
    if fold_name(parts[1]) in folders:
        parts = parts[1:]
    while len(parts) > _KEPT and fold_name(parts[0]) in places:
        parts = parts[1:]
    return ".".join(parts)


def shorten_names(symbols: str, path: str) -> str:
    """Shorten each name in a list joined by `, `, and omit owners that the first name has, too.

    `shop.Cart.add, shop.Cart.remove` in `shop/cart.py` becomes `Cart.add, remove`.
    """
    first, *others = [shorten_name(symbol, path) for symbol in symbols.split(", ")]
    owner = first.rpartition(".")[0]
    return ", ".join(
        [first, *(name.removeprefix(f"{owner}.") if owner else name for name in others)]
    )
