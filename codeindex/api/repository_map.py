"""Read the map of a repository, the source of wiki pages and INDEX.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.analysis.repository.repository_map import RepositoryMap, make_repository_map
from codeindex.api.requests.core import SyncRequest

if TYPE_CHECKING:
    from codeindex.api.query_runner import QueryRunner
    from codeindex.api.session import IndexSession

_WAIT_SECONDS = 20.0
"""Most seconds to wait for another process that is indexing."""


def read_map(runner: QueryRunner) -> RepositoryMap:
    """Index changed files, and return the map of the repository."""
    runner.freshness.refresh()
    configured = runner.session.settings.config.modules
    with runner.reader().catalog() as (catalog, _):
        name = runner.session.repository.name
        return make_repository_map(catalog.connection, name=name, descriptions=configured)


def index_structure(session: IndexSession) -> None:
    """Index changed files, without the embedding phase."""
    session.sync(SyncRequest(structure_only=True, wait_seconds=_WAIT_SECONDS))
