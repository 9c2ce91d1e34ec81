"""Export names of a package lazily (PEP 562): import a submodule when its name is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable


def lazy_exports(package: str, *modules: str) -> Callable[[str], object]:
    """Return a `__getattr__` for a package that finds each public name in `modules`.

    The submodules are imported in the given order until one defines the name, so list the fastest
    to import first. A submodule must not have the same name as an export, because importing the
    submodule would replace the export. Type checkers see the exports that the package imports for
    them (`TYPE_CHECKING`).
    """

    def export(name: str) -> object:
        if not name.startswith("_"):
            for module in modules:
                path = f"{package}.{module}"
                __import__(path)
                if name in vars(sys.modules[path]):
                    found = getattr(sys.modules[path], name)
                    setattr(sys.modules[package], name, found)
                    return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return export
