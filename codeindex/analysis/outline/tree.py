"""List indexed files as a tree of folders."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from codeindex.analysis.file_selection import catalog_path, select_files
from codeindex.store.catalog.files import FileRecord
from codeindex.types.report import Table, plural


class TreeFileDict(TypedDict):
    """The JSON form of a file in a `TreeFolder`."""

    name: str
    language: str
    lines: int


class TreeFolderDict(TypedDict, total=False):
    """The JSON form of a folder; at the requested depth it has no `folders` and `entries`."""

    path: str
    files: int
    lines: int
    folders: list[TreeFolderDict]
    entries: list[TreeFileDict]


@dataclass(frozen=True, slots=True)
class TreeFolder:
    """A folder; `own` are the files directly in it, `files` and `lines` count all levels."""

    path: str
    folders: tuple[TreeFolder, ...]
    own: tuple[FileRecord, ...]
    files: int
    lines: int

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2] or "."

    def as_dict(self, depth: int) -> TreeFolderDict:
        shape: TreeFolderDict = {"path": self.path, "files": self.files, "lines": self.lines}
        if depth:
            shape["folders"] = [folder.as_dict(depth - 1) for folder in self.folders]
            shape["entries"] = [
                {
                    "name": file.path.rpartition("/")[2],
                    "language": file.language,
                    "lines": file.lines,
                }
                for file in self.own
            ]
        return shape

    def text(self, depth: int, indent: str = "") -> Iterator[str]:
        yield f"{indent}{self.name}/  ({plural(self.files, 'file')}, {plural(self.lines, 'line')})"
        if depth:
            for folder in self.folders:
                yield from folder.text(depth - 1, f"{indent}  ")
            for file in self.own:
                yield f"{indent}  {file.path.rpartition('/')[2]}  ({file.lines})"


@dataclass(frozen=True, slots=True)
class FileTree:
    """The files below `root`, shown down to `depth` levels; -1 shows all levels."""

    root: TreeFolder
    depth: int
    files: tuple[FileRecord, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.files)

    def as_dict(self) -> TreeFolderDict:
        return self.root.as_dict(self.depth)

    def columns(self) -> Table:
        rows = [(file.path, file.language, str(file.lines)) for file in self.files]
        return ("file", "language", "lines"), rows

    def text(self) -> Iterator[str]:
        return self.root.text(self.depth)


def list_tree(connection: sqlite3.Connection, path: str = "", *, depth: int = 0) -> FileTree:
    """Return the files below a path, down to `depth` levels (0: all).

    Raise QueryError if the path is not indexed.
    """
    files = select_files(connection, path)
    place = catalog_path(path)
    top = place.rpartition("/")[0] if files[0].path == place else place
    return FileTree(_make_folder(files, top), depth or -1, tuple(files))


def _make_folder(files: Sequence[FileRecord], path: str) -> TreeFolder:
    skip = len(path) + 1 if path else 0
    below: dict[str, list[FileRecord]] = defaultdict(list)
    own_files = []
    for member in files:
        name, slash, _ = member.path[skip:].partition("/")
        if slash:
            below[f"{path}/{name}".removeprefix("/")].append(member)
        else:
            own_files.append(member)
    return TreeFolder(
        path=path,
        folders=tuple(_make_folder(inside, name) for name, inside in sorted(below.items())),
        own=tuple(own_files),
        files=len(files),
        lines=sum(file.lines for file in files),
    )
