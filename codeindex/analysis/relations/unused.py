"""Find symbols that no code is known to use: candidates for removal.

Symbols that code may reach without naming them are left out: exports, tests, entry points, special
names, decorated functions, and overrides of base methods.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import groupby
from typing import NamedTuple

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.relations.implicit_calls import (
    exclude_implicitly_called,
    types_of_frameworks,
)
from codeindex.analysis.relations.name_mentions import (
    FUNCTION_KINDS,
    NOWHERE_ELSE,
    NameMentions,
    NameScope,
    is_recorded,
    name_scope,
)
from codeindex.analysis.visibility import (
    CLOSED_SCOPES,
    exported_names,
    is_explicitly_public,
    is_export_line,
    public_ids,
)
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import FileRecord, list_paths
from codeindex.store.catalog.unparsed_code import code_without_words, incomplete_files
from codeindex.store.graph.usage import count_possible_calls, read_reexports, read_used_symbols
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import OWNER_KINDS, Node, SymbolKind, first_unread, name_unread
from codeindex.types.report import DataReport, Table, make_table
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
_MAIN = re.compile(r"^w?[Mm]ain$|[a-z_]Main$|_t?main$")
"""Matches functions that a launcher starts: `main`, `nailMain`, `SDL_main`, `wmain`."""
_ENUM_LIKE = frozenset({SymbolKind.ENUM, SymbolKind.STRUCT, SymbolKind.UNION})
_DECLARATOR = re.compile(r"\s*\**\s*\w")
_CONFIGURATION = re.compile(r"^#\s*define\s+\w+\s*(?:1\s*)?$")
_INCLUDE = re.compile(r"^\s*#\s*include\b")
_TYPEDEF = re.compile(r"^\s*typedef\b")
_REGISTERED = re.compile(r"^\s*(?:@|#\[|\[)\s*([\w.:]+)")
_BESIDE = re.compile(r"(?:^|\s)@([\w.:]+)")
_PUBLIC = re.compile(r"\b(?:public|protected|open)\b")
"""Matches declarations that external code may use, or override in a subclass."""
_PUBLIC_EXTENSION = re.compile(r"(?:public|open)\s+extension\b")
_EXTERN = re.compile(r'^\s*extern\s+"C"')
"""Matches functions that other programs, such as a fuzzer, call by name."""
_RUN_BY_LOADER = re.compile(
    r"(?:__attribute__\s*\(\(|\[\[)"
    r"(?:\((?:[^()]|\([^()]*\))*\)|(?!\)\)|\]\])[^;{(])*?\b(?:gnu::)?_*"
    r"(?:constructor|destructor|used|retain|section|interrupt|signal|alias|ifunc|init_priority)_*\b"
    r"|\b__declspec\s*\(\s*dllexport\b"
)
"""Matches attributes of C and C++ functions and variables that the loader, the linker or the
hardware uses. The second line matches the attributes before it, with their arguments."""
_OTHER_CODE = re.compile("[;{}]")
"""Matches a line above a C function that is not only attributes: it has a statement or a body."""
_AMBIENT = re.compile(r"\s*(?:export\s+)?declare\s+(?:global|module|namespace)\b")
_CALLBACK = re.compile(r"^\s*@impl\b", re.MULTILINE)
_HEADERS = (".h", ".hh", ".hpp", ".hxx")
_CLASS_EXPRESSION = re.compile(r"[=(,:?\[]\s*class\s|\b(?:return|extends)\s+class\s")
"""Matches a class that is defined as a value (`const A = class B {}`), which counts as a use of
it."""
_OVERRIDE = re.compile(r"@[Oo]verride\b|\boverride\b|#\[\\?Override\]")

_ONLY_DECLARED = "nothing uses it, and only a header declares it"


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
        likely = "1 symbol is" if self.total_likely == 1 else f"{self.total_likely:,} symbols are"
        yield f"{likely} likely unused: an estimate"
        if self.truncated:
            yield f"the first {len(self.symbols):,} are shown: --limit shows more"
        if possible and all(symbol.confidence == "likely" for symbol in self.symbols):
            more = f"{possible} more have no certain use"
            yield f"{more}: `codeindex unused --include-possible` shows them too"
        if self.unread:
            named = name_unread(self.unread, self.unread_paths)
            which = f" ({named})" if named else ""
            files = "1 file" if self.unread == 1 else f"{self.unread:,} files"
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
    public = public_ids(connection, nodes, declared)
    known = _Known(declared, public, NameMentions(connection))
    nodes = list(_drop_exported(connection, nodes, known, exported=exported))
    nodes = exclude_implicitly_called(connection, nodes)
    incomplete = frozenset(file.path for file in incomplete_files(connection))
    reader = _EvidenceReader(connection, known, nodes, incomplete, exported=exported)
    return _weigh_evidence(connection, nodes, known, reader)


class _Known(NamedTuple):
    """Data about the searched code that several steps of `_search_files` need.

    `declared` are all symbols of the searched files; `public` are the ids of candidates that other
    files may use; `mentions` reads the text of each file once.
    """

    declared: Sequence[Node]
    public: Collection[int]
    mentions: NameMentions


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
        any(owner in CLOSED_SCOPES or owner == SymbolKind.MACRO for owner in owners)
        or (literal and not in_class)
        or node.name.endswith("=")
    )


def _is_entry(node: Node) -> bool:
    special = node.name.startswith("__") and node.name.endswith("__")
    top = "." not in node.qualified
    hook = node.name.lower().startswith(("test", "pytest_"))
    return special or hook or (top and node.name in _ENTRY_NAMES) or _is_for_others(node)


def _is_main(node: Node) -> bool:
    return node.kind in FUNCTION_KINDS and _MAIN.search(node.name) is not None


def _is_for_others(node: Node) -> bool:
    """Tell whether a symbol is meant for code that may not be in the repository.

    Such symbols are declarations in a header or a `.d.ts` file, macros for the compiler,
    enumerations of C and C++, and constants of an enumeration, which keep their position even if
    nothing uses them.
    """
    language = LANGUAGES[node.language]
    is_header = language.separate_declarations and node.path.endswith(_HEADERS)
    if is_header and not node.signature.startswith("static"):
        return True
    if language.separate_declarations and node.kind == SymbolKind.ENUM:  # its name may be left out
        return True
    if language.declaration_suffixes and node.path.endswith(language.declaration_suffixes):
        return True
    if language.enumerated is not None and node.kind == SymbolKind.CONSTANT:
        return language.enumerated.search(node.signature) is not None
    if node.kind != SymbolKind.MACRO or language.toolchain_macros is None:
        return False
    return bool(language.toolchain_macros.match(node.name))


def _drop_exported(
    connection: sqlite3.Connection, nodes: Sequence[Node], known: _Known, *, exported: bool
) -> Iterator[Node]:
    """Yield the symbols that are neither exported nor registered by a decorator.

    With `exported`, exported symbols are yielded too. Four kinds are always left out: registered
    symbols, members of a registered type, types with a registered member, such as a test, and
    methods that are marked as overrides.
    """
    if not exported:  # texts are read for the others only
        nodes = [node for node in nodes if not _is_marked_public(node, known.public)]
    passed_on = read_reexports(connection)
    paths = {node.path for node in nodes}
    declared = _Declared(node for node in known.declared if node.path in paths)
    for path, group in groupby(nodes, key=lambda node: node.path):
        text = known.mentions.text(path)
        lines = text.split("\n")
        for node in group:
            owner = declared.owner(node)
            if not exported and (
                _is_promised(node, owner, lines)
                or (node.id in known.public and _is_passed_on(node, text, passed_on))
                or _is_global(node, declared.enclosing(node), lines)
            ):
                continue
            around = (node, *([owner] if owner else ()), *declared.members(node))
            called = (
                any(_is_registered(each, lines) for each in around)
                or _overrides(node, lines)
                or _is_class_expression(node, lines)
                or _is_used_in_place(node, lines)
                or _configures_headers(node, lines)
                or _is_run_by_loader(node, lines)
            )
            if not called:
                yield node


def _is_promised(node: Node, owner: Node | None, lines: Sequence[str]) -> bool:
    """Tell whether a mark at a symbol or at its owner makes it available to other code."""
    return (
        _PUBLIC.search(node.signature.partition(node.name)[0]) is not None
        or is_export_line(node, lines)
        or _makes_public(owner)
        or _is_extern(node, lines)
    )


def _is_marked_public(node: Node, public: Collection[int]) -> bool:
    return node.id in public and is_explicitly_public(node, named=False)


def _is_passed_on(node: Node, text: str, passed_on: Collection[tuple[str, str]]) -> bool:
    """Tell whether an export list or a re-export makes a symbol available to other code.

    `text` is the text of its file. `passed_on` are the (path, name) of re-exported symbols.
    """
    outermost = node.qualified.partition(".")[0]
    return (node.path, outermost) in passed_on or outermost in exported_names(node.language, text)


class _Declared:
    """The declared symbols by path and qualified name: owners, members, enclosing symbols."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._every: dict[tuple[str, str], Node] = {}
        self._owners: dict[tuple[str, str], list[Node]] = {}
        self._members: dict[tuple[str, str], list[Node]] = {}
        for node in nodes:
            self._every.setdefault((node.path, node.qualified), node)
            if node.kind in OWNER_KINDS:
                self._owners.setdefault((node.path, node.qualified), []).append(node)
            self._members.setdefault(_owner_key(node), []).append(node)

    def owner(self, node: Node) -> Node | None:
        """Return the type that owns a symbol, or the extension of it that contains the symbol."""
        return _owner_around(node, self._owners.get(_owner_key(node), ()))

    def members(self, node: Node) -> Sequence[Node]:
        """Return the members of a type; () for any other symbol."""
        key = (node.path, node.qualified)
        return self._members.get(key, ()) if node.kind in OWNER_KINDS else ()

    def enclosing(self, node: Node) -> Iterator[Node]:
        """Yield the symbols around a symbol, the outermost first."""
        parts = node.qualified.split(".")
        for end in range(1, len(parts)):
            if around := self._every.get((node.path, ".".join(parts[:end]))):
                yield around


