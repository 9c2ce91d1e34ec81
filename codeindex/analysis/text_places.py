"""Find lines with a name that no symbol has: an alias, or code whose symbols are not read."""

from __future__ import annotations

import sqlite3

from codeindex.text.words import IDENTIFIER, names_pattern, normal_form

_READ_FILES = 40
"""Most files that are read for one answer."""


def find_text_places(connection: sqlite3.Connection, name: str) -> tuple[str, ...]:
    """Return the places (`path:line`) of an identifier in the text of the first files with it.

    Return () for a text that is no single identifier.
    """
    # hooks import the module that calls this
    from codeindex.store.catalog.files import file_records, files_with_names, stored_lines

    written = normal_form(name.strip().removesuffix("()"))
    if not IDENTIFIER.fullmatch(written):
        return ()
    having = files_with_names(connection, [written])
    paths = sorted(file.path for file in file_records(connection) if file.id in having)
    word = names_pattern({written})
    return tuple(
        f"{path}:{number}"
        for path in paths[:_READ_FILES]
        for number, text in stored_lines(connection, path).items()
        if word.search(normal_form(text))
    )


def describe_text_places(first: str, total: int) -> str:
    """Return a sentence about `total` lines with a name that no symbol has, `first` among them."""
    return (
        f"1 line has it as text: {first}"
        if total == 1
        else f"{total} lines have it as text, such as {first}"
    )
