"""Code whose symbols and uses are not known, or not all: what claims of completeness must say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.languages import LANGUAGES, language_for_path
from codeindex.types import Skipped

if TYPE_CHECKING:
    import sqlite3

SKIPPED_BY_CONTENT = ("larger than %", "minified %", "may not be read", "its path is too long %")
"""Patterns of LIKE for the reasons of `ingest.exclusions.SkipReason` that concern a file's size,
text or access. The other reasons are rules that leave out what nobody wants to find."""


def unparsed_files(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the files that have a grammar and were not parsed, or lost much in it, worst first."""
    rows = connection.execute(
        "SELECT path, reason, language FROM files WHERE reason != ''"
        " AND status IN ('indexed', 'plain', 'failed')"
        " ORDER BY status = 'indexed', lost DESC, path"
    )
    return tuple(Skipped(path, why) for path, why, name in rows if LANGUAGES[name].symbols)


def unread_code_files(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the files of code that were left out for their size or text, not by a rule; by path.

    Those that failed are among `unparsed_files`.
    """
    reasons = " OR ".join("reason LIKE ?" for _ in SKIPPED_BY_CONTENT)
    rows = connection.execute(
        "SELECT path, reason FROM files WHERE reason != '' AND status = 'skipped'"  # noqa: S608 (constants)
        f" UNION ALL SELECT path, reason FROM skipped WHERE {reasons} ORDER BY path",
        SKIPPED_BY_CONTENT,
    )
    languages = ((path, why, language_for_path(path)) for path, why in rows)
    return tuple(Skipped(path, why) for path, why, one in languages if one and one.symbols)


def incomplete_files(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return all files of code of which not every symbol and use is known."""
    return (*unparsed_files(connection), *unread_code_files(connection))