def _owner_key(node: Node) -> tuple[str, str]:
    return node.path, node.qualified.rpartition(".")[0]


def _owner_around(node: Node, owners: Sequence[Node]) -> Node | None:
    """Return the first of `owners` whose lines contain `node`.

    `owners` are the type that owns the node and its extensions, which share one name. If none
    contains the node, return the first owner; None without owners.
    """
    around = (each for each in owners if each.start_line <= node.line <= each.end_line)
    return next(around, owners[0] if owners else None)


def _is_extern(node: Node, lines: Sequence[str]) -> bool:
    head = lines[max(0, node.start_line - 2) : node.line]
    return node.kind in FUNCTION_KINDS and any(_EXTERN.search(line) for line in head)


def _is_run_by_loader(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether an attribute of a C function or variable has it used without a call."""
    if not LANGUAGES[node.language].separate_declarations:
        return False
    above = lines[max(0, node.start_line - 2) : node.line - 1]
    above = [line for line in above if not _OTHER_CODE.search(line)]
    head = "\n".join((*above, lines[node.line - 1].partition("{")[0]))
    return _RUN_BY_LOADER.search(head) is not None


def _makes_public(owner: Node | None) -> bool:
    """Tell whether an owner type makes all of its members public.

    A public interface and a public extension in Swift do so.
    """
    if owner is None:
        return False
    is_interface = owner.kind == SymbolKind.INTERFACE and _PUBLIC.search(owner.signature)
    return bool(is_interface) or _PUBLIC_EXTENSION.match(owner.signature) is not None


def _is_global(node: Node, owners: Iterable[Node], lines: Sequence[str]) -> bool:
    """Tell whether a declaration adds to a type of the runtime or of another module.

    In TypeScript, `declare global` does so. `owners` are the definitions around the node.
    """
    if any(_AMBIENT.match(line) for each in owners for line in lines[each.line - 1 : each.line]):
        return True
    own = lines[node.start_line - 1 : node.line]
    inner = bool(own) and own[0].startswith((" ", "\t")) and "." not in node.qualified
    return any(_AMBIENT.match(line) for line in (lines[: node.line] if inner else own))


def _overrides(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a function is marked as called by other code.

    It is if it has the mark of an override, an operator, or Elixir's `@impl`. A method that calls
    the method that it overrides counts too.
    """
    if node.kind not in FUNCTION_KINDS:
        return False
    language = LANGUAGES[node.language]
    body = lines[node.line - 1 : node.end_line]
    if language.calls_overridden and any(map(language.calls_overridden(node.name).search, body)):
        return True
    head = "\n".join(lines[node.start_line - 1 : node.line])
    implicit = language.implicit_method
    is_implicit = implicit is not None and implicit.match(node.signature) is not None
    is_marked = node.kind == SymbolKind.METHOD and _OVERRIDE.search(head) is not None
    return is_implicit or is_marked or _CALLBACK.search(head) is not None


def _configures_headers(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a macro without a value is defined above an `#include`.

    The included header may read the macro.
    """
    line = lines[node.line - 1] if node.line <= len(lines) else ""
    is_setting = node.kind == SymbolKind.MACRO and _CONFIGURATION.match(line) is not None
    return is_setting and any(map(_INCLUDE.match, lines[node.line :]))


def _is_used_in_place(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a C type is used where it is defined: by a `typedef` or a variable."""
    if node.kind not in _ENUM_LIKE:
        return False
    head = lines[max(0, node.line - 2) : node.line]
    after = lines[node.end_line - 1].rpartition("}")[2] if node.end_line <= len(lines) else ""
    is_variable = LANGUAGES[node.language].separate_declarations and _DECLARATOR.match(after)
    return bool(is_variable) or any(map(_TYPEDEF.match, head))


def _is_class_expression(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a class is a value in an expression, as in `const A = class B {}`.

    `lines` are those of its file.
    """
    line = lines[node.line - 1] if node.line <= len(lines) else ""
    before = line.partition(node.name)[0]
    is_class = node.kind == SymbolKind.CLASS and LANGUAGES[node.language].object_methods
    return is_class and _CLASS_EXPRESSION.search(before) is not None


def _is_registered(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a decorator or attribute registers a definition, so that a framework runs it.

    The decorator is in a line above the definition or in its own line.
    """
    above = (_REGISTERED.match(line) for line in lines[node.start_line - 1 : node.line - 1])
    beside = lines[node.line - 1].partition(node.name)[0] if node.line <= len(lines) else ""
    names = [match.group(1) for match in above if match] + _BESIDE.findall(beside)
    return any(re.split(r"[.:]+", name)[-1] not in _passive_decorators() for name in names)


@cache
def _passive_decorators() -> frozenset[str]:
    return frozenset[str]().union(*(known.passive_decorators for known in LANGUAGES.values()))


class _Evidence(NamedTuple):
    """The evidence that something may use a symbol to which no edge leads.

    `scope` is where its name counts. `is_in_header` means that all other files with the name only
    declare it; `mentions` is 0 then.
    """

    calls: int
    mentions: int
    scope: NameScope
    is_in_header: bool
    is_recorded: bool
    offered: bool
    answers_by_name: bool
    is_for_a_tool: bool
    is_unlisted: bool
    has_unnamed_uses: bool
    extends_other_code: bool
    is_in_incomplete_file: bool
    is_called_by_name: bool


class _EvidenceReader:
    """Reads for each of `nodes`, to which no edge leads, the evidence that something may use it.

    `incomplete` are the paths of the files that were read only in part. With `exported`, uses by
    other repositories do not count.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        known: _Known,
        nodes: Sequence[Node],
        incomplete: Collection[str],
        *,
        exported: bool,
    ) -> None:
        self._known, self._incomplete, self._exported = known, incomplete, exported
        self._libraries = _Libraries(connection)
        self._calls = count_possible_calls(connection, {node.name for node in nodes})
        paths = {node.path for node in nodes}
        near = [node for node in known.declared if node.path in paths]
        self._dispatching = _owners_of(near, _is_dispatcher)
        self._types = _types_by_file(near)
        self._taking: dict[str, frozenset[str]] = {}
        self._unnamed = _owners_of(near, _is_used_unnamed)
        self._extending = types_of_frameworks(connection)

    def of_symbol(self, node: Node, scope: NameScope) -> _Evidence:
        """Return the evidence that something uses a symbol; `scope` is where its name counts."""
        text, key = self._known.mentions.text(node.path), (node.path, node.qualified)
        is_public, is_offered = node.id in self._known.public, self._libraries.offers(node)
        mentions = self._known.mentions.beside(node, scope)
        is_declared = self._known.mentions.all_declare(node, mentions)
        return _Evidence(
            calls=self._calls.get(node.name, 0) if node.kind == SymbolKind.METHOD else 0,
            mentions=0 if is_declared else mentions,
            scope=replace(scope, remark=_ONLY_DECLARED) if is_declared else scope,
            is_in_header=is_declared and not self._exported,
            is_recorded=scope.within == node.path or is_recorded(node.name),
            offered=not self._exported and is_public and is_offered,
            answers_by_name=_owner_key(node) in self._dispatching
            or self._is_taken_by_value(node, text),
            is_for_a_tool=_is_of_tool_build(node, text),
            is_unlisted=is_offered and _is_unlisted(node, text),
            has_unnamed_uses=key in self._unnamed or _is_used_unnamed(node),
            extends_other_code=key in self._extending,
            is_in_incomplete_file=node.path in self._incomplete,
            is_called_by_name=is_public and LANGUAGES[node.language].duck_typed,
        )

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


def _weigh_evidence(
    connection: sqlite3.Connection, nodes: Sequence[Node], known: _Known, reader: _EvidenceReader
) -> Iterator[UnusedSymbol]:
    """Yield each node as an `UnusedSymbol`: `possible` if something may use it, else `likely`."""
    unread = _UnreadCode(connection)
    for node in nodes:
        text = known.mentions.text(node.path)
        scope = name_scope(node, text, is_public=node.id in known.public)
        evidence = reader.of_symbol(node, scope)
        doubt = _doubt(node, evidence) or (
            "code builds names like this one" if known.mentions.builds_name(node) else ""
        )
        yield UnusedSymbol(
            file=node.path,
            name=node.qualified,
            kind=node.kind,
            line=node.line,
            lines=node.end_line - node.start_line + 1,
            confidence="possible" if doubt else "likely",
            possible_calls=evidence.calls,
            mentions=evidence.mentions,
            reason=doubt or unread.limited(node, evidence.scope),
        )


def _owners_of(members: Iterable[Node], selects: Callable[[Node], bool]) -> set[tuple[str, str]]:
    """Return (path, qualified name) of the owner of each member for which `selects` is true."""
    return {_owner_key(member) for member in members if selects(member)}


def _is_dispatcher(member: Node) -> bool:
    return member.name in LANGUAGES[member.language].dispatchers


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
        """Tell whether a symbol is below the folder of a library's manifest.

        Other repositories may then use it.
        """
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


def _places(count: int) -> str:
    return "1 other place" if count == 1 else f"{count:,} other places"


def _doubt(node: Node, evidence: _Evidence) -> str:
    """Return the reason why a symbol may be used although no use is known; '' without one."""
    unnamed = evidence.has_unnamed_uses and node.kind in OWNER_KINDS
    method = node.kind == SymbolKind.METHOD
    texts = [
        f"{evidence.calls} calls may mean it" if evidence.calls else "",
        f"its name is in {_places(evidence.mentions)}" if evidence.mentions else "",
        "a header declares it, perhaps for other programs" if evidence.is_in_header else "",
        "" if evidence.is_recorded else "its name is too short to know which files have it",
        "it is public in a library" if evidence.offered else "",
        "it may satisfy an interface of other code" if _may_implement(node) else "",
        "a library may call it by its name" if method and evidence.is_called_by_name else "",
        "a program may look it up in the package" if _is_package_function(node) else "",
        "its file was not wholly understood" if evidence.is_in_incomplete_file else "",
        "this file may add to a type of a library" if _may_reopen(node) else "",
        "the runtime or a library may call it" if _is_protocol_method(node) else "",
        "its type answers calls by name" if evidence.answers_by_name else "",
        "its file is built for a tool" if evidence.is_for_a_tool else "",
        "its name is public, but the file's list of exports lacks it"
        if evidence.is_unlisted
        else "",
        "code may use it without its name" if unnamed else "",
        "code may find it by its base type" if evidence.extends_other_code else "",
    ]
    return ", ".join(filter(None, texts))


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


def _is_package_function(node: Node) -> bool:
    """Tell whether a function is at the top level of the file that makes a folder a package."""
    name = LANGUAGES[node.language].package_file
    return bool(name) and node.kind == SymbolKind.FUNCTION and f"/{node.path}".endswith(f"/{name}")


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


def _is_of_tool_build(node: Node, text: str) -> bool:
    """Tell whether a file is built only for a tool, such as a linter.

    The tool may find functions by their types. `text` is the text of the file.
    """
    build = LANGUAGES[node.language].tool_build
    return build is not None and build.search(text) is not None


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
