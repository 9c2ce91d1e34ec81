"""Count indexed files, lines, symbols and edges."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.types.report import DataReport, Table

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class LanguageStats:
    """Files and lines of one language."""

    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class IndexStats(DataReport):
    """Counts of the published generation; keys of `edges` are like `calls resolved`."""

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
        yield f"{self.files} files ({self.tests} of tests), {self.lines} lines"
        for name, language in self.languages.items():
            yield f"  {name}: {language.files} files, {language.lines} lines"
        yield f"{self.symbols} symbols"
        for name, count in self.kinds.items():
            yield f"  {name}: {count}"
        yield f"{sum(self.edges.values())} edges"
        for name, count in self.edges.items():
            yield f"  {name}: {count}"
        yield f"version {self.version}, {self.generated_at}"


def count_indexed(connection: sqlite3.Connection) -> IndexStats:
    """Count what the catalog holds."""
    sql = connection.execute
    files, lines, tests = sql(
        "SELECT count(*), coalesce(sum(lines), 0), coalesce(sum(is_test), 0) FROM files"
        " WHERE status IN ('indexed', 'plain')"
    ).fetchone()
    languages = sql(
        "SELECT language, count(*), sum(lines) FROM files WHERE status IN ('indexed', 'plain')"
        " GROUP BY 1 ORDER BY 3 DESC, 1"
    )
    kinds = sql("SELECT kind, count(*) FROM symbols GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
    edges = sql(
        "SELECT kind || ' ' || certainty, count(*) FROM edges GROUP BY 1 ORDER BY 2 DESC, 1"
    ).fetchall()
    version, written = sql(
        "SELECT version, written_at FROM generations ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return IndexStats(
        files=files,
        lines=lines,
        tests=tests,
        symbols=sum(count for _, count in kinds),
        languages={name: LanguageStats(count, total) for name, count, total in languages},
        kinds=dict(kinds),
        edges=dict(edges),
        version=version,
        generated_at=dt.datetime.fromtimestamp(written, dt.UTC).isoformat("T", "seconds"),
    )
