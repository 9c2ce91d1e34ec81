"""Read navigation documents such as README.md: title, description, linked code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.analysis.subject import find_file_path
from codeindex.store.catalog.files import text_of
from codeindex.types.report import DataReport, Table

if TYPE_CHECKING:
    import sqlite3

_TITLE = re.compile(r"^#\s+(.+?)\s*#*\s*$")
_HEADING = re.compile(r"^(?:#{1,6}\s|[=\-~^*+#]{3,}\s*$)")
_NO_PROSE = re.compile(r"^\s*(?:[<!\[|>]|```|\.\. |---|:\w+:)")
"""Badges, tables, quotes, code and directives: not prose."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A document; `unresolved` are mentioned names without an edge to code."""

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
class Guides(DataReport):
    guides: tuple[Guide, ...]

    def columns(self) -> Table:
        return ("file", "title", "description"), [
            (guide.file, guide.title or "-", guide.description or "-") for guide in self.guides
        ]

    def text(self) -> Iterator[str]:
        for guide in self.guides:
            yield f"{guide.file}: {guide.title}"
            if guide.description:
                yield f"  {guide.description}"
            for label, names in (
                ("sections", guide.sections),
                ("entry points", guide.entry_points),
                ("describes", guide.describes),
                ("symbols", guide.mentioned_symbols),
                ("files", guide.mentioned_files),
            ):
                if names:
                    yield f"  {label}: {', '.join(names)}"
        if not self.guides:
            yield "No document leads around this repository: add an AGENTS.md or README.md."


def read_guides(connection: sqlite3.Connection, path: str = "") -> Guides:
    """Read one document or all navigation documents; QueryError for an unknown path."""
    rows = connection.execute("SELECT path FROM files WHERE is_navigation ORDER BY path")
    paths = [find_file_path(connection, path)] if path else [one for (one,) in rows]
    return Guides(tuple(_guide(connection, path) for path in paths))


def _guide(connection: sqlite3.Connection, path: str) -> Guide:
    lines = text_of(connection, path).split("\n")
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
        mentioned_symbols=tuple(name for name in _of(targets, "mentions") if "::" in name),
        mentioned_files=tuple(name for name in _of(targets, "mentions") if "::" not in name),
        unresolved=_unresolved(connection, path),
    )


def _below(title: str, heading: str) -> str:
    """Return a heading path without the document title."""
    return heading.removeprefix(f"{title} > ")


def _opening(lines: Sequence[str]) -> tuple[str, str]:
    """Return the title and the first paragraph of prose after it."""
    title = next((match[1] for line in lines if (match := _TITLE.match(line))), "")
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
    return tuple(dict.fromkeys(name for target_kind, name in targets if target_kind == kind))


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
