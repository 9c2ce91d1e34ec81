"""The texts that lines are looked for in: of the catalog, and of files that it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeindex.errors import CodeIndexError
from codeindex.search.exact.matchers import TextBlock
from codeindex.search.exact.pattern import LinePattern
from codeindex.search.filters import file_mask
from codeindex.store.catalog.sql_values import placeholders, value_batches
from codeindex.store.catalog.trigrams import chunks_with_substrings
from codeindex.types import Filters, SafeText

if TYPE_CHECKING:
    import sqlite3

    import numpy.typing as npt

_FEW = 0.25
"""Share of the files below which their chunks are asked for by file: rows that lie apart cost two
to four times as much to read as one after another."""


class UnstoredFile(NamedTuple):
    """A file whose text is not in the catalog, and can be read."""

    path: str
    language: str
    is_test: bool


class UnstoredFiles(NamedTuple):
    """What is not in the catalog: files, and what reads one, redacted.

    It gives nothing for a text that none of the patterns can match, and raises CodeIndexError for
    one that cannot be read.
    """

    files: Sequence[UnstoredFile]
    read: Callable[[str, Sequence[LinePattern]], SafeText]


class FileColumns(NamedTuple):
    """Files column by column; those beside the catalog have ids below 0."""

    ids: tuple[int, ...]
    paths: tuple[str, ...]
    languages: tuple[str, ...]
    modules: tuple[str, ...]
    is_test: npt.NDArray[np.bool_]


def minified_files(connection: sqlite3.Connection) -> list[UnstoredFile]:
    """Return the files that were read and have no chunks, though they are text."""
    rows = connection.execute(
        "SELECT path, language, is_test FROM files WHERE status = 'skipped' AND reason = 'minified'"
    )
    return [UnstoredFile(path, language, bool(is_test)) for path, language, is_test in rows]


def searchable_files(connection: sqlite3.Connection, beside: Sequence[UnstoredFile]) -> FileColumns:
    """Return all files that can be searched."""
    rows: list[tuple[int, str, str, str, bool]] = connection.execute(
        "SELECT id, path, language, module, is_test FROM files WHERE status IN ('indexed', 'plain')"
    ).fetchall()
    for number, one in enumerate(beside, 1):
        rows.append((-number, one.path, one.language, "", one.is_test))
    ids, paths, languages, modules, tests = zip(*rows, strict=True) if rows else ((),) * 5
    return FileColumns(ids, paths, languages, modules, np.array(tests, dtype=bool))


def filter_files(files: FileColumns, filters: Filters) -> dict[int, str]:
    """Return the paths of the files that filters let pass, by id."""
    by_id = zip(files.ids, files.paths, strict=True)
    if filters == Filters():
        return dict(by_id)
    mask = file_mask(files, filters).tolist()
    return {one: path for (one, path), passes in zip(by_id, mask, strict=True) if passes}


def stored_texts(
    connection: sqlite3.Connection,
    patterns: Sequence[LinePattern],
    among: Collection[int],
    *,
    is_all: bool,
) -> Iterator[TextBlock]:
    """Yield the chunks of some files that may have a match, by the index as far as it can tell."""
    if ids := _candidates(connection, patterns):
        rows = _by(connection, "id", ids)
    elif ids is not None:
        return
    elif not is_all and len(among) < _FEW * _count(connection):
        rows = _by(connection, "file_id", among)
    else:
        rows = iter(connection.execute("SELECT file_id, start_line, text FROM chunks"))
    for file, first, text in rows:
        if is_all or file in among:
            yield TextBlock(file, first, text)


def _candidates(
    connection: sqlite3.Connection, patterns: Sequence[LinePattern]
) -> Collection[int] | None:
    """Return the chunks that one of the patterns can match; None for all."""
    found = [chunks_with_substrings(connection, one.needles) for one in patterns]
    if any(one is None for one in found):
        return None
    return sorted(set(chain.from_iterable(one for one in found if one)))


def _by(
    connection: sqlite3.Connection, column: str, values: Collection[int]
) -> Iterator[tuple[int, int, str]]:
    for part in value_batches(values):
        yield from connection.execute(
            "SELECT file_id, start_line, text FROM chunks"  # noqa: S608 (placeholders)
            f" WHERE {column} IN ({placeholders(part)})",
            part,
        )


def _count(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute("SELECT count(*) FROM files").fetchone()
    return int(count)


class UnstoredTexts:
    """Reads files beside the catalog; keeps the texts, and why others could not be read."""

    def __init__(
        self, beside: UnstoredFiles, patterns: Sequence[LinePattern], wanted: Mapping[int, str]
    ) -> None:
        self._beside, self._patterns, self._wanted = beside, patterns, wanted
        self.texts: dict[str, SafeText] = {}
        self.failed: dict[str, str] = {}

    def each(self) -> Iterator[TextBlock]:
        """Yield each file whole."""
        for number, path in self._wanted.items():
            try:
                text = self._beside.read(path, self._patterns)
            except CodeIndexError as error:
                self.failed[path] = str(error)
                continue
            if text:
                self.texts[path] = text
                yield TextBlock(number, 1, text.removesuffix("\n"))
