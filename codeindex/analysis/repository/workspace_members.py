"""List the members of a monorepo workspace: crates, packages or modules."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import partial
from posixpath import dirname, join, normpath
from typing import Annotated, Any, TypedDict

from codeindex.errors import QueryError
from codeindex.files.manifests import go_module_path, parse_json, parse_toml
from codeindex.store.catalog.files import list_paths, stored_text
from codeindex.types.report import Table, make_table, plural


@dataclass(frozen=True, slots=True)
class WorkspaceMember:
    """A member (package) of a workspace; `path` is its folder, `.` for the root."""

    name: str
    path: str
    files: int


class WorkspaceMembersDict(TypedDict):
    """The JSON form of `WorkspaceMembers`."""

    workspace_type: str
    members: list[Annotated[dict[str, Any], WorkspaceMember]]


@dataclass(frozen=True, slots=True)
class WorkspaceMembers:
    """The members of a workspace; its type is `single` if the repository is a single project."""

    workspace_type: str
    members: tuple[WorkspaceMember, ...]
    manifests: tuple[str, ...] = ()

    def folder_of(self, name: str) -> str:
        """Return the folder of a member, '' for the root; raise QueryError for an unknown name."""
        for member in self.members:
            if member.name == name:
                return "" if member.path == "." else member.path
        known = ", ".join(member.name for member in self.members) or "none"
        raise QueryError(f"No member of the workspace is called {name!r}: there are {known}.")

    @property
    def paths(self) -> set[str]:
        return set(self.manifests)

    def as_dict(self) -> WorkspaceMembersDict:
        return {
            "workspace_type": self.workspace_type,
            "members": [asdict(member) for member in self.members],
        }

    def columns(self) -> Table:
        return make_table(self.members, ("name", "path", "files"))

    def text(self) -> Iterator[str]:
        yield f"{self.workspace_type}: {plural(len(self.members), 'member')}"
        for member in self.members:
            yield f"  {member.name}  {member.path}  {plural(member.files, 'file')}"


@dataclass(frozen=True, slots=True)
class _Workspace:
    """How one kind of workspace declares its members.

    `listed` reads the globs of members from the root manifest, a file called `manifest`. `named`
    reads the name of a member from its own manifest, called `member_manifest`.
    """

    type: str
    manifest: str
    listed: Callable[[str], Sequence[str]]
    member_manifest: str
    named: Callable[[str], str]


def list_workspace_members(connection: sqlite3.Connection, *, root_name: str) -> WorkspaceMembers:
    """Return the members of the first kind of workspace that a root manifest declares.

    Without a workspace, the whole repository is the only member.
    """
    return find_workspace_members(
        list_paths(connection), partial(stored_text, connection), root_name=root_name
    )


def single_member(connection: sqlite3.Connection, *, root_name: str) -> WorkspaceMembers:
    """Return the whole repository as the only member."""
    return _single(list_paths(connection), root_name)


def _single(paths: Sequence[str], root_name: str) -> WorkspaceMembers:
    return WorkspaceMembers("single", (WorkspaceMember(root_name, ".", len(paths)),))


def find_workspace_members(
    paths: Sequence[str], read: Callable[[str], str], *, root_name: str
) -> WorkspaceMembers:
    """Return the workspace members among the files `paths`, as `list_workspace_members` does.

    `read` returns the text of a file.
    """
    known_paths = set(paths)
    for kind in _WORKSPACES:
        globs = kind.listed(read(kind.manifest)) if kind.manifest in known_paths else ()
        folders = _folders(paths, kind.member_manifest, globs)
        if folders:
            manifests = [join(folder, kind.member_manifest) for folder in folders]
            members = tuple(
                _member(paths, folder, kind.named(read(manifest)))
                for folder, manifest in zip(folders, manifests, strict=True)
            )
            return WorkspaceMembers(kind.type, members, (kind.manifest, *manifests))
    return _single(paths, root_name)


def _folders(paths: Iterable[str], manifest: str, globs: Sequence[str]) -> list[str]:
    """Return the folders with a manifest that match a glob and no negated glob."""
    wanted = [normpath(glob) for glob in globs if not glob.startswith("!")]
    refused = [normpath(glob[1:]) for glob in globs if glob.startswith("!")]
    manifest_folders = [dirname(path) for path in paths if path.rpartition("/")[2] == manifest]
    return [
        name
        for name in manifest_folders
        if any(_matches_glob(name or ".", glob) for glob in wanted)
        and not any(_matches_glob(name, glob) for glob in refused)
    ]


def _matches_glob(folder: str, glob: str) -> bool:
    """Tell whether a folder matches a glob; `*` is one folder, `**` any number of folders."""
    parts, pattern = folder.split("/"), glob.split("/")
    if "**" in pattern:
        return fnmatchcase(folder, glob.replace("**", "*"))
    return len(parts) == len(pattern) and all(map(fnmatchcase, parts, pattern))


def _member(paths: Iterable[str], folder: str, name: str) -> WorkspaceMember:
    inside = sum(not folder or path.startswith(f"{folder}/") for path in paths)
    return WorkspaceMember(name or folder.rpartition("/")[2], folder or ".", inside)


def _lookup(table: Any, *keys: str) -> Any:
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _strings(value: Any) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _cargo_globs(text: str) -> list[str]:
    manifest = parse_toml(text)
    root_member = ["."] if "package" in manifest and "workspace" in manifest else []
    left_out = [f"!{text}" for text in _strings(_lookup(manifest, "workspace", "exclude"))]
    return [*root_member, *_strings(_lookup(manifest, "workspace", "members")), *left_out]


def _uv_globs(text: str) -> list[str]:
    workspace = _lookup(parse_toml(text), "tool", "uv", "workspace")
    left_out = [f"!{text}" for text in _strings(_lookup(workspace, "exclude"))]
    return [".", *_strings(_lookup(workspace, "members")), *left_out] if workspace else []


def _npm_globs(text: str) -> list[str]:
    workspaces = _lookup(parse_json(text), "workspaces")
    return _strings(workspaces) or _strings(_lookup(workspaces, "packages"))


def _pnpm_globs(text: str) -> list[str]:
    """Return the list below `packages:`; a YAML parser would take 30 ms for this one list."""
    block = re.search(
        r"^packages:\s*\n((?:\s*(?:#.*)?\n|\s+-.*\n|-.*\n)*)", f"{text}\n", re.MULTILINE
    )
    return re.findall(r"-\s*[\"']?([^\"'\s#]+)", block[1]) if block else []


def _go_globs(text: str) -> list[str]:
    block = "\n".join(re.findall(r"^use\s*\(([^)]*)\)", text, re.MULTILINE))
    alone = re.findall(r"^use\s+([^\s(]+)", text, re.MULTILINE)
    bare = re.sub(r"//.*", "", block)
    return [*alone, *bare.split()]


def _toml_name(*keys: str) -> Callable[[str], str]:
    return lambda text: str(_lookup(parse_toml(text), *keys) or "")


def _json_name(text: str) -> str:
    return str(_lookup(parse_json(text), "name") or "")


_WORKSPACES = (
    _Workspace("cargo", "Cargo.toml", _cargo_globs, "Cargo.toml", _toml_name("package", "name")),
    _Workspace("pnpm", "pnpm-workspace.yaml", _pnpm_globs, "package.json", _json_name),
    _Workspace("npm", "package.json", _npm_globs, "package.json", _json_name),
    _Workspace("go", "go.work", _go_globs, "go.mod", go_module_path),
    _Workspace("uv", "pyproject.toml", _uv_globs, "pyproject.toml", _toml_name("project", "name")),
)
"""Workspace types, in the order in which they are tried; yarn uses the npm format."""
