"""Count indexed files, lines, symbols and edges."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codeindex.store.catalog.index_counts import read_index_counts
from codeindex.types.report import DataReport, Table, plural


@dataclass(frozen=True, slots=True)
class LanguageStats:
    """Files and lines of one language."""

    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class IndexStats(DataReport):
    """Counts of the published generation.

    A key of `edges` is a kind and certainty: `calls resolved`.
    """

    files: int
    lines: int
    tests: int
    symbols: int
    languages: Mapping[str, LanguageStats]
    kinds: Mapping[str, int]
    edges: Mapping[str, int]
    version: int
    generated_at: str

    def columns(self) -> Table:
        rows = [
            (name, str(language.files), str(language.lines))
            for name, language in self.languages.items()
        ]
        return ("language", "files", "lines"), rows

    def text(self) -> Iterator[str]:
        yield f"{plural(self.files, 'file')} ({self.tests} of tests), {plural(self.lines, 'line')}"
        for name, language in self.languages.items():
            yield f"  {name}: {plural(language.files, 'file')}, {plural(language.lines, 'line')}"
        yield plural(self.symbols, "symbol")
        for name, count in self.kinds.items():
            yield f"  {name}: {count}"
        yield plural(sum(self.edges.values()), "edge")
        for name, count in self.edges.items():
            yield f"  {name}: {count}"
        yield f"version {self.version}, {self.generated_at}"


def count_indexed(connection: sqlite3.Connection) -> IndexStats:
    """Count the files, lines, symbols and edges that the catalog holds."""
    counts = read_index_counts(connection)
    return IndexStats(
        files=counts.files,
        lines=counts.lines,
        tests=counts.tests,
        symbols=sum(counts.kinds.values()),
        languages={name: LanguageStats(*both) for name, both in counts.languages.items()},
        kinds=counts.kinds,
        edges=counts.edges,
        version=counts.version,
        generated_at=dt.datetime.fromtimestamp(counts.written_at, dt.UTC).isoformat("T", "seconds"),
    )
