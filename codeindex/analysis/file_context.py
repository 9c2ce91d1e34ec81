"""What stands around a file: its imports, its importers, what others use of it, its tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.places import file_at
from codeindex.analysis.summary import Summary, summary_of
from codeindex.store.declarations import File, declarations_of, files_under
from codeindex.store.links import links_to, links_to_files

if TYPE_CHECKING:
    import sqlite3

MOST = 50


@dataclass(frozen=True, slots=True)
class Importer:
    """A file that imports this one, where, and which of its symbols."""

    file: str
    lines: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """A symbol that other files use; `files` are the users, `uses` their lines."""

    name: str
    line: int
    uses: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileContext:
    """`total_*` count what a limit left out."""

    summary: Summary
    imported_files: tuple[str, ...]
    imported_by: tuple[Importer, ...]
    shared: tuple[Shared, ...]
    siblings: tuple[str, ...]
    total_imported_by: int
    total_shared: int

    @property
    def paths(self) -> set[str]:
        return {self.summary.file, *(one.file for one in self.imported_by)}

    def as_dict(self) -> dict[str, Any]:
        return self.summary.as_dict() | {
            "imported_files": list(self.imported_files),
            "imported_by": [asdict(one) for one in self.imported_by],
            "total_imported_by": self.total_imported_by,
            "shared_symbols": [asdict(one) for one in self.shared],
            "total_shared_symbols": self.total_shared,
            "related": {"tests": list(self.summary.tests), "siblings": list(self.siblings)},
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [("imports", one, "") for one in self.imported_files]
        rows += [("imported by", one.file, " ".join(one.names)) for one in self.imported_by]
        rows += [("test", one, "") for one in self.summary.tests]
        rows += [("sibling", one, "") for one in self.siblings]
        return ("relation", "file", "symbols"), rows

    def text(self) -> Iterator[str]:
        yield from self.summary.text()
        yield f"  imported by {self.total_imported_by} files"
        for one in self.imported_by:
            at = ",".join(map(str, one.lines))
            yield f"    {one.file}:{at}  {', '.join(one.names)}".rstrip()
        yield f"  {self.total_shared} symbols are used by other files"
        for shared in self.shared:
            times = f"{shared.uses} uses in {len(shared.files)} files"
            yield f"    {shared.line}: {shared.name}  ({times})"
        yield f"  beside it: {', '.join(self.siblings) or 'nothing'}"


def file_context(connection: sqlite3.Connection, path: str, *, limit: int) -> FileContext:
    """Return what a file is connected with; QueryError if it is not indexed."""
    file = file_at(connection, path)
    brief = summary_of(connection, file)
    importers = _importers(connection, file)
    shared = _shared(connection, file)
    folder = file.path.rpartition("/")[0]
    beside = [
        one.path
        for one in files_under(connection, folder)
        if one.path.rpartition("/")[0] == folder and one.path != file.path
    ]
    return FileContext(
        summary=brief,
        imported_files=tuple(dict.fromkeys(one for use in brief.imports for one in use.files)),
        imported_by=tuple(importers[:limit]),
        shared=tuple(shared[:limit]),
        siblings=tuple(beside[:limit]),
        total_imported_by=len(importers),
        total_shared=len(shared),
    )


def _importers(connection: sqlite3.Connection, file: File) -> list[Importer]:
    """Return who imports the file or anything in it; files that take most of it come first."""
    symbols = {one.id: one for one in declarations_of(connection, [file.id])}
    lines: dict[str, set[int]] = defaultdict(set)
    names: dict[str, set[str]] = defaultdict(set)
    for link in links_to_files(connection, [file.id], "imports"):
        if link.node:
            lines[link.node.path].update(link.lines)
    for one, symbol in symbols.items():
        for link in links_to(connection, [one], "imports"):
            if link.node:
                lines[link.node.path].update(link.lines)
                names[link.node.path].add(symbol.qualified)
    lines.pop(file.path, None)
    found = [
        Importer(path, tuple(sorted(at)), tuple(sorted(names[path]))) for path, at in lines.items()
    ]
    return sorted(found, key=lambda one: (-len(one.names), one.file))


def _shared(connection: sqlite3.Connection, file: File) -> list[Shared]:
    """Return the symbols that other files use, the most used first."""
    found = []
    for symbol in declarations_of(connection, [file.id]):
        links = links_to(connection, [symbol.id], "calls", "references", "extends")
        others = [one for one in links if one.node and one.node.path != file.path]
        if others:
            files = sorted({one.node.path for one in others if one.node})
            uses = sum(len(one.lines) for one in others)
            found.append(Shared(symbol.qualified, symbol.line, uses, tuple(files)))
    return sorted(found, key=lambda one: (-len(one.files), -one.uses, one.line))
