"""Define the requests that `Index` answers itself: search and sync."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any

from codeindex.api.requests.base import Request, TextKind
from codeindex.api.requests.fields import (
    BudgetParameter,
    CursorParameter,
    LimitParameter,
    MinScoreParameter,
    OptionalFilters,
    PlaceParameter,
    QueryParameter,
)
from codeindex.types import AgentFormat, LineSpan, TestScope

ProgressCallback = Callable[[str, int, int], None]
"""Called with (phase, done, total); phases are `bundle`, `structure`, `first`, `graph`,
`embedding`, `export`, `model`."""


def no_progress(phase: str, done: int, total: int) -> None:
    """Ignore the progress of a sync: the default callback."""


NextQuestion = Callable[[], str]
"""Returns the question that waits for a first sync; "" if none waits. It is called in the thread
that syncs, and may return a question again that was answered: its files are not chosen twice."""


def no_question() -> str:
    """Return "": no question waits for the sync."""
    return ""


@dataclass(frozen=True, slots=True)
class SearchRequest(Request, capability="search"):
    """Find code by meaning or by name; every hit is checked against its file.

    Files that changed since they were indexed are read again first. A `budget` limits the tokens of
    the answer as it is sent, by `search.agent_json` or `search.agent_text`: hits then show only an
    outline or their place, or follow on the next page. Code in the `seen` spans is not repeated.
    `vector` is the query embedded by the index's model. `rerank` overrides `search.reranker`:
    whether a cross-encoder reorders the first results; `meta` tells if it fails. NotIndexedError if
    nothing was ever indexed; QueryError for an empty query, a bad filter, a stale cursor or a
    vector of another model.
    """

    query: QueryParameter
    _: KW_ONLY
    limit: LimitParameter = 10
    filters: OptionalFilters = None
    tests: TestScope = "include"
    min_score: MinScoreParameter = 0.0
    cursor: CursorParameter = ""
    budget: BudgetParameter = 0
    sent_as: AgentFormat = "json"
    seen: Sequence[LineSpan] = ()
    vector: Sequence[float] = ()
    rerank: bool | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceSearchRequest(SearchRequest, capability="workspace.search"):
    """Search the repositories of a scope, else `repo`, else those that were opened.

    Parameters are those of `Index.search`. A repository that cannot be searched is named in
    `meta.failed` and does not hide the others. ScopeError for an unknown name,
    ForbiddenError for a scope of all that the user has not allowed.
    """

    _: KW_ONLY
    scope: Mapping[str, Any] | None = None
    repo: str = ""


@dataclass(frozen=True, slots=True)
class SearchManyRequest(Request, capability="search_many"):
    """Run several searches at once; each hit comes once, and `why` names the queries that found it.

    There is only one page. Errors are those of `search`.
    """

    queries: Annotated[Sequence[str], TextKind.PROSE]
    _: KW_ONLY
    limit: LimitParameter = 10
    filters: OptionalFilters = None
    tests: TestScope = "include"
    min_score: MinScoreParameter = 0.0


@dataclass(frozen=True, slots=True)
class SimilarRequest(Request, capability="similar"):
    """Find code similar to the code at PATH:LINE, by its vectors and its rarer words.

    QueryError for a place that is not indexed.
    """

    place: PlaceParameter
    _: KW_ONLY
    limit: LimitParameter = 10
    filters: OptionalFilters = None
    tests: TestScope = "include"
    cursor: CursorParameter = ""
    budget: BudgetParameter = 0
    sent_as: AgentFormat = "json"


@dataclass(frozen=True, slots=True)
class FilesRequest(Request, capability="files"):
    """Return the paths of the indexed files that a search with these filters covers."""

    _: KW_ONLY
    filters: OptionalFilters = None
    tests: TestScope = "include"


@dataclass(frozen=True, slots=True)
class SyncRequest(Request, capability="sync"):
    """Index what changed; `structure_only` stops before embedding, `rebuild` starts anew.

    `may_fetch` allows the one download of the pinned model. `source` is the folder or URL of a
    bundle of `Index.admin.export_bundle`; files that equal those of the bundle are not parsed or
    embedded again, and SharingError is raised if it cannot be used. While a first sync reads files,
    it asks `next_question` for a question. It stores those files next that are likeliest to answer
    it, among those that pass `filters`, and calls `progress` with the phase `first` when they can
    be searched. After a kill, the next sync continues where this one stopped. LockedError if
    another process is still syncing after `wait_seconds`.
    """

    _: KW_ONLY
    structure_only: bool = False
    rebuild: bool = False
    may_fetch: bool = False
    wait_seconds: float = 0.0
    source: str = ""
    next_question: NextQuestion = no_question
    filters: OptionalFilters = None
    progress: ProgressCallback = no_progress
