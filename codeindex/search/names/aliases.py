"""Names that are in the text of files and of no symbol: aliases, re-exports, names from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeindex.search.names.symbols import Catalog, Symbol
from codeindex.store.catalog.sql_values import marks
from codeindex.text.words import fold

_READ = 200
"""Chunks that are read for a name, those of code first."""
_SHOWN = 10
"""Lines that are taken for a name that no symbol has."""
_ALIAS = (
    r"(?P<original>[\w$]+(?:(?:::|[./\\])[\w$]+)*)[ \t]*,?[ \t]*(?:\bas\b:?|=>)"
    r"[ \t]*{name}(?![\w$])"
    r"|\balias(?:_method)?[ \t]+:?{name}[ \t,]+:?(?P<ruby>[\w$]+[?!=]?)"
)
"""`X as NAME`, `X => NAME`, `alias X, as: NAME`; Ruby's `alias NAME X`."""


class Alias(NamedTuple):
    """A line that gives a name to what is called otherwise."""

    file_id: int
    path: str
    line: int
    original: str


class _Chunk(NamedTuple):
    file_id: int
    path: str
    start: int
    text: str
    is_test: int


def aliases(catalog: Catalog, name: str) -> Iterator[Alias]:
    """Yield the lines outside of tests that give a name to something else."""
    if not re.fullmatch(r"[^\W\d][\w$]*", name) or not catalog.is_word(name):
        return
    pattern = re.compile(_ALIAS.format(name=re.escape(name)))
    for chunk in _chunks(catalog, fold(name)):
        if not chunk.is_test and (found := pattern.search(chunk.text)):
            line = chunk.start + chunk.text.count("\n", 0, found.end())
            original = re.split(r"::|[./\\]", found["original"] or found["ruby"])[-1]
            yield Alias(chunk.file_id, chunk.path, line, original)


def names_said(catalog: Catalog, folded: str) -> Iterator[Symbol]:
    """Yield lines with a name, as if it were defined there: aliases if there are any, else code."""
    pattern = re.compile(rf"(?i)(?<![^\W_]){'_*'.join(map(re.escape, folded))}(?![^\W_])")
    lines: list[Symbol] = []
    for chunk in _chunks(catalog, folded):
        if found := pattern.search(chunk.text):
            line = chunk.start + chunk.text.count("\n", 0, found.start())
            said = found[0].strip("_")
            place = (chunk.file_id, said, said, "", line, chunk.path, chunk.is_test)
            lines.append(Symbol(*place, is_again=False, is_namesake=False))
    given = {
        (one.file_id, one.line)
        for it in {one.name for one in lines}
        for one in aliases(catalog, it)
    }
    yield from [one for one in lines if (one.file_id, one.line) in given] or lines[:_SHOWN]


def _chunks(catalog: Catalog, folded: str) -> list[_Chunk]:
    """Return chunks that have a word, those of code outside of tests first."""
    ids = catalog.words.having([folded])[:_READ]
    rows = catalog.connection.execute(
        "SELECT f.id, f.path, c.start_line, c.text, f.is_test FROM chunks c"  # noqa: S608 (marks)
        f" JOIN files f ON f.id = c.file_id WHERE c.id IN ({marks(ids)})"
        " ORDER BY f.is_test, c.kind = 'section', f.path, c.start_line",
        ids,
    )
    return [_Chunk._make(row) for row in rows]
