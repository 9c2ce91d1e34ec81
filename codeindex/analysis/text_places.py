"""Find lines with a name that no symbol has: an alias, or code whose symbols are not read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from codeindex.text.words import IDENTIFIER, names_pattern, normal_form
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.store.catalog.files import FileRecord

_READ_FILES = 40
"""Most files that are read for one answer."""


class TextPlaces(NamedTuple):
    """Places (`path:line`) of a name; `is_cut` tells that further files with it were not read."""

    places: tuple[str, ...] = ()
    is_cut: bool = False


def find_text_places(
    connection: sqlite3.Connection,
    name: str,
    *,
    holds: Callable[[FileRecord], bool] = lambda _: True,
) -> TextPlaces:
    """Return the lines that have an identifier, in the first `_READ_FILES` files with it.

    Only files for which `holds` is true are read. If `name` is not a single identifier, the result
    is empty.
    """
    # hooks import the module that calls this
    from codeindex.store.catalog.files import file_records, files_with_names, stored_lines_with

    written = normal_form(name.strip().removesuffix("()"))
    if not IDENTIFIER.fullmatch(written):
        return TextPlaces()
    having = files_with_names(connection, [written])
    records = (file for file in file_records(connection) if file.id in having)
    paths = sorted(file.path for file in records if holds(file))
    word = names_pattern({written})
    places = tuple(
        f"{path}:{number}"
        for path in paths[:_READ_FILES]
        for number, _ in stored_lines_with(connection, path, word)
    )
    return TextPlaces(places, is_cut=len(paths) > _READ_FILES)


def describe_text_places(first: str, total: int, *, is_cut: bool) -> str:
    """Return a sentence about `total` lines with a name that no symbol has, `first` among them."""
    if total == 1 and not is_cut:
        return f"1 line has it as text: {first}"
    least = "at least " if is_cut else ""
    return f"{least}{plural(total, 'line has', 'lines have')} it as text, such as {first}"
