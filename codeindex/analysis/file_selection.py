"""Select indexed files: one file, the files of a folder, or the files that match a glob."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Sequence

from codeindex.errors import QueryError
from codeindex.store.catalog.files import FileRecord, files_under
from codeindex.store.catalog.skipped_files import skip_reason
from codeindex.text.globs import IgnoreRules, plain_globs
from codeindex.text.sanitize import escape_line
from codeindex.text.words import folded_form

_MAX_SUGGESTIONS = 3


def select_files(connection: sqlite3.Connection, place: str = "") -> list[FileRecord]:
    """Return the files at and below the path `place`, sorted by path; all files for ''.

    A path with control characters may also be given in its printed form, with escapes. For an
    unknown path, raise QueryError with the nearest known paths.
    """
    wanted = catalog_path(place)
    files = files_under(connection, wanted)
    if files:
        return files
    every = files_under(connection)
    if not every:
        raise QueryError("The index contains no files: see `codeindex files --skipped`.")
    as_shown = [file for file in every if "\\" in place and escape_line(file.path) == place.strip()]
    if as_shown:
        return as_shown[:1]
    refuse_skipped_file(connection, wanted)
    paths = [file.path for file in every]
    folders = {path.rpartition("/")[0] for path in paths} - {""}
    hint = suggest_paths(wanted, [*paths, *sorted(folders)])
    raise QueryError(f"No indexed file or folder is called {place!r}{hint}")


def refuse_skipped_file(connection: sqlite3.Connection, path: str) -> None:
    """Raise QueryError with the reason if discovery left out `path` or a folder above it."""
    if reason := skip_reason(connection, path):
        raise QueryError(f"'{path}' is not indexed: {reason}.")


def suggest_paths(wanted: str, known_paths: Sequence[str]) -> str:
    """Return the end of an error message about an unknown path: `: did you mean …?`, or "."."""
    end = folded_form(f"/{wanted}")
    ends = [path for path in known_paths if folded_form(f"/{path}").endswith(end)]
    near = ends[:_MAX_SUGGESTIONS] or difflib.get_close_matches(
        wanted, known_paths, _MAX_SUGGESTIONS, 0.7
    )
    return f": did you mean {' or '.join(map(repr, near))}?" if near else "."


def file_ending_with(connection: sqlite3.Connection, path: str) -> FileRecord | None:
    """Return the indexed file whose path ends with `path`; None unless there is exactly one.

    `path` is a file name, or a file name with folders before it.
    """
    ends = f"/{catalog_path(path)}"
    found = [file for file in files_under(connection) if file.path.endswith(ends)]
    return found[0] if len(found) == 1 and len(ends) > 1 else None


def file_sharing_end(connection: sqlite3.Connection, path: str) -> FileRecord | None:
    """Return the indexed file that shares the longest path end with `path`; None if several do.

    `lib/shop/cart.py` finds `src/shop/cart.py`, even if there is an `old/cart.py`. None also if no
    file has the same name.
    """
    end = catalog_path(path)
    files = files_under(connection)
    while end:
        found = [file for file in files if f"/{file.path}".endswith(f"/{end}")]
        if found:
            return found[0] if len(found) == 1 else None
        end = end.partition("/")[2]
    return None


def select_file(connection: sqlite3.Connection, path: str) -> FileRecord:
    """Return a single file; its path may omit leading folders if this leaves it unique.

    Raise QueryError for a folder or an unknown path.
    """
    wanted = catalog_path(path)
    if not wanted:
        raise QueryError("No file is named: give its path, relative to the root.")
    files = files_under(connection, wanted)
    if not files:  # or its path as it is printed
        refuse_skipped_file(connection, wanted)
        return file_ending_with(connection, wanted) or select_files(connection, path)[0]
    if files[0].path != wanted:
        raise QueryError(f"{path!r} is a folder: name a file in it, like {files[0].path!r}.")
    return files[0]


def select_files_by_glob(connection: sqlite3.Connection, glob: str) -> list[FileRecord]:
    """Return the files that match a gitignore pattern, sorted; raise QueryError if none does.

    If the pattern begins with an indexed path, such as the folder `app/[id]`, this part is literal.
    """
    every = files_under(connection)
    pattern = IgnoreRules(plain_globs(glob, [file.path for file in every]))
    files = [file for file in every if pattern.selects(file.path)]
    if not files:
        raise QueryError(f"No indexed file matches {glob!r}: see `codeindex files`.")
    return files


def catalog_path(place: str) -> str:
    """Return a path as the catalog stores it: relative, with slashes, '' for the root."""
    wanted = place.strip().replace("\\", "/").removeprefix("./").strip("/")
    return "" if wanted == "." else wanted
