"""Declarations by a part of their name or of their signature."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.outline.declaration import DECLARATION_COLUMNS, Declaration, describe_nodes
from codeindex.analysis.signature import SignatureTypes, signature_types
from codeindex.errors import QueryError
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.symbols.declarations import (
    SymbolPage,
    find_declarations,
    find_signatures,
    functions_taking,
    similar_names,
)
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.store.symbols.written_names import parse_written_name
from codeindex.types import unparsed_suffix

if TYPE_CHECKING:
    import sqlite3

_MOST_NEAREST = 5
_MOST_TYPED = 2_000
"""Signatures with all the names that are parted to see where they stand: 20 ms."""


@dataclass(frozen=True, slots=True)
class DeclarationMatches:
    """The best matches; `total` counts them all, `nearest` is what may have been meant if none."""

    query: str
    symbols: tuple[Declaration, ...]
    total: int
    nearest: tuple[str, ...] = ()
    truncated: bool = False
    limited_to: str = ""
    """The part of the repository that was looked in, after a comma (`analysis.within`)."""
    unread: int = 0
    """Files of code that were left out or not wholly parsed, where nothing was found."""

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.symbols}

    @property
    def is_empty(self) -> bool:
        return not self.symbols

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return DECLARATION_COLUMNS, [one.row() for one in self.symbols]

    def text(self) -> Iterator[str]:
        shown = f", the best {len(self.symbols)}" if self.truncated else ""
        matches = "match" if self.total == 1 else "matches"
        yield f"{self.total} {matches}{self.limited_to}{shown}{unparsed_suffix(self.unread)}"
        for file, found in groupby(self.symbols, key=lambda one: one.file):
            yield file
            yield from (f"  {one.in_short()}" for one in found)
        if self.nearest:
            yield f"Did you mean {' or '.join(self.nearest)}?"


def find_by_name(
    connection: sqlite3.Connection, name: str, *, limit: int, inside: ListingFilter = NO_FILTER
) -> DeclarationMatches:
    """Return declarations that have `name` in theirs, in any case.

    A name in full, with its path or namespace in any notation, leads to the symbols that it means.
    """
    said = parse_written_name(_said(name)).dotted
    page = find_declarations(connection, said, limit=limit, place=inside.place, tests=inside.tests)
    if not page.total:
        meant = [
            one
            for one in symbols_by_name(connection, name)
            if inside.holds(one.path, is_test=bool(one.is_test))
        ]
        page = SymbolPage(meant[:limit], len(meant))
    found = replace(make_matches(connection, name, page), limited_to=str(inside))
    if found.total:
        return found
    words = said.rpartition(".")[2].split()[:_MOST_NEAREST]  # of a sentence, one may be a name
    near = (one for word in words for one in similar_names(connection, word))
    nearest = tuple(dict.fromkeys(near))[:_MOST_NEAREST]
    return replace(found, nearest=nearest, unread=len(incomplete_files(connection)))


def find_by_signature(
    connection: sqlite3.Connection, query: str, *, limit: int
) -> DeclarationMatches:
    """Return functions whose signature has `query` in it, in any case, else its types in order."""
    said = " ".join(_said(query).split())  # signatures are folded so too
    page = find_signatures(connection, said, limit=limit)
    if not page.total:
        page = _by_types(connection, said, limit=limit)
    return make_matches(connection, query, page)


def _by_types(connection: sqlite3.Connection, said: str, *, limit: int) -> SymbolPage:
    """Return functions that take the types before an arrow and give those after it."""
    takes, arrow, gives = said.partition("->")
    wanted = SignatureTypes(takes, gives)
    names = [name for part in wanted for name in re.findall(r"\w+", part)]
    if not names:
        return SymbolPage([], 0)
    found = [
        one
        for one in functions_taking(connection, names, limit=_MOST_TYPED)
        if not arrow or _fits(wanted, signature_types(one.signature, one.name, one.language))
    ]
    return SymbolPage(found[:limit], len(found))


def _fits(wanted: SignatureTypes, head: SignatureTypes) -> bool:
    """Tell whether each side of a function's head has the names that are wanted of it."""
    return all(
        re.search(rf"(?i)\b{name}\b", own)
        for said, own in zip(wanted, head, strict=True)
        for name in re.findall(r"\w+", said)
    )


def make_matches(
    connection: sqlite3.Connection, query: str, page: SymbolPage
) -> DeclarationMatches:
    symbols = describe_nodes(connection, page.nodes)
    return DeclarationMatches(query, symbols, page.total, truncated=len(symbols) < page.total)


def _said(text: str) -> str:
    if not text.strip():
        raise QueryError("Nothing is asked for: give a part of a name or of a signature.")
    return text.strip()
