"""What a file declares, and what of a file, a folder or everything is public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

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

if TYPE_CHECKING:
    import sqlite3

_ALSO = {"fn": "function", "def": "function", "func": "function", "const": "constant"}
"""What other tools call our kinds."""


class DeclarationsDict(TypedDict):
    """What `Declarations` is in JSON; shallow ones have no `doc`."""

    path: str
    files: int
    declarations: list[Annotated[dict[str, Any], Declaration]]
    total: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class Declarations:
    """What a place declares; `files` are all of the place, `total` counts what a limit left out."""

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
        rows = [asdict(one) for one in self.declarations]
        for row in rows if self.shallow else ():
            del row["doc"]
        return {
            "path": self.path,
            "files": len(self.files),
            "declarations": rows,
            "total": self.total,
            "truncated": self.truncated,
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return DECLARATION_COLUMNS, [one.row() for one in self.declarations]

    def text(self) -> Iterator[str]:
        shown = f", the first {len(self.declarations)}" if self.truncated else ""
        noun = "declaration" if self.total == 1 else "declarations"
        yield f"{self.path or 'all'}: {self.total} {noun}{shown}"
        for file, found in groupby(self.declarations, key=lambda one: one.file):
            if file != self.path:
                yield file
            for one in found:
                depth = 0 if one.kind == SymbolKind.IMPL else one.name.count(".")
                yield f"  {'  ' * depth}{one.in_short()}"
                if one.doc and not self.shallow:
                    yield f"  {'  ' * depth}    {one.doc.splitlines()[0]}"


def list_declarations(
    connection: sqlite3.Connection, path: str, *, kind: str = "", shallow: bool = False
) -> Declarations:
    """Return what a file declares; `shallow` leaves out members and documentation."""
    file = select_file(connection, path)
    nodes = declarations_in(connection, [file.id])
    if kind:
        wanted = _ALSO.get(kind.lower(), kind.lower())
        if wanted not in set(SymbolKind):
            raise QueryError(f"No kind is called {kind!r}: use one of {', '.join(SymbolKind)}.")
        nodes = [one for one in nodes if one.kind == wanted]
    owners = {one.qualified for one in nodes}
    if shallow:
        nodes = [one for one in nodes if one.qualified.rpartition(".")[0] not in owners]
    return Declarations(
        file.path, describe_nodes(connection, nodes), len(nodes), (file.path,), shallow=shallow
    )


def list_public_api(connection: sqlite3.Connection, path: str, *, limit: int) -> Declarations:
    """Return what other code may use of a file, a folder or everything outside of tests."""
    files = select_files(connection, path)
    own = [one for one in files if not one.is_test] or files
    nodes = declarations_in(connection, [one.id for one in own])
    public = public_ids(connection, nodes)
    shown = [one for one in nodes if one.id in public]
    return Declarations(
        path=path,
        declarations=tuple(describe_node(one, public=True) for one in shown[:limit]),
        total=len(shown),
        files=tuple(one.path for one in own),
        shallow=True,
    )
