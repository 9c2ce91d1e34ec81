"""Find the declarations of an ECMAScript module that other code uses or can use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from codeindex.languages._base import Visibility
from codeindex.types import Node, SymbolKind

_EXPORT = re.compile(r"\s*(?:export\b|(?:module\.)?exports\b)")
_ANY_EXPORT = re.compile(r"^(?:export\b|(?:module\.)?exports\b)", re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export\s*(?:type\s*)?\{([^}]*)\}\s*(?!\s*from)", re.MULTILINE)
_EXPORT_DEFAULT = re.compile(r"^export\s+default\s+(\w+)\s*;?\s*$", re.MULTILINE)
_COMMONJS = re.compile(r"^module\.exports\s*=\s*(?:\{([^}]*)\}|(\w+))", re.MULTILINE)

_CLASS_EXPRESSION = re.compile(r"[=(,:?\[]\s*class\s|\b(?:return|extends)\s+class\s")


def is_class_expression(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a class is a value in an expression, as in `const A = class B {}`.

    The expression is the use of the class. `lines` are those of its file.
    """
    line = lines[node.line - 1] if node.line <= len(lines) else ""
    before = line.partition(node.name)[0]
    return node.kind == SymbolKind.CLASS and _CLASS_EXPRESSION.search(before) is not None


def _exported_names(text: str) -> frozenset[str] | None:
    """Return the exported names of a module's text; None for a script without exports.

    All names of such a script are global.
    """
    if not _ANY_EXPORT.search(text):
        return None
    lists = [*_EXPORT_LIST.findall(text), *(names for names, _ in _COMMONJS.findall(text))]
    parts = [part.strip() for names in lists for part in names.split(",")]
    listed = {re.split(r"\s+as\s+|\s*:", part)[0] for part in parts}
    single = {*_EXPORT_DEFAULT.findall(text), *(name for _, name in _COMMONJS.findall(text))}
    return frozenset((listed | single) - {""})


VISIBILITY = Visibility(
    private=re.compile(r"\b(?:private|protected)\b|^(?:\w+ )*#"),
    is_explicit=True,
    exported=_exported_names,
    export_line=_EXPORT,
    module=re.compile(r"^\s*(?:import|export)\b|\brequire\(|\bmodule\.exports\b", re.MULTILINE),
    ambient=re.compile(r"\s*(?:export\s+)?declare\s+(?:global|module|namespace)\b"),
)
