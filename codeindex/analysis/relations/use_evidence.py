"""Weigh what speaks for uses of a symbol to which no edge leads: calls, mentions, conventions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from codeindex.analysis.relations.implicit_calls import types_of_frameworks
from codeindex.analysis.relations.name_mentions import (
    NOWHERE_ELSE,
    NameScope,
    is_recorded,
    name_scope,
)
from codeindex.analysis.relations.searched_code import SearchedCode, owners_of
from codeindex.analysis.visibility import exported_names
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import list_paths
from codeindex.store.catalog.unparsed_code import code_without_words, incomplete_files
from codeindex.store.graph.usage import count_possible_calls
from codeindex.types import OWNER_KINDS, Node, SymbolKind
from codeindex.types.report import plural
from codeindex.types.unused_symbol import UnusedSymbol

_ONLY_DECLARED = "nothing uses it, and only a header declares it"


def weigh_evidence(
    code: SearchedCode, nodes: Sequence[Node], *, exported: bool
) -> Iterator[UnusedSymbol]:
    """Yield each node as an `UnusedSymbol`: `possible` if something may use it, else `likely`.

    With `exported`, uses by other repositories do not count.
    """
    evidence = _Evidence(code, nodes, exported=exported)
    unread = _UnreadCode(code.connection)
    for node in nodes:
        text = code.mentions.text(node.path)
        scope = name_scope(node, text, is_public=node.id in code.public)
        calls = evidence.calls(node)
        mentions = code.mentions.beside(node, scope)
        is_declared = code.mentions.all_declare(node, mentions)
        if is_declared:  # all other files with the name only declare it
            mentions, scope = 0, replace(scope, remark=_ONLY_DECLARED)
        reasons = [
            f"{plural(calls, 'call')} may mean it" if calls else "",
            f"its name is in {plural(mentions, 'other place')}" if mentions else "",
            "a header declares it, perhaps for other programs"
            if is_declared and not exported
            else "",
            *evidence.reasons(node, text, scope),
        ]
        doubt = ", ".join(filter(None, reasons)) or (
            "code builds names like this one" if code.mentions.builds_name(node) else ""
        )
        yield UnusedSymbol(
            file=node.path,
            name=node.qualified,
            kind=node.kind,
            line=node.line,
            lines=node.end_line - node.start_line + 1,
            confidence="possible" if doubt else "likely",
            possible_calls=calls,
            mentions=mentions,
            reason=doubt or unread.limited(node, scope),
        )


class _Evidence:
    """Finds for each of `nodes`, to which no edge leads, why something may use it."""

    def __init__(self, code: SearchedCode, nodes: Sequence[Node], *, exported: bool) -> None:
        self._public, self._exported = code.public, exported
        incomplete = incomplete_files(code.connection)
        self._incomplete = frozenset(file.path for file in incomplete)
        self._libraries = _Libraries(code.connection)
        self._calls = count_possible_calls(code.connection, {node.name for node in nodes})
        near = code.declared_beside(nodes)
        self._types = _types_by_file(near)
        self._taking: dict[str, frozenset[str]] = {}
        self._unnamed = owners_of(near, _is_used_unnamed)
        self._extending = types_of_frameworks(code.connection)

    def calls(self, node: Node) -> int:
        """Return how many calls on receivers of unknown type may mean a method."""
        return self._calls.get(node.name, 0) if node.kind == SymbolKind.METHOD else 0

    def reasons(self, node: Node, text: str, scope: NameScope) -> Iterator[str]:
        """Yield why something may use a symbol although no code names it.

        `text` is the text of its file, `scope` is where its name counts.
        """
        key = (node.path, node.qualified)
        is_public, is_offered = node.id in self._public, self._libraries.offers(node)
        is_method, is_owner = node.kind == SymbolKind.METHOD, node.kind in OWNER_KINDS
        is_unnamed = key in self._unnamed or _is_used_unnamed(node)
        cases = (
            (
                scope.within != node.path and not is_recorded(node.name),
                "its name is too short to know which files have it",
            ),
            (not self._exported and is_public and is_offered, "it is public in a library"),
            (_may_implement(node), "it may satisfy an interface of other code"),
            (
                is_method and is_public and LANGUAGES[node.language].duck_typed,
                "a library may call it by its name",
            ),
            (node.path in self._incomplete, "its file was not wholly understood"),
            (_may_reopen(node), "this file may add to a type of a library"),
            (_is_protocol_method(node), "the runtime or a library may call it"),
            (self._is_taken_by_value(node, text), "its type answers calls by name"),
            (
                is_offered and _is_unlisted(node, text),
                "its name is public, but the file's list of exports lacks it",
            ),
            (is_unnamed and is_owner, "code may use it without its name"),
            (key in self._extending, "code may find it by its base type"),
        )
        return (reason for holds, reason in cases if holds)

    def _is_taken_by_value(self, member: Node, text: str) -> bool:
        """Tell whether a type around a method accesses its own members by computed names."""
        if member.kind != SymbolKind.METHOD:
            return False
        if member.path not in self._taking:
            types = self._types.get(member.path, ())
            self._taking[member.path] = _types_that_take_by_value(types, text)
        parts = member.qualified.split(".")
        owners = (".".join(parts[:end]) for end in range(1, len(parts)))
        return any(owner in self._taking[member.path] for owner in owners)


def _types_by_file(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    """Return {path: types in this file}."""
    types: dict[str, list[Node]] = {}
    for node in nodes:
        if node.kind in OWNER_KINDS:
            types.setdefault(node.path, []).append(node)
    return types


def _types_that_take_by_value(types: Sequence[Node], text: str) -> frozenset[str]:
    """Return the qualified names of types that access their own members by computed names.

    An example is `getattr(self, name)`. `types` are the types of a file, `text` is its text.
    """
    patterns = {
        pattern for type_ in types if (pattern := LANGUAGES[type_.language].member_by_value)
    }
    lines = text.split("\n") if any(pattern.search(text) for pattern in patterns) else []
    found = set()
    for type_ in types if lines else ():
        pattern = LANGUAGES[type_.language].member_by_value
        if pattern and pattern.search("\n".join(lines[type_.line - 1 : type_.end_line])):
            found.add(type_.qualified)
    return frozenset(found)


def _is_used_unnamed(node: Node) -> bool:
    """Tell whether code can use a symbol without writing its name, or the name of its type.

    The pattern `Language.used_unnamed` decides this by the signature, and
    `Language.platform_namespace` by the qualified name.
    """
    language = LANGUAGES[node.language]
    if language.platform_namespace and node.qualified.startswith(language.platform_namespace):
        return True
    pattern = language.used_unnamed
    return pattern is not None and pattern.search(node.signature) is not None


class _UnreadCode:
    """Finds code that the index could not read, and that may use symbols of its language."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._paths: dict[str, list[str]] = {}

    def limited(self, node: Node, scope: NameScope) -> str:
        """Return the remark of a scope; add "as far as code was read" if code in it was not read.

        Only unread code of the symbol's language counts.
        """
        if scope.within == node.path or not any(
            path.startswith(scope.within) or scope.within.startswith(path.rstrip("/"))
            for path in self._of(node.language)
        ):
            return scope.remark
        if scope.remark == NOWHERE_ELSE:
            return "no code that was read uses it or has its name"
        return f"{scope.remark}, as far as code was read"

    def _of(self, language: str) -> list[str]:
        if language not in self._paths:
            unread = code_without_words(self._connection, language)
            self._paths[language] = [file.path for file in unread]
        return self._paths[language]


