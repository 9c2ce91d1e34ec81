"""Find every matching line: count all, return one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.languages import LANGUAGES
from codeindex.query.cursor import decode_cursor
from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.search.exact.matchers import Matcher, TextBlock
from codeindex.search.exact.pattern import LinePattern, Mode
from codeindex.search.exact.texts import (
    UnstoredFiles,
    UnstoredTexts,
    filter_files,
    searchable_files,
    stored_texts,
)
from codeindex.search.unsearched_files import count_unsearched_files
from codeindex.store.catalog.connection import published_version
from codeindex.store.catalog.file_columns import FileTraits, file_traits
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.nodes import enclosing_symbols, file_nodes, innermost_symbol
from codeindex.types import Filters, SafeText

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class GrepInput:
    """The patterns, filters and wanted page of an exact search.

    A `limit` or `per_file` of 0 means no limit. Files are ordered by path; with `likely_first`,
    code comes before documents and documents before tests, central files first. `spans` and
    `symbols` tell whether to fill in these fields of the lines.
    """

    repo: str
    query: SafeText
    mode: Mode
    patterns: tuple[LinePattern, ...]
    filters: Filters
    before: int = 0
    after: int = 0
    limit: int = 0
    cursor: str = ""
    spans: bool = False
    per_file: int = 0
    likely_first: bool = False
    symbols: bool = False


_UNKNOWN = FileTraits(is_test=1, language="text", centrality=0.0)
"""Traits of files that are not in the catalog: they come last."""
_Matches = dict[str, dict[int, str]]
"""Maps a path to its matching lines, which are texts by line number."""


def grep_lines(
    connection: sqlite3.Connection, search: GrepInput, matcher: Matcher, unstored: UnstoredFiles
) -> GrepResult:
    """Return one page of the matching lines, and the number of matches of every file."""
    version = published_version(connection)
    start = decode_cursor(search.cursor, version=version) if search.cursor else 0
    files = searchable_files(connection, unstored.files)
    paths = filter_files(files, search.filters)
    is_all = len(paths) == len(files.ids)
    unstored_paths = {id_: path for id_, path in paths.items() if id_ < 0}
    reader = UnstoredTexts(unstored, search.patterns, unstored_paths)
    stored = stored_texts(connection, search.patterns, paths, is_all=is_all)
    matches = _collect(matcher.lines(stored), paths)
    matches |= _collect(matcher.lines(reader.read_all()), paths)
    order = _likely_first(connection, matches) if search.likely_first else sorted(matches)
    wanted = list(_in_order({path: matches[path] for path in order}, search.per_file or None))
    page = wanted[start : start + search.limit if search.limit else None]
    lines = _with_context(connection, page, search, reader.texts)
    lines = _with_symbols(connection, lines) if search.symbols else lines
    return GrepResult(
        repo=search.repo,
        query=search.query,
        mode=search.mode,
        lines=_with_spans(lines, matcher) if search.spans else lines,
        counts={path: len(matches[path]) for path in order},
        start=start,
        has_more=start + len(page) < len(wanted),
        index_version=version,
        searched_files=len(paths) - len(reader.failed),
        not_searched=count_unsearched_files(connection, search.filters),
        unread=tuple(reader.failed),
        per_file=search.per_file,
    )


def _collect(blocks: Iterable[tuple[TextBlock, list[int]]], paths: Mapping[int, str]) -> _Matches:
    matches: _Matches = {}
    for block, offsets in blocks:
        lines = block.text.split("\n")
        own = matches.setdefault(paths[block.file], {})
        own.update((block.first + offset, lines[offset]) for offset in offsets)
    return matches


def _in_order(matches: _Matches, per_file: int | None) -> Iterator[GrepLine]:
    for path, lines in matches.items():
        for number, text in sorted(lines.items())[:per_file]:
            yield GrepLine(path, number, SafeText(text))


def _likely_first(connection: sqlite3.Connection, paths: Iterable[str]) -> list[str]:
    """Sort files: code before documents before tests, central files first."""
    traits = file_traits(connection)

    def order(path: str) -> tuple[int, bool, float, str]:
        own = traits.get(path, _UNKNOWN)
        return own.is_test, not LANGUAGES[own.language].symbols, -own.centrality, path

    return sorted(paths, key=order)


def _with_context(
    connection: sqlite3.Connection,
    page: Sequence[GrepLine],
    search: GrepInput,
    texts: Mapping[str, SafeText],
) -> tuple[GrepLine, ...]:
    """Add the lines before and after the matches; each line is returned once."""
    if not (search.before or search.after):
        return tuple(page)
    by_path: dict[str, dict[int, GrepLine]] = {}
    for line in page:
        by_path.setdefault(line.path, {})[line.line] = line
    shown: list[GrepLine] = []
    for path, own in by_path.items():
        lines = (texts.get(path) or stored_text(connection, path)).removesuffix("\n").split("\n")
        near = {
            number
            for at in own
            for number in range(max(at - search.before, 1), min(at + search.after, len(lines)) + 1)
        }
        shown += (
            own.get(number) or GrepLine(path, number, SafeText(lines[number - 1]), is_match=False)
            for number in sorted(near)
        )
    return tuple(shown)


def _with_symbols(
    connection: sqlite3.Connection, lines: Sequence[GrepLine]
) -> tuple[GrepLine, ...]:
    """Add the innermost symbol around each line."""
    files = {node.path: node.file_id for node in file_nodes(connection, {it.path for it in lines})}
    around = {path: enclosing_symbols(connection, file) for path, file in files.items()}
    return tuple(
        line._replace(symbol=innermost_symbol(around.get(line.path, ()), line.line))
        for line in lines
    )


def _with_spans(lines: Sequence[GrepLine], matcher: Matcher) -> tuple[GrepLine, ...]:
    """Add to each matching line the spans of its matches."""
    spans = iter(matcher.spans([line.text for line in lines if line.is_match]))
    return tuple(
        line._replace(spans=tuple(next(spans))) if line.is_match else line for line in lines
    )
