"""Read the source of symbols or lines from the catalog, where secrets are redacted."""

from __future__ import annotations

import difflib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from codeindex.analysis.file_selection import (
    catalog_path,
    file_sharing_end,
    refuse_skipped_file,
    select_file,
)
from codeindex.analysis.outline.collapse import collapse_blocks
from codeindex.analysis.outline.source_sections import SourceSections
from codeindex.analysis.subject import (
    find_symbols,
    is_spelled_differently,
    symbols_with_last_name,
    unique_keys,
)
from codeindex.errors import QueryError
from codeindex.graph.dispatch import possible_callees_below, subtypes
from codeindex.languages import LANGUAGES, language_for_path
from codeindex.store.catalog.files import FileRecord, check_line, files_under, stored_text
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import symbols_by_id, symbols_by_name
from codeindex.text.clauses import MOST_WHOLE_LINES, Clause, clause_head, find_clauses
from codeindex.text.short_names import shorten_name
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Node, SymbolKind
from codeindex.types.source import NumberedLine, SourceClause, SourceSection

MAX_SOURCE_LINES = 3_000
"""Most lines per request: a large file. Answers to agents are cut by their characters instead
(`mcp.output_limits`), after lines that do not concern a question have been left out."""
_CONTEXT_LINES = 20
"""Lines that are shown above and below a requested `path:line`: about a screen."""
_MAX_ELSEWHERE = 5
"""Most other definitions of a name that are listed."""
_MAX_IMPLEMENTERS = 10
"""Most types that are named for each requested interface."""
_INTERFACE_KINDS = frozenset({SymbolKind.INTERFACE, SymbolKind.TRAIT})


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """What to read of a file: its symbols, else its lines, or the whole file if both are missing.

    `expand` is the number of lines to add before and after; `collapse` hides deeper blocks.
    """

    symbols: tuple[str, ...] = ()
    start_line: int = 0
    end_line: int = 0
    expand: int = 0
    collapse: bool = False


def read_source(connection: sqlite3.Connection, path: str, wanted: SourceRequest) -> SourceSections:
    """Return lines of a file; raise QueryError for an unknown symbol or for lines beyond the end.

    The path may include lines, as in `a.py:10-20`. Without a path, symbols are resolved in the
    whole repository; a single name that is not a symbol is tried as a path.
    """
    if not path.strip() and len(wanted.symbols) == 1:
        (text,) = wanted.symbols
        if not symbols_by_name(connection, text):
            path, wanted = text, replace(wanted, symbols=())
    path, wanted, others = _split_path(connection, path, wanted)
    sections = (
        _read_anywhere(connection, wanted) if not path else _read_file(connection, path, wanted)
    )
    return replace(sections, elsewhere=(*sections.elsewhere, *others))


def _read_file(connection: sqlite3.Connection, path: str, wanted: SourceRequest) -> SourceSections:
    """Read the lines or symbols in `wanted` of the file at `path`."""
    file = _known_file(connection, path) or select_file(connection, path)
    lines = _read_lines(connection, file.path)
    _check_lines(wanted, file, len(lines))
    left = MAX_SOURCE_LINES
    sections = list[SourceSection]()
    otherwise = [] if f"/{file.path}".endswith(f"/{catalog_path(path)}") else [file.path]
    for node, start, end in _find_spans(connection, file, wanted, len(lines)):
        if node and not any(symbol.endswith(node.qualified) for symbol in wanted.symbols):
            is_other = any(is_spelled_differently(symbol, node) for symbol in wanted.symbols)
            otherwise += [node.qualified] * is_other
        sections.append(_make_section(lines, node, (start, end), wanted, left))
        left -= len(sections[-1].lines)
    return SourceSections(
        file.path,
        file.language,
        len(lines),
        tuple(sections),
        spelt_otherwise=tuple(dict.fromkeys(otherwise)),
    )


