"""Find the lines on which matches of a syntax pattern begin: count all, return one page."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from codeindex.errors import QueryError
from codeindex.languages import LANGUAGES
from codeindex.search.exact.lines import GrepLine, GrepResult
from codeindex.search.exact.page import FoundLines, MatchingLines, PageRequest, make_page
from codeindex.search.exact.pattern import LinePattern
from codeindex.search.exact.scan import MatchSpan, outermost_spans
from codeindex.search.exact.texts import (
    UnstoredFiles,
    UnstoredTexts,
    filter_files,
    searchable_files,
)
from codeindex.search.filters import split_languages
from codeindex.store.catalog.chunks import chunk_blocks_in_files, files_of_chunks
from codeindex.store.catalog.connection import published_version
from codeindex.store.catalog.trigrams import chunks_with_substrings
from codeindex.structural.matcher import FileMatches, SourceText, SyntaxMatcher, syntax_languages
from codeindex.types import SafeText

_WORDS = 4
"""Maximum number of words of a pattern that are looked up in the index; the longest are."""
_FILES = 200
"""Number of files whose texts are read at a time."""


def find_syntax(
    connection: sqlite3.Connection,
    request: PageRequest,
    matcher: SyntaxMatcher,
    unstored: UnstoredFiles,
) -> GrepResult:
    """Return one page of the lines on which matches begin, and their number in each file.

    Without languages in the filters, all languages in scope are searched in which the pattern
    parses. Raise QueryError for a pattern that parses in none.
    """
    version = published_version(connection)
    request.start(version)  # raises for a cursor of another version, before anything is parsed
    by_language = _files_by_language(connection, request, unstored)
    wanted, _ = split_languages(request.filters.languages)
    languages = _languages(wanted, by_language)
    words = matcher.required_words(languages)
    collector = _Collector()
    for language, choices in words.items():
        own = by_language.get(language, {})
        stored = _stored_texts(connection, own, choices)
        collector.add(matcher.matches(language, stored))
        collector.add(matcher.matches(language, _unstored_texts(unstored, own, choices, collector)))
    unread = (*collector.unread, *matcher.failed)
    searched = sum(len(by_language.get(language, ())) for language in words)
    return make_page(
        connection,
        request,
        FoundLines(
            collector.lines,
            searched - len(unread),
            collector.texts,
            unread=unread,
            partly_parsed=tuple(collector.partly_parsed),
            not_parsed=tuple(language for language in languages if language not in words),
            no_grammar=()
            if wanted
            else _files_without_grammar(connection, by_language, words.values()),
            ends=collector.ends,
        ),
        collector.find_spans,
        version=version,
    )


def _files_by_language(
    connection: sqlite3.Connection, request: PageRequest, unstored: UnstoredFiles
) -> dict[str, dict[int, str]]:
    """Return {language: {file id: path}} of the files that pass the filters of the request.

    Files that the catalog does not have get negative ids.
    """
    files = searchable_files(connection, unstored.files)
    language_of = dict(zip(files.ids, files.languages, strict=True))
    by_language: dict[str, dict[int, str]] = defaultdict(dict)
    for file, path in filter_files(files, request.filters).items():
        by_language[language_of[file]][file] = path
    return by_language


class _Collector:
    """Collects the matches of all files, and the files that could not be read or parsed in full."""

    def __init__(self) -> None:
        self.lines: MatchingLines = {}
        self.ends: dict[tuple[str, int], int] = {}
        self.texts: dict[str, SafeText] = {}
        self.unread: list[str] = []
        self.partly_parsed: list[str] = []
        self._spans: dict[tuple[str, int], list[MatchSpan]] = defaultdict(list)

    def add(self, found: Iterator[FileMatches]) -> None:
        for source, matches, is_whole in found:
            if not is_whole:
                self.partly_parsed.append(source.path)
            lines = source.text.split("\n") if matches else []
            for match in matches:
                place = (source.path, match.row + 1)
                self.lines.setdefault(source.path, {})[match.row + 1] = lines[match.row]
                self.ends[place] = max(match.end_row + 1, self.ends.get(place, 0))
                self._spans[place].append((match.start, match.end))

    def find_spans(self, lines: Sequence[GrepLine]) -> list[list[MatchSpan]]:
        """Return for each line the spans of the outermost matches that begin in it."""
        return [outermost_spans(self._spans[line.path, line.line]) for line in lines]


def _languages(wanted: Sequence[str], present: Collection[str]) -> list[str]:
    """Return the languages to search: the wanted ones, and all of `present` that have a grammar.

    `present` are the languages of the files that pass the filters: besides the wanted languages,
    those of files that count as theirs. Raise QueryError if a wanted language has no grammar.
    """
    known = syntax_languages()
    if unknown := [name for name in wanted if name not in known]:
        raise QueryError(
            f"There is no grammar for {', '.join(unknown)}: search its lines with mode regex (-e)."
        )
    return sorted({*wanted, *known.intersection(present)})


def _files_without_grammar(
    connection: sqlite3.Connection,
    by_language: Mapping[str, Mapping[int, str]],
    words: Iterable[Sequence[Collection[str]]],
) -> tuple[str, ...]:
    """Return the paths of code files that may match the pattern, but whose language has no grammar.

    `words` has for each searched language the words of each pattern; a file may match if it may
    contain all words of one pattern. Notebooks count as code.
    """
    known = syntax_languages()
    files = {
        file: path
        for language, own in by_language.items()
        if language not in known and LANGUAGES[language].has_code
        for file, path in own.items()
        if file >= 0
    }
    choices = {frozenset(choice) for each in words for choice in each} - {frozenset()}
    found = _candidates(connection, sorted(choices, key=sorted), sorted(files))
    return tuple(sorted(files[file] for file in found))


def _line_patterns(choices: Sequence[Collection[str]]) -> list[LinePattern]:
    """Return a line pattern for each set of words; it rules out files that lack one of them."""
    return [
        LinePattern("", False, False, tuple((word,) for word in words), False) for words in choices
    ]


def _candidates(
    connection: sqlite3.Connection, choices: Sequence[Collection[str]], files: Sequence[int]
) -> list[int]:
    """Return ids of the files that may contain all words of one of the sets `choices`.

    The trigram index rules out the other files.
    """
    wanted: set[int] = set()
    for words in choices:
        left = set(files)
        for word in sorted(words, key=len, reverse=True)[:_WORDS]:
            chunks = chunks_with_substrings(connection, ((word,),))
            if chunks is not None:
                left &= files_of_chunks(connection, chunks)
        wanted |= left
    return sorted(wanted)


def _stored_texts(
    connection: sqlite3.Connection, paths: Mapping[int, str], choices: Sequence[Collection[str]]
) -> Iterator[SourceText]:
    """Yield the whole texts of indexed files among `paths`, put together from their chunks.

    A file is read only if it may contain all words of one of the sets `choices`.
    """
    files = _candidates(connection, choices, [file for file in paths if file >= 0])
    for start in range(0, len(files), _FILES):
        lines: dict[int, dict[int, str]] = {}
        for file, first, text in chunk_blocks_in_files(connection, files[start : start + _FILES]):
            lines.setdefault(file, {}).update(enumerate(text.split("\n"), first))
        for file, own in lines.items():
            text = "\n".join(own.get(number, "") for number in range(1, max(own) + 1))
            yield SourceText(paths[file], SafeText(text))


def _unstored_texts(
    unstored: UnstoredFiles,
    paths: Mapping[int, str],
    choices: Sequence[Collection[str]],
    collector: _Collector,
) -> Iterator[SourceText]:
    """Yield the texts of the files among `paths` that the catalog does not have.

    After the last one, add the texts and the files that could not be read to `collector`.
    """
    own = {file: path for file, path in paths.items() if file < 0}
    reader = UnstoredTexts(unstored, _line_patterns(choices), own)
    for block in reader.read_all():
        yield SourceText(own[block.file], SafeText(block.text))
    collector.texts |= reader.texts
    collector.unread += reader.failed
