"""Find headers of C and C++ by path, and the sources that define what a header declares."""

from __future__ import annotations

from functools import lru_cache

from codeindex.languages.source_tree import (
    DEFINITIONS_MODULE,
    ModuleLocation,
    SourceTree,
    ancestor_folder,
    join_path,
    resolve_dots,
)

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh")
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".m", ".mm", ".ipp", ".inl", ".tpp")
_SHOWN = frozenset({"include", "inc", "api", "public"})
"""Folders of public headers, which are beside the folders with the library's sources."""
_INNER = ("include", "src", "inc", "lib")
"""Folders that build files often add to the compiler's search path."""
FAMILY = ("c", "cpp")


def locate_c_include(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the header that a file includes as `module`; None if it is not indexed.

    It is searched in the file's folder and the folders above, then by a unique end of its path,
    then by its path from a folder above the repository. If `module` is `DEFINITIONS_MODULE`, return
    the sources that define what the header at `path` declares.
    """
    folder = path.rpartition("/")[0]
    if module == DEFINITIONS_MODULE:
        return _sources(tree, path)
    name = resolve_dots(join_path(folder, module)) if module.startswith(".") else module
    around: str | None = folder
    while around is not None:
        for inner in ("", *_INNER):
            target = resolve_dots(join_path(join_path(around, inner) if inner else around, module))
            if target in tree.files:
                return ModuleLocation((target,))
        around = ancestor_folder(around, 1)
    known = _by_name(tree).get(name.rpartition("/")[2], ())
    ending = [header for header in known if header == name or header.endswith(f"/{name}")]
    found = ending[0] if len(ending) == 1 else None if ending else _from_above(tree, name)
    return ModuleLocation((found,)) if found else None


def _from_above(tree: SourceTree, name: str) -> str | None:
    """Return the header that `name` means if it begins with folders above the repository's root.

    In irssi, `#include <irssi/src/core/misc.h>` means `src/core/misc.h`; in zeek, whose build links
    `zeek` to `src`, `#include "zeek/logging/Types.h"` means `src/logging/Types.h`. The rest must
    have a folder: a file name alone could be another library's. The result is None if there is no
    file.
    """
    _, _, rest = name.partition("/")
    inner = tree.first(*(f"{folder}/{rest}" for folder in _INNER)) if "/" in rest else None
    while "/" in rest:
        if rest in tree.files:
            return rest
        _, _, rest = rest.partition("/")
    return inner


def _sources(tree: SourceTree, path: str) -> ModuleLocation | None:
    """Return the sources named like a header; without any, all sources of its library."""
    folder, _, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    if dot + suffix not in _HEADERS:
        return None
    outer = folder
    while outer.rpartition("/")[2] in _SHOWN or (outer and _is_shown(outer)):
        outer = outer.rpartition("/")[0]
    below = [source for source in _all_sources(tree) if not outer or source.startswith(f"{outer}/")]
    named = [source for source in below if source.rpartition("/")[2].rpartition(".")[0] == stem]
    return ModuleLocation(tuple(named or below))


def _is_shown(folder: str) -> bool:
    return not _SHOWN.isdisjoint(folder.split("/"))


@lru_cache(maxsize=4)
def _by_name(tree: SourceTree) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for path in sorted(tree.files):
        names.setdefault(path.rpartition("/")[2], []).append(path)
    return names


@lru_cache(maxsize=4)
def _all_sources(tree: SourceTree) -> list[str]:
    return sorted(path for path in tree.files if path.endswith(_SOURCES))
