"""What stands around a file: its imports, its importers, what others use of it, its tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

from codeindex.analysis.file_selection import select_file
from codeindex.analysis.outline.summary import FileSummary, summarize_file
from codeindex.analysis.relations.imports import list_file_imports
from codeindex.store.graph.links import links_to, links_to_files
from codeindex.store.symbols.declarations import FileRow, declarations_in, files_under

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class Importer:
    """A file that imports this one, where, and which of its symbols."""

    file: str
    lines: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SharedSymbol:
    """A symbol that other files use; `files` are the users, `uses` their lines."""

    name: str
    line: int
    uses: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NearbyFiles:
    """Files that are near a file without being imported."""

    tests: tuple[str, ...]
    siblings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileConnections:
    """What a file is connected with; `total_*` count what a limit left out."""

    imported_files: tuple[str, ...]
    imported_by: tuple[Importer, ...]
    total_imported_by: int
    shared_symbols: tuple[SharedSymbol, ...]
    total_shared_symbols: int
    related: NearbyFiles


@dataclass(frozen=True, slots=True)
class FileContext:
    """A file in short, and what is around it."""

    summary: FileSummary
    around: FileConnections

    @property
    def paths(self) -> set[str]:
        return {self.summary.file, *(one.file for one in self.around.imported_by)}

    def as_dict(self) -> Annotated[dict[str, Any], FileSummary, FileConnections]:
        return asdict(self.summary) | asdict(self.around)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        around = self.around
        rows = [("imports", one, "") for one in around.imported_files]
        rows += [("imported by", one.file, " ".join(one.names)) for one in around.imported_by]
        rows += [("test", one, "") for one in around.related.tests]
        rows += [("sibling", one, "") for one in around.related.siblings]
        return ("relation", "file", "symbols"), rows

    def text(self) -> Iterator[str]:
        around = self.around
        yield from self.summary.text()
        yield f"  imported by {around.total_imported_by} files"
        for one in around.imported_by:
            at = ",".join(map(str, one.lines))
            yield f"    {one.file}:{at}  {', '.join(one.names)}".rstrip()
        yield f"  {around.total_shared_symbols} symbols are used by other files"
        for shared in around.shared_symbols:
            times = f"{shared.uses} uses in {len(shared.files)} files"
            yield f"    {shared.line}: {shared.name}  ({times})"
        yield f"  beside it: {', '.join(around.related.siblings) or 'nothing'}"


def describe_file_context(connection: sqlite3.Connection, path: str, *, limit: int) -> FileContext:
    """Return what a file is connected with; QueryError if it is not indexed."""
    file = select_file(connection, path)
    brief = summarize_file(connection, file)
    importers = _importers(connection, file)
    shared = _shared(connection, file)
    folder = file.path.rpartition("/")[0]
    beside = [
        one.path
        for one in files_under(connection, folder)
        if one.path.rpartition("/")[0] == folder and one.path != file.path
    ]
    imported = (one for use in list_file_imports(connection, file).imports for one in use.files)
    around = FileConnections(
        imported_files=tuple(dict.fromkeys(imported)),
        imported_by=tuple(importers[:limit]),
        total_imported_by=len(importers),
        shared_symbols=tuple(shared[:limit]),
        total_shared_symbols=len(shared),
        related=NearbyFiles(brief.tests, tuple(beside[:limit])),
    )
    return FileContext(brief, around)


def _importers(connection: sqlite3.Connection, file: FileRow) -> list[Importer]:
    """Return who imports the file or anything in it; files that take most of it come first."""
    symbols = {one.id: one for one in declarations_in(connection, [file.id])}
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


def _shared(connection: sqlite3.Connection, file: FileRow) -> list[SharedSymbol]:
    """Return the symbols that other files use, the most used first."""
    found = []
    for symbol in declarations_in(connection, [file.id]):
        links = links_to(connection, [symbol.id], "calls", "references", "extends")
        others = [one for one in links if one.node and one.node.path != file.path]
        if others:
            files = sorted({one.node.path for one in others if one.node})
            uses = sum(len(one.lines) for one in others)
            found.append(SharedSymbol(symbol.qualified, symbol.line, uses, tuple(files)))
    return sorted(found, key=lambda one: (-len(one.files), -one.uses, one.line))
