"""Resolve the name of the symbol that a question is about."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from codeindex.analysis.file_selection import catalog_path, refuse_skipped_file, suggest_paths
from codeindex.analysis.text_places import describe_text_places, find_text_places
from codeindex.errors import QueryError
from codeindex.store.catalog.files import list_paths, stored_text
from codeindex.store.symbols.declarations import similar_names
from codeindex.store.symbols.nodes import symbols_by_name, symbols_with_names
from codeindex.store.symbols.written_names import overload_suffix, parse_written_name
from codeindex.text.short_names import shorten_name
from codeindex.text.truncate import name_some
from codeindex.text.words import fold_name
from codeindex.types import CALLABLE_KINDS, Node, SymbolKind

_MAX_SHOWN = 10
"""Most definitions in printed text, which is a screen; JSON has all."""
_MOST_NEAR = 3
"""Most names in an error that have another owner than the one that is unknown."""


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """A symbol or file to which a name was resolved.

    `key` is its unique name, like `a.py::Cart.add`.
    """

    key: str
    file: str
    line: int
    declares: bool = False
    """True for a prototype or abstract method, if another symbol of the same name has a body."""

    @property
    def name(self) -> str:
        """The qualified name of the symbol, '' for a file."""
        return self.key.rpartition("::")[2] if "::" in self.key else ""


def unique_keys(nodes: Sequence[Node]) -> dict[int, str]:
    """Return {node id: unique key}, like `a.py::Cart.add`.

    Overloads get their parameter types as a suffix.
    """
    counts = Counter(node.key for node in nodes)
    return {
        node.id: node.key + overload_suffix(node.signature, node.name)
        if counts[node.key] > 1
        else node.key
        for node in nodes
    }


def list_definitions(nodes: Iterable[Node]) -> tuple[ResolvedName, ...]:
    """Return a `ResolvedName` for each node, in the same order."""
    ordered = list(nodes)
    keys = unique_keys([node for node in ordered if node.id])
    with_body = {node.name for node in ordered if node.has_body}
    return tuple(
        ResolvedName(
            keys.get(node.id, node.key),
            node.path,
            node.line,
            declares=is_declaration(node, with_body),
        )
        for node in ordered
    )


def is_declaration(node: Node, with_body: Container[str]) -> bool:
    """Tell whether a node is only the declaration of a function, like a prototype in a C header.

    This is so if the node has no body, but another function of its name has one. `with_body` has
    the names of the functions with a body.
    """
    return node.is_bodiless and node.name in with_body


def describe_definitions(definitions: Sequence[ResolvedName]) -> Iterator[str]:
    """Yield lines of text that list definitions; for several, say how to choose one."""
    whole = [definition for definition in definitions if not definition.declares] or list(
        definitions
    )
    declared = ", ".join(
        f"{definition.file}:{definition.line}"
        for definition in definitions
        if definition not in whole
    )
    declarations = f" (declared at {declared})" if declared else ""
    types = {(definition.file, definition.name) for definition in whole}
    whole = [item for item in whole if (item.file, _owner_of_same_name(item.name)) not in types]
    if len(whole) == 1:
        yield f"of {_format_place(whole[0])}{declarations}"
        return
    first = whole[0]
    in_one_file = all(definition.file == first.file for definition in whole)
    example = shorten_name(first.name, first.file) if in_one_file else first.key
    yield f"{len(whole)} symbols have this name: ask for one like '{example}'{declarations}"
    yield from (f"  of {_format_place(definition)}" for definition in whole[:_MAX_SHOWN])
    if len(whole) > _MAX_SHOWN:
        yield f"  and {len(whole) - _MAX_SHOWN} more"


def _owner_of_same_name(name: str) -> str | None:
    """Return the owner if it is called like its member, `a.Cart` of the constructor `a.Cart.Cart`.

    Return None if it is not, or if there is no owner.
    """
    owner, _, last = name.rpartition(".")
    return owner if owner and owner.rpartition(".")[2] == last else None


def _format_place(definition: ResolvedName) -> str:
    return (
        f"{definition.file}:{definition.line} {shorten_name(definition.name, definition.file)}"
        if definition.name
        else definition.file
    )


def find_symbols(connection: sqlite3.Connection, name: str) -> list[Node]:
    """Return the symbols with a name, best first; if none, raise QueryError with similar names."""
    if not name.strip():
        raise QueryError("The symbol is missing: name it, like `Cart.add` or `shop/cart.py::add`.")
    nodes = symbols_by_name(connection, name)
    if nodes:
        is_defined = any(_may_be_used(node) and not _is_prototype(node) for node in nodes)
        if is_defined:
            return nodes
        return sorted(with_definitions(connection, nodes), key=_is_prototype)
    path = catalog_path(name)
    refuse_skipped_file(connection, path)
    if path in list_paths(connection):
        raise QueryError(
            f"'{path}' is a file: name a symbol in it, like `{path}::name`. `outline` lists them,"
            " and `impact` and `context` take files."
        )
    others = dict.fromkeys(node.qualified for node in symbols_with_last_name(connection, name))
    near = list(others)[:_MOST_NEAR] or similar_names(connection, parse_written_name(name).last)
    hint = f": did you mean {' or '.join(near)}?" if near else "."
    # hooks import this module and need no language
    from codeindex.store.catalog.unparsed_code import incomplete_files

    unread = [file.path for file in incomplete_files(connection)]
    rest = f" It may be in code that is not read completely: {name_some(unread)}." if unread else ""
    places, is_cut = find_text_places(connection, name)
    text = f" {describe_text_places(places[0], len(places), is_cut=is_cut)}." if places else ""
    raise QueryError(f"No symbol is called {name!r}{hint}{text}{rest}")


def symbols_with_last_name(connection: sqlite3.Connection, name: str) -> list[Node]:
    """Return the symbols with the last part of a name, whatever their file and owner."""
    return symbols_by_name(connection, parse_written_name(name).last)


def _may_be_used(node: Node) -> bool:
    """Tell whether edges may lead to a symbol.

    Edges never lead to a declaration, such as one in a `.d.ts` file, but to its definition.
    """
    from codeindex.languages import LANGUAGES  # hooks import this module and need no language

    language = LANGUAGES[node.language]
    suffixes = language.declaration_suffixes
    is_declared = bool(suffixes) and node.path.endswith(suffixes)
    is_head = language.overload_heads and node.is_bodiless
    return not (is_head or is_declared)


def with_definitions(connection: sqlite3.Connection, nodes: Sequence[Node]) -> list[Node]:
    """Return `nodes`, followed by the definitions of the declarations among them.

    Edges for the uses of a declared symbol lead to its definition. That of a C prototype has the
    same qualified name, and is in the same file or in the one source of the header that has it; if
    several sources have it, edges lead to the prototype itself. Other definitions are in the same
    file or in one with the same name, like `a.js` for `a.d.ts`.
    """
    found = {node.id: node for node in nodes}
    declared = [node for node in nodes if _is_prototype(node) or not _may_be_used(node)]
    others = symbols_with_names(connection, {node.name for node in declared}) if declared else []
    sources = _sources_by_header(connection, declared)
    for node in declared:
        same = [other for other in others if other.qualified == node.qualified]
        if _is_prototype(node):
            same = _bodies_of(node, same, sources[node.path])
        else:
            same = [it for it in same if _stem(it.path) == _stem(node.path) and _may_be_used(it)]
        found |= {other.id: other for other in same}
    return [*found.values()]


def _is_prototype(node: Node) -> bool:
    from codeindex.languages import LANGUAGES  # hooks import this module and need no language

    is_separate = bool(node.id) and LANGUAGES[node.language].separate_declarations
    return is_separate and node.is_bodiless


def _sources_by_header(
    connection: sqlite3.Connection, declared: Iterable[Node]
) -> dict[str, frozenset[str]]:
    """Return {path of a prototype: paths of the sources that may define it}."""
    from codeindex.languages import LANGUAGES  # hooks import this module and need no language
    from codeindex.languages.source_tree import DEFINITIONS_MODULE, SourceTree

    languages = {node.path: LANGUAGES[node.language] for node in declared if _is_prototype(node)}
    if not languages:
        return {}
    tree = SourceTree(list_paths(connection), partial(stored_text, connection))
    places = {
        path: language.locate(tree, path, DEFINITIONS_MODULE) if language.locate else None
        for path, language in languages.items()
    }
    return {path: frozenset(place.files if place else ()) for path, place in places.items()}


def _bodies_of(node: Node, same: Iterable[Node], sources: Container[str]) -> list[Node]:
    """Return the definitions of a prototype, all in one file, among symbols of its name.

    A static function is only used in its own file; a static method is not bound to a file.
    """
    bodies = [other for other in same if other.has_body and other.kind in CALLABLE_KINDS]
    own = [other for other in bodies if other.path == node.path]
    if own or _is_local(node):
        return own
    found = [other for other in bodies if other.path in sources and not _is_local(other)]
    return found if len({other.path for other in found}) == 1 else []


def _is_local(node: Node) -> bool:
    return node.signature.startswith("static") and node.kind != SymbolKind.METHOD


def _stem(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.partition(".")[0]


def is_spelled_differently(requested: str, node: Node) -> bool:
    """Tell whether a symbol matches the requested name only if case and underscores are ignored."""
    parts = parse_written_name(requested).dotted.split(".")
    pairs = zip(reversed(parts), reversed(node.qualified.split(".")), strict=False)
    return any(
        part != own_part and fold_name(part) == fold_name(own_part) for part, own_part in pairs
    )


def find_file_path(connection: sqlite3.Connection, path: str) -> str:
    """Return a path as it is indexed.

    For an unknown path, raise QueryError with the nearest paths.
    """
    wanted = path.strip().replace("\\", "/").removeprefix("./").rstrip("/")
    known_paths = list_paths(connection)
    if wanted in known_paths:
        return wanted
    refuse_skipped_file(connection, wanted)
    raise QueryError(f"No indexed file is called {path!r}{suggest_paths(wanted, known_paths)}")
