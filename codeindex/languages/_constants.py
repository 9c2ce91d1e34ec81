"""Constants of Ruby and module names of Elixir, as the paths of their files."""

from __future__ import annotations

import re
from itertools import takewhile


def constant_parts(name: str) -> list[str]:
    """Return the parts of a name up to the first that is no constant: a method."""
    return list(takewhile(lambda part: part[:1].isupper(), name.split(".")))


def snake_case(name: str) -> str:
    """Return a constant as the name of its file."""
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z\d])([A-Z])", r"\1_\2", apart).lower()
