"""The documents that lead around a repository: what they say it is, and what they point at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.subject import find_file_path
from codeindex.store.catalog.files import stored_text

if TYPE_CHECKING:
    import sqlite3

_TITLE = re.compile(r"^#\s+(.+?)\s*#*\s*$")
_HEADING = re.compile(r"^(?:#{1,6}\s|[=\-~^*+#]{3,}\s*$)")
_NO_PROSE = re.compile(r"^\s*(?:[<!\[|>]|```|\.\. |---|:\w+:)")
"""Badges, tables, quotes, code and directives: no sentence that says what it is."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A document; symbols and files are those that its edges lead to, names those without one."""

    file: str
    title: str
    description: str
    sections: tuple[str, ...]
    entry_points: tuple[str, ...]
    describes: tuple[str, ...]
    mentioned_symbols: tuple[str, ...]
    mentioned_files: tuple[str, ...]
    unresolved: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guides:
    guides: tuple[Guide, ...]

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.guides}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return ("file", "title", "description"), [
            (one.file, one.title or "-", one.description or "-") for one in self.guides
        ]

    def text(self) -> Iterator[str]:
        for one in self.guides:
            yield f"{one.file}: {one.title}"
            if one.description:
                yield f"  {one.description}"
            for label, names in (
                ("sections", one.sections),
                ("entry points", one.entry_points),
                ("describes", one.describes),
                ("symbols", one.mentioned_symbols),
                ("files", one.mentioned_files),
            ):
                if names:
                    yield f"  {label}: {', '.join(names)}"
        if not self.guides:
            yield "No document leads around this repository: add an AGENTS.md or README.md."


def read_guides(connection: sqlite3.Connection, path: str = "") -> Guides:
    """Return what a document says, or all navigation docs; QueryError for an unknown path."""
    rows = connection.execute("SELECT path FROM files WHERE is_navigation ORDER BY path")
    paths = [find_file_path(connection, path)] if path else [one for (one,) in rows]
    return Guides(tuple(_guide(connection, one) for one in paths))


def _guide(connection: sqlite3.Connection, path: str) -> Guide:
    lines = stored_text(connection, path).split("\n")
    title, description = _opening(lines)
    sections = connection.execute(
        "SELECT c.heading FROM chunks c JOIN files f ON f.id = c.file_id"
        " WHERE f.path = ? AND c.heading != '' ORDER BY c.start_line",
        (path,),
    )
    targets = _targets(connection, path)
    return Guide(
        file=path,
        title=title,
        description=description,
        sections=tuple(dict.fromkeys(_below(title, heading) for (heading,) in sections)),
        entry_points=_of(targets, "entry_point"),
        describes=_of(targets, "describes"),
        mentioned_symbols=tuple(one for one in _of(targets, "mentions") if "::" in one),
        mentioned_files=tuple(one for one in _of(targets, "mentions") if "::" not in one),
        unresolved=_unresolved(connection, path),
    )


def _below(title: str, heading: str) -> str:
    """Return the path of a section below the title of its document."""
    return heading.removeprefix(f"{title} > ")


def _opening(lines: Sequence[str]) -> tuple[str, str]:
    """Return the title and the first paragraph after it, or the first one if there is no title."""
    title = next((found[1] for line in lines if (found := _TITLE.match(line))), "")
    after = next((n for n, line in enumerate(lines) if _TITLE.match(line)), -1) + 1
    paragraph: list[str] = []
    for line in lines[after:]:
        is_text = bool(line.strip()) and not _HEADING.match(line) and not _NO_PROSE.match(line)
        if is_text:
            paragraph.append(line.strip())
        elif paragraph:
            break
    return title, " ".join(paragraph)


def _targets(connection: sqlite3.Connection, path: str) -> list[tuple[str, str]]:
    rows = connection.execute(
        "SELECT e.kind, t.path, s.qualified FROM edges e JOIN files f ON f.id = e.source_file"
        " JOIN files t ON t.id = e.target_file LEFT JOIN symbols s ON s.id = e.target_symbol"
        " WHERE f.path = ? AND e.kind IN ('mentions', 'describes', 'entry_point')"
        " ORDER BY CAST(e.lines AS INTEGER), e.id",
        (path,),
    )
    return [(kind, f"{file}::{symbol}" if symbol else file) for kind, file, symbol in rows]


def _of(targets: Sequence[tuple[str, str]], kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one, name in targets if one == kind))


def _unresolved(connection: sqlite3.Connection, path: str) -> tuple[str, ...]:
    """Return the names on lines from which no edge goes out."""
    rows = connection.execute(
        "SELECT m.name, m.line FROM mentions m JOIN files f ON f.id = m.file_id WHERE f.path = ?"
        " ORDER BY m.line",
        (path,),
    ).fetchall()
    edges = connection.execute(
        "SELECT e.lines FROM edges e JOIN files f ON f.id = e.source_file WHERE f.path = ?"
        " AND e.kind IN ('mentions', 'describes', 'entry_point')",
        (path,),
    )
    linked = {int(line) for (lines,) in edges for line in lines.split()}
    return tuple(dict.fromkeys(name for name, line in rows if line not in linked))
