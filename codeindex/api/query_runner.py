"""Run queries on a refreshed index, and again if a file that an answer cites has changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from codeindex.api.freshness import Freshness
from codeindex.api.requests.core import SyncRequest
from codeindex.errors import LockedError, QueryError
from codeindex.search.filters import check_filters
from codeindex.store.catalog.files import stale_paths
from codeindex.store.catalog.hidden_files import hide_files
from codeindex.store.datadir.file_paths import path_in_root, resolve_client_path
from codeindex.types import Filters, RefreshResult, TestScope

if TYPE_CHECKING:
    from codeindex.api.session import IndexSession
    from codeindex.search.reader import IndexReader
    from codeindex.types.report import Report

    ReportType = TypeVar("ReportType", bound=Report)

Parameters = ParamSpec("Parameters")
_ROUNDS = 3
"""Most times that a query is repeated; then files that still change are left out."""


class QueryRunner:
    """Runs the queries of the parts of an `Index`, such as `Index.graph`, on a refreshed index.

    A query is repeated if a file that its report names has changed meanwhile.
    """

    def __init__(self, session: IndexSession) -> None:
        self.session = session
        self.freshness = Freshness(session)

    def reader(self) -> IndexReader:
        return self.session.reader()

    @property
    def refreshed(self) -> RefreshResult:
        """The refresh result of the last query in this thread, such as files it could not read."""
        return self.session.resources.refreshed

    def run(
        self,
        query: Callable[Concatenate[sqlite3.Connection, Parameters], ReportType],
        *values: Parameters.args,
        **named: Parameters.kwargs,
    ) -> ReportType:
        """Refresh the index, run a query with these parameters, and return its report.

        Changed files that cannot be read now are hidden from the query. If a file that the report
        names has changed since the tree was scanned, it is read and the query runs again.
        """
        refreshed, rounds_left = self.freshness.refresh(), _ROUNDS
        while True:
            self.session.resources.refreshed = refreshed
            with self.reader().catalog() as (catalog, _generation):
                try:
                    with hide_files(catalog.connection, refreshed.unread):
                        report = query(catalog.connection, *values, **named)
                except QueryError as error:
                    if refreshed.is_complete:
                        raise
                    raise QueryError(with_gaps(str(error), refreshed)) from error
                changed = stale_paths(catalog.connection, self.session.root, report.paths)
            if not (changed and rounds_left):
                return report
            rounds_left -= 1
            more = (
                self.freshness.refresh_paths(changed)
                if rounds_left
                else RefreshResult(unread=tuple(sorted(changed)))
            )
            refreshed = refreshed.and_then(more)

    def indexed_path(self, subject: str) -> str:
        """Return a path relative to the root, if `subject` is an absolute path or has `..`.

        Anything else, such as a symbol's name, is returned unchanged. Raises QueryError for a path
        outside the repository.
        """
        given, colons, name = subject.strip().partition("::")
        if not Path(given).is_absolute() and ".." not in Path(given).parts:
            return subject
        path = resolve_client_path(given, base=self.session.root)
        own = path_in_root(self.session.root, path) if path else None
        if own is not None:
            return f"{own}{colons}{name}"
        if path and path.exists():
            raise QueryError(f"'{given}' is outside of '{self.session.root}': name a file in it.")
        return subject

    def file_path(self, path: str) -> str:
        """Return a file's path relative to the root, for an absolute or relative path.

        Raises QueryError for a blank path and for a path outside the repository.
        """
        if not path.strip():
            raise QueryError(
                "The file is missing: give its path, absolute or relative to the root."
            )
        root = self.session.root
        absolute = resolve_client_path(path, base=root)
        own = path_in_root(root, absolute) if absolute else None
        if own is None:
            raise QueryError(f"'{path}' is not in the repository '{root}': name a file in it.")
        return own

    def filters(self, filters: Filters | None, tests: TestScope = "include") -> Filters:
        """Check filters and limit them to the opened folder; raise QueryError for invalid ones."""
        known = check_filters(Filters() if filters is None else filters)
        paths = known.paths or ((self.session.part,) if self.session.part else ())
        return replace(known, paths=paths, tests=tests if tests != "include" else known.tests)

    def mend(self, *, rebuild: bool) -> None:
        """Sync a damaged index without embedding, unless another process is syncing it.

        With `rebuild`, the index is built anew.
        """
        with self.session.resources.refreshing, suppress(LockedError):
            self.session.sync(SyncRequest(structure_only=True, rebuild=rebuild))


def with_gaps(sentence: str, refreshed: RefreshResult) -> str:
    """Put a warning before a sentence if some files could not be read.

    The warning says that the sentence is true only of the files that were read.
    """
    gaps = " ".join(refreshed.gaps())
    return f"{gaps} In the files that were read: {sentence}" if gaps else sentence
