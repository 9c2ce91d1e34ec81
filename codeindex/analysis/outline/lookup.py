"""Find declarations by part of their name or signature."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.outline.declaration import DECLARATION_COLUMNS, Declaration, describe_nodes
from codeindex.analysis.signature import SignatureTypes, signature_types
from codeindex.analysis.text_places import TextPlaces, describe_text_places, find_text_places
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
from codeindex.types import first_unread, unparsed_suffix
from codeindex.types.report import DataReport, Table, make_table, plural

_MOST_NEAREST = 5
_MOST_PLACES = 20
_MOST_TYPED = 2_000
"""Most signatures that are split into parameters and return type; splitting so many takes 20 ms."""


@dataclass(frozen=True, slots=True)
class DeclarationMatches(DataReport):
    """The best matches; `total` counts all, and `nearest` has similar names if nothing matches."""

    query: str
    symbols: tuple[Declaration, ...]
    total: int
    nearest: tuple[str, ...] = ()
    truncated: bool = False
    limited_to: str = ""
    """The listing filter as a phrase, such as `, without tests`."""
    unread: int = 0
    """If nothing was found: number of code files that were skipped or parsed only partly. Else
    0."""
    unread_paths: tuple[str, ...] = ()
    """Paths of the first of these files."""
    text_places: tuple[str, ...] = ()
    """If nothing was found: the first places (`path:line`) that have the name as text."""
    total_text_places: int = 0
    more_text_places: bool = False
    """Whether further files have the name, so that `total_text_places` is a lower bound."""

    @property
    def is_empty(self) -> bool:
        return not self.symbols

    def columns(self) -> Table:
        return make_table(self.symbols, DECLARATION_COLUMNS)

    def text(self) -> Iterator[str]:
        text = f", the best {len(self.symbols)}" if self.truncated else ""
        rest = unparsed_suffix(self.unread, self.unread_paths)
        yield f"{plural(self.total, 'match', 'matches')}{self.limited_to}{text}{rest}"
        for file, declarations in groupby(self.symbols, key=lambda declaration: declaration.file):
            yield file
            yield from (f"  {declaration.in_short()}" for declaration in declarations)
        if self.nearest:
            yield f"Did you mean {' or '.join(self.nearest)}?"
        if self.text_places:
            yield describe_text_places(
                self.text_places[0], self.total_text_places, is_cut=self.more_text_places
            )


def find_by_name(
    connection: sqlite3.Connection, name: str, *, limit: int, inside: ListingFilter = NO_FILTER
) -> DeclarationMatches:
    """Return the declarations whose name contains `name`; case is ignored.

    `name` may be qualified, in the notation of any language. If no name contains it, it is resolved
    as a full name, which may include a path. `inside` limits the files.
    """
    dotted = parse_written_name(_require_text(name)).dotted
    page = find_declarations(
        connection, dotted, limit=limit, places=inside.places, tests=inside.tests
    )
    if not page.total:
        nodes = [
            node
            for node in symbols_by_name(connection, name)
            if inside.holds(node.path, is_test=bool(node.is_test))
        ]
        page = SymbolPage(nodes[:limit], len(nodes))
    matches = replace(make_matches(connection, name, page), limited_to=str(inside))
    if matches.total:
        return matches
    words = dotted.rpartition(".")[2].split()[
        :_MOST_NEAREST
    ]  # one word of a sentence may be a name
    near = (name for word in words for name in similar_names(connection, word))
    nearest = tuple(dict.fromkeys(near))[:_MOST_NEAREST]
    unread = incomplete_files(connection)
    paths = first_unread(file.path for file in unread)
    found = TextPlaces()
    if not symbols_by_name(connection, name):  # else the filter leaves out its definition
        found = find_text_places(
            connection, name, holds=lambda file: inside.holds(file.path, is_test=bool(file.is_test))
        )
    return replace(
        matches,
        nearest=nearest,
        unread=len(unread),
        unread_paths=paths,
        text_places=found.places[:_MOST_PLACES],
        total_text_places=len(found.places),
        more_text_places=found.is_cut,
    )


def find_by_signature(
    connection: sqlite3.Connection, query: str, *, limit: int
) -> DeclarationMatches:
    """Return the functions whose signature contains `query`.

    If there are none, `query` is read as `types -> type`: parameter types, then the return type.
    """
    folded = " ".join(_require_text(query).split())  # signatures are stored in this form
    page = find_signatures(connection, folded, limit=limit)
    if not page.total:
        page = _find_by_types(connection, folded, limit=limit)
    return make_matches(connection, query, page)


def _find_by_types(connection: sqlite3.Connection, query: str, *, limit: int) -> SymbolPage:
    """Return the functions with the types in `query`, which is like `Cart, int -> Price`.

    They take the types before the arrow and return the type after it.
    """
    takes, arrow, gives = query.partition("->")
    wanted = SignatureTypes(takes, gives)
    names = [name for part in wanted for name in re.findall(r"\w+", part)]
    if not names:
        return SymbolPage([], 0)
    nodes = [
        node
        for node in functions_taking(connection, names, limit=_MOST_TYPED)
        if not arrow
        or _has_types(wanted, signature_types(node.signature, node.name, node.language))
    ]
    return SymbolPage(nodes[:limit], len(nodes))


def _has_types(wanted: SignatureTypes, head: SignatureTypes) -> bool:
    """Tell whether a signature contains the wanted types; case is ignored.

    `wanted` and `head` are both (parameters, return type); each part of `head` must contain all
    type names of the same part of `wanted`.
    """
    return all(
        re.search(rf"(?i)\b{name}\b", own_part)
        for wanted_part, own_part in zip(wanted, head, strict=True)
        for name in re.findall(r"\w+", wanted_part)
    )


def make_matches(
    connection: sqlite3.Connection, query: str, page: SymbolPage
) -> DeclarationMatches:
    symbols = describe_nodes(connection, page.nodes)
    return DeclarationMatches(query, symbols, page.total, truncated=len(symbols) < page.total)


def _require_text(text: str) -> str:
    if not text.strip():
        raise QueryError("The query is empty: give a part of a name or of a signature.")
    return text.strip()
