"""Describe how a file is connected: imports, importers, symbols used elsewhere, tests."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from codeindex.analysis.file_selection import select_file
from codeindex.analysis.outline.summary import FileSummary, summarize_file
from codeindex.analysis.relations.imports import list_file_imports
from codeindex.store.catalog.files import FileRecord, files_under
from codeindex.store.graph.links import links_to, links_to_files
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types.report import PathsReport, Table, plural


@dataclass(frozen=True, slots=True)
class Importer:
    """A file that imports the described file.

    `lines` are its imports, `names` the imported names.
    """

    file: str
    lines: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SharedSymbol:
    """A symbol that other files use; `uses` counts the lines of use."""

    name: str
    line: int
    uses: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NearbyFiles:
    """Files to know beside a file: its tests, and other files of its folder (`siblings`)."""

    tests: tuple[str, ...]
    siblings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileConnections:
    """The files that a file imports, its importers, the symbols that these use, and files nearby.

    Lists are cut at the limit of the request; the `total_*` fields count all items.
    """

    imported_files: tuple[str, ...]
    imported_by: tuple[Importer, ...]
    total_imported_by: int
    shared_symbols: tuple[SharedSymbol, ...]
    total_shared_symbols: int
    related: NearbyFiles


@dataclass(frozen=True, slots=True)
class FileContext(PathsReport):
    """The summary of a file and its connections."""

    summary: FileSummary
    around: FileConnections

    def as_dict(self) -> Annotated[dict[str, Any], FileSummary, FileConnections]:
        return asdict(self.summary) | asdict(self.around)

    def columns(self) -> Table:
        around = self.around
        rows = [("imports", imported_file, "") for imported_file in around.imported_files]
        rows += [
            ("imported by", importer.file, " ".join(importer.names))
            for importer in around.imported_by
        ]
        rows += [("test", test, "") for test in around.related.tests]
        rows += [("sibling", sibling, "") for sibling in around.related.siblings]
        return ("relation", "file", "symbols"), rows

    def text(self) -> Iterator[str]:
        around = self.around
        yield from self.summary.text()
        yield f"  imported by {plural(around.total_imported_by, 'file')}"
        for importer in around.imported_by:
            at = ",".join(map(str, importer.lines))
            yield f"    {importer.file}:{at}  {', '.join(importer.names)}".rstrip()
        yield f"  {plural(around.total_shared_symbols, 'symbol')} used by other files"
        for shared in around.shared_symbols:
            times = f"{plural(shared.uses, 'use')} in {plural(len(shared.files), 'file')}"
            yield f"    {shared.line}: {shared.name}  ({times})"
        yield f"  beside it: {', '.join(around.related.siblings) or 'nothing'}"


def describe_file_context(connection: sqlite3.Connection, path: str, *, limit: int) -> FileContext:
    """Return the summary and the connections of a file; raise QueryError if it is not indexed."""
    file = select_file(connection, path)
    brief = summarize_file(connection, file)
    importers = _find_importers(connection, file)
    shared = _find_shared_symbols(connection, file)
    folder = file.path.rpartition("/")[0]
    beside = [
        path.path
        for path in files_under(connection, folder)
        if path.path.rpartition("/")[0] == folder and path.path != file.path
    ]
    imported = (path for use in list_file_imports(connection, file).imports for path in use.files)
    around = FileConnections(
        imported_files=tuple(dict.fromkeys(imported)),
        imported_by=tuple(importers[:limit]),
        total_imported_by=len(importers),
        shared_symbols=tuple(shared[:limit]),
        total_shared_symbols=len(shared),
        related=NearbyFiles(brief.tests, tuple(beside[:limit])),
    )
    return FileContext(brief, around)


def _find_importers(connection: sqlite3.Connection, file: FileRecord) -> list[Importer]:
    """Return the files that import the file or its symbols; most imported names first."""
    symbols = {node.id: node for node in declarations_in(connection, [file.id])}
    lines: dict[str, set[int]] = defaultdict(set)
    names: dict[str, set[str]] = defaultdict(set)
    for link in links_to_files(connection, [file.id], "imports"):
        if link.node:
            lines[link.node.path].update(link.lines)
    for number, symbol in symbols.items():
        for link in links_to(connection, [number], "imports"):
            if link.node:
                lines[link.node.path].update(link.lines)
                names[link.node.path].add(symbol.qualified)
    lines.pop(file.path, None)
    importers = [
        Importer(path, tuple(sorted(at)), tuple(sorted(names[path]))) for path, at in lines.items()
    ]
    return sorted(importers, key=lambda importer: (-len(importer.names), importer.file))


def _find_shared_symbols(connection: sqlite3.Connection, file: FileRecord) -> list[SharedSymbol]:
    """Return the symbols that other files use, those with most using files first."""
    result = []
    for symbol in declarations_in(connection, [file.id]):
        links = links_to(connection, [symbol.id], "calls", "references", "extends")
        others = [link for link in links if link.node and link.node.path != file.path]
        if others:
            files = sorted({link.node.path for link in others if link.node})
            uses = sum(len(link.lines) for link in others)
            result.append(SharedSymbol(symbol.qualified, symbol.line, uses, tuple(files)))
    return sorted(result, key=lambda symbol: (-len(symbol.files), -symbol.uses, symbol.line))
