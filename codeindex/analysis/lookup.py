"""Declarations by a part of their name or of their signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from codeindex.analysis.declaration import COLUMNS, Declaration, declared
from codeindex.errors import QueryError
from codeindex.store.declarations import Page, declarations_like, names_near, signatures_like

if TYPE_CHECKING:
    import sqlite3

MOST_NAMES, MOST_SIGNATURES = 200, 100
_MOST_NEAREST = 5


@dataclass(frozen=True, slots=True)
class Matches:
    """The best matches; `total` counts them all, `nearest` is what may have been meant if none."""

    query: str
    symbols: tuple[Declaration, ...]
    total: int
    nearest: tuple[str, ...] = ()
    truncated: bool = False

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.symbols}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return COLUMNS, [one.row() for one in self.symbols]

    def text(self) -> Iterator[str]:
        shown = f", the best {len(self.symbols)}" if self.truncated else ""
        yield f"{self.total} {'match' if self.total == 1 else 'matches'}{shown}"
        for file, found in groupby(self.symbols, key=lambda one: one.file):
            yield file
            yield from (f"  {one.in_short()}" for one in found)
        if self.nearest:
            yield f"Did you mean {' or '.join(self.nearest)}?"


def lookup(connection: sqlite3.Connection, name: str, *, limit: int) -> Matches:
    """Return declarations that have `name` in theirs, in any case."""
    said = _said(name).replace("::", ".").replace("#", ".").removesuffix("()")
    found = matches(connection, name, declarations_like(connection, said, limit=limit))
    if found.total:
        return found
    words = said.rpartition(".")[2].split()[:_MOST_NEAREST]  # of a sentence, one may be a name
    near = (one for word in words for one in names_near(connection, word))
    return Matches(name, (), 0, tuple(dict.fromkeys(near))[:_MOST_NEAREST])


def signatures(connection: sqlite3.Connection, query: str, *, limit: int) -> Matches:
    """Return functions whose signature has `query` in it, in any case."""
    said = " ".join(_said(query).split())  # signatures are folded so too
    return matches(connection, query, signatures_like(connection, said, limit=limit))


def matches(connection: sqlite3.Connection, query: str, page: Page) -> Matches:
    symbols = declared(connection, page.nodes)
    return Matches(query, symbols, page.total, truncated=len(symbols) < page.total)


def _said(text: str) -> str:
    if not text.strip():
        raise QueryError("Nothing is asked for: give a part of a name or of a signature.")
    return text.strip()
