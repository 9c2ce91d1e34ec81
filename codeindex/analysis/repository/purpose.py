"""Find a sentence about the purpose of a folder, in the folder's files."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from posixpath import basename

from codeindex.analysis.repository.guides import read_guides
from codeindex.errors import QueryError
from codeindex.languages import language_for_path
from codeindex.store.catalog.files import stored_text
from codeindex.text.comments import BLOCK_COMMENT, LICENCE, LINE_COMMENTS, PRAGMA
from codeindex.text.truncate import first_sentence

_INDEXES = (
    "__init__.py",
    "mod.rs",
    "lib.rs",
    "doc.go",
    "index.ts",
    "index.js",
    "package-info.java",
)
_DOCUMENTS = ("README.md", "AGENTS.md", "README.rst")
_QUOTED = re.compile(r'^\s*[rRuU]?("""|\'\'\')(.+?)\1', re.DOTALL)
_MARK = re.compile(r"^\s*(?://[/!]?|#|--|;+|\*+)\s?", re.MULTILINE)
_BEFORE_COMMENTS = re.compile(r"(?:#!.*\n\s*)*")
"""Matches the line of an interpreter, and attributes of a Rust crate: `#![no_std]`."""
_HEADING = re.compile(r"\s*\n[=\-~*^]{3,}\s*(?:\n|$)")
_LONGEST = 160
_LEAST_WORDS = 5
"""Least words of a description; shorter ones are mostly labels."""
_LOOKED_AT = 3
"""Most central files that are searched for a comment about their package, as Go has it."""


def folder_purpose(connection: sqlite3.Connection, folder: str, central: Sequence[str]) -> str:
    """Return a sentence about the purpose of a folder, '' if none is found.

    It comes from an index file, a package comment, a README or a main file, in this order of
    preference.
    """
    below = f"{folder}/" if folder else ""
    for name in _INDEXES:
        if text := leading_sentence(stored_text(connection, f"{below}{name}")):
            return text
    for path in central[:_LOOKED_AT]:
        language = language_for_path(path)
        comment = language.package_comment if language else None
        if comment and (match := comment.search(stored_text(connection, path))):
            return _first_sentence(_MARK.sub("", match[0]))
    for name in _DOCUMENTS:
        try:
            (guide,) = read_guides(connection, f"{below}{name}").guides
        except QueryError:
            continue
        if len(guide.description.split()) >= _LEAST_WORDS:
            return _first_sentence(guide.description)
    return _purpose_of_files(connection, folder, central)


def _purpose_of_files(connection: sqlite3.Connection, folder: str, central: Sequence[str]) -> str:
    """Return the first sentence of a comment that tells the purpose of a folder, else ''.

    It is in the file that has the folder's name, or in the only file. `central` are the folder's
    files, the most central first.
    """
    named = [name for name in central if basename(name).partition(".")[0] == basename(folder)]
    for path in named or central[: 1 if len(central) == 1 else 0]:
        if text := leading_sentence(stored_text(connection, path)):
            return text
    return ""


def leading_sentence(text: str) -> str:
    """Return the first sentence of a file's leading comment, without licences and pragmas."""
    rest = _BEFORE_COMMENTS.sub("", text[:20_000], count=1)
    while rest:
        match = _QUOTED.match(rest) or BLOCK_COMMENT.match(rest) or LINE_COMMENTS.match(rest)
        if match is None:
            return ""
        phrase = _MARK.sub("", match[match.lastindex or 0])
        if not (LICENCE.search(phrase) or PRAGMA.search(phrase)):
            return _first_sentence(phrase)
        rest = rest[match.end() :]
    return ""


def _first_sentence(text: str) -> str:
    parts = [line for line in _HEADING.sub("\n\n", text.strip()).split("\n\n") if line.strip()]
    return first_sentence(parts[0], _LONGEST) if parts else ""
