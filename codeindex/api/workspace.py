"""Search several indexes as one: `Workspace`.

The modules that merge answers are imported only if several repositories are searched.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from codeindex.api.capability import capability
from codeindex.api.index import Index
from codeindex.api.requests.core import SearchRequest, WorkspaceSearchRequest
from codeindex.api.resources import OpenModels
from codeindex.config import data_home, load_settings
from codeindex.errors import (
    CodeIndexError,
    ForbiddenError,
    NotIndexedError,
    QueryError,
    ScopeError,
    StoreError,
)
from codeindex.metrics.record import suppress_metrics
from codeindex.query.validation import check_spans
from codeindex.redact_query import redact_text
from codeindex.store.datadir.home import repositories, repository_by_name
from codeindex.store.datadir.roots import locate_root
from codeindex.types import Answer, Hit

if TYPE_CHECKING:
    from codeindex.analysis.relations.callers import Callers
    from codeindex.analysis.relations.impact import Impact
    from codeindex.search.pack.merge_repositories import RepositoryCursor

ALL = "all"
"""The name that means all repositories, unless a repository has it."""
_FORMS = '{"type": "repo", "repo": NAME}, {"type": "repos", "repos": [NAME, …]} or {"type": "all"}'


@dataclass(frozen=True, slots=True)
class RepositorySelection:
    """The repositories that a search covers: the type of the scope, and their names."""

    type: Literal["repo", "repos", "all"]
    repos: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the scope as an object of JSON values, the form of `meta.scope` in an answer."""
        return {"type": self.type, "repos": list(self.repos)}


