"""What a folder of code is for, in one sentence, as its own files say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import basename
from typing import TYPE_CHECKING

from codeindex.analysis.repository.guides import read_guides
from codeindex.errors import QueryError
from codeindex.store.catalog.files import stored_text

if TYPE_CHECKING:
    import sqlite3

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
_BLOCK = re.compile(r"^\s*/\*+!?(.+?)\*/", re.DOTALL)
_LINES = re.compile(r"^\s*((?://[/!]?|#|--|;+)[^\n]*(?:\n\s*(?://[/!]?|#|--|;+)[^\n]*)*)")
_MARK = re.compile(r"^\s*(?://[/!]?|#|--|;+|\*+)\s?", re.MULTILINE)
_PACKAGE = re.compile(r"^// Package \w+ .+?(?=\n(?!//))", re.DOTALL | re.MULTILINE)
_NO_PURPOSE = re.compile(
    r"copyright|licen[sc]e|spdx|coding[:=]|eslint|@ts-|#!|vim:|go:build|pylint|prettier",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"^(.+?[.!?])(?:\s|$)")
_HEADING = re.compile(r"\s*\n[=\-~*^]{3,}\s*(?:\n|$)")
_LONGEST = 160
_LEAST_WORDS = 5
"""Fewer are key words, or the label of something."""
_LOOKED_AT = 3
"""Files, the most central ones: Go's comment on a package is in any of its files."""


def folder_purpose(connection: sqlite3.Connection, folder: str, central: Sequence[str]) -> str:
    """Return what a folder says that it is for, '' if it does not."""
    below = f"{folder}/" if folder else ""
    for name in _INDEXES:
        if said := leading_sentence(stored_text(connection, f"{below}{name}")):
            return said
    for path in central[:_LOOKED_AT]:
        found = _PACKAGE.search(stored_text(connection, path)) if path.endswith(".go") else None
        if found:
            return _sentence(_MARK.sub("", found[0]))
    for name in _DOCUMENTS:
        try:
            (guide,) = read_guides(connection, f"{below}{name}").guides
        except QueryError:
            continue
        if len(guide.description.split()) >= _LEAST_WORDS:
            return _sentence(guide.description)
    return _of_files(connection, folder, central)


def _of_files(connection: sqlite3.Connection, folder: str, central: Sequence[str]) -> str:
    """Return what the file says that is called as its folder, or the only one there."""
    named = [one for one in central if basename(one).partition(".")[0] == basename(folder)]
    for path in named or central[: 1 if len(central) == 1 else 0]:
        if said := leading_sentence(stored_text(connection, path)):
            return said
    return ""


def leading_sentence(text: str) -> str:
    """Return the first sentence of the comment that a file begins with, unless it is a licence."""
    rest = text[:20_000]
    while rest:
        found = _QUOTED.match(rest) or _BLOCK.match(rest) or _LINES.match(rest)
        if found is None:
            return ""
        said = _MARK.sub("", found[found.lastindex or 0])
        if not _NO_PURPOSE.search(said):
            return _sentence(said)
        rest = rest[found.end() :]
    return ""


def _sentence(text: str) -> str:
    parts = [one for one in _HEADING.sub("\n\n", text.strip()).split("\n\n") if one.strip()]
    plain = " ".join(parts[0].split()) if parts else ""
    found = _SENTENCE.match(plain)
    said = found[1] if found else plain
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST].rsplit(' ', 1)[0]} …"
