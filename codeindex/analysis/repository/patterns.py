"""Groups of files that are built alike, and how each differs from the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.errors import QueryError
from codeindex.store.catalog.patterns import FilePattern as Known
from codeindex.store.catalog.patterns import all_patterns, pattern_bases, pattern_decorators

if TYPE_CHECKING:
    import sqlite3

DEFAULT_PATTERNS, MAX_PATTERNS = 20, 200


@dataclass(frozen=True, slots=True)
class PatternMember:
    file: str
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePattern:
    """A group; `canonical` is the member that is nearest to what is common."""

    name: str
    place: str
    language: str
    methods: tuple[str, ...]
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    canonical: str
    members: tuple[PatternMember, ...]


@dataclass(frozen=True, slots=True)
class FilePatterns:
    """`total` counts what there is, whatever the limit has left of it."""

    patterns: tuple[FilePattern, ...]
    total: int

    @property
    def paths(self) -> set[str]:
        return {member.file for one in self.patterns for member in one.members}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (one.name, member.file, ",".join(member.extra) or "-", ",".join(member.missing) or "-")
            for one in self.patterns
            for member in one.members
        ]
        return ("pattern", "file", "extra", "missing"), rows

    def text(self) -> Iterator[str]:
        for one in self.patterns:
            yield f"{one.name}: {len(one.members)} files in {one.place} ({one.language})"
            yield f"  functions: {', '.join(one.methods) or '(none)'}"
            for label, names in (("extends", one.bases), ("decorated", one.decorators)):
                if names:
                    yield f"  {label}: {', '.join(names)}"
            for member in one.members:
                differs = [*(f"+{name}" for name in member.extra)]
                differs += [f"-{name}" for name in member.missing]
                mark = "  (canonical)" if member.file == one.canonical else ""
                yield f"  {member.file}{mark}  {' '.join(differs)}".rstrip()
        if not self.patterns:
            yield "No group of files is built alike here."
        elif self.total > len(self.patterns):
            yield f"{len(self.patterns)} of {self.total} patterns."


def list_patterns(
    connection: sqlite3.Connection, name: str = "", *, limit: int = DEFAULT_PATTERNS
) -> FilePatterns:
    """Return the patterns of a name, a file or a folder, or all; QueryError if there is none."""
    known = all_patterns(connection)
    wanted = [one for one in known if _is_meant(one, name)] if name else known
    if name and not wanted:
        names = ", ".join(sorted({one.name for one in known})[:MAX_PATTERNS])
        there = f"there are {names}" if names else "there is none in this repository"
        raise QueryError(f"No pattern, and no file that follows one, is called {name!r}: {there}.")
    found = tuple(_described(connection, one) for one in wanted[:limit])
    return FilePatterns(found, len(wanted))


def _is_meant(one: Known, name: str) -> bool:
    path = name.strip().removeprefix("./").rstrip("/")
    files = {member.path for member in one.members}
    return (
        one.name.lower() == name.strip().lower()
        or path in files
        or any(file.startswith(f"{path}/") for file in files)
    )


def _described(connection: sqlite3.Connection, one: Known) -> FilePattern:
    return FilePattern(
        name=one.name,
        place=one.place,
        language=one.language,
        methods=one.common,
        bases=pattern_bases(connection, one),
        decorators=pattern_decorators(connection, one),
        canonical=one.canonical.path,
        members=tuple(PatternMember(each.path, each.extra, each.missing) for each in one.members),
    )
