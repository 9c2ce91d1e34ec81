"""List the declarations of a file, or the public API of a path."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Annotated, Any, TypedDict

from codeindex.analysis.file_selection import select_file, select_files
from codeindex.analysis.outline.declaration import (
    DECLARATION_COLUMNS,
    Declaration,
    describe_node,
    describe_nodes,
)
from codeindex.analysis.visibility import public_ids
from codeindex.errors import QueryError
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import SymbolKind
from codeindex.types.report import Table, make_table, plural

_KIND_ALIASES = {"fn": "function", "def": "function", "func": "function", "const": "constant"}
"""Other names for symbol kinds that a request may use."""


class DeclarationsDict(TypedDict):
    """The JSON form of `Declarations`; without `doc` if they are shallow."""

    path: str
    files: int
    declarations: list[Annotated[dict[str, Any], Declaration]]
    total: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class Declarations:
    """The declarations in a file or folder (`path`), which were read from `files`.

    `total` counts declarations before the limit. `shallow` leaves documentation out of the output.
    """

    path: str
    declarations: tuple[Declaration, ...]
    total: int
    files: tuple[str, ...]
    shallow: bool = False

    @property
    def truncated(self) -> bool:
        return len(self.declarations) < self.total

    @property
    def paths(self) -> tuple[str, ...]:
        return self.files

    def as_dict(self) -> DeclarationsDict:
        rows = [asdict(declaration) for declaration in self.declarations]
        for row in rows if self.shallow else ():
            del row["doc"]
        return {
            "path": self.path,
            "files": len(self.files),
            "declarations": rows,
            "total": self.total,
            "truncated": self.truncated,
        }

    def columns(self) -> Table:
        return make_table(self.declarations, DECLARATION_COLUMNS)

    def text(self) -> Iterator[str]:
        text = f", the first {len(self.declarations)}" if self.truncated else ""
        yield f"{self.path or 'all'}: {plural(self.total, 'declaration')}{text}"
        for file, declarations in groupby(
            self.declarations, key=lambda declaration: declaration.file
        ):
            if file != self.path:
                yield file
            for declaration in declarations:
                depth = 0 if declaration.kind == SymbolKind.IMPL else declaration.name.count(".")
                yield f"  {'  ' * depth}{declaration.in_short()}"
                if declaration.doc and not self.shallow:
                    yield f"  {'  ' * depth}    {declaration.doc.splitlines()[0]}"


def list_declarations(
    connection: sqlite3.Connection, path: str, *, kind: str = "", shallow: bool = False
) -> Declarations:
    """Return the declarations of a file: all of them, or those of the kind `kind`.

    With `shallow`, documentation is left out, and so are members whose owner is in the list. Raise
    QueryError for an unknown kind or path.
    """
    file = select_file(connection, path)
    nodes = declarations_in(connection, [file.id])
    if kind:
        wanted = _KIND_ALIASES.get(kind.lower(), kind.lower())
        if wanted not in set(SymbolKind):
            raise QueryError(f"No kind is called {kind!r}: use one of {', '.join(SymbolKind)}.")
        nodes = [node for node in nodes if node.kind == wanted]
    owners = {node.qualified for node in nodes}
    if shallow:
        nodes = [node for node in nodes if node.qualified.rpartition(".")[0] not in owners]
    return Declarations(
        file.path, describe_nodes(connection, nodes), len(nodes), (file.path,), shallow=shallow
    )


def list_public_api(connection: sqlite3.Connection, path: str, *, limit: int) -> Declarations:
    """Return the public declarations of a path; test files count only if there are no others."""
    files = select_files(connection, path)
    own_files = [file for file in files if not file.is_test] or files
    nodes = declarations_in(connection, [file.id for file in own_files])
    public = public_ids(connection, nodes)
    public_nodes = [node for node in nodes if node.id in public]
    return Declarations(
        path=path,
        declarations=tuple(describe_node(node, public=True) for node in public_nodes[:limit]),
        total=len(public_nodes),
        files=tuple(file.path for file in own_files),
        shallow=True,
    )
