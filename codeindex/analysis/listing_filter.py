"""Limits of a listing: a file or folder, and whether tests are in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from codeindex.analysis.file_selection import normalize_path, select_files

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import TestScope


class _Listed(Protocol):
    @property
    def file(self) -> str: ...

    @property
    def is_test(self) -> bool: ...


Listed = TypeVar("Listed", bound=_Listed)


@dataclass(frozen=True, slots=True)
class ListingFilter:
    """A file or folder, '' for everywhere, and whether tests are listed."""

    place: str = ""
    tests: TestScope = "include"

    def kept(self, found: Iterable[Listed]) -> list[Listed]:
        """Return what is inside, in its order."""
        return [one for one in found if self.holds(one.file, is_test=one.is_test)]

    def holds(self, path: str, *, is_test: bool) -> bool:
        """Tell whether something in a file is inside."""
        if self.tests != "include" and is_test != (self.tests == "only"):
            return False
        return not self.place or f"{path}/".startswith(f"{self.place}/")

    def __str__(self) -> str:
        """Say what the listing is limited to, after a comma; '' if it is not."""
        tests = {"include": "", "exclude": ", without tests", "only": ", only tests"}[self.tests]
        return f"{f', below {self.place}' if self.place else ''}{tests}"


NO_FILTER = ListingFilter()


def make_listing_filter(
    connection: sqlite3.Connection, path: str, tests: TestScope
) -> ListingFilter:
    """Return the limits of a listing; QueryError for a place that is not indexed."""
    if not path.strip():
        return ListingFilter(tests=tests)
    place = normalize_path(path)
    found = select_files(connection, path)
    is_there = any(f"{one.path}/".startswith(f"{place}/") for one in found)
    return ListingFilter(place if is_there else found[0].path, tests)
