"""Lazy exports of packages (PEP 562): a module is imported when one of its names is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable


def lazy_exports(package: str, *modules: str) -> Callable[[str], object]:
    """Return a module-level `__getattr__` that finds the names of `__all__` in these modules.

    Modules are imported in this order until one has the name, so list the cheapest first. No module
    may have the name of an export: importing it would replace the export.
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
