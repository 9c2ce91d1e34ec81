"""The folders and files of the index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from codeindex.analysis.file_selection import normalize_path, select_files
from codeindex.store.symbols.declarations import FileRow

if TYPE_CHECKING:
    import sqlite3


class TreeFileDict(TypedDict):
    """A file of a folder in JSON."""

    name: str
    language: str
    lines: int


class TreeFolderDict(TypedDict, total=False):
    """What a folder is in JSON; without `folders` and `entries` at the end of the depth."""

    path: str
    files: int
    lines: int
    folders: list[TreeFolderDict]
    entries: list[TreeFileDict]


@dataclass(frozen=True, slots=True)
class TreeFolder:
    """A folder with what lies right in it; `files` and `lines` count all below it."""

    path: str
    folders: tuple[TreeFolder, ...]
    own: tuple[FileRow, ...]
    files: int
    lines: int

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2] or "."

    def as_dict(self, depth: int) -> TreeFolderDict:
        shape: TreeFolderDict = {"path": self.path, "files": self.files, "lines": self.lines}
        if depth:
            shape["folders"] = [one.as_dict(depth - 1) for one in self.folders]
            shape["entries"] = [
                {"name": one.path.rpartition("/")[2], "language": one.language, "lines": one.lines}
                for one in self.own
            ]
        return shape

    def text(self, depth: int, indent: str = "") -> Iterator[str]:
        yield f"{indent}{self.name}/  ({self.files} files, {self.lines} lines)"
        if depth:
            for folder in self.folders:
                yield from folder.text(depth - 1, f"{indent}  ")
            for one in self.own:
                yield f"{indent}  {one.path.rpartition('/')[2]}  ({one.lines})"


@dataclass(frozen=True, slots=True)
class FileTree:
    """A folder to be shown `depth` levels deep; all of them below zero."""

    root: TreeFolder
    depth: int
    files: tuple[FileRow, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(one.path for one in self.files)

    def as_dict(self) -> TreeFolderDict:
        return self.root.as_dict(self.depth)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(one.path, one.language, str(one.lines)) for one in self.files]
        return ("file", "language", "lines"), rows

    def text(self) -> Iterator[str]:
        return self.root.text(self.depth)


def list_tree(connection: sqlite3.Connection, path: str = "", *, depth: int = 0) -> FileTree:
    """Return the files below a place; QueryError if it is not there."""
    files = select_files(connection, path)
    place = normalize_path(path)
    top = place.rpartition("/")[0] if files[0].path == place else place
    return FileTree(_folder(files, top), depth or -1, tuple(files))


def _folder(files: Sequence[FileRow], path: str) -> TreeFolder:
    skip = len(path) + 1 if path else 0
    below: dict[str, list[FileRow]] = defaultdict(list)
    own = []
    for one in files:
        name, slash, _ = one.path[skip:].partition("/")
        if slash:
            below[f"{path}/{name}".removeprefix("/")].append(one)
        else:
            own.append(one)
    return TreeFolder(
        path=path,
        folders=tuple(_folder(inside, name) for name, inside in sorted(below.items())),
        own=tuple(own),
        files=len(files),
        lines=sum(one.lines for one in files),
    )
