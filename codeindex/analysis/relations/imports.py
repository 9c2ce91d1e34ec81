"""The import statements of a file, with what they lead to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.file_selection import select_file
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import stored_text
from codeindex.store.graph.links import links_from
from codeindex.store.symbols.declarations import FileRow
from codeindex.types import Neighbor, Node

if TYPE_CHECKING:
    import sqlite3

_LONGEST = 40
"""Lines of one statement: the longest lists of names in the repositories that this was tried on."""


@dataclass(frozen=True, slots=True)
class ImportStatement:
    """A statement as it is written, with the files it leads to and what it takes from outside."""

    line: int
    text: str
    files: tuple[str, ...]
    names: tuple[str, ...]
    outside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Imports:
    """`known` is false where imports are not read: no relations for the language, or no parse."""

    path: str
    language: str
    imports: tuple[ImportStatement, ...]
    known: bool
    total: int

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.path,)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(str(one.line), one.text, " ".join(one.files)) for one in self.imports]
        return ("line", "import", "files"), rows

    def text(self) -> Iterator[str]:
        if not self.known:
            yield f"{self.path}: imports of {self.language} files are not read"
            return
        yield f"{self.path}: {len(self.imports)} imports"
        for one in self.imports:
            yield f"  {one.line}: {one.text}"
            yield from (f"      {file}" for file in one.files)


def list_imports(connection: sqlite3.Connection, path: str) -> Imports:
    """Return what a file imports, by line."""
    return list_file_imports(connection, select_file(connection, path))


def list_file_imports(connection: sqlite3.Connection, file: FileRow) -> Imports:
    known = file.status == "indexed" and bool(LANGUAGES[file.language].relations)
    found = tuple(_statements(connection, file))
    return Imports(file.path, file.language, found, known, len(found))


def file_as_node(file: FileRow) -> Node:
    """Return a file as the graph knows it."""
    return Node(
        id=0,
        file_id=file.id,
        path=file.path,
        name=file.path,
        qualified="",
        kind="file",
        line=1,
        start_line=1,
        end_line=file.lines,
        signature="",
        doc="",
        language=file.language,
        module=file.module,
        is_test=bool(file.is_test),
    )


def _statements(connection: sqlite3.Connection, file: FileRow) -> Iterator[ImportStatement]:
    found = defaultdict(list)
    for link in links_from(connection, file_as_node(file), "imports"):
        for line in link.lines:
            found[line].append(link)
    lines = stored_text(connection, file.path).split("\n") if found else []
    for line, (text, links) in _joined(lines, found).items():
        inside = [one.node for one in links if one.node]
        yield ImportStatement(
            line=line,
            text=text,
            files=tuple(dict.fromkeys(one.path for one in inside)),
            names=tuple(dict.fromkeys(one.qualified for one in inside if one.qualified)),
            outside=tuple(dict.fromkeys(one.name for one in links if not one.node)),
        )


def _joined(
    lines: Sequence[str], found: Mapping[int, Sequence[Neighbor]]
) -> dict[int, tuple[str, list[Neighbor]]]:
    """Return statements by the line that they begin in, with what all of their lines import."""
    joined: dict[int, tuple[str, list[Neighbor]]] = {}
    first = last = 0
    for line, links in sorted(found.items()):
        if line > last:
            said = _statement(lines, line)
            first, last = line, line + len(said) - 1
            joined[line] = (" ".join(" ".join(said).split()), [])
        joined[first][1].extend(links)
    return joined


def _statement(lines: Sequence[str], number: int) -> Sequence[str]:
    """Return the lines from this one on until its brackets are closed."""
    said: list[str] = []
    for line in lines[number - 1 : number - 1 + _LONGEST]:
        said.append(line)
        text = " ".join(said)
        if all(text.count(a) <= text.count(b) for a, b in ("()", "{}")):
            break
    return said
