"""Decide which declarations are public, by the rules of each language."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.declarations import declarations_in
from codeindex.text.indent import indentation
from codeindex.text.words import normal_form
from codeindex.types import BODY_KINDS, Node, SymbolKind

_OPEN_SCOPES = {SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.ENUM, SymbolKind.OBJECT}
"""Owners of these kinds make their members as public as themselves, whatever the modifier."""
_NAMESPACES = {SymbolKind.MODULE, SymbolKind.NAMESPACE}
_WORD = re.compile(r"\w+")
_NEVER = {SymbolKind.IMPL, SymbolKind.TEST, SymbolKind.SECTION}


def public_ids(
    connection: sqlite3.Connection, nodes: Iterable[Node], declared: Iterable[Node] | None = None
) -> frozenset[int]:
    """Return the ids of the nodes that are public declarations.

    `declared` are all symbols of their files, if the caller has read them.
    """
    ordered = sorted(nodes, key=lambda node: (node.path, node.id))
    if declared is None:
        declared = declarations_in(connection, {node.file_id for node in ordered})
    by_file: defaultdict[int, list[Node]] = defaultdict(list)
    for node in declared:
        by_file[node.file_id].append(node)
    result: set[int] = set()
    for _, group in groupby(ordered, key=lambda node: node.path):
        same = list(group)
        rules = LANGUAGES[same[0].language].visibility
        reads = rules.exported or rules.section
        text = normal_form(stored_text(connection, same[0].path)) if reads else ""
        owners = {node.qualified: node for node in reversed(by_file[same[0].file_id])}
        named = rules.exported(text) if rules.exported else None
        lines = text.split("\n")
        result.update(node.id for node in same if _is_public(node, owners, named, lines))
    return frozenset(result)


@lru_cache(maxsize=4)  # each symbol of a file asks for the list of its file
def exported_names(language: str, text: str) -> frozenset[str]:
    """Return the names in the file's export list, such as `__all__`; empty without such a list."""
    exported = LANGUAGES[language].visibility.exported
    return (exported(text) if exported else None) or frozenset()


def _is_public(
    node: Node, owners: Mapping[str, Node], named: frozenset[str] | None, lines: Sequence[str]
) -> bool:
    if node.kind in _NEVER or not LANGUAGES[node.language].visibility.by_name(node.name):
        return False
    owner = owners.get(node.qualified.rpartition(".")[0])
    if owner is None or owner.kind in _NAMESPACES:
        listed = named is None or node.name in named or is_export_line(node, lines)
        around = owner is None or owner is node or _is_public(owner, owners, named, lines)
        return listed and around and _has_public_modifier(node)
    # what is declared inside of code is never public
    if owner.kind in BODY_KINDS or owner.qualified == node.qualified:
        return False
    if _is_in_private_section(node, owner, lines):
        return False
    inherits = owner.kind in _OPEN_SCOPES or _has_public_modifier(node)
    return inherits and _is_public(owner, owners, named, lines)


def _is_in_private_section(node: Node, owner: Node, lines: Sequence[str]) -> bool:
    """Tell whether a section like `private:` makes a member private.

    The section begins above the member, inside the lines of its owner.
    """
    section = LANGUAGES[node.language].visibility.section
    is_function = node.kind in {SymbolKind.METHOD, SymbolKind.FUNCTION}
    if section is None or not is_function or node.line > len(lines):
        return False
    indent = indentation(lines[node.line - 1])
    for line in reversed(lines[owner.line : node.line - 1]):
        found = section.match(line)
        if found and indentation(line) == indent:
            return not found["public"]
    return False


def is_export_line(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether the declaration itself exports its name, as `export const size = 1` does."""
    export_line = LANGUAGES[node.language].visibility.export_line
    if export_line is None:
        return False
    return any(export_line.match(line) for line in lines[node.start_line - 1 : node.line])


def is_private_to_file(node: Node) -> bool:
    """Tell whether a modifier keeps other files from using a declaration, or overriding it."""
    head = node.signature.partition(node.name)[0]
    return LANGUAGES[node.language].visibility.private_to_file.search(head) is not None


def _has_public_modifier(node: Node) -> bool:
    rules = LANGUAGES[node.language].visibility
    head = _before_word(node.signature, node.name)
    if rules.public:
        return bool(rules.public.search(head))
    return not (rules.private and rules.private.search(head))


def _before_word(text: str, word: str) -> str:
    """Return the part of a text before the first whole-word occurrence of `word`; else the text."""
    if not _WORD.fullmatch(word):  # an operator or a name like `empty?`
        return re.split(rf"\b{re.escape(word)}\b", text, maxsplit=1)[0]
    # a pattern for each name would be compiled again and again
    first = next((match.start() for match in _WORD.finditer(text) if match[0] == word), len(text))
    return text[:first]
