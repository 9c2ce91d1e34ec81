"""Limits of a listing: a path and whether tests are listed."""

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
    """Return what reads the limits of a listing off the catalog."""
    place = runner.indexed_path(path)
    return lambda connection: make_listing_filter(connection, place, tests)
