"""Limit a list to files or folders, to tests, or to everything except tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from codeindex.analysis.file_selection import catalog_path, select_files
from codeindex.types import TestScope


class _Listed(Protocol):
    @property
    def file(self) -> str: ...

    @property
    def is_test(self) -> bool: ...


Listed = TypeVar("Listed", bound=_Listed)


@dataclass(frozen=True, slots=True)
class ListingFilter:
    """Selects the entries of a list by the file of each entry.

    `places` are the files or folders to keep; () keeps the whole repository. `tests` tells whether
    test files are kept.
    """

    places: tuple[str, ...] = ()
    tests: TestScope = "include"

    def kept(self, records: Iterable[Listed]) -> list[Listed]:
        """Return the entries whose file passes the filter, in the same order."""
        return [record for record in records if self.holds(record.file, is_test=record.is_test)]

    def holds(self, path: str, *, is_test: bool) -> bool:
        """Tell whether the file at `path` passes the filter."""
        if self.tests != "include" and is_test != (self.tests == "only"):
            return False
        return not self.places or f"{path}/".startswith(tuple(f"{each}/" for each in self.places))

    def __str__(self) -> str:
        """Return a phrase such as `, below shop, without tests`; '' if nothing is limited."""
        tests = {"include": "", "exclude": ", without tests", "only": ", only tests"}[self.tests]
        below = f", below {' or '.join(self.places)}" if self.places else ""
        return f"{below}{tests}"


NO_FILTER = ListingFilter()


def make_listing_filter(
    connection: sqlite3.Connection, paths: Sequence[str], tests: TestScope
) -> ListingFilter:
    """Return a filter for paths; raise QueryError if one of them is not indexed.

    A path that names the root limits nothing.
    """
    places = tuple(_indexed_place(connection, path) for path in paths)
    return ListingFilter(places if all(places) else (), tests)


def _indexed_place(connection: sqlite3.Connection, path: str) -> str:
    place = catalog_path(path)
    if not place:
        return ""
    files = select_files(connection, path)
    is_there = any(f"{file.path}/".startswith(f"{place}/") for file in files)
    return place if is_there else files[0].path
