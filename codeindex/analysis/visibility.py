"""Decide which declarations are public by the rules of each language."""

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

_PUBLIC_MARK = {
    "csharp": re.compile(r"\bpublic\b"),
    "java": re.compile(r"\bpublic\b"),
    "rust": re.compile(r"^pub(?!\s*\()"),
    "zig": re.compile(r"^(?:pub|export)\b"),
}
"""Languages where a declaration is private unless its signature says so."""
_PRIVATE = re.compile(r"\b(?:private|protected)\b|^(?:\w+ )*#")
_PRIVATE_MARK = {
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
_MARKING_LANGUAGES = {
    *_PUBLIC_MARK,
    *ECMASCRIPT,
    "go",
    "kotlin",
    "scala",
    "swift",
    "csharp",
    "dart",
    "elixir",
}
"""Languages with explicit visibility or exports; elsewhere public is a naming habit."""
_OPEN_SCOPES = {SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.ENUM, SymbolKind.OBJECT}
"""Members of these are as public as their owner, with or without a modifier."""
_NAMESPACES = {SymbolKind.MODULE, SymbolKind.NAMESPACE}
CLOSED_SCOPES = {
    SymbolKind.FUNCTION,
    SymbolKind.METHOD,
    SymbolKind.CONSTRUCTOR,
    SymbolKind.PROPERTY,
    SymbolKind.TEST,
}
"""Declarations within these are never public."""
_NEVER = {SymbolKind.IMPL, SymbolKind.TEST, SymbolKind.SECTION}

_EXPORT = re.compile(r"\s*(?:export\b|(?:module\.)?exports\b)")
_ANY_EXPORT = re.compile(r"^(?:export\b|(?:module\.)?exports\b)", re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export\s*(?:type\s*)?\{([^}]*)\}\s*(?!\s*from)", re.MULTILINE)
_EXPORT_DEFAULT = re.compile(r"^export\s+default\s+(\w+)\s*;?\s*$", re.MULTILINE)
_COMMONJS = re.compile(r"^module\.exports\s*=\s*(?:\{([^}]*)\}|(\w+))", re.MULTILINE)
_ALL = re.compile(r"^__all__\b[^=\n]*=\s*[\[(]([^\])]*)[\])]", re.MULTILINE)
_QUOTED = re.compile(r"['\"](\w+)['\"]")


def public_ids(connection: sqlite3.Connection, nodes: Iterable[Node]) -> frozenset[int]:
    """Return the ids of the public declarations among these."""
    result: set[int] = set()
    ordered = sorted(nodes, key=lambda node: (node.path, node.id))
    for _, group in groupby(ordered, key=lambda node: node.path):
        same = list(group)
        text = stored_text(connection, same[0].path) if _has_export_list(same[0].language) else ""
        owners = {
            node.qualified: node
            for node in reversed(declarations_in(connection, [same[0].file_id]))
        }
        named = _export_list(same[0].language, text)
        lines = text.split("\n")
        result.update(node.id for node in same if _is_public(node, owners, named, lines))
    return frozenset(result)


def is_explicitly_public(node: Node, *, named: bool) -> bool:
    """Tell whether the language or an export list marks a declaration as public."""
    return node.language in _MARKING_LANGUAGES or named


def exported_names(language: str, text: str) -> frozenset[str]:
    """Return the names in a file's export list, such as `__all__`."""
    return _export_list(language, text) or frozenset()


def _has_export_list(language: str) -> bool:
    return language in ECMASCRIPT or language == "python"


def _export_list(language: str, text: str) -> frozenset[str] | None:
    """Return the names in a file's export list; None if it has no list."""
    if language == "python":
        match = _ALL.search(text)
        return frozenset(_QUOTED.findall(match.group(1))) if match else None
    if language not in ECMASCRIPT or not _ANY_EXPORT.search(text):
        return None  # a script without exports makes everything global
    lists = [*_EXPORT_LIST.findall(text), *(item for item, _ in _COMMONJS.findall(text))]
    parts = [item.strip() for part in lists for item in part.split(",")]
    listed = {re.split(r"\s+as\s+|\s*:", item)[0] for item in parts}
    single = {*_EXPORT_DEFAULT.findall(text), *(item for _, item in _COMMONJS.findall(text))}
    return frozenset((listed | single) - {""})


def _is_public(
    node: Node,
    owners: Mapping[str, Node],
    named: frozenset[str] | None,
    lines: Sequence[str],
) -> bool:
    if node.kind in _NEVER or not _has_public_name(node):
        return False
    owner = owners.get(node.qualified.rpartition(".")[0])
    if owner is None or owner.kind in _NAMESPACES:
        listed = named is None or node.name in named or _exports(node, lines)
        around = owner is None or owner is node or _is_public(owner, owners, named, lines)
        return listed and around and _has_public_modifier(node)
    if owner.kind in CLOSED_SCOPES or owner.qualified == node.qualified:
        return False
    inherits = owner.kind in _OPEN_SCOPES or _has_public_modifier(node)
    return inherits and _is_public(owner, owners, named, lines)


def _exports(node: Node, lines: Sequence[str]) -> bool:
    if node.language not in ECMASCRIPT:
        return False
    around = lines[node.start_line - 1 : node.line]
    return any(_EXPORT.match(line) for line in around)


def _has_public_name(node: Node) -> bool:
    if node.language == "go":
        return node.name[:1].isupper()
    is_special = node.name.startswith("__") and node.name.endswith("__")
    return is_special or not node.name.startswith(("_", "#"))


def _has_public_modifier(node: Node) -> bool:
    shown_pattern, hidden = _PUBLIC_MARK.get(node.language), _PRIVATE_MARK.get(node.language)
    head = re.split(rf"\b{re.escape(node.name)}\b", node.signature, maxsplit=1)[0]
    if shown_pattern:
        return bool(shown_pattern.search(head))
    return not (hidden and hidden.search(head))
