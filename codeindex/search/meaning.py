"""What a name may mean in this repository: symbols, files and folders, packages of others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from codeindex.languages import for_path
from codeindex.search.phrases import Relation
from codeindex.store.declarations import like_literal
from codeindex.store.edges import (
    edges_to_module,
    edges_to_outside,
    names_outside,
)
from codeindex.store.imported import files_imported_as, modules_ending, symbols_imported_from
from codeindex.store.nodes import files_of, nodes_called
from codeindex.types import OWNER_KINDS, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Object:
    """All that a name may mean here; `places` name the files as people do, a folder as one.

    `said` is a name of which nothing but its spelling is known.
    """

    symbols: tuple[Node, ...] = ()
    files: tuple[int, ...] = ()
    packages: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    said: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        keys = (one.key for one in self.symbols)
        return tuple(dict.fromkeys((*keys, *self.places, *self.packages, *self.unknown)))

    @property
    def unknown(self) -> tuple[str, ...]:
        return (self.said,) if self.said else ()


_Files = dict[int, str]
"""Files, and what is said for each: its path, or that of the folder that was meant."""
_WEAK = frozenset(
    {
        *(SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY),
        SymbolKind.MODULE,
    }
)
"""Kinds of symbols that are often called like the package that they hold or add to."""
_MEMBERS = frozenset(
    {SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.FIELD, SymbolKind.PROPERTY}
)
_WHOLE = frozenset({Relation.IMPORTERS, Relation.IMPORTED})
"""Relations that files have rather than symbols."""
_WITHIN = " OR ".join(["'/' || path LIKE '%/' || ? || '/%' ESCAPE '\\'"] * 2)
_FLAT = ".go"
"""Files of the language whose packages are single folders: those below are others."""
_PARTS = re.compile(r"::|->|[.#]")
_MAKERS = frozenset({"new", "__init__", "__new__", "constructor", "init", "initialize"})
"""Members that make an object, which not every type writes down."""
_BUILT_IN = "node:"
"""What JavaScript may or may not write before the modules of its platform."""


def meaning(
    connection: sqlite3.Connection, text: str, relation: Relation | None = None
) -> Object | None:
    """Return what a name may mean, or None if nothing here is called so.

    What is spelt to the letter, case too, goes before what is not. Members of types are no more
    imported than what is called like a module or folder.
    """
    if not text or " " in text:
        return None
    text = _relative(connection, text)
    last = _PARTS.split(text.removesuffix("()"))[-1]
    whole = relation in _WHOLE
    symbols = _symbols_called(connection, text)
    if relation is Relation.IMPORTERS:
        symbols = [one for one in symbols if one.kind not in _MEMBERS]
    files = _files_exactly(connection, text)
    own = [one for one in symbols if ("." in text and not files) or _stands_alone(one)]
    spelt = [one for one in own if one.name == last]
    if spelt and "/" not in text and not whole:
        return Object(tuple(symbols))
    files, packages = _beside(connection, text, files, own=own, spelt=spelt, whole=whole)
    if not (files or packages or spelt):
        return _elsewhere(connection, text, symbols, whole=whole)
    files, packages = _flat(connection, text, files, packages)
    if packages or files:
        symbols = spelt if packages or whole else [one for one in symbols if one.name == last]
    return Object(tuple(symbols), tuple(files), packages, tuple(files.values()))


def _beside(
    connection: sqlite3.Connection,
    text: str,
    files: _Files,
    *,
    own: Sequence[Node],
    spelt: Sequence[Node],
    whole: bool,
) -> tuple[_Files, tuple[str, ...]]:
    """Return the files, beside those of just this path, and the packages that a name may mean."""
    is_path = "/" in text
    is_symbol = bool(spelt) and not is_path
    packages = () if is_symbol else _packages_named(connection, text, is_here=bool(files))
    files = files or _files_called(connection, text, cased=is_symbol)
    if is_path or whole or not (own or packages or files):
        inside = _files_in(connection, text, cased=is_symbol, whole=is_path and bool(packages))
        files = {**files, **inside}
    return files, packages


def _elsewhere(
    connection: sqlite3.Connection, text: str, symbols: Sequence[Node], *, whole: bool
) -> Object | None:
    """Take a name for that of something of others, if none but tests have such a symbol."""
    only_tests = all(one.is_test for one in symbols)
    packages = _names_outside(connection, text) if only_tests else ()
    files: _Files = {}
    if whole and not packages:
        modules = modules_ending(connection, text)
        files = {one: it for it in modules for one in files_imported_as(connection, it)}
    kept = () if files else tuple(symbols)
    found = Object(kept, tuple(files), packages, tuple(files.values()))
    return found if found.names else None


def files_meant(connection: sqlite3.Connection, text: str) -> set[int]:
    """Return the files of a path, a folder or a module."""
    text = _relative(connection, text)
    found = _files_exactly(connection, text) or _files_called(connection, text, cased=False)
    return {*found, *_files_in(connection, text, cased=False, whole=False)}


def _relative(connection: sqlite3.Connection, text: str) -> str:
    """Return a path as it is below the root, wherever the root is."""
    parts = text.strip("/").split("/")
    for at in range(len(parts)) if text.startswith("/") else ():
        path = "/".join(parts[at:])
        bounds = (path, f"{path}.", f"{path}0")  # 0 comes after the slash
        if connection.execute(
            "SELECT 1 FROM files WHERE path = ? OR path >= ? AND path < ? LIMIT 1", bounds
        ).fetchone():
            return path if "/" in path else f"{path}/"
    return text


def _symbols_called(connection: sqlite3.Connection, text: str) -> list[Node]:
    found = nodes_called(connection, text)
    *owner, name = re.split(r"(::|->|[.#])", text.removesuffix("()"))
    if not found and owner:
        module = "".join(owner[:-1])
        found = symbols_imported_from(connection, module, name)
        if not found and name in _MAKERS:
            return [one for one in nodes_called(connection, module) if one.kind in OWNER_KINDS]
    if text == text.lower():
        return found
    return [one for one in found if one.name == name]


def _stands_alone(one: Node) -> bool:
    """Tell whether a bare name says a symbol better than a package of that name."""
    return "." not in one.qualified and one.kind not in _WEAK and not one.is_test


def _packages_named(connection: sqlite3.Connection, text: str, *, is_here: bool) -> tuple[str, ...]:
    """Return the packages of others that go by a name, and modules of ours that imports write so.

    `is_here` says that files have been found, so that those are no more needed.
    """
    looks = (edges_to_outside, *([] if is_here else [edges_to_module]))
    written = _written(text)
    written += [f"{_BUILT_IN}{one}" for one in written]
    return tuple(one for one in written if any(look(connection, one) for look in looks))


def _names_outside(connection: sqlite3.Connection, text: str) -> tuple[str, ...]:
    """Return the names of things of others that end in this one; of a plain word, what is taken."""
    found = (
        names_outside(connection, one, imported=text.islower() and text.isalpha())
        for one in _written(text)
    )
    return tuple(dict.fromkeys(one for some in found for one in some))


def _written(text: str) -> list[str]:
    """Return the ways in which uses may write the name of something outside."""
    bare = text.removesuffix("()")
    dotted = (bare.replace("::", "."), ".".join(bare.rsplit("::", 1)))
    return list(dict.fromkeys((bare, *dotted, bare.replace("-", "_"))))


def _flat(
    connection: sqlite3.Connection, text: str, files: _Files, packages: tuple[str, ...]
) -> tuple[_Files, tuple[str, ...]]:
    """Take a package that is a single folder here for its files: those below it are others."""
    if text not in packages:
        return files, packages
    here = files_of(connection, files_imported_as(connection, text))
    if not here or not all(one.path.endswith(_FLAT) for one in here):
        return files, packages
    others = tuple(one for one in packages if one != text)
    return {**files, **{one.file_id: text for one in here}}, others


def _files_exactly(connection: sqlite3.Connection, text: str) -> _Files:
    """Return the files of a path, without its suffix too, or else of a module."""
    path = text.strip("/")
    rows = connection.execute(
        "SELECT id, path FROM files WHERE path = ? OR path > ? AND path < ? ORDER BY path",
        (path, f"{path}.", f"{path}/"),
    )
    found = {one: it for one, it in rows if it == path or _stem(it) == path}
    if not found and "." in path:
        rows = connection.execute("SELECT id, path FROM files WHERE module = ?", (path,))
        found = {one: it for one, it in rows if not it.endswith(_FLAT)}
    return {one: it for one, it in found.items() if it == path} or found


def _stem(path: str) -> str:
    return path.rpartition(".")[0] if _is_code(path) and not path.endswith(_FLAT) else ""


def _files_called(connection: sqlite3.Connection, text: str, *, cased: bool) -> _Files:
    """Return files by the end of a path, or by the end of their module's name."""
    path = text.strip("/")
    module = path.replace("/", ".")
    rows = connection.execute(
        "SELECT id, path, module FROM files WHERE path LIKE '%/' || ? ESCAPE '\\'"
        " OR module = ? OR module LIKE '%.' || ? ESCAPE '\\'",
        (like_literal(path), module, like_literal(module)),
    )
    return {
        one: it
        for one, it, named in sorted(rows, key=itemgetter(1))
        if (it.lower().endswith(path.lower()) or not it.endswith(_FLAT))
        and (not cased or f".{named}".endswith(f".{module}"))
        and named != f".{module}"  # a hidden file
        and (it.endswith(path) or _is_code(it))
    }


