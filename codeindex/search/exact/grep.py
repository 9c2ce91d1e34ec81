"""Find all lines that match a text or a regular expression; return one page of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.search.exact.matchers import Matcher, TextBlock
from codeindex.search.exact.page import FoundLines, MatchingLines, PageRequest, make_page
from codeindex.search.exact.pattern import LinePattern
from codeindex.search.exact.scan import MatchSpan
from codeindex.search.exact.texts import (
    UnstoredFiles,
    UnstoredTexts,
    filter_files,
    searchable_files,
    stored_texts,
)
from codeindex.store.catalog.connection import published_version


def grep_lines(
    connection: sqlite3.Connection,
    request: PageRequest,
    patterns: Sequence[LinePattern],
    matcher: Matcher,
    unstored: UnstoredFiles,
) -> GrepResult:
    """Return one page of the lines that match a pattern, and the number of matches in each file.

    `matcher` finds the matching lines in texts, and `unstored` are the files whose text is not in
    the catalog.
    """
    version = published_version(connection)
    request.start(version)  # raises for an outdated cursor before reading
    files = searchable_files(connection, unstored.files)
    paths = filter_files(files, request.filters)
    is_all = len(paths) == len(files.ids)
    unstored_paths = {id_: path for id_, path in paths.items() if id_ < 0}
    reader = UnstoredTexts(unstored, patterns, unstored_paths)
    stored = stored_texts(connection, patterns, paths, is_all=is_all)
    matches = _collect(matcher.lines(stored), paths)
    matches |= _collect(matcher.lines(reader.read_all()), paths)

    def find_spans(lines: Sequence[GrepLine]) -> list[list[MatchSpan]]:
        return matcher.spans([line.text for line in lines])

    found = FoundLines(
        matches, len(paths) - len(reader.failed), reader.texts, unread=tuple(reader.failed)
    )
    return make_page(connection, request, found, find_spans, version=version)


def _collect(
    blocks: Iterable[tuple[TextBlock, list[int]]], paths: Mapping[int, str]
) -> MatchingLines:
    matches: MatchingLines = {}
    for block, offsets in blocks:
        lines = block.text.split("\n")
        own = matches.setdefault(paths[block.file], {})
        own.update((block.first + offset, lines[offset]) for offset in offsets)
    return matches
