"""Find symbols that no code is known to use: candidates for removal.

Symbols that code may reach without naming them are left out: exports, tests, entry points, special
names, decorated functions, and overrides of base methods.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.relations.exposed_symbols import drop_exposed
from codeindex.analysis.relations.implicit_calls import exclude_implicitly_called
from codeindex.analysis.relations.name_mentions import FUNCTION_KINDS, NameMentions
from codeindex.analysis.relations.searched_code import SearchedCode
from codeindex.analysis.relations.use_evidence import weigh_evidence
from codeindex.analysis.visibility import public_ids
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import FileRecord
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.usage import read_used_symbols
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import BODY_KINDS, OWNER_KINDS, Node, SymbolKind, first_unread, name_unread
from codeindex.types.report import DataReport, Table, make_table, plural
from codeindex.types.unused_symbol import UnusedByFile, UnusedSymbol

_CHECKED_KINDS = (OWNER_KINDS - {SymbolKind.IMPL}) | {
    SymbolKind.FUNCTION,
    SymbolKind.METHOD,
    SymbolKind.CONSTANT,
    SymbolKind.MACRO,
}
"""Fields and properties are not checked, because a read of one is unknown if the type of its
receiver is."""
_ENTRY_NAMES = frozenset({"main", "init", "setup", "teardown", "run", "default", "conftest"})


@dataclass(frozen=True, slots=True)
class UnusedSymbols(DataReport):
    """An estimate of the unused symbols; possible ones are listed only on request, but are counted.

    `unread` counts the code files whose uses are not known or not completely known.
    """

    path: str
    symbols: tuple[UnusedSymbol, ...]
    total: int
    total_likely: int
    unread: int
    truncated: bool
    estimate: bool = True
    unread_paths: tuple[str, ...] = ()
    """Paths of the first of the unread files."""

    def columns(self) -> Table:
        header = ("file", "line", "kind", "name", "confidence", "reason")
        return make_table(self.symbols, header)

    def text(self) -> Iterator[str]:
        possible = self.total - self.total_likely
        likely = plural(self.total_likely, "symbol is", "symbols are")
        yield f"{likely} likely unused: an estimate"
        if self.truncated:
            yield f"the first {len(self.symbols):,} are shown: --limit shows more"
        if possible and all(symbol.confidence == "likely" for symbol in self.symbols):
            more = f"{possible} more have no certain use"
            yield f"{more}: `codeindex unused --include-possible` shows them too"
        if self.unread:
            named = name_unread(self.unread, self.unread_paths)
            which = f" ({named})" if named else ""
            files = plural(self.unread, "file")
            yield f"{files} of code may use them: left out, or not wholly understood{which}"
        for symbol in self.symbols:
            yield f"{symbol.file}:{symbol.line}: {symbol.kind} {symbol.name}  ({symbol.reason})"


def find_unused(
    connection: sqlite3.Connection,
    path: str = "",
    *,
    exported: bool = False,
    include_possible: bool = False,
    limit: int,
    cached: UnusedByFile | None = None,
) -> UnusedSymbols:
    """Return the symbols below a path that have no known use.

    Likely ones are first, then those with the fewest possible uses, then the longest. `cached` has
    what earlier questions have found in the same state of the catalog.
    """
    files = select_files(connection, path)
    code = [file for file in files if LANGUAGES[file.language].symbols]
    read = [file for file in code if LANGUAGES[file.language].relations]
    doubted = {file.path for file in code if not LANGUAGES[file.language].relations}
    own_files = [file for file in read if not file.is_test and not file.is_generated]
    symbols = _symbols_of_files(
        connection, own_files, {} if cached is None else cached, exported=exported
    )
    languages = {file.language for file in own_files}
    files_with_gaps = incomplete_files(connection, languages=languages) if languages else ()
    symbols.sort(
        key=lambda symbol: (
            symbol.confidence != "likely",
            symbol.possible_calls + symbol.mentions,
            -symbol.lines,
            symbol.file,
            symbol.line,
        )
    )
    shown = [symbol for symbol in symbols if include_possible or symbol.confidence == "likely"]
    unread = list(dict.fromkeys((*(file.path for file in files_with_gaps), *sorted(doubted))))
    return UnusedSymbols(
        path=path,
        symbols=tuple(shown[:limit]),
        total=len(symbols),
        total_likely=sum(symbol.confidence == "likely" for symbol in symbols),
        unread=len(unread),
        unread_paths=first_unread(unread),
        truncated=len(shown) > limit,
    )


def _symbols_of_files(
    connection: sqlite3.Connection,
    files: Sequence[FileRecord],
    cached: UnusedByFile,
    exported: bool,
) -> list[UnusedSymbol]:
    """Return the unused symbols of files, taken from `cached` for the files that are in it.

    The other files are searched, and their symbols added to `cached`. With `exported`, exported
    symbols are returned too.
    """
    missing = {file.path: file.id for file in files if (file.id, exported) not in cached}
    if missing:
        found: dict[int, list[UnusedSymbol]] = {file: [] for file in missing.values()}
        for symbol in _search_files(connection, missing.values(), exported=exported):
            found[missing[symbol.file]].append(symbol)
        cached.update(((file, exported), tuple(symbols)) for file, symbols in found.items())
    return [symbol for file in files for symbol in cached[file.id, exported]]


def _search_files(
    connection: sqlite3.Connection, files: Iterable[int], *, exported: bool
) -> Iterator[UnusedSymbol]:
    """Yield the symbols of these files (ids) that have no known use, sorted by file and line."""
    declared = declarations_in(connection, files)
    nodes = [node for node in _without_edges(connection, declared) if not _is_entry(node)]
    code = SearchedCode(
        connection, declared, public_ids(connection, nodes, declared), NameMentions(connection)
    )
    nodes = list(drop_exposed(code, nodes, exported=exported))
    nodes = exclude_implicitly_called(connection, nodes)
    return weigh_evidence(code, nodes, exported=exported)


def _without_edges(connection: sqlite3.Connection, nodes: Sequence[Node]) -> list[Node]:
    """Return the symbols that no code outside of their own definition uses.

    Local symbols of functions are left out. A type counts as used if one of its members is used.
    Definitions with the same qualified name share their uses.
    """
    used = read_used_symbols(connection)
    reached = {(node.path, node.qualified) for node in nodes if node.id in used}  # by name
    reached |= {(node.path, node.qualified) for node in nodes if _is_main(node)}
    reached |= {(path, name.rpartition(".")[0]) for path, name in reached}
    kinds = {(node.path, node.qualified): node.kind for node in reversed(nodes)}
    return [
        node
        for node in nodes
        if node.kind in _CHECKED_KINDS
        and (node.path, node.qualified) not in reached
        and not _is_local(node, kinds)
    ]


def _is_local(node: Node, kinds: Mapping[tuple[str, str], str]) -> bool:
    """Tell whether other code cannot use a symbol by its name.

    This is so for symbols local to a function, members of object literals, setters, and definitions
    in a macro, which belong to the code that uses the macro. `kinds` is by (path, qualified name).
    """
    parts = node.qualified.split(".")
    owners = [kinds.get((node.path, ".".join(parts[:at]))) for at in range(1, len(parts))]
    literal = node.kind == SymbolKind.METHOD and LANGUAGES[node.language].object_methods
    in_class = bool(owners) and owners[-1] == SymbolKind.CLASS
    return (
        any(owner in BODY_KINDS or owner == SymbolKind.MACRO for owner in owners)
        or (literal and not in_class)
        or node.name.endswith("=")
    )


def _is_entry(node: Node) -> bool:
    special = node.name.startswith("__") and node.name.endswith("__")
    top = "." not in node.qualified
    plugin_hook = LANGUAGES[node.language].plugin_hook
    is_hook = node.name.lower().startswith("test") or (
        plugin_hook is not None and plugin_hook.match(node.name) is not None
    )
    return special or is_hook or (top and node.name in _ENTRY_NAMES) or _is_for_others(node)


def _is_main(node: Node) -> bool:
    launched = LANGUAGES[node.language].launched
    return node.kind in FUNCTION_KINDS and launched.search(node.name) is not None


def _is_for_others(node: Node) -> bool:
    """Tell whether a symbol is meant for code that may not be in the repository.

    Such symbols are declarations in a header or a `.d.ts` file, macros for the compiler,
    enumerations of C and C++, and constants of an enumeration, which keep their position even if
    nothing uses them.
    """
    language = LANGUAGES[node.language]
    is_header = node.path.endswith(language.header_suffixes)
    if is_header and not node.signature.startswith("static"):
        return True
    if language.separate_declarations and node.kind == SymbolKind.ENUM:  # its name may be left out
        return True
    if node.path.endswith(language.declaration_suffixes):
        return True
    if language.enumerated is not None and node.kind == SymbolKind.CONSTANT:
        return language.enumerated.search(node.signature) is not None
    if node.kind != SymbolKind.MACRO or language.toolchain_macros is None:
        return False
    return bool(language.toolchain_macros.match(node.name))
