"""The members of a workspace: crates, packages and modules that one repository holds together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from codeindex.files.manifests import go_module_path, parse_json, parse_toml
from codeindex.store.catalog.files import stored_text

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class WorkspaceMember:
    """A member; `path` is its folder, `.` for the root."""

    name: str
    path: str
    files: int


class WorkspaceMembersDict(TypedDict):
    """What `WorkspaceMembers` is in JSON."""

    workspace_type: str
    members: list[Annotated[dict[str, Any], WorkspaceMember]]


@dataclass(frozen=True, slots=True)
class WorkspaceMembers:
    """`workspace_type` is `single` for a repository that is one project."""

    workspace_type: str
    members: tuple[WorkspaceMember, ...]
    manifests: tuple[str, ...] = ()

    @property
    def paths(self) -> set[str]:
        return set(self.manifests)

    def as_dict(self) -> WorkspaceMembersDict:
        return {
            "workspace_type": self.workspace_type,
            "members": [asdict(one) for one in self.members],
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return ("name", "path", "files"), [
            (one.name, one.path, str(one.files)) for one in self.members
        ]

    def text(self) -> Iterator[str]:
        yield f"{self.workspace_type}: {len(self.members)} members"
        for one in self.members:
            yield f"  {one.name}  {one.path}  {one.files} files"


@dataclass(frozen=True, slots=True)
class _Workspace:
    """A kind of workspace: the manifest at the root that lists members, and theirs, with names."""

    type: str
    manifest: str
    listed: Callable[[str], Sequence[str]]
    member_manifest: str
    named: Callable[[str], str]


def list_workspace_members(connection: sqlite3.Connection, *, root_name: str) -> WorkspaceMembers:
    """Return the members of the first kind of workspace that the root's manifests speak of."""
    paths = [path for (path,) in connection.execute("SELECT path FROM files ORDER BY path")]
    known = set(paths)
    for kind in _WORKSPACES:
        globs = (
            kind.listed(stored_text(connection, kind.manifest)) if kind.manifest in known else ()
        )
        folders = _folders(paths, kind.member_manifest, globs)
        if folders:
            manifests = [join(one, kind.member_manifest) for one in folders]
            found = tuple(
                _member(paths, folder, kind.named(stored_text(connection, manifest)))
                for folder, manifest in zip(folders, manifests, strict=True)
            )
            return WorkspaceMembers(kind.type, found, (kind.manifest, *manifests))
    return WorkspaceMembers("single", (WorkspaceMember(root_name, ".", len(paths)),))


def _folders(paths: Iterable[str], manifest: str, globs: Sequence[str]) -> list[str]:
    """Return the folders with a manifest that some glob takes in and none leaves out."""
    wanted = [normpath(one) for one in globs if not one.startswith("!")]
    refused = [normpath(one[1:]) for one in globs if one.startswith("!")]
    own = [dirname(path) for path in paths if path.rpartition("/")[2] == manifest]
    return [
        one
        for one in own
        if any(_fits(one or ".", glob) for glob in wanted)
        and not any(_fits(one, glob) for glob in refused)
    ]


def _fits(folder: str, glob: str) -> bool:
    """Match as workspaces do: `*` is one folder, `**` any number."""
    parts, pattern = folder.split("/"), glob.split("/")
    if "**" in pattern:
        return fnmatchcase(folder, glob.replace("**", "*"))
    return len(parts) == len(pattern) and all(map(fnmatchcase, parts, pattern))


def _member(paths: Iterable[str], folder: str, name: str) -> WorkspaceMember:
    inside = sum(not folder or path.startswith(f"{folder}/") for path in paths)
    return WorkspaceMember(name or folder.rpartition("/")[2], folder or ".", inside)


def _at(table: Any, *keys: str) -> Any:
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _cargo(text: str) -> list[str]:
    manifest = parse_toml(text)
    own = ["."] if "package" in manifest and "workspace" in manifest else []
    left_out = [f"!{one}" for one in _texts(_at(manifest, "workspace", "exclude"))]
    return [*own, *_texts(_at(manifest, "workspace", "members")), *left_out]


def _uv(text: str) -> list[str]:
    workspace = _at(parse_toml(text), "tool", "uv", "workspace")
    left_out = [f"!{one}" for one in _texts(_at(workspace, "exclude"))]
    return [".", *_texts(_at(workspace, "members")), *left_out] if workspace else []


def _npm(text: str) -> list[str]:
    workspaces = _at(parse_json(text), "workspaces")
    return _texts(workspaces) or _texts(_at(workspaces, "packages"))


def _pnpm(text: str) -> list[str]:
    """Read the list below `packages:`; a YAML reader would cost 30 ms for one list."""
    block = re.search(
        r"^packages:\s*\n((?:\s*(?:#.*)?\n|\s+-.*\n|-.*\n)*)", f"{text}\n", re.MULTILINE
    )
    return re.findall(r"-\s*[\"']?([^\"'\s#]+)", block[1]) if block else []


def _go(text: str) -> list[str]:
    block = "\n".join(re.findall(r"^use\s*\(([^)]*)\)", text, re.MULTILINE))
    alone = re.findall(r"^use\s+([^\s(]+)", text, re.MULTILINE)
    bare = re.sub(r"//.*", "", block)
    return [*alone, *bare.split()]


def _toml_name(*keys: str) -> Callable[[str], str]:
    return lambda text: str(_at(parse_toml(text), *keys) or "")


def _json_name(text: str) -> str:
    return str(_at(parse_json(text), "name") or "")


_WORKSPACES = (
    _Workspace("cargo", "Cargo.toml", _cargo, "Cargo.toml", _toml_name("package", "name")),
    _Workspace("pnpm", "pnpm-workspace.yaml", _pnpm, "package.json", _json_name),
    _Workspace("npm", "package.json", _npm, "package.json", _json_name),
    _Workspace("go", "go.work", _go, "go.mod", go_module_path),
    _Workspace("uv", "pyproject.toml", _uv, "pyproject.toml", _toml_name("project", "name")),
)
"""Tried in this order; yarn's workspaces are npm's."""
