"""Find the code files whose symbols and uses may be missing from an answer."""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from codeindex.languages import LANGUAGES, language_family, language_for_path
from codeindex.store.catalog.sql_values import placeholders
from codeindex.text.words import name_checksum
from codeindex.types import INSTALLED_FOLDERS, Skipped, SkipReason

if TYPE_CHECKING:
    import sqlite3

SKIPPED_BY_CONTENT = ("larger than %", "minified %", "may not be read", "its path is too long %")
"""LIKE patterns of the `SkipReason`s that concern a file's size, text or access. All other reasons
come from rules for files that nobody wants to find."""
_LEFT_OUT = (SkipReason.EXCLUDED, SkipReason.NOT_INCLUDED, SkipReason.IGNORED, SkipReason.BUILT)
"""Reasons of code that settings and built-in rules leave out of the index."""
_WRITTEN_NAME = re.compile(r"(?!__|init|new$|constructor$|(?:get|set|is)(?:[A-Z_]|$))\w+")
"""Names that code must write to use what they name; a property may stand for `getSize`."""


def unparsed_files(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the code files that were parsed in part or not at all.

    Files that were not parsed come first, then the files with the most lost lines.
    """
    rows = connection.execute(
        "SELECT path, reason, language FROM files WHERE reason != ''"
        " AND status IN ('indexed', 'plain', 'failed')"
        " ORDER BY status = 'indexed', lost DESC, path"
    )
    return tuple(Skipped(path, why) for path, why, name in rows if LANGUAGES[name].symbols)


def unread_code_files(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the code files that were skipped for their size, text or access, sorted by path.

    `unparsed_files` returns the files that failed.
    """
    reasons = " OR ".join("reason LIKE ?" for _ in SKIPPED_BY_CONTENT)
    rows = connection.execute(
        "SELECT path, reason FROM files WHERE reason != '' AND status = 'skipped'"  # noqa: S608 (constants)
        f" UNION ALL SELECT path, reason FROM skipped WHERE {reasons} ORDER BY path",
        SKIPPED_BY_CONTENT,
    )
    languages = ((path, why, language_for_path(path)) for path, why in rows)
    return tuple(Skipped(path, why) for path, why, item in languages if item and item.symbols)


def left_out_code(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the code files, and whole folders, that rules leave out of the index, by path.

    What git ignores and folders of packages that were installed are not among them.
    """
    rows = connection.execute(
        "SELECT path, reason FROM skipped"  # noqa: S608 (placeholders)
        f" WHERE reason IN ({placeholders(_LEFT_OUT)}) ORDER BY path",
        _LEFT_OUT,
    )
    return tuple(Skipped(path, why) for path, why in rows if _may_be_code(path))


def _may_be_code(path: str) -> bool:
    """Tell whether a file is code, or a folder, which ends with a slash, may hold own code."""
    if path.endswith("/"):
        return path.split("/")[-2] not in INSTALLED_FOLDERS
    language = language_for_path(path)
    return bool(language and language.symbols)


def incomplete_files(
    connection: sqlite3.Connection,
    names: Collection[str] = (),
    *,
    languages: Collection[str] = (),
) -> tuple[Skipped, ...]:
    """Return all code files whose symbols and uses may be incomplete or left out of the index.

    With `languages`, only folders that are left out, and files whose code can use symbols of one of
    these languages.

    With `names`, a file whose words are known is left out if none of the names is among them. Names
    that code may use without writing them, such as those of constructors, do not leave out files.
    """
    families = frozenset[str]().union(*map(language_family, languages))
    files = tuple(
        file
        for file in (
            *left_out_code(connection),
            *unread_code_files(connection),
            *unparsed_files(connection),
        )
        if not languages or file.path.endswith("/") or _language(file) in families
    )
    if not files or not names or not all(map(_WRITTEN_NAME.fullmatch, names)):
        return files
    words = dict(
        connection.execute(
            "SELECT path, identifiers FROM files WHERE status IN ('indexed', 'plain')"
        )
    )
    sums = {struct.pack("<I", name_checksum(name)) for name in names}
    return tuple(
        file
        for file in files
        if file.path not in words or not sums.isdisjoint(_checksums(words[file.path]))
    )


def _language(file: Skipped) -> str:
    language = language_for_path(file.path)
    return language.name if language else ""


def _checksums(blob: bytes) -> Iterator[bytes]:
    return (blob[at : at + 4] for at in range(0, len(blob), 4))
