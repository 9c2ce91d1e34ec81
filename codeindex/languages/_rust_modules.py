"""Locate Rust modules below the crate roots that `Cargo.toml` names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from codeindex.files.manifests import parse_toml
from codeindex.languages.source_tree import (
    MACRO_SCOPE_MODULE,
    ModuleLocation,
    SourceTree,
    ancestor_folder,
    join_path,
)

_CONVENTIONAL = ("src/lib.rs", "src/main.rs", "build.rs")
_MODULE = re.compile(r"\bmod\s+(\w+)\s*;")
_MACRO_USE = re.compile(
    r"#\[macro_use\]\s*(?:#\[[^\]\n]*\]\s*|//[^\n]*\s*)*(?:pub(?:\([^()]*\))?\s+)?mod\s+(\w+)\s*;"
)
_MAX_MACRO_MODULES = 50
_OWN_ROOTS = ("src/bin", "tests", "examples", "benches")
"""Folders in which each file is the root of a crate."""


def locate_rust_module(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the location of a module path such as `crate::shop::Cart`; None if external.

    Parts of the path that are not files name a symbol in the last file.
    """
    if module == MACRO_SCOPE_MODULE:
        return _macro_scope(tree, path)
    first, *rest = module.split("::")
    root = _root(tree, path)
    segments = _segments(root, path)
    if first == "crate":
        return _below(tree, root, rest)
    if first in {"self", "super"}:
        rest = [first, *rest]
        while rest[:1] in (["self"], ["super"]):
            segments = segments[: len(segments) - (rest.pop(0) == "super")]
        return _below(tree, root, [*segments, *rest])
    return _named(tree, path, root, [*segments], [first, *rest])


def _macro_scope(tree: SourceTree, path: str) -> ModuleLocation | None:
    """Return the files whose macros a file sees without a path, nearest first; None if none.

    These are its ancestors and the modules that they declare with `#[macro_use]`. At the root of a
    crate, its other modules follow: they may export macros.
    """
    root = _root(tree, path)
    segments = _segments(root, path)
    files: dict[str, None] = {}
    for end in range(len(segments), -1, -1):
        around = _file(tree, root, segments[:end])
        if around:
            files.setdefault(around)
            files |= dict.fromkeys(_macro_modules(tree, root, around, tuple(segments[:end])))
    if path == root:
        files |= dict.fromkeys(_declared_modules(tree, root, root, (), _MODULE))
    files.pop(path, None)
    return ModuleLocation(tuple(files)) if files else None