def _split_path(
    connection: sqlite3.Connection, path: str, wanted: SourceRequest
) -> tuple[str, SourceRequest, Sequence[str]]:
    """Parse a place such as `a.py`, `a.py:10-20`, `Cart.add` or `Cart.add:10`.

    Return (path, request, other places that the text may mean). The request is `wanted` with the
    lines or the symbol of the place. The path is '' if the text is only a symbol's name; an indexed
    path is returned as it is.
    """
    text = path.strip()
    if not text or files_under(connection, catalog_path(text)):
        return text, wanted, ()
    if lines := re.fullmatch(r"(.+?):(\d+)(?:-(\d+))?", text):
        place, first, last = lines.groups()
        file = _known_file(connection, place)
        if file and not wanted.start_line:
            start, end = int(first), int(last or first)
            check_line(place, start, file.lines)
            # an end beyond the last line means the last line
            check_line(place, min(end, file.lines), file.lines)
            around = 0 if last else wanted.expand or _CONTEXT_LINES
            return place, replace(wanted, start_line=start, end_line=end, expand=around), ()
        if not wanted.symbols and (nodes := symbols_by_name(connection, place)):
            return _split_name(connection, place, nodes, (int(first), int(last or 0)), wanted)
        if "/" in place or language_for_path(catalog_path(place)):
            return place, wanted, ()
    is_path = "::" not in text and ("/" in text or language_for_path(catalog_path(text)))
    if not wanted.symbols and (symbols_by_name(connection, text) or not is_path):
        return "", replace(wanted, symbols=(text,)), ()
    return text, wanted, ()


def _split_name(
    connection: sqlite3.Connection,
    name: str,
    nodes: Sequence[Node],
    lines: tuple[int, int],
    wanted: SourceRequest,
) -> tuple[str, SourceRequest, Sequence[str]]:
    """Return (path, request, other places) for a symbol's name with a first and last line.

    `nodes` are the symbols of that name. If the last line is 0, the request selects the symbol
    around the first line or, in a long function, the clause around it. The other places are the
    symbols of that name in other files which contain that line number, too. Raise QueryError if no
    symbol contains it.
    """
    first, last = lines
    around = [node for node in nodes if node.start_line <= first <= node.end_line]
    if not around:
        places = ", ".join(f"{node.path}:{node.start_line}-{node.end_line}" for node in nodes[:3])
        raise QueryError(f"Line {first} is in no definition of {name!r}: it is in {places}.")
    node = min(around, key=lambda one: (one.line != first, -one.start_line))
    others = [f"{one.key}:{first}" for one in around if one.path != node.path]
    if last:
        return node.path, replace(wanted, start_line=first, end_line=last), others
    file_lines = _read_lines(connection, node.path) if _may_have_clauses(node) else ()
    for clause in _clauses(file_lines, node):
        if clause.start_line <= first <= clause.end_line:
            start, end = clause.start_line, clause.end_line
            return node.path, replace(wanted, start_line=start, end_line=end), others
    return "", replace(wanted, symbols=(unique_keys(nodes)[node.id],)), others


def _known_file(connection: sqlite3.Connection, path: str) -> FileRecord | None:
    """Return the file at a path whose leading folders may be missing or wrong.

    None if no file or several files fit. Raise QueryError with the reason for a file that discovery
    left out.
    """
    wanted = catalog_path(path)
    if files := files_under(connection, wanted):
        return files[0] if files[0].path == wanted else None
    refuse_skipped_file(connection, wanted)
    return file_sharing_end(connection, wanted)


