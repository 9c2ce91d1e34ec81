"""Let packages export names lazily (PEP 562): a module is imported when its name is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable


def lazy_exports(package: str, *modules: str) -> Callable[[str], object]:
    """Return a `__getattr__` for a package, which finds the names of `__all__` in `modules`.

    Modules are imported in the given order until one has the name, so list first the module that
    is imported fastest. A module must not be called like an export, since importing the module
    would replace the export.
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
