"""Which declarations other code may use, as each language marks them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3

_SHOWN = {
    "csharp": re.compile(r"\bpublic\b"),
    "java": re.compile(r"\bpublic\b"),
    "rust": re.compile(r"^pub(?!\s*\()"),
    "zig": re.compile(r"^(?:pub|export)\b"),
}
"""Languages where a declaration is private unless its signature says so."""
_PRIVATE = re.compile(r"\b(?:private|protected)\b|^(?:\w+ )*#")
_HIDDEN = {
    "c": re.compile(r"^static\b"),
    "cpp": re.compile(r"^static\b"),
    "elixir": re.compile(r"^def\w*p\b"),
    "javascript": _PRIVATE,
    "kotlin": re.compile(r"\b(?:private|protected|internal)\b"),
    "lua": re.compile(r"^local\b"),
    "php": _PRIVATE,
    "ruby": re.compile(r"^private"),
    "scala": _PRIVATE,
    "swift": re.compile(r"\b(?:private|fileprivate)\b"),
    "tsx": _PRIVATE,
    "typescript": _PRIVATE,
}
"""Languages where a declaration is public unless its signature says so."""
ECMASCRIPT = {"javascript", "typescript", "tsx"}
_MARKING = {*_SHOWN, *ECMASCRIPT, "go", "kotlin", "scala", "swift", "csharp", "dart", "elixir"}
"""Languages in which being public is a promise to other code, not only a habit of naming."""
_OPEN = {SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.ENUM, SymbolKind.OBJECT}
"""What is declared in these is as public as they are, whether or not it says so."""
_ROOMS = {SymbolKind.MODULE, SymbolKind.NAMESPACE}
CLOSED_SCOPES = {
    SymbolKind.FUNCTION,
    SymbolKind.METHOD,
    SymbolKind.CONSTRUCTOR,
    SymbolKind.PROPERTY,
    SymbolKind.TEST,
}
"""What is declared in these is their own business."""
_NEVER = {SymbolKind.IMPL, SymbolKind.TEST, SymbolKind.SECTION}

_EXPORT = re.compile(r"\s*(?:export\b|(?:module\.)?exports\b)")
_ANY_EXPORT = re.compile(r"^(?:export\b|(?:module\.)?exports\b)", re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export\s*(?:type\s*)?\{([^}]*)\}\s*(?!\s*from)", re.MULTILINE)
_EXPORT_DEFAULT = re.compile(r"^export\s+default\s+(\w+)\s*;?\s*$", re.MULTILINE)
_COMMONJS = re.compile(r"^module\.exports\s*=\s*(?:\{([^}]*)\}|(\w+))", re.MULTILINE)
_ALL = re.compile(r"^__all__\b[^=\n]*=\s*[\[(]([^\])]*)[\])]", re.MULTILINE)
_QUOTED = re.compile(r"['\"](\w+)['\"]")


def public_ids(connection: sqlite3.Connection, nodes: Iterable[Node]) -> frozenset[int]:
    """Return the ids of those of these declarations that other code may use."""
    found: set[int] = set()
    ordered = sorted(nodes, key=lambda one: (one.path, one.id))
    for _, group in groupby(ordered, key=lambda one: one.path):
        same = list(group)
        text = stored_text(connection, same[0].path) if _is_said_elsewhere(same[0].language) else ""
        owners = {
            one.qualified: one for one in reversed(declarations_in(connection, [same[0].file_id]))
        }
        named = _named(same[0].language, text)
        lines = text.split("\n")
        found.update(one.id for one in same if _is_public(one, owners, named, lines))
    return frozenset(found)


def is_explicitly_public(node: Node, *, named: bool) -> bool:
    """Tell whether a public declaration is meant for others: by a mark, or in `__all__`."""
    return node.language in _MARKING or named


def exported_names(language: str, text: str) -> frozenset[str]:
    """Return the names that a file lists as its own for others, apart from where they stand."""
    return _named(language, text) or frozenset()


def _is_said_elsewhere(language: str) -> bool:
    return language in ECMASCRIPT or language == "python"


def _named(language: str, text: str) -> frozenset[str] | None:
    """Return the names that a file lists as public; None if it does not list any."""
    if language == "python":
        found = _ALL.search(text)
        return frozenset(_QUOTED.findall(found.group(1))) if found else None
    if language not in ECMASCRIPT or not _ANY_EXPORT.search(text):
        return None  # a script without exports shows all that it declares
    lists = [*_EXPORT_LIST.findall(text), *(one for one, _ in _COMMONJS.findall(text))]
    parts = [one.strip() for part in lists for one in part.split(",")]
    listed = {re.split(r"\s+as\s+|\s*:", one)[0] for one in parts}
    single = {*_EXPORT_DEFAULT.findall(text), *(one for _, one in _COMMONJS.findall(text))}
    return frozenset((listed | single) - {""})


def _is_public(
    node: Node,
    owners: Mapping[str, Node],
    named: frozenset[str] | None,
    lines: Sequence[str],
) -> bool:
    if node.kind in _NEVER or not _shows_its_name(node):
        return False
    owner = owners.get(node.qualified.rpartition(".")[0])
    if owner is None or owner.kind in _ROOMS:
        listed = named is None or node.name in named or _exports(node, lines)
        around = owner is None or owner is node or _is_public(owner, owners, named, lines)
        return listed and around and _shows_itself(node)
    if owner.kind in CLOSED_SCOPES or owner.qualified == node.qualified:
        return False
    inherits = owner.kind in _OPEN or _shows_itself(node)
    return inherits and _is_public(owner, owners, named, lines)


def _exports(node: Node, lines: Sequence[str]) -> bool:
    if node.language not in ECMASCRIPT:
        return False
    around = lines[node.start_line - 1 : node.line]
    return any(_EXPORT.match(line) for line in around)


def _shows_its_name(node: Node) -> bool:
    if node.language == "go":
        return node.name[:1].isupper()
    is_special = node.name.startswith("__") and node.name.endswith("__")
    return is_special or not node.name.startswith(("_", "#"))


def _shows_itself(node: Node) -> bool:
    shown, hidden = _SHOWN.get(node.language), _HIDDEN.get(node.language)
    said = re.split(rf"\b{re.escape(node.name)}\b", node.signature, maxsplit=1)[0]
    if shown:
        return bool(shown.search(said))
    return not (hidden and hidden.search(said))
