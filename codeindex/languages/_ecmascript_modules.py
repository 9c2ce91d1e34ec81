"""Resolve ECMAScript imports: relative files, `paths` of a tsconfig, and packages."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from codeindex.files.manifests import Json, parse_json
from codeindex.languages.source_tree import (
    DEFINITIONS_MODULE,
    ModuleLocation,
    SourceTree,
    ancestor_folder,
    join_path,
)

_SUFFIXES = (
    *(".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"),
)
_SCRIPTS = (".js", ".mjs", ".cjs", ".jsx")
_WRITTEN_FOR = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""Suffixes of sources, by the suffix of the compiled file that an import names."""
_CONFIGS = ("tsconfig.json", "jsconfig.json")
_ENTRIES = ("source", "types", "typings", "module", "main")
_CONDITIONS = ("source", "types", "import", "module", "browser", "node", "require", "default")
_BUILT = frozenset({"build", "cjs", "dist", "es", "esm", "lib", "out", "types"})
"""Folders of compiled code; the sources of such code are in `src`."""
_MAX_DEPTH = 8
MANIFESTS = (
    *("deno.json", "jsconfig.json", "package.json", "pnpm-workspace.yaml", "tsconfig*.json"),
    "*.d.ts",
)
"""Manifests; declaration files are among them because they define global names."""


class Paths(NamedTuple):
    """The module paths of a tsconfig: the folder of `baseUrl`, and (pattern, targets) pairs."""

    base: str | None = None
    patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()