class _Libraries:
    """Finds the folders of libraries, whose public names other repositories may use."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._folders: dict[str, set[str]] = {}
        self._paths = frozenset(list_paths(connection))

    def offers(self, node: Node) -> bool:
        """Tell whether a symbol is below a library's manifest: other repositories may use it."""
        language = LANGUAGES[node.language]
        folders = self._folders.get(node.language)
        if folders is None:
            manifests = language.library_manifests
            places = (path.rpartition("/") for path in self._paths)
            folders = {
                f"{folder}/"
                for folder, _, name in places
                if any(fnmatchcase(name, manifest) for manifest in manifests)
            }
            self._folders[node.language] = folders
        return any(node.path.startswith(folder.removeprefix("/")) for folder in folders)


def _may_implement(node: Node) -> bool:
    """Tell whether a method may implement an interface from outside of the repository.

    This is possible in languages where types implement interfaces without naming them.
    """
    language = LANGUAGES[node.language]
    return (
        node.kind == SymbolKind.METHOD
        and language.method_shape is not None
        and language.visibility.by_name(node.name)
    )


def _may_reopen(node: Node) -> bool:
    """Tell whether a file may add to a type of a library: the type itself, or the type of a member.

    In languages with reopened types, the path of the file decides. A file defines its own type if
    the path fits: for `Shop::Cart`, `lib/shop/cart.rb` or `app/models/shop/cart.rb`; for members,
    any file below `shop`.
    """
    if not LANGUAGES[node.language].reopened_types:
        return False
    owner = node.qualified if node.kind in OWNER_KINDS else node.qualified.rpartition(".")[0]
    if not owner:  # a constant outside of all types can be read everywhere: `APP_PATH` of Rails
        return node.kind == SymbolKind.CONSTANT
    *folders, name = node.path.rpartition(".")[0].split("/")
    roots = [at for at, folder in enumerate(folders) if folder in {"lib", "app"}]
    first = roots[0] + (1 if folders[roots[0]] == "lib" else 2) if roots else len(folders) + 1
    first += folders[first : first + 1] == ["concerns"]
    below = [part.replace("_", "") for part in (*folders, name)[first:]]
    parts = owner.lower().replace("_", "").split(".")
    is_type = node.kind in OWNER_KINDS
    return below[:1] != parts[:1] or (is_type and below[-1] != parts[-1])


def _is_unlisted(node: Node, text: str) -> bool:
    """Tell whether a symbol is public by its name, but missing in the file's export list.

    Other repositories may import it all the same. `text` is the text of the file.
    """
    listed = exported_names(node.language, text)
    outermost = node.qualified.partition(".")[0]
    is_public = LANGUAGES[node.language].visibility.by_name(outermost)
    return bool(listed) and outermost not in listed and is_public


def _is_protocol_method(node: Node) -> bool:
    return "." in node.qualified and node.name in LANGUAGES[node.language].protocol_members
