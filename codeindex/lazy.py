"""Packages that import a module when one of its names is first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable


def lazy_exports(package: str, *modules: str) -> Callable[[str], object]:
    """Return a `__getattr__` that looks for the names of `__all__` in these modules, in turn.

    The cheapest comes first. None may be called like a name: importing it would take its place.
    """

    def export(name: str) -> object:
        if name in sys.modules[package].__all__:
            for module in modules:
                path = f"{package}.{module}"
                __import__(path)
                if name in vars(sys.modules[path]):
                    found = getattr(sys.modules[path], name)
                    setattr(sys.modules[package], name, found)
                    return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return export