def locate_ecmascript_module(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the location of a module that a file imports, as a bundler finds it.

    None if it may be external. A relative module that is missing has a location without files.
    """
    if module == DEFINITIONS_MODULE:
        return _definitions(tree, path)
    folder = path.rpartition("/")[0]
    if module.startswith((".", "/")):
        base = folder if module.startswith(".") else ""
        stem = _within(base, module.lstrip("/"))
        file = _file(tree, stem) or _source_of_built(tree, stem)
        return ModuleLocation((file,) if file else ())
    if not module:
        return None
    files = (_file(tree, stem) for stem in _candidates(tree, folder, module))
    file = next((candidate for candidate in files if candidate), None)
    return ModuleLocation((file,)) if file else None


def _definitions(tree: SourceTree, path: str) -> ModuleLocation | None:
    """Return the script beside a `.d.ts` file, like `a.js` for `a.d.ts`; None without one."""
    stem, _, _ = path.rpartition(".d.")
    file = tree.first(*(stem + ending for ending in _SCRIPTS)) if stem else None
    return ModuleLocation((file,)) if file else None


def visible_files(tree: SourceTree, path: str) -> list[str]:
    """Return the files with global declarations that apply to the file at `path`.

    They are in the folders above the file.
    """
    folders = {""}
    folder = path.rpartition("/")[0]
    while folder:
        folders.add(folder)
        folder = folder.rpartition("/")[0]
    return [file for outer, file in _globals(tree) if outer in folders and file != path]


@lru_cache(maxsize=4)
def _globals(tree: SourceTree) -> list[tuple[str, str]]:
    """Return (folder, `.d.ts` file) for each file that declares global names.

    The names are visible in all files below the folder.
    """
    ambient = []
    for path in sorted(file for file in tree.files if file.endswith(".d.ts")):
        lines = tree.text(path).splitlines()
        module = any(line.startswith(("import ", "export ")) for line in lines)
        if not module or any(line.startswith("declare global") for line in lines):
            folder = path.rpartition("/")[0]
            outer, _, name = folder.rpartition("/")
            ambient.append((outer if name in {"@types", "types", "typings"} else folder, path))
    return ambient


def _within(folder: str, name: str) -> str:
    """Join a folder and the path of a module, and resolve `..`; return the path.

    It begins with `..` if it is outside of the repository.
    """
    stem = posixpath.normpath(posixpath.join(folder, name))
    return "" if stem == "." else stem


def _file(tree: SourceTree, stem: str) -> str | None:
    """Return the file to which the import path `stem` leads; None without one.

    Its suffix may be missing, or the path may name a folder with an `index` file.
    """
    root, suffix = posixpath.splitext(stem)
    written = tree.first(*(root + ending for ending in _WRITTEN_FOR.get(suffix, ())))
    file = written or tree.first(stem, *(stem + ending for ending in _SUFFIXES))
    if file or stem not in tree.folders:
        return file
    manifest = _manifest(tree, join_path(stem, "package.json"))
    for field in _ENTRIES if manifest else ():
        entry = manifest.get(field)
        file = _source(tree, stem, entry) if isinstance(entry, str) else None
        if file:
            return file
    return tree.first(*(join_path(stem, f"index{ending}") for ending in _SUFFIXES))


def _source_of_built(tree: SourceTree, stem: str) -> str | None:
    """Return the source of a built file of a package, like `dist/index.js`, which is not indexed.

    None without one.
    """
    parts = stem.split("/")
    for at, part in enumerate(parts):
        folder = "/".join(parts[:at])
        if part in _BUILT and join_path(folder, "package.json") in tree.files:
            return _source(tree, folder, "/".join(parts[at:]))
    return None


def _candidates(tree: SourceTree, folder: str, module: str) -> Iterator[str]:
    """Yield paths at which a module may be, seen from a folder, the most likely ones first."""
    paths = _paths(tree, folder)
    for pattern, targets in paths.patterns:
        part = _matched(pattern, module)
        if part is not None:
            yield from (target.replace("*", part) for target in targets)
    if paths.base is not None:
        yield join_path(paths.base, module)
    if module.startswith("#"):
        yield from _own_imports(tree, folder, module)
    parts = module.split("/")
    name = "/".join(parts[: 2 if module.startswith("@") else 1])
    package = _packages(tree).get(name)
    if package is not None:
        yield from _of_package(tree, package, module[len(name) + 1 :])


def _matched(pattern: str, module: str) -> str | None:
    """Return the text that `*` matches in a pattern; None if the module does not match it."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if module == pattern else None
    fits = module.startswith(before) and module.endswith(after)
    return module[len(before) : len(module) - len(after)] if fits else None


def _paths(tree: SourceTree, folder: str) -> Paths:
    """Return the `paths` of the nearest tsconfig in `folder` or above that configures any."""
    around: str | None = folder
    while around is not None:
        for name in _CONFIGS:
            if join_path(around, name) in tree.files:
                paths = _configured(tree, join_path(around, name))
                if paths != Paths():
                    return paths
        around = ancestor_folder(around, 1)
    return Paths()


@lru_cache(maxsize=1024)
def _configured(tree: SourceTree, path: str, depth: int = 0) -> Paths:
    """Return the module paths of a tsconfig, or of one that it extends or references."""
    config = _manifest(tree, path)
    folder = path.rpartition("/")[0]
    options = config.get("compilerOptions")
    options = options if isinstance(options, dict) else {}
    base = options.get("baseUrl")
    base = _within(folder, base) if isinstance(base, str) else None
    paths = options.get("paths")
    if isinstance(paths, dict):
        root = folder if base is None else base
        patterns = ((key, _targets(root, value)) for key, value in paths.items())
        return Paths(
            base, tuple(sorted(patterns, key=lambda pattern: -len(pattern[0].partition("*")[0])))
        )
    above_ = (
        _configured(tree, extended, depth + 1)
        for extended in _extended(tree, config, folder, depth)
    )
    inherited = next((paths for paths in above_ if paths != Paths()), Paths())
    return inherited if base is None else Paths(base, inherited.patterns)


def _targets(folder: str, value: Json) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else ()
    return tuple(_within(folder, target) for target in listed if isinstance(target, str))


def _extended(
    tree: SourceTree, config: Mapping[str, Json], folder: str, depth: int
) -> Iterator[str]:
    extends = config.get("extends")
    referred = config.get("references")
    listed = referred if isinstance(referred, list) else []
    named = [*(extends if isinstance(extends, list) else [extends])]
    named += [reference.get("path") for reference in listed if isinstance(reference, dict)]
    for name in named if depth < _MAX_DEPTH else ():
        if isinstance(name, str) and name.startswith("."):
            stem = _within(folder, name)
            file = tree.first(stem, f"{stem}.json", join_path(stem, "tsconfig.json"))
            if file:
                yield file


@lru_cache(maxsize=4096)
def _manifest(tree: SourceTree, path: str) -> Mapping[str, Json]:
    content = parse_json(tree.text(path)) if path in tree.files else None
    return content if isinstance(content, dict) else {}


@lru_cache(maxsize=4)
def _packages(tree: SourceTree) -> dict[str, str]:
    """Return {package name: folder of its package.json}; the outermost folder wins."""
    packages: dict[str, str] = {}
    manifests = (
        manifest for manifest in tree.files if manifest.rpartition("/")[2] == "package.json"
    )
    for path in sorted(manifests, key=lambda manifest: (manifest.count("/"), manifest)):
        name = _manifest(tree, path).get("name")
        if isinstance(name, str):
            packages.setdefault(name, path.rpartition("/")[0])
    return packages


def _of_package(tree: SourceTree, folder: str, inner: str) -> Iterator[str]:
    """Yield the possible files of a path in a package, sources before built files."""
    manifest = _manifest(tree, join_path(folder, "package.json"))
    exports = manifest.get("exports")
    for target in _exported(exports, f"./{inner}" if inner else "."):
        file = _source(tree, folder, target)
        if file:
            yield file
    if inner:
        yield join_path(folder, f"src/{inner}")
        yield join_path(folder, inner)
        return
    for field in _ENTRIES:
        entry = manifest.get(field)
        file = _source(tree, folder, entry) if isinstance(entry, str) else None
        if file:
            yield file
    yield join_path(folder, "src")
    yield join_path(folder, "src/main")
    yield folder


def _own_imports(tree: SourceTree, folder: str, module: str) -> Iterator[str]:
    """Yield the files of a module `#name`, from `imports` of the enclosing package.json."""
    around: str | None = folder
    while around is not None and join_path(around, "package.json") not in tree.files:
        around = ancestor_folder(around, 1)
    if around is not None:
        manifest = _manifest(tree, join_path(around, "package.json"))
        files = (
            _source(tree, around, target) for target in _exported(manifest.get("imports"), module)
        )
        yield from (file for file in files if file)


def _exported(exports: Json, name: str) -> Iterator[str]:
    """Yield the targets of a name in the `exports` or `imports` of a package.json."""
    if isinstance(exports, dict) and any(key[:1] in {".", "#"} for key in exports):
        for key, target in exports.items():
            part = _matched(key, name)
            if part is not None:
                yield from (pattern.replace("*", part) for pattern in _conditional(target))
    elif name == ".":
        yield from _conditional(exports)


def _conditional(target: Json, depth: int = 0) -> Iterator[str]:
    """Yield the paths that an entry of `exports` in `package.json` names under any condition.

    They are in the order of `_CONDITIONS`; conditions that are not listed there come first.
    """
    if isinstance(target, str):
        yield target
    elif isinstance(target, dict) and depth < _MAX_DEPTH:
        rank = {name: at for at, name in enumerate(_CONDITIONS)}
        for key in sorted(target, key=lambda condition: rank.get(condition, -1)):
            yield from _conditional(target[key], depth + 1)


def _source(tree: SourceTree, folder: str, target: str) -> str | None:
    """Return the source file from which the file `target` of a package is built.

    The built file need not exist. If no source is found, return `target` itself, or None if it is
    not indexed.
    """
    first, *rest = posixpath.normpath(target).split("/")
    if first in _BUILT and rest:
        inner = rest[1:] if rest[0] in _BUILT and len(rest) > 1 else rest
        stem = "/".join(inner)
        for suffix in (".d.ts", ".d.mts", ".d.cts", *_WRITTEN_FOR):
            stem = stem.removesuffix(suffix)
        file = tree.first(*(_within(folder, f"src/{stem}{suffix}") for suffix in _SUFFIXES))
        if file:
            return file
    path = _within(folder, target)
    return tree.first(path, *(path + suffix for suffix in _SUFFIXES))
