"""Open, search and sync the index of one repository: `Index`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from codeindex.api.capability import answer_of, capability
from codeindex.api.component import LazyComponent
from codeindex.api.deprecated import moved_method
from codeindex.api.requests import Request
from codeindex.api.requests.core import (
    FilesRequest,
    SearchManyRequest,
    SearchRequest,
    SimilarRequest,
    SyncRequest,
)
from codeindex.api.session import IndexSession, settings_times
from codeindex.config import Settings, data_home, load_settings
from codeindex.errors import NotIndexedError, StoreError
from codeindex.store.datadir.home import Repository, repository_for_root, repository_named
from codeindex.store.datadir.index_options import apply_options, read_options
from codeindex.store.datadir.roots import locate_root

if TYPE_CHECKING:
    from codeindex.api.admin import Administration
    from codeindex.api.answers import AnswerQueries
    from codeindex.api.changes import ChangeQueries
    from codeindex.api.combined import CombinedQueries
    from codeindex.api.evaluation import Evaluator
    from codeindex.api.exact import ExactQueries
    from codeindex.api.explain import ExplainQueries
    from codeindex.api.graph import GraphQueries
    from codeindex.api.overview import OverviewQueries
    from codeindex.api.query_runner import QueryRunner
    from codeindex.api.resources import OpenModels
    from codeindex.api.search import Searcher
    from codeindex.api.source import SourceQueries
    from codeindex.api.symbols import SymbolQueries
    from codeindex.api.wiki import WikiPages
    from codeindex.embed.encoder import Encoder, QueryEncoders
    from codeindex.search.reader import IndexReader
    from codeindex.store.catalog.connection import Generation
    from codeindex.types import Answer, RefreshResult, Skipped, Status, SyncReport


class Index:
    """The index of one repository; opening it reads nothing and imports nothing heavy.

    An index is safe to share between threads. Close it, or use it as a context manager.
    """

    searcher: LazyComponent[Searcher] = LazyComponent("search", "Searcher", "_runner")
    """Runs `search`, `search_many`, `similar` and `files`."""
    graph: LazyComponent[GraphQueries] = LazyComponent("graph", "GraphQueries", "_runner")
    """How symbols and files depend on each other."""
    symbols: LazyComponent[SymbolQueries] = LazyComponent("symbols", "SymbolQueries", "_runner")
    """Declarations, found by name or signature."""
    source: LazyComponent[SourceQueries] = LazyComponent("source", "SourceQueries", "_runner")
    """The contents of files and folders."""
    changes: LazyComponent[ChangeQueries] = LazyComponent("changes", "ChangeQueries", "_runner")
    """Changes and the files related to them."""
    overview: LazyComponent[OverviewQueries] = LazyComponent(
        "overview", "OverviewQueries", "_runner"
    )
    """The whole repository: its size, its health, its parts."""
    exact: LazyComponent[ExactQueries] = LazyComponent("exact", "ExactQueries", "_runner")
    """Every line that matches a text or a regular expression."""
    explain: LazyComponent[ExplainQueries] = LazyComponent("explain", "ExplainQueries", "_runner")
    """Why a search answered as it did."""
    answers: LazyComponent[AnswerQueries] = LazyComponent(
        "answers", "AnswerQueries", "_runner", "searcher"
    )
    """Answers in sentences that cite their places."""
    combined: LazyComponent[CombinedQueries] = LazyComponent(
        "combined", "CombinedQueries", "_runner", "searcher", "exact", "graph", "source", "symbols"
    )
    """Several queries in one call, for agents."""
    wiki: LazyComponent[WikiPages] = LazyComponent("wiki", "WikiPages", "_runner")
    """Pages about the code, written by people and agents."""
    evaluation: LazyComponent[Evaluator] = LazyComponent("evaluation", "Evaluator", "_runner")
    """How well searches find what the repository asks for, and weights fitted to it."""
    admin: LazyComponent[Administration] = LazyComponent("admin", "Administration", "_runner")
    """Checks, repairs, deletes and upgrades the index."""
    _runner: LazyComponent[QueryRunner] = LazyComponent("query_runner", "QueryRunner", "_session")

    def __init__(self, session: IndexSession) -> None:
        self._session = session

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        root: bool = False,
        name: str = "",
        flags: Mapping[str, object] | None = None,
    ) -> Self:
        """Open the index of the repository that contains `path`, or that is registered as `path`.

        The first sync registers a new repository, as `name` if that is given; a sync of an indexed
        repository renames it to `name`. `flags` are settings by dotted key that override all
        settings files; a sync stores them for later syncs of this root.

        Raises RootError for a path that cannot be indexed, ConfigError for invalid settings, and
        ScopeError for a name that another repository has.
        """
        place = locate_root(path, root=root)
        before = settings_times(place.root)
        settings = load_settings(place.root)
        if name:
            repository = repository_named(data_home(), place.root, name)
        else:
            wanted = settings.config.name or place.root.name
            repository = repository_for_root(data_home(), place.root, name=wanted)
        times = (*before, *settings_times(None, repository))
        given = read_options(repository) if flags is None else flags
        settings = apply_options(settings, place.root, given)
        session = IndexSession(place, settings, repository, flags=flags, rename=bool(name))
        session.resources.settings_times = times
        return cls(session)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close processes, files and the model; the next query opens them again.

        A model that is shared with other indexes stays open.
        """
        self._session.close()

    @property
    def root(self) -> Path:
        """The top folder of the repository."""
        return self._session.root

    @property
    def part(self) -> str:
        """The path of the opened folder relative to the root; '' for the root itself."""
        return self._session.part

    @property
    def settings(self) -> Settings:
        """The settings of the repository, and where each comes from."""
        return self._session.settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._session.settings = settings

    @property
    def repository(self) -> Repository:
        """The repository's name, root and folder of index data."""
        return self._session.repository

    @property
    def model_choice(self) -> str:
        """The reason for the last sync's choice of model, as one clause."""
        return self._session.model_choice

    @property
    def is_indexed(self) -> bool:
        """True if a sync has published an index, even if it is damaged now."""
        try:
            with self.reader().catalog():
                return True
        except NotIndexedError:
            return False
        except StoreError:
            return True

    def reload(self) -> None:
        """Read the settings again; if they raise ConfigError, the former ones stay in use."""
        self._session.reload_settings()

    @capability(SyncRequest)
    def sync(self, request: SyncRequest) -> SyncReport:
        return self._session.sync(request)

    def status(self) -> Status:
        """Return what is indexed, whether it is complete, and which model computed its vectors."""
        return self._session.status()

    @capability(SearchRequest)
    def search(self, request: SearchRequest) -> Answer:
        return self.searcher.search(request)

    @capability(SearchManyRequest)
    def search_many(self, request: SearchManyRequest) -> Answer:
        return self.searcher.search_many(request)

    @capability(SimilarRequest)
    def similar(self, request: SimilarRequest) -> Answer:
        return self.searcher.similar(request)

    @capability(FilesRequest)
    def files(self, request: FilesRequest) -> tuple[str, ...]:
        return self.searcher.files(request)

    def skipped(self) -> tuple[Skipped, ...]:
        """Return the files and folders that are not indexed, each with the reason."""
        return self._session.skipped()

    def warm_up(self) -> None:
        """Start a parser process, so that the first query after an edit need not wait for it.

        Without an index, the process is started for the first sync, and this method does not wait.
        """
        if self.repository.catalog.exists():
            self._runner.freshness.warm_up()
        else:
            self._session.workers().start(1)

    def refreshed(self) -> RefreshResult:
        """Return the refresh result of this thread's last query, and reset it to an empty one."""
        return self._session.resources.take_refreshed()

    def run(self, request: Request) -> Any:
        """Return the answer to a request of any type; surfaces call this with parsed requests."""
        group, dot, _ = request.capability.rpartition(".")
        component = getattr(self, group) if dot else self
        return answer_of(type(request))(component, request)

    def reader(self) -> IndexReader:
        """Return the reader of the published index, for code that needs more than an answer."""
        return self._session.reader()

    def use_models(self, models: OpenModels) -> None:
        """Use open models that other indexes share; `close` leaves them open."""
        self._session.use_models(models)

    def query_encoders(self, generation: Generation) -> QueryEncoders:
        """Return the models with which queries are embedded for a generation's vectors.

        A model that cannot be used, for example because it is not installed, is None.
        """
        return self._session.query_encoders(generation)

    def encoder_of(self, identity: str) -> Encoder | None:
        """Return the encoder that computed the vectors with this `identity`.

        None if it is not installed, or if the settings use no transformer.
        """
        return self._session.encoder_of(identity)

    if not TYPE_CHECKING:  # type checkers must report the old names

        def __getattr__(self, name: str) -> Any:
            """Return a method under its former name, with a warning."""
            return moved_method(self, name)
