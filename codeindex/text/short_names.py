"""Drop the parts of a qualified name that repeat the path of its file."""

from __future__ import annotations

from pathlib import PurePosixPath

from codeindex.text.words import fold_name

_KEPT = 2
"""Parts of a name that always stay: a symbol can be looked up by its owner and its name."""


def shorten_name(qualified: str, path: str) -> str:
    """Return a qualified name without leading parts that repeat the folders or the file of `path`.

    `Shop.Cart.Price.add` in `lib/shop/cart/price.ex` becomes `Price.add`. In `src/cart/price.ex` it
    does too, because a manifest can map the first part to a folder of another name. Parts are
    separated by dots, also in names of folders: those of C# are called `Shop.Core`.
    """
    parts = qualified.split(".")
    if len(parts) <= _KEPT:
        return qualified
    folders = _folded(PurePosixPath(path).parent)
    places = folders | {fold_name(PurePosixPath(path).stem)}
    if fold_name(parts[1]) in folders:
        parts = parts[1:]
    while len(parts) > _KEPT and fold_name(parts[0]) in places:
        parts = parts[1:]
    return ".".join(parts)


def _folded(folder: PurePosixPath) -> set[str]:
    """Return the folded names of a folder and its parents, and each part of a dotted name."""
    parts = (part for name in folder.parts for part in (name, *name.split(".")))
    return {fold_name(part) for part in parts if part}


def shorten_names(symbols: str, path: str) -> str:
    """Shorten each name in a list joined by `, ` (see `shorten_name`).

    An owner that repeats that of the first name is omitted: `shop.Cart.add, shop.Cart.remove` in
    `shop/cart.py` becomes `Cart.add, remove`.
    """
    first, *others = [shorten_name(symbol, path) for symbol in symbols.split(", ")]
    owner = first.rpartition(".")[0]
    return ", ".join(
        [first, *(name.removeprefix(f"{owner}.") if owner else name for name in others)]
    )
