"""Answer queries about the whole repository: `Index.overview`."""

from __future__ import annotations

from datetime import UTC, datetime

from codeindex.analysis.file_selection import catalog_path
from codeindex.analysis.overview.parts import IndexState
from codeindex.analysis.overview.repository_overview import RepositoryOverview, make_overview
from codeindex.analysis.repository.guides import Guides, read_guides
from codeindex.analysis.repository.health import Health, measure_health
from codeindex.analysis.repository.hotspots import Hotspots, find_hotspots
from codeindex.analysis.repository.index_file import IndexFile, existing_budget, write_index_file
from codeindex.analysis.repository.modules import RepositoryModules, list_modules
from codeindex.analysis.repository.patterns import FilePatterns, list_patterns
from codeindex.analysis.repository.secrets import RedactedSecrets
from codeindex.analysis.repository.stats import IndexStats, count_indexed
from codeindex.analysis.repository.workspace_members import (
    WorkspaceMembers,
    list_workspace_members,
    single_member,
)
from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.repository_map import index_structure, read_map
from codeindex.api.requests.overview import (
    GuidesRequest,
    HealthRequest,
    HotspotsRequest,
    MembersRequest,
    ModulesRequest,
    PatternsRequest,
    RegenerateIndexRequest,
    ReportRequest,
    SecretsRequest,
    StatsRequest,
)
from codeindex.api.secret_review import list_secrets
from codeindex.config import data_home
from codeindex.errors import QueryError
from codeindex.metrics.daily import daily_usage
from codeindex.metrics.events import read_events
from codeindex.redact_query import redact_text
from codeindex.store.catalog.commits import count_commits


class OverviewQueries(Component):
    """Answers queries about the whole repository: its size, its health, its parts."""

    @capability(ReportRequest)
    def report(self, request: ReportRequest) -> RepositoryOverview:
        use = daily_usage(read_events(data_home()), self._session.repository.name)
        self._runner.freshness.refresh()
        state = self._state(self._runner.indexed_path(request.path))
        return self._runner.run(make_overview, state.path, state=state, use=use)

    def _state(self, path: str) -> IndexState:
        """Return the state of the index for a report, without any path of this machine."""
        status = self._session.status()
        with self._runner.reader().catalog() as (catalog, _generation):
            commits = count_commits(catalog.connection)
        written = datetime.fromtimestamp(status.written_at, UTC)
        return IndexState(
            repo=redact_text(status.repo),
            path=catalog_path(path),
            version=status.version,
            complete=status.complete,
            written_at=written.strftime("%Y-%m-%d %H:%M UTC"),
            branch=status.branch,
            head=status.head,
            model=status.model,
            size_bytes=status.size_bytes,
            chunks=status.chunks,
            symbols=status.symbols,
            words=status.readiness.words,
            vectors=status.readiness.vectors,
            commits=commits,
        )

    @capability(StatsRequest)
    def stats(self, request: StatsRequest) -> IndexStats:
        return self._runner.run(count_indexed)

    @capability(HealthRequest)
    def health(self, request: HealthRequest) -> Health:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(measure_health, path)

    @capability(HotspotsRequest)
    def hotspots(self, request: HotspotsRequest) -> Hotspots:
        return self._runner.run(
            find_hotspots,
            limit=request.limit,
            path=self._runner.indexed_path(request.path),
            min_complexity=request.min_complexity,
            sort_by=request.sort_by,
        )

    @capability(GuidesRequest)
    def guides(self, request: GuidesRequest) -> Guides:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(read_guides, path)

    @capability(ModulesRequest)
    def modules(self, request: ModulesRequest) -> RepositoryModules:
        configured = self._session.settings.config.modules
        return self._runner.run(list_modules, configured)

    @capability(MembersRequest)
    def members(self, request: MembersRequest) -> WorkspaceMembers:
        name = redact_text(self._session.root.name)
        config = self._session.settings.config
        list_members = list_workspace_members if config.detect_workspaces else single_member
        return self._runner.run(list_members, root_name=name)

    @capability(PatternsRequest)
    def patterns(self, request: PatternsRequest) -> FilePatterns:
        return self._runner.run(list_patterns, request.name, limit=request.limit)

    @capability(SecretsRequest)
    def secrets(self, request: SecretsRequest) -> RedactedSecrets:
        path = self._runner.indexed_path(request.path)
        config = self._session.settings.config
        return self._runner.run(list_secrets, path, root=self._session.root, config=config)

    @capability(RegenerateIndexRequest)
    def regenerate_index(self, request: RegenerateIndexRequest) -> IndexFile:
        index_structure(self._session)
        return write_index_file(self._session.root, read_map(self._runner), budget=request.budget)

    def keep_index_file(self) -> bool:
        """Write an existing INDEX.md again if codeindex has generated it.

        Return whether the file changed.
        """
        root = self._session.root
        try:
            budget = existing_budget(root)
        except QueryError:
            return False
        if budget is None:
            return False
        return write_index_file(root, read_map(self._runner), budget=budget).changed
