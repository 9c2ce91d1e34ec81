"""Which files a path, a folder or the name of a module means, as people and code say it."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from codeindex.languages import LANGUAGES
from codeindex.store.catalog.sql_values import escape_like
from codeindex.store.symbols.nodes import file_nodes_by_id

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

FileLabels = dict[int, str]
"""Files, and what is said for each: its path, or that of the folder that was meant."""
_WITHIN = " OR ".join(["'/' || path LIKE '%/' || ? || '/%' ESCAPE '\\'"] * 2)
FLAT_PACKAGE_SUFFIX = ".go"
"""Files of the language whose packages are single folders: those below are others."""
_TEST = "_test.go"


def resolve_files(connection: sqlite3.Connection, text: str) -> set[int]:
    """Return the files of a path, a folder or a module."""
    text = strip_root(connection, text)
    found = files_by_exact_path(connection, text) or files_by_path_suffix(
        connection, text, cased=False
    )
    return {*found, *files_in_folder(connection, text, cased=False, whole=False)}


def strip_root(connection: sqlite3.Connection, text: str) -> str:
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


def rust_module_path(connection: sqlite3.Connection, text: str) -> str:
    """Return the path of a module of Rust, where one lies: `tokio::sync` in `tokio/src/sync`."""
    crate, *rest = text.split("::")
    inside = "/".join(("src", *rest))
    crates = ("",) if crate == "crate" else (f"{crate}/", f"{crate.replace('_', '-')}/")
    for path in [f"{one}{inside}" for one in crates] if rest else ():
        rows = connection.execute(
            "SELECT path FROM files WHERE path LIKE '%' || ? || '%.rs' ESCAPE '\\'",
            (escape_like(path),),
        )
        ends = (f"/{path}.rs", f"/{path}/")  # in just this case: types are called like files
        if any(end in f"/{one}" for (one,) in rows for end in ends):
            return path
    return text


def files_by_exact_path(connection: sqlite3.Connection, text: str) -> FileLabels:
    """Return the files of a path, without its suffix too, or else of a module."""
    path = text.strip("/")
    rows = connection.execute(
        "SELECT id, path FROM files WHERE path = ? OR path > ? AND path < ? ORDER BY path",
        (path, f"{path}.", f"{path}/"),
    )
    found = {
        one: it
        for one, it in rows
        if it == path or (_stem(it) == path and _is_code(connection, one))
    }
    if not found and "." in path:
        rows = connection.execute("SELECT id, path FROM files WHERE module = ?", (path,))
        found = {one: it for one, it in rows if not it.endswith(FLAT_PACKAGE_SUFFIX)}
    return {one: it for one, it in found.items() if it == path} or found


def _stem(path: str) -> str:
    return "" if path.endswith(FLAT_PACKAGE_SUFFIX) else path.rpartition(".")[0]


def files_by_path_suffix(connection: sqlite3.Connection, text: str, *, cased: bool) -> FileLabels:
    """Return files by the end of a path, or by the end of their module's name."""
    path = text.strip("/")
    module = path.replace("/", ".")
    rows = connection.execute(
        "SELECT id, path, module FROM files WHERE path LIKE '%/' || ? ESCAPE '\\'"
        " OR module = ? OR module LIKE '%.' || ? ESCAPE '\\'",
        (escape_like(path), module, escape_like(module)),
    )
    return {
        one: it
        for one, it, named in sorted(rows, key=itemgetter(1))
        if (it.lower().endswith(path.lower()) or not it.endswith(FLAT_PACKAGE_SUFFIX))
        and (not cased or f".{named}".endswith(f".{module}"))
        and named != f".{module}"  # a hidden file
        and (it.endswith(path) or _is_code(connection, one))
    }


def _is_code(connection: sqlite3.Connection, file: int) -> bool:
    """Tell whether files of a file's language import each other: settings and texts do not."""
    (language,) = connection.execute("SELECT language FROM files WHERE id = ?", (file,)).fetchone()
    return bool(LANGUAGES[language].relations)


def files_in_folder(
    connection: sqlite3.Connection, text: str, *, cased: bool, whole: bool
) -> FileLabels:
    """Return the code in a folder, by its path, the end of it, or as a module's name says it.

    A path that is one from the root is no end of another; `whole` says that it must be one.
    """
    path = text.strip("/")
    folders = {path, path.replace(".", "/")}
    rows = connection.execute(
        f"SELECT id, path FROM files WHERE module != '' AND ({_WITHIN})",  # noqa: S608 (constant)
        [escape_like(max(folders)), escape_like(min(folders))],
    )
    inside = [(one, it, _folder(it, folders)) for one, it in sorted(rows, key=itemgetter(1))]
    here = {folder.strip("/") for *_, folder in inside} & folders
    return {
        one: folder
        for one, it, folder in inside
        if folder
        and (not it.endswith(FLAT_PACKAGE_SUFFIX) or _is_right_in(it, folders))
        and (not cased or any(f"/{folder}".endswith(f"/{it}/") for it in folders))
        and (not (here or whole) or "/" not in text or folder.strip("/") in here)
    }


def one_file_per_package(connection: sqlite3.Connection, files: FileLabels) -> FileLabels:
    """Leave one file of each package that is a folder: who imports it imports all of them alike."""
    kept, packages = dict[int, str](), set[str]()
    for one in file_nodes_by_id(connection, files):
        package = (
            one.path.rpartition("/")[0] if one.path.endswith(FLAT_PACKAGE_SUFFIX) else one.path
        )
        if package not in packages and not one.path.endswith(_TEST):
            packages.add(package)
            kept[one.file_id] = files[one.file_id]
    return kept or files


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
