"""The files that a question is about: one, those of a folder, those that match a glob."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from codeindex.errors import QueryError
from codeindex.store.symbols.declarations import FileRow, files_under
from codeindex.text.globs import IgnoreRules
from codeindex.text.sanitize import escape_line

if TYPE_CHECKING:
    import sqlite3

_NEAREST = 3


def select_files(connection: sqlite3.Connection, place: str = "") -> list[FileRow]:
    """Return a file, or the files of a folder, all for no place; QueryError names the nearest.

    A file may also be named as it was shown, with its hidden characters spelt out.
    """
    wanted = normalize_path(place)
    found = files_under(connection, wanted)
    if found:
        return found
    every = files_under(connection)
    if not every:
        raise QueryError("The index holds no files: see `codeindex files --skipped`.")
    as_shown = [one for one in every if "\\" in place and escape_line(one.path) == place.strip()]
    if as_shown:
        return as_shown[:1]
    paths = [one.path for one in every]
    folders = {path.rpartition("/")[0] for path in paths} - {""}
    known = [*paths, *sorted(folders)]
    ends = [one for one in known if one.endswith(f"/{wanted}")]
    near = ends[:_NEAREST] or difflib.get_close_matches(wanted, known, _NEAREST, 0.7)
    hint = f": did you mean {' or '.join(repr(one) for one in near)}?" if near else "."
    raise QueryError(f"No indexed file or folder is called {place!r}{hint}")


def select_file(connection: sqlite3.Connection, path: str) -> FileRow:
    """Return one file; QueryError for a folder and for what is not indexed."""
    wanted = normalize_path(path)
    if not wanted:
        raise QueryError("No file is named: give its path, relative to the root.")
    found = select_files(connection, path)
    if found[0].path != wanted and escape_line(found[0].path) != path.strip():
        raise QueryError(f"{path!r} is a folder: name a file in it, like {found[0].path!r}.")
    return found[0]


def select_files_by_glob(connection: sqlite3.Connection, glob: str) -> list[FileRow]:
    """Return the files that a gitignore pattern matches, by path; QueryError if there are none."""
    pattern = IgnoreRules([glob])
    found = [one for one in files_under(connection) if pattern.selects(one.path)]
    if not found:
        raise QueryError(f"No indexed file matches {glob!r}: see `codeindex files`.")
    return found


def normalize_path(place: str) -> str:
    """Return a path as the index spells it; nothing for the root."""
    wanted = place.strip().replace("\\", "/").removeprefix("./").strip("/")
    return "" if wanted == "." else wanted
