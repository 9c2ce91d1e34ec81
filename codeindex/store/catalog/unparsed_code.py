"""Find code files whose symbols or uses of names are missing from the index, fully or in part."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from codeindex.files.safe_open import open_beneath
from codeindex.languages import LANGUAGES, language_family, language_for_path
from codeindex.store.catalog.files import contains_checksum, pack_checksums
from codeindex.store.catalog.skipped_files import skipped_paths, skipped_rows
from codeindex.store.catalog.sql_values import placeholders, select_in
from codeindex.text.lfs import LFS_POINTER
from codeindex.types import INSTALLED_FOLDERS, Skipped, SkipReason

SKIPPED_BY_CONTENT = (
    *("larger than %", "minified %", "may not be read", "its path is too long %"),
    *("not checked out", "beyond %", "deeper than %", "a repository of its own%"),
    *("its name is not UTF-8", "a symbolic link that %"),
)
"""LIKE patterns of the `SkipReason`s that concern a file's size, text, access or place. All other
reasons come from rules that exclude files on purpose."""
_LEFT_OUT = (SkipReason.EXCLUDED, SkipReason.NOT_INCLUDED, SkipReason.IGNORED, SkipReason.BUILT)
"""Reasons of code that settings and built-in rules leave out of the index."""
_MOST_READ, _OPENING = 32 << 20, 32 << 10
"""Most bytes of files that are not indexed in which one question looks for names, and the bytes
that take as long to read as a file takes to open."""
_TEXT = "text"
"""The language of documents such as `NEWS`, and of files whose name tells no language."""
_WRITTEN_NAME = re.compile(
    r"(?!__|init|new$|constructor$|(?:get|set|is)(?:[A-Z_]|$))[^\W\d]\w{2,79}"
)
"""Names that must occur in every file that uses the named symbol. Constructors do not, and neither
do accessors such as `getSize`, which code may call as a property. Shorter and longer names are not
stored among the words of a file (`text.words.IDENTIFIER`)."""


def unparsed_files(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the code files that were parsed only in part or not at all, with the reason.

    Files that were not parsed come first, then the files with the most lost lines. A code file is
    one in a language with symbols.
    """
    rows = connection.execute(
        "SELECT path, reason, language FROM files WHERE reason != ''"
        " AND status IN ('indexed', 'plain', 'failed')"
        " ORDER BY status = 'indexed', lost DESC, path"
    )
    return tuple(Skipped(path, why) for path, why, name in rows if LANGUAGES[name].symbols)


