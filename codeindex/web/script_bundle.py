"""Join JavaScript modules into one classic script, which browsers also run from `file://`.

Browsers do not load modules from local files. The modules may use `import { a, b } from "./x.js";`
and `export` before a function or constant, but no other module syntax.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|const (\w+))", re.MULTILINE)


def bundle_modules(modules: Mapping[str, str], first: str) -> str:
    """Return a script that contains all modules and runs the module `first` last.

    Modules that it imports run before it. `modules` maps names to JavaScript source. Raise
    ValueError if modules import each other in a cycle.
    """
    order: list[str] = []
    _add_module(modules, first, order, ())
    bodies = "".join(_module_function(name, modules[name]) for name in order)
    return f'"use strict";\n(() => {{\nconst modules = {{}};\n{bodies}}})();\n'


def _add_module(
    modules: Mapping[str, str], name: str, order: list[str], importers: tuple[str, ...]
) -> None:
    if name in importers:
        raise ValueError(f"These modules import each other: {', '.join((*importers, name))}.")
    if name in order:
        return
    for _, imported in _IMPORT.findall(modules[name]):
        _add_module(modules, imported, order, (*importers, name))
    order.append(name)


def _module_function(name: str, source: str) -> str:
    exported = ", ".join(function or constant for function, constant in _EXPORT.findall(source))
    body = _IMPORT.sub(r"const { \1 } = modules.\2;", _EXPORT.sub("", source))
    return f"modules.{name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
