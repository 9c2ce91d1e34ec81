"""List groups of files with the same structure, and how each file differs from its group."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from codeindex.errors import QueryError
from codeindex.store.catalog.patterns import FilePattern, all_patterns, with_shared_traits
from codeindex.types.report import DataReport, Table

DEFAULT_PATTERNS, MAX_PATTERNS = 20, 200


@dataclass(frozen=True, slots=True)
class FilePatterns(DataReport):
    """Groups of files with the same structure; `total` is their number before the limit."""

    patterns: tuple[FilePattern, ...]
    total: int

    def columns(self) -> Table:
        rows = [
            (
                pattern.name,
                member.file,
                ",".join(member.extra) or "-",
                ",".join(member.missing) or "-",
            )
            for pattern in self.patterns
            for member in pattern.members
        ]
        return ("pattern", "file", "extra", "missing"), rows

    def text(self) -> Iterator[str]:
        for pattern in self.patterns:
            yield (
                f"{pattern.name}: {len(pattern.members)} files in {pattern.place}"
                f" ({pattern.language})"
            )
            yield f"  functions: {', '.join(pattern.methods) or '(none)'}"
            for label, names in (("extends", pattern.bases), ("decorated", pattern.decorators)):
                if names:
                    yield f"  {label}: {', '.join(names)}"
            for member in pattern.members:
                differs = [*(f"+{name}" for name in member.extra)]
                differs += [f"-{name}" for name in member.missing]
                mark = "  (canonical)" if member.file == pattern.canonical else ""
                yield f"  {member.file}{mark}  {' '.join(differs)}".rstrip()
        if not self.patterns:
            yield "No files of the same structure were found."
        elif self.total > len(self.patterns):
            yield f"{len(self.patterns)} of {self.total} patterns."


def list_patterns(
    connection: sqlite3.Connection, name: str = "", *, limit: int = DEFAULT_PATTERNS
) -> FilePatterns:
    """Return groups of files with the same structure (patterns), and how each file differs.

    `name` is the name of a pattern, the path of a file in it, or a folder that contains such a
    file; "" means all patterns. At most `limit` are returned. Raise QueryError if a name is given
    and no pattern has it.
    """
    indexed_patterns = all_patterns(connection)
    wanted = (
        [pattern for pattern in indexed_patterns if _matches_name(pattern, name)]
        if name
        else indexed_patterns
    )
    if name and not wanted:
        names = ", ".join(sorted({pattern.name for pattern in indexed_patterns})[:MAX_PATTERNS])
        there = f"there are {names}" if names else "there is none in this repository"
        raise QueryError(f"No pattern and no file of a pattern is called {name!r}: {there}.")
    patterns = tuple(with_shared_traits(connection, pattern) for pattern in wanted[:limit])
    return FilePatterns(patterns, len(wanted))


def _matches_name(pattern: FilePattern, name: str) -> bool:
    path = name.strip().removeprefix("./").rstrip("/")
    files = {member.file for member in pattern.members}
    return (
        pattern.name.lower() == name.strip().lower()
        or path in files
        or any(file.startswith(f"{path}/") for file in files)
    )