@lru_cache(maxsize=1 << 12)
def _macro_modules(
    tree: SourceTree, root: str, path: str, segments: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the files of modules that a file declares with `#[macro_use]`, at any depth.

    `segments` is the module path of the file below the crate root `root`.
    """
    found: dict[str, None] = {}
    pending = [(path, segments)]
    while pending and len(found) < _MAX_MACRO_MODULES:
        at, around = pending.pop(0)
        for file in _declared_modules(tree, root, at, around, _MACRO_USE):
            if file not in found and file != path:
                found[file] = None
                pending += [(file, around), (file, tuple(_segments(root, file)))]
    return tuple(found)


def _declared_modules(
    tree: SourceTree, root: str, path: str, segments: tuple[str, ...], pattern: re.Pattern[str]
) -> list[str]:
    names = pattern.findall(tree.text(path))
    files = (_file(tree, root, [*segments, name]) for name in names)
    return [file for file in files if file]


def _named(
    tree: SourceTree, path: str, root: str, segments: list[str], parts: list[str]
) -> ModuleLocation | None:
    """Return the location of a path that begins with a name, like `shop::Cart`.

    The name is a submodule of the module `segments`, a crate, or a module at the crate root.
    """
    if _file(tree, root, [*segments, parts[0]]):
        return _below(tree, root, [*segments, *parts])
    crate = _crates(tree).get(_renamed(tree, path).get(parts[0], parts[0]))
    if crate:
        return _below(tree, crate, parts[1:])
    return _below(tree, root, parts) if _file(tree, root, parts[:1]) else None


def _below(tree: SourceTree, root: str, parts: Sequence[str]) -> ModuleLocation | None:
    """Return the location of a module path in the crate with the root file `root`.

    Its file is that of the longest leading part that is a module; the rest of the path names a
    symbol in the file.
    """
    end = next(at for at in range(len(parts), -1, -1) if at == 0 or _file(tree, root, parts[:at]))
    file = _file(tree, root, parts[:end])
    return ModuleLocation((file,), symbol=".".join(parts[end:])) if file else None


def _file(tree: SourceTree, root: str, parts: Sequence[str]) -> str | None:
    if not parts:
        return tree.first(root)
    stem = join_path(root.rpartition("/")[0], "/".join(parts))
    return tree.first(f"{stem}.rs", f"{stem}/mod.rs")


def _segments(root: str, path: str) -> list[str]:
    """Return the module path of a file below its crate root, as a list of parts."""
    if path == root:
        return []
    folder = root.rpartition("/")[0]
    inner = path[len(folder) + 1 if folder else 0 :].removesuffix(".rs").removesuffix("/mod")
    return inner.split("/")


def _package(tree: SourceTree, path: str) -> str:
    """Return the folder of the Cargo package that contains a file; "" without one."""
    folder: str | None = path.rpartition("/")[0]
    while folder and folder not in _manifests(tree):
        folder = ancestor_folder(folder, 1)
    return folder or ""


def _root(tree: SourceTree, path: str) -> str:
    """Return the crate root nearest to a file; the file itself without one."""
    roots = _roots(tree).get(_package(tree, path), ())
    if path in roots:
        return path
    around = [root for root in roots if path.startswith(root.rpartition("/")[0] + "/")]
    return max(around, key=lambda root: root.count("/"), default=path)


@lru_cache(maxsize=4)
def _roots(tree: SourceTree) -> dict[str, tuple[str, ...]]:
    """Return {package folder: crate roots of the package}, the library's root first."""
    mains: dict[str, list[str]] = {}
    for path in sorted(tree.files):
        if path.endswith("/main.rs"):
            mains.setdefault(path.rsplit("/", 2)[0], []).append(path)
    roots = {}
    for folder, manifest in _manifests(tree).items():
        named = [join_path(folder, name) for name in (*_named_roots(manifest), *_CONVENTIONAL)]
        inner = [join_path(folder, name) for name in _OWN_ROOTS]
        alone = [
            file for own in inner for file in tree.folders.get(own, ()) if file.endswith(".rs")
        ]
        alone += [file for own in inner for file in mains.get(own, ())]
        roots[folder] = tuple(
            file for file in dict.fromkeys([*named, *alone]) if file in tree.files
        )
    return roots


def _named_roots(manifest: dict[str, Any]) -> list[str]:
    """Return the paths of crate roots that a `Cargo.toml` sets explicitly, like `src/cli.rs`."""
    targets = [manifest.get("lib", {})]
    for kind in ("bin", "test", "example", "bench"):
        targets += manifest.get(kind, [])
    return [str(target["path"]) for target in targets if "path" in target]


@lru_cache(maxsize=4)
def _crates(tree: SourceTree) -> dict[str, str]:
    """Return {crate name: root file} of the library crates."""
    crates: dict[str, str] = {}
    for folder, manifest in _manifests(tree).items():
        library = manifest.get("lib", {})
        name = {**manifest.get("package", {}), **library}.get("name")
        root = join_path(folder, str(library.get("path", "src/lib.rs")))
        if name and root in tree.files:
            crates.setdefault(str(name).replace("-", "_"), root)
    return crates


def _renamed(tree: SourceTree, path: str) -> dict[str, str]:
    """Return {new name: original name} of the dependencies that a manifest renames."""
    manifest = _manifests(tree).get(_package(tree, path), {})
    tables = [manifest.get(f"{kind}dependencies", {}) for kind in ("", "dev-", "build-")]
    return {
        name.replace("-", "_"): str(declared["package"]).replace("-", "_")
        for table in tables
        for name, declared in table.items()
        if isinstance(declared, dict) and "package" in declared
    }


@lru_cache(maxsize=4)
def _manifests(tree: SourceTree) -> dict[str, dict[str, Any]]:
    """Return {folder: parsed `Cargo.toml`}."""
    paths = sorted(file for file in tree.files if file.rpartition("/")[2] == "Cargo.toml")
    return {path.rpartition("/")[0]: parse_toml(tree.text(path)) for path in paths}
