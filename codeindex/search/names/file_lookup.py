"""Find the files that a path, a folder or a module name refers to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from operator import itemgetter

from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import (
    files_ending_with,
    files_of_module,
    files_with_stem,
    has_path,
    language_of_file,
    modules_below,
    rust_paths_containing,
)
from codeindex.store.symbols.nodes import file_nodes_by_id

FileLabels = dict[int, str]
"""Maps the id of a file to a label for people: its path, or the folder or module that matched."""
FLAT_PACKAGE_SUFFIX = ".go"
"""Suffix of Go files. A Go package is a single folder; folders below it are separate packages."""
_FLAT_PACKAGE_TEST_SUFFIX = "_test.go"


def resolve_files(connection: sqlite3.Connection, text: str) -> set[int]:
    """Return the ids of the files that a path, a folder or a module name refers to."""
    text = strip_root(connection, text)
    files = files_by_exact_path(connection, text) or files_by_path_suffix(
        connection, text, cased=False
    )
    return {*files, *files_in_folder(connection, text, cased=False, whole=False)}


def strip_root(connection: sqlite3.Connection, text: str) -> str:
    """Return an absolute path relative to the repository's root.

    The path may even come from another checkout. Any other text, and a path that is not indexed, is
    returned unchanged.
    """
    parts = text.strip("/").split("/")
    for start in range(len(parts)) if text.startswith("/") else ():
        path = "/".join(parts[start:])
        if has_path(connection, path):
            return path if "/" in path else f"{path}/"
    return text


def rust_module_path(connection: sqlite3.Connection, text: str) -> str:
    """Return the path of a Rust module: `tokio/src/sync` for `tokio::sync`.

    Return `text` unchanged if there is no such module.
    """
    crate, *rest = text.split("::")
    inside = "/".join(("src", *rest))
    crates = ("",) if crate == "crate" else (f"{crate}/", f"{crate.replace('_', '-')}/")
    for path in [f"{prefix}{inside}" for prefix in crates] if rest else ():
        candidates = [f"/{it}" for it in rust_paths_containing(connection, path)]
        ends = (f"/{path}.rs", f"/{path}/")  # case matters: types have names of files
        if any(end in candidate for candidate in candidates for end in ends):
            return path
    return text


def files_by_exact_path(connection: sqlite3.Connection, text: str) -> FileLabels:
    """Return the files whose path is `text`, which may lack the suffix.

    If there are none, return the files of the module `text`.
    """
    path = text.strip("/")
    files = {
        file_id: file_path
        for file_id, file_path in files_with_stem(connection, path)
        if file_path == path or (_stem(file_path) == path and _has_imports(connection, file_id))
    }
    if not files and "." in path:
        files = {
            file_id: file_path
            for file_id, file_path in files_of_module(connection, path)
            if not file_path.endswith(FLAT_PACKAGE_SUFFIX)
        }
    return {file_id: it for file_id, it in files.items() if it == path} or files


def _stem(path: str) -> str:
    return "" if path.endswith(FLAT_PACKAGE_SUFFIX) else path.rpartition(".")[0]


def files_by_path_suffix(connection: sqlite3.Connection, text: str, *, cased: bool) -> FileLabels:
    """Return the files whose path or module ends with `text`; case counts if `cased`."""
    path = text.strip("/")
    module = path.replace("/", ".")
    rows = files_ending_with(connection, path, module)
    return {
        row.id: row.path
        for row in sorted(rows, key=itemgetter(1))
        if (row.path.lower().endswith(path.lower()) or not row.path.endswith(FLAT_PACKAGE_SUFFIX))
        and (not cased or f".{row.module}".endswith(f".{module}"))
        and row.module != f".{module}"  # a hidden file
        and (row.path.endswith(path) or _has_imports(connection, row.id))
    }


def _has_imports(connection: sqlite3.Connection, file_id: int) -> bool:
    """Tell whether imports in the language of a file are resolved to files."""
    return bool(LANGUAGES[language_of_file(connection, file_id)].relations)


def files_in_folder(
    connection: sqlite3.Connection, text: str, *, cased: bool, whole: bool
) -> FileLabels:
    """Return the files in the folder `text`: its path, the end of its path, or its module name.

    If a folder has this path from the root, only its files match. With `whole`, only a path from
    the root matches; with `cased`, only the same case.
    """
    path = text.strip("/")
    folders = {path, path.replace(".", "/")}
    rows = modules_below(connection, folders)
    inside = [
        (file_id, file_path, _matching_folder(file_path, folders))
        for file_id, file_path in sorted(rows, key=itemgetter(1))
    ]
    from_root = {folder.strip("/") for *_, folder in inside} & folders
    return {
        file_id: folder
        for file_id, file_path, folder in inside
        if folder
        and (not file_path.endswith(FLAT_PACKAGE_SUFFIX) or _is_directly_in(file_path, folders))
        and (not cased or any(f"/{folder}".endswith(f"/{it}/") for it in folders))
        and (not (from_root or whole) or "/" not in text or folder.strip("/") in from_root)
    }


def one_file_per_package(connection: sqlite3.Connection, files: FileLabels) -> FileLabels:
    """Keep one file of each Go package, because an import of a package imports all its files.

    Files of other languages are all kept.
    """
    kept, packages = dict[int, str](), set[str]()
    for node in file_nodes_by_id(connection, files):
        is_flat = node.path.endswith(FLAT_PACKAGE_SUFFIX)
        package = node.path.rpartition("/")[0] if is_flat else node.path
        if package not in packages and not node.path.endswith(_FLAT_PACKAGE_TEST_SUFFIX):
            packages.add(package)
            kept[node.file_id] = files[node.file_id]
    return kept or files


def _matching_folder(path: str, folders: Iterable[str]) -> str:
    """Return the start of a path up to the first of `folders` that it contains, with a final slash.

    For `lib/shop/cart.py` and the folder `shop` it is `lib/shop/`. Return "" if the path is in none
    of the folders.
    """
    for folder in folders:
        before, match, _ = f"/{path}".lower().partition(f"/{folder.lower()}/")
        if match:
            return path[: len(before) + len(match) - 1]
    return ""


def _is_directly_in(path: str, folders: Iterable[str]) -> bool:
    parent = "/" + path.rpartition("/")[0]
    return any(parent.endswith(f"/{folder}") for folder in folders)