class Workspace:
    """A set of indexes by repository name; each index is opened when it is first used.

    A workspace is safe to share between threads. Close it, or use it as a context manager.
    """

    def __init__(self, *places: str | Path, allow_global: bool | None = None) -> None:
        """Set the repositories that a search covers by default: their names or paths in them.

        `allow_global` decides whether a search may cover all repositories; None leaves it to the
        user's settings.
        """
        self._lock = threading.Lock()
        self._indexes: dict[str, Index] = {}
        self._models = OpenModels()
        self._allow_global = allow_global
        self._default = tuple(dict.fromkeys(self._named(place) for place in places))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all indexes and models."""
        for index in self._indexes.values():
            index.close()
        self._models.close()

    def index(self, place: str | Path) -> Index:
        """Return the index of a repository, given its name or a path in it.

        Raises ScopeError for an unknown name; the message suggests similar names.
        """
        name = self._named(place)
        if name not in self._indexes:
            self.add(Index.open(repository_by_name(data_home(), name).root, root=True))
        return self._indexes[name]

    @capability(WorkspaceSearchRequest)
    def search(self, request: WorkspaceSearchRequest) -> Answer:
        seen, scope = check_spans(request.seen), self.scope(request.scope, request.repo)
        query = redact_text(request.query)
        search = SearchRequest.from_other(request, query=query, seen=seen)
        if len(scope.repos) == 1:
            return _in_scope(self.index(scope.repos[0]).run(search), scope, {})
        return self._search_several(search, scope)

    def callers(
        self, symbol: str, *, repo: str = "", scope: Mapping[str, Any] | None = None, **options: Any
    ) -> Callers:
        """Return the callers of a symbol of `repo`, as `Index.graph.callers` does.

        Its `elsewhere` has the uses in the other repositories of `scope`, by default those of the
        workspace.
        """
        from codeindex.api.cross_repository import add_uses_elsewhere

        index, others = self._index_and_others(repo, scope)
        return add_uses_elsewhere(index, index.graph.callers(symbol, **options), others)

    def impact(
        self,
        subject: str,
        *,
        repo: str = "",
        scope: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Impact:
        """Return what depends on a symbol or file of `repo`, as `Index.graph.impact` does.

        Its `elsewhere` has the uses in the other repositories, as for `callers`.
        """
        from codeindex.api.cross_repository import add_uses_elsewhere

        index, others = self._index_and_others(repo, scope)
        return add_uses_elsewhere(index, index.graph.impact(subject, **options), others)

    def _index_and_others(
        self, repo: str, scope: Mapping[str, Any] | None
    ) -> tuple[Index, list[Index]]:
        """Return (index of `repo`, indexes of the other repositories in `scope`).

        Without `repo`, the first repository of the scope takes its place.
        """
        names = self.scope(scope).repos
        name = self._named(repo) if repo else names[0]
        return self.index(name), [self.index(other) for other in names if other != name]

    def scope(self, scope: Mapping[str, Any] | None = None, repo: str = "") -> RepositorySelection:
        """Return the repositories of `scope`, or else of `repo`, or else the default ones.

        Raises ScopeError for an invalid scope, ForbiddenError for "all" if that is not allowed.
        """
        if self._means_all(scope, repo):
            scope = {"type": "all"}
        match scope:
            case None if repo:
                return RepositorySelection("repo", (self._named(repo),))
            case None if self._default:
                return RepositorySelection(
                    "repos" if len(self._default) > 1 else "repo", self._default
                )
            case None:
                raise ScopeError("The repository is missing: give `repo` or `scope`.")
            case {"type": "repo", "repo": str(name)}:
                return RepositorySelection("repo", (self._named(name),))
            case {"type": "repos", "repos": [*names]} if names:
                return RepositorySelection("repos", tuple(dict.fromkeys(map(self._named, names))))
            case {"type": "all"}:
                return RepositorySelection("all", self._all())
            case _:
                raise ScopeError(f"The scope {scope!r:.80} is invalid: use {_FORMS}.")

    def _means_all(self, scope: Mapping[str, Any] | None, repo: str) -> bool:
        """Tell whether the name `all` in a request means all repositories.

        It does if the request has no other name, and no repository is called `all`.
        """
        if not names_all(scope, repo) or ALL in self._indexes:
            return False
        return all(repository.name != ALL for repository in repositories(data_home()))

    def _all(self) -> tuple[str, ...]:
        allowed = self._allow_global
        if allowed is None:
            allowed = load_settings(None).config.search.allow_global_scope
        if not allowed:
            raise ForbiddenError(
                "A search of all repositories is not allowed: name some in `scope`, or set"
                " `search.allow_global_scope` in your config.yaml or ALLOW_GLOBAL_SCOPE=true."
            )
        names = tuple(dict.fromkeys(each.name for each in repositories(data_home())))
        if not names:
            raise ScopeError("No repository is indexed yet: run `codeindex index PATH`.")
        return names

    def _named(self, place: Any) -> str:
        """Return the name of a repository; `place` is its name or a path in it.

        A repository's name has precedence over a path.
        """
        if isinstance(place, str):
            if place in self._indexes or any(
                repository.name == place for repository in repositories(data_home())
            ):
                return place
            if place and not os.path.exists(os.path.expanduser(place)):  # noqa: PTH110, PTH111 (pathlib raises for odd names)
                return repository_by_name(data_home(), place).name  # its error suggests other names
        return self.add(Index.open(locate_root(place).root, root=True))

    def add(self, index: Index) -> str:
        """Add an open index and return its name; an index of that name is not replaced."""
        with self._lock:
            name = index.repository.name
            if name not in self._indexes:
                index.use_models(self._models)
                self._indexes[name] = index
            return name

    def _search_several(self, request: SearchRequest, scope: RepositorySelection) -> Answer:
        """Search several repositories and merge their hits; keep to the request's token budget."""
        from codeindex.search.pack.budget import fit_answer
        from codeindex.search.pack.merge_repositories import decode_repository_cursor, merge_answers

        started = time.monotonic()
        begun = decode_repository_cursor(request.cursor, scope.repos) if request.cursor else None
        with suppress_metrics():  # all of it counts as one search
            answers, failed = self._search_each(request, scope, begun)
        places = begun or _first_places(answers)
        merged = merge_answers(answers, limit=request.limit, places=places)
        if begun:  # only the first page names documents
            merged = replace(merged, navigation=())

        def cursor_after(hits: Sequence[Hit]) -> str:
            return places.after(hits).encoded()

        answer = fit_answer(
            _in_scope(merged, scope, failed),
            budget=request.budget,
            sent_as=request.sent_as,
            seen=request.seen,
            outline=self._outline,
            cursor_after=cursor_after,
        )
        self._note(answer, started, is_more=bool(request.cursor))
        return answer

    def _note(self, answer: Answer, started: float, *, is_more: bool) -> None:
        from codeindex.metrics.searches import record_search

        seconds = time.monotonic() - started
        repos = {hit.repo for hit in (*answer.hits, *answer.navigation)}
        with suppress(NotIndexedError, StoreError):
            whole = sum(self._indexes[repo].searcher.cited_bytes(answer) for repo in repos)
            record_search(answer, seconds=seconds, whole_bytes=whole, is_more=is_more)

    def _outline(self, hit: Hit) -> Mapping[int, str]:
        return self._indexes[hit.repo].searcher.outline(hit)

    def _search_each(
        self, request: SearchRequest, scope: RepositorySelection, begun: RepositoryCursor | None
    ) -> tuple[dict[str, Answer], dict[str, str]]:
        """Search each repository; return ({name: answer}, {name: error message}).

        `begun` is the position after the pages that were returned before, None for the first page.
        """
        answers: dict[str, Answer] = {}
        failed: dict[str, str] = {}
        for name in scope.repos:
            if begun and name not in begun.by_repo:
                failed[name] = "It could not be searched for the first page."
                continue
            try:
                cursor = begun.of(name) if begun else ""
                part = replace(request, cursor=cursor, budget=0, seen=(), sent_as="json")
                answers[name] = self.index(name).run(part)
            except QueryError:
                raise
            except CodeIndexError as error:
                failed[name] = str(error)
        if not answers:
            causes = " ".join(f"{name}: {sentence}" for name, sentence in failed.items())
            raise ScopeError(f"No repository of this scope can be searched. {causes}")
        return answers, failed


def names_all(scope: Mapping[str, Any] | None, repo: str) -> bool:
    """Tell whether `all` is the only repository that a request names.

    It is named in `scope` or, without a scope, in `repo`.
    """
    match scope:
        case None:
            return repo == ALL
        case {"type": "repos", "repos": [name]}:
            return bool(name == ALL)
        case _:
            return False


def _first_places(answers: Mapping[str, Answer]) -> RepositoryCursor:
    from codeindex.search.pack.merge_repositories import RepositoryCursor

    return RepositoryCursor({name: (0, answer.index_version) for name, answer in answers.items()})


def _in_scope(answer: Answer, scope: RepositorySelection, failed: Mapping[str, str]) -> Answer:
    """Return the answer with the scope in its `meta`.

    `failed` maps the repositories that could not be searched to the error; they are added too.
    """
    meta = dict(answer.meta) | {"scope": scope.as_dict()} | ({"failed": failed} if failed else {})
    failures = " ".join(f"{name} was not searched: {why}" for name, why in failed.items())
    message = f"{answer.message} {failures}".strip() if not answer.hits else answer.message
    return replace(answer, meta=meta, message=message)
