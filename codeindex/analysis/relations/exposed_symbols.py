"""Leave out symbols that code outside of the repository uses, by the marks at their definitions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby

from codeindex.analysis.relations.name_mentions import FUNCTION_KINDS
from codeindex.analysis.relations.searched_code import NestedSymbols, SearchedCode
from codeindex.analysis.visibility import exported_names, is_export_line
from codeindex.languages import DECORATOR_START, LANGUAGES
from codeindex.store.graph.usage import read_reexports
from codeindex.types import Node, SymbolKind

_DECORATOR = re.compile(DECORATOR_START + r"\s*([\w.:]+)")
_DECORATOR_BESIDE = re.compile(r"(?:^|\s)@([\w.:]+)")


def drop_exposed(code: SearchedCode, nodes: Sequence[Node], *, exported: bool) -> Iterator[Node]:
    """Yield the symbols that are neither exported nor registered by a decorator.

    With `exported`, exported symbols are yielded too. Five kinds are always left out: registered
    symbols, members of a registered type, types with a registered member, such as a test, methods
    that are marked as overrides, and what is used where it is defined.
    """
    if not exported:  # texts are read for the others only
        nodes = [node for node in nodes if not _is_marked_public(node, code.public)]
    reexports = read_reexports(code.connection)
    nested = NestedSymbols(code.declared_beside(nodes))
    for path, group in groupby(nodes, key=lambda node: node.path):
        text = code.mentions.text(path)
        lines = text.split("\n")
        for node in group:
            if not exported and (
                _is_promised(node, nested.owner(node), lines)
                or (node.id in code.public and _is_passed_on(node, text, reexports))
                or _is_ambient(node, nested.enclosing(node), lines)
            ):
                continue
            if not (
                _has_registered(node, nested, lines)
                or _overrides(node, lines)
                or _is_used_where_defined(node, lines)
            ):
                yield node


def _is_marked_public(node: Node, public: Collection[int]) -> bool:
    return node.id in public and LANGUAGES[node.language].visibility.is_explicit


def _is_promised(node: Node, owner: Node | None, lines: Sequence[str]) -> bool:
    """Tell whether a mark at a symbol or at its owner makes it available to other code."""
    language = LANGUAGES[node.language]
    return (
        language.visibility.outside.search(node.signature.partition(node.name)[0]) is not None
        or is_export_line(node, lines)
        or (owner is not None and _makes_members_public(owner))
        or (language.is_linked_by_name is not None and language.is_linked_by_name(node, lines))
    )


def _makes_members_public(owner: Node) -> bool:
    """Tell whether all members of a type are public: a public interface, `public extension`."""
    rules = LANGUAGES[owner.language].visibility
    if owner.kind == SymbolKind.INTERFACE and rules.outside.search(owner.signature):
        return True
    extension = rules.public_extension
    return extension is not None and extension.match(owner.signature) is not None


def _is_passed_on(node: Node, text: str, reexports: Collection[tuple[str, str]]) -> bool:
    """Tell whether an export list or a re-export makes a symbol available to other code.

    `text` is the text of its file. `reexports` are the (path, name) of re-exported symbols.
    """
    outermost = node.qualified.partition(".")[0]
    return (node.path, outermost) in reexports or outermost in exported_names(node.language, text)


def _is_ambient(node: Node, around: Iterable[Node], lines: Sequence[str]) -> bool:
    """Tell whether a declaration adds to a type of the runtime or of another module.

    In TypeScript, `declare global` does so. `around` are the definitions around the node.
    """
    ambient = LANGUAGES[node.language].visibility.ambient
    if ambient is None:
        return False
    if any(ambient.match(line) for each in around for line in lines[each.line - 1 : each.line]):
        return True
    own = lines[node.start_line - 1 : node.line]
    is_inside = bool(own) and own[0].startswith((" ", "\t")) and "." not in node.qualified
    return any(ambient.match(line) for line in (lines[: node.line] if is_inside else own))


def _has_registered(node: Node, nested: NestedSymbols, lines: Sequence[str]) -> bool:
    """Tell whether a decorator registers a symbol, the type around it, or a member of it."""
    owner = nested.owner(node)
    related = (node, *([owner] if owner else ()), *nested.members(node))
    return any(_is_registered(each, lines) for each in related)


def _is_registered(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a decorator or attribute registers a definition, so that a framework runs it.

    The decorator is in a line above the definition or in its own line.
    """
    above = (_DECORATOR.match(line) for line in lines[node.start_line - 1 : node.line - 1])
    beside = lines[node.line - 1].partition(node.name)[0] if node.line <= len(lines) else ""
    names = [match.group(1) for match in above if match] + _DECORATOR_BESIDE.findall(beside)
    return any(re.split(r"[.:]+", name)[-1] not in _passive_decorators() for name in names)


@cache
def _passive_decorators() -> frozenset[str]:
    return frozenset[str]().union(*(known.passive_decorators for known in LANGUAGES.values()))


def _overrides(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a function is marked as called by other code.

    It is if it has the mark of an override or a callback, or is an operator. A method that calls
    the method that it overrides counts too.
    """
    if node.kind not in FUNCTION_KINDS:
        return False
    language = LANGUAGES[node.language]
    body = lines[node.line - 1 : node.end_line]
    if language.calls_overridden and any(map(language.calls_overridden(node.name).search, body)):
        return True
    if language.implicit_method and language.implicit_method.match(node.signature):
        return True
    head = "\n".join(lines[node.start_line - 1 : node.line])
    if node.kind == SymbolKind.METHOD and language.override_mark.search(head):
        return True
    return language.callback_mark is not None and language.callback_mark.search(head) is not None


def _is_used_where_defined(node: Node, lines: Sequence[str]) -> bool:
    is_used = LANGUAGES[node.language].is_used_where_defined
    return is_used is not None and is_used(node, lines)