def _read_anywhere(connection: sqlite3.Connection, wanted: SourceRequest) -> SourceSections:
    """Read the symbols in `wanted` from any file.

    Of a name with several definitions, the first is read, with others that `_namesakes` returns. A
    method without a body is read with methods that implement it.
    """
    if not wanted.symbols:
        raise QueryError("The subject is missing: give a path, or symbols.")
    _check_request(wanted)
    matches = {name: _find_symbols(connection, name) for name in wanted.symbols}
    result = [sorted(nodes, key=_is_member_value) for nodes, _ in matches.values()]
    home = select_file(connection, result[0][0].path)
    left, sections = MAX_SOURCE_LINES, list[SourceSection]()
    bodies = [_implementations(connection, nodes[0]) for nodes in result]
    taken = [
        [*_namesakes(nodes), *_first_fitting(found)]
        for nodes, found in zip(result, bodies, strict=True)
    ]
    for node in dict.fromkeys(node for nodes in taken for node in nodes):
        lines = _read_lines(connection, node.path)
        span = (node.start_line, node.end_line)
        section = _make_section(lines, node, span, wanted, left)
        sections.append(replace(section, file=node.path if node.path != home.path else ""))
        left -= len(section.lines)
    others = [
        f"{node.key}:{node.line}"
        for nodes, found, own in zip(result, bodies, taken, strict=True)
        for node in [one for one in (*nodes, *found) if not _is_within(one, own)][:_MAX_ELSEWHERE]
    ]
    otherwise = tuple(
        node.qualified
        for (name, (_, has_name)), (node, *_) in zip(matches.items(), result, strict=True)
        if is_spelled_differently(name, node) or not has_name
    )
    implementers = [_implementers(connection, nodes[0]) for nodes in result]
    return SourceSections(
        home.path,
        home.language,
        home.lines,
        tuple(sections),
        tuple(others),
        otherwise,
        tuple(name for names in implementers for name in names[:_MAX_IMPLEMENTERS]),
        sum(map(len, implementers)),
    )


def _find_symbols(connection: sqlite3.Connection, name: str) -> tuple[list[Node], bool]:
    """Return (symbols with a name, True); if none, (the only one with its last part, False).

    The owner in a name may be a guess: `FeedDAO.cleanOldEntries` leads to the one `cleanOldEntries`
    that there is. Raise QueryError if there is none, or more than one.
    """
    try:
        return find_symbols(connection, name), True
    except QueryError:
        others = [node for node in symbols_with_last_name(connection, name) if node.has_body]
        if len(others) != 1:
            raise
        return others, False


def _implementers(connection: sqlite3.Connection, node: Node) -> Sequence[str]:
    """Return the short names of the types that implement an interface; () for another symbol."""
    if node.kind not in _INTERFACE_KINDS:
        return ()
    found = subtypes(connection, node)
    types = sorted(
        symbols_by_id(connection, found),
        key=lambda it: (bool(it.is_test), found[it.id] != "resolved"),
    )
    return list(dict.fromkeys(shorten_name(it.qualified, it.path) for it in types))


def _is_member_value(node: Node) -> bool:
    """Tell whether a symbol is neither a function nor a type, such as a field or variable.

    Functions and types are preferred to such symbols.
    """
    return node.kind not in CALLABLE_KINDS | OWNER_KINDS


def _namesakes(nodes: Sequence[Node]) -> list[Node]:
    """Return the first of `nodes` and, if it is a function, the functions with the same key.

    These are its overloads or, in Elixir, functions of the same name with another number of
    parameters. If they are long together, only the longest is returned: short overloads hand their
    arguments on to it.
    """
    first = nodes[0]
    if first.kind not in CALLABLE_KINDS:
        return [first]
    same = [node for node in nodes if (node.key, node.kind) == (first.key, first.kind)]
    if sum(map(_length, same)) > MOST_WHOLE_LINES:
        return [max(same, key=_length)]
    return sorted(same, key=lambda node: node.line)


def _implementations(connection: sqlite3.Connection, node: Node) -> Sequence[Node]:
    """Return the methods with a body that implement a method without one, code before tests."""
    if node.kind != SymbolKind.METHOD or node.has_body:
        return ()
    found = possible_callees_below(connection, [node])
    others = [other for other in symbols_by_id(connection, found) if other.has_body]
    return sorted(others, key=lambda it: (bool(it.is_test), found[it.id] != "resolved"))


def _first_fitting(nodes: Sequence[Node]) -> Sequence[Node]:
    """Return the first nodes, which have at most `MOST_WHOLE_LINES` together; at least one."""
    ends = accumulate(map(_length, nodes))
    return nodes[: max(1, sum(end <= MOST_WHOLE_LINES for end in ends))]


