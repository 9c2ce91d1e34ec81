"""Read navigation documents such as README.md: title, description, linked code."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codeindex.analysis.subject import find_file_path
from codeindex.store.catalog.document_mentions import (
    document_headings,
    read_document_targets,
    read_unresolved_mentions,
)
from codeindex.store.catalog.files import file_records, stored_text
from codeindex.text.code_fences import mark_code
from codeindex.types.report import DataReport, Table, make_table

_TITLE = re.compile(r"^#\s+(.+?)\s*#*\s*$")
_HEADING = re.compile(r"^(?:#{1,6}\s|[=\-~^*+#]{3,}\s*$)")
_NO_PROSE = re.compile(r"^\s*(?:[<!\[|>]|\.\. |---|:\w+:|&\w+;\s*$)")
"""Lines that are not prose: badges, tables, quotes, directives and lone HTML entities."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A navigation document such as README.md, with the code that it links to.

    `unresolved` are names in the document that match no code.
    """

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
        return make_table(self.guides, ("file", "title", "description"), blank="-")

    def text(self) -> Iterator[str]:
        for guide in self.guides:
            yield f"{guide.file}: {guide.title}" if guide.title else guide.file
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
            yield "This repository has no navigation document: add an AGENTS.md or README.md."


def read_guides(connection: sqlite3.Connection, path: str = "") -> Guides:
    """Read one document, or all navigation documents for ''.

    Raise QueryError for an unknown path.
    """
    navigation = (file.path for file in file_records(connection) if file.is_navigation)
    paths = [find_file_path(connection, path)] if path else navigation
    return Guides(tuple(_guide(connection, path) for path in paths))


def _guide(connection: sqlite3.Connection, path: str) -> Guide:
    lines = stored_text(connection, path).split("\n")
    title, description = _opening(lines)
    targets = read_document_targets(connection, path)
    return Guide(
        file=path,
        title=title,
        description=description,
        sections=tuple(
            dict.fromkeys(_below(title, heading) for heading in document_headings(connection, path))
        ),
        entry_points=_targets_of_kind(targets, "entry_point"),
        describes=_targets_of_kind(targets, "describes"),
        mentioned_symbols=tuple(
            name for name in _targets_of_kind(targets, "mentions") if "::" in name
        ),
        mentioned_files=tuple(
            name for name in _targets_of_kind(targets, "mentions") if "::" not in name
        ),
        unresolved=read_unresolved_mentions(connection, path),
    )


def _below(title: str, heading: str) -> str:
    """Return a path of headings, like `Title > Usage > Install`, without the document's title."""
    return heading.removeprefix(f"{title} > ")


def _opening(lines: Sequence[str]) -> tuple[str, str]:
    """Return (title of a document, first paragraph of prose after the title)."""
    lines = ["" if is_code else line for line, is_code in mark_code(lines)]
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


def _targets_of_kind(targets: Sequence[tuple[str, str]], kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for target_kind, name in targets if target_kind == kind))
