"""Yield the texts to match: chunks of the catalog, and files whose text is not in the catalog."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from codeindex.errors import CodeIndexError
from codeindex.search.exact.matchers import TextBlock
from codeindex.search.exact.pattern import LinePattern
from codeindex.search.filters import SearchableFiles, file_mask
from codeindex.store.catalog.chunks import (
    all_chunk_blocks,
    chunk_blocks_by_id,
    chunk_blocks_in_files,
)
from codeindex.store.catalog.files import searchable_rows
from codeindex.store.catalog.index_counts import count_files
from codeindex.store.catalog.skipped_files import minified_rows
from codeindex.store.catalog.trigrams import chunks_with_substrings
from codeindex.types import Filters, SafeText

_FEW = 0.25
"""If less than this share of all files is wanted, their chunks are read file by file. Otherwise all
chunks are read in order, because scattered rows take two to four times as long to read."""


class UnstoredFile(NamedTuple):
    """A text file of the repository whose text is not in the catalog, such as a minified file."""

    path: str
    language: str
    is_test: bool


class UnstoredFiles(NamedTuple):
    """Files whose text is not in the catalog, and a function that reads and redacts such a file.

    `read` returns "" for a file that no pattern can match, and raises CodeIndexError for a file
    that cannot be read.
    """

    files: Sequence[UnstoredFile]
    read: Callable[[str, Sequence[LinePattern]], SafeText]


def minified_files(connection: sqlite3.Connection) -> list[UnstoredFile]:
    """Return the minified files: text files that were read but are not cut into chunks."""
    return [UnstoredFile(*row) for row in minified_rows(connection)]


def searchable_files(
    connection: sqlite3.Connection, unstored: Sequence[UnstoredFile]
) -> SearchableFiles:
    """Return all files that can be searched: those in the catalog, and the `unstored` ones."""
    rows = searchable_rows(connection)
    for number, file in enumerate(unstored, 1):
        rows.append((-number, file.path, file.language, "", file.is_test))
    ids, paths, languages, modules, tests = zip(*rows, strict=True) if rows else ((),) * 5
    return SearchableFiles(ids, paths, languages, modules, np.array(tests, dtype=bool))


def filter_files(files: SearchableFiles, filters: Filters) -> dict[int, str]:
    """Return {file id: path} of the files that pass the filters."""
    paths = zip(files.ids, files.paths, strict=True)
    if filters == Filters():
        return dict(paths)
    mask = file_mask(files, filters).tolist()
    return {id_: path for (id_, path), passes in zip(paths, mask, strict=True) if passes}


def stored_texts(
    connection: sqlite3.Connection,
    patterns: Sequence[LinePattern],
    among: Collection[int],
    *,
    is_all: bool,
) -> Iterator[TextBlock]:
    """Yield the chunks of the files in `among` that may match, according to the trigram index.

    `among` holds file ids. With `is_all`, it contains all files and is not looked at.
    """
    if ids := _candidates(connection, patterns):
        rows = chunk_blocks_by_id(connection, ids)
    elif ids is not None:
        return
    elif not is_all and len(among) < _FEW * count_files(connection):
        rows = chunk_blocks_in_files(connection, among)
    else:
        rows = all_chunk_blocks(connection)
    for file, first, text in rows:
        if is_all or file in among:
            yield TextBlock(file, first, text)


def _candidates(
    connection: sqlite3.Connection, patterns: Sequence[LinePattern]
) -> Collection[int] | None:
    """Return the ids of the chunks that may match one of the patterns.

    Return None if the trigram index cannot rule out any chunk.
    """
    by_pattern = [chunks_with_substrings(connection, pattern.needles) for pattern in patterns]
    if any(chunks is None for chunks in by_pattern):
        return None
    return sorted(set(chain.from_iterable(chunks for chunks in by_pattern if chunks)))


class UnstoredTexts:
    """Reads files whose text is not in the catalog; keeps their texts and read errors by path."""

    def __init__(
        self, unstored: UnstoredFiles, patterns: Sequence[LinePattern], paths: Mapping[int, str]
    ) -> None:
        self._read, self._patterns, self._paths = unstored.read, patterns, paths
        self.texts: dict[str, SafeText] = {}
        self.failed: dict[str, str] = {}

    def read_all(self) -> Iterator[TextBlock]:
        """Yield the whole text of each file that can be read and that may match."""
        for number, path in self._paths.items():
            try:
                text = self._read(path, self._patterns)
            except CodeIndexError as error:
                self.failed[path] = str(error)
                continue
            if text:
                self.texts[path] = text
                yield TextBlock(number, 1, text.removesuffix("\n"))