def _is_code(path: str) -> bool:
    """Tell whether files of this name import each other: settings and texts are no modules."""
    language = for_path(path)
    return language is not None and bool(language.relations)


def _files_in(connection: sqlite3.Connection, text: str, *, cased: bool, whole: bool) -> _Files:
    """Return the code in a folder, by its path, the end of it, or as a module's name says it.

    A path that is one from the root is no end of another; `whole` says that it must be one.
    """
    path = text.strip("/")
    folders = {path, path.replace(".", "/")}
    rows = connection.execute(
        f"SELECT id, path FROM files WHERE module != '' AND ({_WITHIN})",  # noqa: S608 (constant)
        [like_literal(max(folders)), like_literal(min(folders))],
    )
    inside = [(one, it, _folder(it, folders)) for one, it in sorted(rows, key=itemgetter(1))]
    here = {folder.strip("/") for *_, folder in inside} & folders
    return {
        one: folder
        for one, it, folder in inside
        if folder
        and (not it.endswith(_FLAT) or _is_right_in(it, folders))
        and (not cased or any(f"/{folder}".endswith(f"/{it}/") for it in folders))
        and (not (here or whole) or "/" not in text or folder.strip("/") in here)
    }


def _folder(path: str, folders: Iterable[str]) -> str:
    """Return the part of a path that ends in one of these folders, with a slash behind it."""
    for one in folders:
        before, found, _ = f"/{path}".lower().partition(f"/{one.lower()}/")
        if found:
            return path[: len(before) + len(found) - 1]
    return ""


def _is_right_in(path: str, folders: Iterable[str]) -> bool:
    parent = "/" + path.rpartition("/")[0]
    return any(parent.endswith(f"/{one}") for one in folders)
