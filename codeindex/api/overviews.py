"""About everything at a glance, for people."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from codeindex.api.asking import Asking

if TYPE_CHECKING:
    from codeindex.analysis.overview import RepositoryOverview
    from codeindex.analysis.overview.parts import IndexState
    from codeindex.store.datadir.home import Repository
    from codeindex.types import Status


class Overviews(Asking):
    """About everything at a glance."""

    repository: Repository

    def status(self) -> Status:
        """Say what is indexed; `Index` does."""
        raise NotImplementedError

    def report(self, path: str = "") -> RepositoryOverview:
        """Look at PATH or at everything: map, hotspots, health, what changes together, coverage.

        `.html()` is one page that needs nothing but itself.
        """
        from codeindex.analysis.overview import make_overview
        from codeindex.config import data_home
        from codeindex.metrics.daily import daily_usage
        from codeindex.metrics.events import read_events

        use = daily_usage(read_events(data_home()), self.repository.name)
        self._freshen()
        state = self._state(self._inside(path))
        return self._ask(
            lambda connection: make_overview(connection, state.path, state=state, use=use)
        )

    def _state(self, path: str) -> IndexState:
        """Return what of the status is no path of this machine."""
        from codeindex.analysis.file_selection import normalize_path
        from codeindex.analysis.overview.parts import IndexState
        from codeindex.redact_query import redact_text
        from codeindex.store.catalog.commit_counts import count_commits

        found = self.status()
        with self.reader().catalog() as (catalog, _generation):
            commits = count_commits(catalog.connection)
        written = datetime.fromtimestamp(found.written_at, UTC)
        return IndexState(
            repo=redact_text(found.repo),
            path=normalize_path(path),
            version=found.version,
            complete=found.complete,
            written_at=written.strftime("%Y-%m-%d %H:%M UTC"),
            branch=found.branch,
            head=found.head,
            model=found.model,
            size_bytes=found.size_bytes,
            chunks=found.chunks,
            symbols=found.symbols,
            words=found.readiness.words,
            vectors=found.readiness.vectors,
            commits=commits,
        )
