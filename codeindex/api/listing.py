"""Limit a listing to a path, and to code with or without tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codeindex.analysis.listing_filter import make_listing_filter

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.listing_filter import ListingFilter
    from codeindex.api.query_runner import QueryRunner
    from codeindex.types import TestScope


def listing_filter(
    runner: QueryRunner, path: str, tests: TestScope
) -> Callable[[sqlite3.Connection], ListingFilter]:
    """Return a function from a catalog's connection to the filter for this path and `tests`."""
    place = runner.indexed_path(path)
    return lambda connection: make_listing_filter(connection, place, tests)