def _length(node: Node) -> int:
    return node.end_line - node.start_line + 1


def _is_within(node: Node, outer: Sequence[Node]) -> bool:
    return any(
        node.path == one.path and one.start_line <= node.line <= one.end_line for one in outer
    )


def _read_lines(connection: sqlite3.Connection, path: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in stored_text(connection, path).split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    return lines


def _make_section(
    lines: Sequence[str], node: Node | None, span: tuple[int, int], wanted: SourceRequest, most: int
) -> SourceSection:
    start, end = max(1, span[0] - wanted.expand), min(len(lines), span[1] + wanted.expand)
    shown_lines: list[NumberedLine] = list(enumerate(lines[start - 1 : end], start))
    shown_lines = collapse_blocks(shown_lines) if wanted.collapse else shown_lines
    return SourceSection(
        symbol=node.qualified if node else "",
        kind=node.kind if node else "",
        start_line=start,
        end_line=end,
        lines=tuple(shown_lines[:most]),
        truncated=len(shown_lines) > most,
        line=node.line if node else 0,
        clauses=tuple(_source_clauses(lines, node)) if node else (),
    )


def _source_clauses(lines: Sequence[str], node: Node) -> Iterator[SourceClause]:
    for clause in _clauses(lines, node):
        own = enumerate(lines[clause.start_line - 1 : clause.end_line], clause.start_line)
        yield SourceClause(clause.line, clause_head(lines, clause, node.name), tuple(own))


def _may_have_clauses(node: Node) -> bool:
    """Tell whether a symbol is a long function in a language with clauses."""
    is_long = node.end_line - node.line >= MOST_WHOLE_LINES
    return is_long and node.kind in CALLABLE_KINDS and LANGUAGES[node.language].has_clauses


def _clauses(lines: Sequence[str], node: Node) -> Sequence[Clause]:
    """Return the clauses of a long function; () for other symbols."""
    if not _may_have_clauses(node):
        return ()
    return find_clauses(lines, node.name, line=node.line, end_line=node.end_line)


def _find_spans(
    connection: sqlite3.Connection, file: FileRecord, wanted: SourceRequest, lines: int
) -> Iterator[tuple[Node | None, int, int]]:
    if not wanted.symbols:
        yield None, wanted.start_line or 1, min(wanted.end_line or lines, lines)
    for name in dict.fromkeys(wanted.symbols):
        for node in find_symbols_in_file(connection, file, name):
            yield node, node.start_line, node.end_line


def find_symbols_in_file(connection: sqlite3.Connection, file: FileRecord, name: str) -> list[Node]:
    """Return the symbols of a file with a name, outer ones first.

    Raise QueryError if there is none.
    """
    nodes = symbols_by_name(connection, f"{file.path}::{name}")
    if nodes:
        return sorted(nodes, key=lambda node: (node.start_line, -node.end_line))
    own_names = [node.qualified for node in declarations_in(connection, [file.id])]
    near = difflib.get_close_matches(name, own_names, 3, 0.5)
    near += [own for own in own_names if own.rpartition(".")[2].lower() == name.lower()]
    hint = f": did you mean {' or '.join(dict.fromkeys(near))}?" if near else "."
    raise QueryError(f"No symbol of '{file.path}' is called {name!r}{hint}")


def _check_request(wanted: SourceRequest) -> None:
    if wanted.symbols and (wanted.start_line or wanted.end_line):
        raise QueryError("Ask for symbols or for lines, not for both.")
    numbers = (wanted.start_line, wanted.end_line, wanted.expand)
    if any(type(number) is not int or number < 0 for number in numbers):
        raise QueryError("Lines are counted from 1, and `expand` is a number of lines.")


def _check_lines(wanted: SourceRequest, file: FileRecord, lines: int) -> None:
    _check_request(wanted)
    if wanted.start_line:
        check_line(file.path, wanted.start_line, lines)
    if wanted.end_line and wanted.end_line < wanted.start_line:
        raise QueryError(f"Line {wanted.end_line} is before line {wanted.start_line}.")