def unread_code_files(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the code files and folders that were skipped for their size, content, access or place.

    They are sorted by path. The path of a folder, which may contain code, ends with a slash. Files
    with the status `failed` are left out: `unparsed_files` returns them.
    """
    reasons = " OR ".join("reason LIKE ?" for _ in SKIPPED_BY_CONTENT)
    rows = connection.execute(
        "SELECT path, reason, NULL FROM files WHERE reason != '' AND status = 'skipped'"  # noqa: S608 (constants)
        f" UNION ALL SELECT path, reason, languages FROM skipped WHERE {reasons} ORDER BY path",
        SKIPPED_BY_CONTENT,
    )
    return tuple(filter(_may_be_code, skipped_rows(rows)))


def left_out_code(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return code files, and folders that may hold code, that rules exclude from the index.

    The rules are settings, `.codeindexignore` and the built-in list of build folders. Files that
    git ignores and folders of installed packages are not returned. Sorted by path.
    """
    return tuple(
        skipped
        for skipped in skipped_paths(connection)
        if skipped.reason in _LEFT_OUT and _may_be_code(skipped)
    )


def _may_be_code(skipped: Skipped) -> bool:
    """Tell whether a path that is not indexed is code, or a folder that may contain code.

    The path of a folder ends with a slash. Folders of installed packages do not count.
    """
    if skipped.path.endswith("/") and skipped.path.split("/")[-2] in INSTALLED_FOLDERS:
        return False
    languages = _languages(skipped)
    return languages is None or any(LANGUAGES[name].symbols for name in languages)


def _languages(skipped: Skipped) -> Collection[str] | None:
    """Return the language of a skipped file, or the languages of the files in a skipped folder.

    None means that the languages in a folder are unknown.
    """
    if skipped.path.endswith("/"):
        return skipped.languages
    language = language_for_path(skipped.path)
    return (language.name, *language.calls) if language else ()


def other_code_with(
    connection: sqlite3.Connection, names: Collection[str], languages: Collection[str]
) -> tuple[Skipped, ...]:
    """Return the indexed files without a grammar that may use symbols of `languages`.

    They are templates, notebooks and files in a language that is not known here. `names` are the
    names of the symbols: a file is returned only if one of them occurs in it.
    """
    families = _families(languages)
    present = connection.execute("SELECT DISTINCT language FROM files")
    calling = [name for (name,) in present if not families.isdisjoint(LANGUAGES[name].calls)]
    calling.append(_TEXT)
    rows = connection.execute(
        "SELECT path, identifiers, language FROM files"  # noqa: S608 (marks)
        f" WHERE status IN ('indexed', 'plain') AND language IN ({placeholders(calling)})"
        " ORDER BY path",
        calling,
    )
    checksums = pack_checksums(names)
    return tuple(
        Skipped(path, "its language has no grammar")
        for path, words, language in rows
        if contains_checksum(words, checksums) and not (language == _TEXT and _is_known_text(path))
    )


def _is_known_text(path: str) -> bool:
    """Tell whether a file of the language `text` is a document or a dot file, and so not code."""
    return path.rpartition("/")[2].startswith(".") or language_for_path(path) is not None


def incomplete_files(
    connection: sqlite3.Connection,
    names: Collection[str] = (),
    *,
    languages: Collection[str] = (),
    root: Path | None = None,
) -> tuple[Skipped, ...]:
    """Return the code files whose symbols or uses may be missing from the index, with the reason.

    `languages` limits the result to files and folders whose code may use symbols of these
    languages. `names` removes the files whose stored words include none of these names and, with
    the `root` of the repository, files that are not indexed and whose text there includes none.
    With names and languages, files without a grammar that contain one of the names are added.
    `names` has no effect if it has a name that code can use without writing it, such as a
    constructor's, or a name that is too short or too long to be stored as a word.
    """
    families = _families(languages)
    of_words = bool(names) and all(map(_WRITTEN_NAME.fullmatch, names))
    files = tuple(
        file
        for file in (
            *left_out_code(connection),
            *unread_code_files(connection),
            *unparsed_files(connection),
        )
        if not languages or _may_use(file, families)
    )
    if not of_words:
        return files
    others = other_code_with(connection, names, languages) if languages else ()
    return *_without_other_words(connection, files, names, root), *others


def _without_other_words(
    connection: sqlite3.Connection,
    files: Sequence[Skipped],
    names: Collection[str],
    root: Path | None,
) -> Iterator[Skipped]:
    """Yield the files of which the stored words, or else the text on disk, include one of `names`.

    Files without stored words are read below `root`. They are also yielded if `root` is None, or if
    they cannot be read or would exceed the limit of `_MOST_READ` bytes for all of them.
    """
    words = dict(
        select_in(
            connection,
            "SELECT path, identifiers FROM files WHERE status IN ('indexed', 'plain')"
            " AND path IN (...)",
            (file.path for file in files),
        )
    )
    checksums = pack_checksums(names)
    left = _MOST_READ
    for file in files:
        if file.path in words:
            if contains_checksum(words[file.path], checksums):
                yield file
            continue
        text = _read(root, file.path, left) if root and left > 0 else None
        left -= len(text or b"") + _OPENING
        if text is None or _may_contain(text, names):
            yield file


def _read(root: Path, path: str, most: int) -> bytes | None:
    """Return the content of a file; None if it is unreadable or has more than `most` bytes."""
    try:
        with open_beneath(root, path) as file:
            content = file.read(most + 1)
    except OSError:
        return None
    return content if len(content) <= most else None


def _may_contain(text: bytes, names: Collection[str]) -> bool:
    """Tell whether a text may contain one of the names, in whatever encoding and Unicode form.

    It may, too, if it only points to the content that git LFS has not fetched.
    """
    is_elsewhere = text.startswith(LFS_POINTER.encode())
    return (
        is_elsewhere
        or b"\0" in text
        or any(not name.isascii() or name.encode() in text for name in names)
    )


def code_without_words(connection: sqlite3.Connection, language: str) -> tuple[Skipped, ...]:
    """Return code files and folders without indexed text that may use symbols of `language`.

    Rules excluded them, or they were skipped because of size, content, access or place.
    """
    families = _families((language,))
    return tuple(
        file
        for file in (*left_out_code(connection), *unread_code_files(connection))
        if _may_use(file, families)
    )


def _families(languages: Collection[str]) -> frozenset[str]:
    """Return the languages whose code can use symbols of one of `languages`.

    For example, TypeScript can use symbols of JavaScript.
    """
    return frozenset[str]().union(*map(language_family, languages))


def _may_use(file: Skipped, families: frozenset[str]) -> bool:
    """Tell whether a file that is not indexed may contain code in one of the languages `families`.

    `file` may be a folder; if its languages are unknown, the result is True.
    """
    used = _languages(file)
    return used is None or not families.isdisjoint(used)
