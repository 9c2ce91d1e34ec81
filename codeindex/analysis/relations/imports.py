"""List the import statements of a file, with the files and symbols that they import."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from codeindex.analysis.file_selection import select_file
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import FileRecord, stored_text
from codeindex.store.graph.links import links_from
from codeindex.store.symbols.nodes import file_nodes
from codeindex.types import Neighbor
from codeindex.types.report import DataReport, Table, plural

_MAX_STATEMENT_LINES = 40
"""Most lines of one statement: the longest import list in the benchmark repositories."""


@dataclass(frozen=True, slots=True)
class ImportStatement:
    """An import statement with the files and symbols that it imports.

    `outside` lists the imported names that the repository does not define.
    """

    line: int
    text: str
    files: tuple[str, ...]
    names: tuple[str, ...]
    outside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Imports(DataReport):
    """The imports of a file.

    `known` is false if relations are not read for its language or the file was not parsed.
    """

    path: str
    language: str
    imports: tuple[ImportStatement, ...]
    known: bool
    total: int

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.path,)

    def columns(self) -> Table:
        rows = [
            (str(statement.line), statement.text, " ".join(statement.files))
            for statement in self.imports
        ]
        return ("line", "import", "files"), rows

    def text(self) -> Iterator[str]:
        if not self.known:
            yield f"{self.path}: imports of {self.language} files are not read"
            return
        yield f"{self.path}: {plural(len(self.imports), 'import')}"
        for statement in self.imports:
            yield f"  {statement.line}: {statement.text}"
            yield from (f"      {file}" for file in statement.files)


def list_imports(connection: sqlite3.Connection, path: str) -> Imports:
    """Return the imports of the file at a path; raise QueryError if it is not indexed."""
    return list_file_imports(connection, select_file(connection, path))


def list_file_imports(connection: sqlite3.Connection, file: FileRecord) -> Imports:
    is_known = file.status == "indexed" and bool(LANGUAGES[file.language].relations)
    statements = tuple(_statements(connection, file))
    return Imports(file.path, file.language, statements, is_known, len(statements))


def _statements(connection: sqlite3.Connection, file: FileRecord) -> Iterator[ImportStatement]:
    links_by_line = defaultdict(list)
    for node in file_nodes(connection, [file.path]):
        for link in links_from(connection, node, "imports"):
            for line in link.lines:
                links_by_line[line].append(link)
    lines = stored_text(connection, file.path).split("\n") if links_by_line else []
    for line, (text, links) in _join_statements(lines, links_by_line).items():
        inside = [link.node for link in links if link.node]
        yield ImportStatement(
            line=line,
            text=text,
            files=tuple(dict.fromkeys(node.path for node in inside)),
            names=tuple(dict.fromkeys(node.qualified for node in inside if node.qualified)),
            outside=tuple(dict.fromkeys(link.name for link in links if not link.node)),
        )


def _join_statements(
    lines: Sequence[str], links_by_line: Mapping[int, Sequence[Neighbor]]
) -> dict[int, tuple[str, list[Neighbor]]]:
    """Return {first line of a statement: (its text in one line, links of its lines)}."""
    joined: dict[int, tuple[str, list[Neighbor]]] = {}
    first = last = 0
    for line, links in sorted(links_by_line.items()):
        if line > last:
            texts = _statement_lines(lines, line)
            first, last = line, line + len(texts) - 1
            joined[line] = (" ".join(" ".join(texts).split()), [])
        joined[first][1].extend(links)
    return joined


def _statement_lines(lines: Sequence[str], number: int) -> Sequence[str]:
    """Return the lines of the statement that begins in line `number`.

    It ends where all brackets are closed.
    """
    texts: list[str] = []
    for line in lines[number - 1 : number - 1 + _MAX_STATEMENT_LINES]:
        texts.append(line)
        text = " ".join(texts)
        if all(text.count(a) <= text.count(b) for a, b in ("()", "{}")):
            break
    return texts
