"""Limit a listing to a path, and by whether code is test code."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

from codeindex.analysis.listing_filter import ListingFilter, make_listing_filter

if TYPE_CHECKING:
    from codeindex.api.query_runner import QueryRunner
    from codeindex.types import TestScope


def listing_filter(
    runner: QueryRunner, path: str | tuple[str, ...], tests: TestScope = "include"
) -> Callable[[sqlite3.Connection], ListingFilter]:
    """Return a function that creates the filter of a list, given a catalog's connection.

    The filter keeps the files at and below `path`; `tests` tells whether it keeps tests.
    """
    paths = (path,) if isinstance(path, str) else path
    places = tuple(map(runner.indexed_path, paths))
    return lambda connection: make_listing_filter(connection, places, tests)
