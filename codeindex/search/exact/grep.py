"""Every line with a match: all are counted, a page of them is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.languages import LANGUAGES
from codeindex.query.cursor import decode_cursor
from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.search.exact.matchers import Matcher, TextBlock
from codeindex.search.exact.pattern import LinePattern, PatternRequest
from codeindex.search.exact.texts import (
    UnstoredFiles,
    UnstoredTexts,
    filter_files,
    searchable_files,
    stored_texts,
)
from codeindex.search.unsearched_files import count_unsearched_files
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.nodes import enclosing_symbols, file_nodes, innermost_symbol
from codeindex.types import Filters, SafeText

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class GrepInput:
    """What is asked; `limit` and `per_file` 0 are for all lines, `spans` for the places in them.

    Files go by their paths, or the `likely_first`: code that much uses, then documents, then tests.
    """

    repo: str
    wanted: PatternRequest
    patterns: tuple[LinePattern, ...]
    said: SafeText
    filters: Filters
    before: int = 0
    after: int = 0
    limit: int = 0
    cursor: str = ""
    spans: bool = False
    per_file: int = 0
    likely_first: bool = False
    symbols: bool = False
    """Name the innermost symbol round each line."""


_UNKNOWN = (1, True, 0.0)
_Matches = dict[str, dict[int, str]]
"""By path, the text of each line that matches, by its number."""


def grep_lines(
    connection: sqlite3.Connection, asked: GrepInput, matcher: Matcher, beside: UnstoredFiles
) -> GrepResult:
    """Return the lines that match, one page of them, and the counts of all."""
    (version,) = connection.execute("SELECT max(version) FROM generations").fetchone()
    start = decode_cursor(asked.cursor, version=version) if asked.cursor else 0
    files = searchable_files(connection, beside.files)
    paths = filter_files(files, asked.filters)
    is_all = len(paths) == len(files.ids)
    reading = UnstoredTexts(beside, asked.patterns, {one: paths[one] for one in paths if one < 0})
    found = _gathered(
        matcher.lines(stored_texts(connection, asked.patterns, paths, is_all=is_all)), paths
    )
    found |= _gathered(matcher.lines(reading.each()), paths)
    order = _likely_first(connection, found) if asked.likely_first else sorted(found)
    wanted = list(_in_order({path: found[path] for path in order}, asked.per_file or None))
    page = wanted[start : start + asked.limit if asked.limit else None]
    lines = _with_context(connection, page, asked, reading.texts)
    lines = _with_symbols(connection, lines) if asked.symbols else lines
    return GrepResult(
        repo=asked.repo,
        query=asked.said,
        mode=asked.wanted.mode,
        lines=_marked(lines, matcher) if asked.spans else lines,
        counts={path: len(found[path]) for path in order},
        start=start,
        has_more=start + len(page) < len(wanted),
        index_version=version,
        searched_files=len(paths) - len(reading.failed),
        not_searched=count_unsearched_files(connection, asked.filters),
        unread=tuple(reading.failed),
        per_file=asked.per_file,
    )


def _gathered(found: Iterable[tuple[TextBlock, list[int]]], paths: Mapping[int, str]) -> _Matches:
    matches: _Matches = {}
    for one, numbers in found:
        lines = one.text.split("\n")
        own = matches.setdefault(paths[one.file], {})
        own.update((one.first + at, lines[at]) for at in numbers)
    return matches


def _in_order(found: _Matches, per_file: int | None) -> Iterator[GrepLine]:
    for path, lines in found.items():
        for number, text in sorted(lines.items())[:per_file]:
            yield GrepLine(path, number, SafeText(text))


def _likely_first(connection: sqlite3.Connection, paths: Iterable[str]) -> list[str]:
    """Sort files by how likely one of them is what somebody looks for who may not see all."""
    rows = connection.execute("SELECT path, is_test, language, centrality FROM files")
    known = {
        path: (is_test, not LANGUAGES[language].symbols, -centrality)
        for path, is_test, language, centrality in rows
    }
    return sorted(paths, key=lambda one: (*known.get(one, _UNKNOWN), one))


def _with_context(
    connection: sqlite3.Connection,
    page: Sequence[GrepLine],
    asked: GrepInput,
    texts: Mapping[str, SafeText],
) -> tuple[GrepLine, ...]:
    """Add the lines round matches, each once."""
    if not (asked.before or asked.after):
        return tuple(page)
    by_path: dict[str, dict[int, GrepLine]] = {}
    for one in page:
        by_path.setdefault(one.path, {})[one.line] = one
    found: list[GrepLine] = []
    for path, own in by_path.items():
        lines = (texts.get(path) or stored_text(connection, path)).removesuffix("\n").split("\n")
        near = {
            number
            for line in own
            for number in range(
                max(line - asked.before, 1), min(line + asked.after, len(lines)) + 1
            )
        }
        found += (
            own.get(number) or GrepLine(path, number, SafeText(lines[number - 1]), is_match=False)
            for number in sorted(near)
        )
    return tuple(found)


def _with_symbols(
    connection: sqlite3.Connection, lines: Sequence[GrepLine]
) -> tuple[GrepLine, ...]:
    """Name the innermost symbol round each line that has one; several lines, as a type has."""
    files = {one.path: one.file_id for one in file_nodes(connection, {one.path for one in lines})}
    around = {path: enclosing_symbols(connection, id_) for path, id_ in files.items()}
    return tuple(
        one._replace(symbol=innermost_symbol(around.get(one.path, ()), one.line)) for one in lines
    )


def _marked(lines: Sequence[GrepLine], matcher: Matcher) -> tuple[GrepLine, ...]:
    """Say where in each line that matches it does."""
    spans = iter(matcher.spans([one.text for one in lines if one.is_match]))
    return tuple(one._replace(spans=tuple(next(spans))) if one.is_match else one for one in lines)
