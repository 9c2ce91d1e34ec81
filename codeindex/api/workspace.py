"""Several indexes asked as one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from codeindex.api.index import Index
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
from codeindex.query.validation import check_search, check_spans
from codeindex.redact_query import redact_text
from codeindex.store.datadir.home import repositories, repository_by_name
from codeindex.store.datadir.roots import locate_root
from codeindex.types import AgentFormat, Answer, Hit, LineSpan, TestScope

if TYPE_CHECKING:
    from codeindex.embed.encoder import Encoder
    from codeindex.search.pack.merge_repositories import RepositoryCursor
    from codeindex.types import Filters

_FORMS = '{"type": "repo", "repo": NAME}, {"type": "repos", "repos": [NAME, …]} or {"type": "all"}'


@dataclass(frozen=True, slots=True)
class Scope:
    """The repositories that a search is about, by name."""

    type: Literal["repo", "repos", "all"]
    repos: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the effective scope as `meta.scope` of an answer."""
        return {"type": self.type, "repos": list(self.repos)}


class Workspace:
    """Indexes by the names of their repositories, each opened when it is first asked.

    Safe to share between threads. Close it, or use it as a context manager.
    """

    def __init__(self, *places: str | Path, allow_global: bool | None = None) -> None:
        """Take the names or paths that are asked where a search names none; a path is its root's.

        `allow_global` decides whether a search may ask for all repositories; None leaves it to the
        user's settings.
        """
        self._lock = threading.Lock()
        self._indexes: dict[str, Index] = {}
        self._encoders: dict[str, Encoder] = {}
        self._allow_global = allow_global
        self._default = tuple(dict.fromkeys(self._named(one) for one in places))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all indexes."""
        for index in self._indexes.values():
            index.close()
        self._encoders.clear()

    def index(self, place: str | Path) -> Index:
        """Return the index of a repository, by its name or a path in it.

        ScopeError for a name that is unknown offers the nearest ones.
        """
        name = self._named(place)
        if name not in self._indexes:
            self.add(Index.open(repository_by_name(data_home(), name).root, root=True))
        return self._indexes[name]

    def search(  # noqa: PLR0913 (those of `Index.search`, and which indexes)
        self,
        query: str,
        *,
        scope: Mapping[str, Any] | None = None,
        repo: str = "",
        limit: int = 10,
        filters: Filters | None = None,
        tests: TestScope = "include",
        min_score: float = 0.0,
        cursor: str = "",
        budget: int = 0,
        sent_as: AgentFormat = "json",
        seen: Sequence[LineSpan] = (),
        vector: Sequence[float] = (),
        rerank: bool | None = None,
    ) -> Answer:
        """Search the repositories of a scope, else `repo`, else those that were opened.

        Parameters are those of `Index.search`. A repository that cannot be searched is named in
        `meta.failed` and does not hide the others. ScopeError for an unknown name,
        ForbiddenError for a scope of all that the user has not allowed.
        """
        from codeindex.search.pack.budget import fit_answer

        check_search(query, limit=limit, min_score=min_score, cursor=cursor, budget=budget)
        query = redact_text(query)
        shown, wanted = check_spans(seen), self.scope(scope, repo)
        asked: dict[str, Any] = {
            "limit": limit,
            "filters": filters,
            "tests": tests,
            "min_score": min_score,
            "vector": vector,
            "rerank": rerank,
        }
        if len(wanted.repos) == 1:
            index = self.index(wanted.repos[0])
            answer = index.search(
                query, cursor=cursor, budget=budget, sent_as=sent_as, seen=shown, **asked
            )
            return _within(answer, wanted, {})
        fit = partial(fit_answer, budget=budget, sent_as=sent_as, seen=shown, outline=self._outline)
        return self._several(query, asked, wanted, cursor, fit)

    def scope(self, scope: Mapping[str, Any] | None = None, repo: str = "") -> Scope:
        """Return the scope that a request comes to."""
        match scope:
            case None if repo:
                return Scope("repo", (self._named(repo),))
            case None if self._default:
                return Scope("repos" if len(self._default) > 1 else "repo", self._default)
            case None:
                raise ScopeError("No repository is named: give `repo` or `scope`.")
            case {"type": "repo", "repo": str(name)}:
                return Scope("repo", (self._named(name),))
            case {"type": "repos", "repos": [*names]} if names:
                return Scope("repos", tuple(dict.fromkeys(map(self._named, names))))
            case {"type": "all"}:
                return Scope("all", self._all())
            case _:
                raise ScopeError(f"The scope {scope!r:.80} is none: use {_FORMS}.")

    def _all(self) -> tuple[str, ...]:
        allowed = self._allow_global
        if allowed is None:
            allowed = load_settings(None).config.search.allow_global_scope
        if not allowed:
            raise ForbiddenError(
                "A search of all repositories is not allowed: name some in `scope`, or set"
                " `search.allow_global_scope` in your config.yaml or ALLOW_GLOBAL_SCOPE=true."
            )
        names = tuple(one.name for one in repositories(data_home()))
        if not names:
            raise ScopeError("No repository is indexed yet: run `codeindex index PATH`.")
        return names

    def _named(self, place: Any) -> str:
        """Return the name of a repository; names come before paths."""
        if isinstance(place, str):
            if place in self._indexes or any(
                one.name == place for one in repositories(data_home())
            ):
                return place
            if place and not os.path.exists(os.path.expanduser(place)):  # noqa: PTH110, PTH111 (pathlib raises for odd names)
                return repository_by_name(
                    data_home(), place
                ).name  # which says what there is instead
        return self.add(Index.open(locate_root(place).root, root=True))

    def add(self, index: Index) -> str:
        """Take an open index in, unless there is one of its name, and return that."""
        with self._lock:
            name = index.repository.name
            if name not in self._indexes:
                index.use_encoders(self._encoders)
                self._indexes[name] = index
            return name

    def _several(
        self,
        query: str,
        asked: Mapping[str, Any],
        scope: Scope,
        cursor: str,
        fit: Callable[..., Answer],
    ) -> Answer:
        """Ask several repositories; `fit` packs the joined answer (`search.budget.fitted`)."""
        from codeindex.search.pack.merge_repositories import decode_repository_cursor, merge_answers

        started = time.monotonic()
        begun = decode_repository_cursor(cursor, scope.repos) if cursor else None
        with suppress_metrics():  # the whole is one search
            answers, failed = self._asked(query, asked, scope, begun)
        places = begun or _beginning(answers)
        found = merge_answers(answers, limit=asked["limit"], places=places)
        if begun:  # docs were named on the first page
            found = replace(found, navigation=())
        answer = _within(found, scope, failed)

        def after(hits: Sequence[Hit]) -> str:
            return places.after(hits).encoded()

        shown = fit(answer, cursor_after=after)
        self._note(shown, started, is_more=bool(cursor))
        return shown

    def _note(self, answer: Answer, started: float, *, is_more: bool) -> None:
        from codeindex.metrics.searches import record_search

        seconds = time.monotonic() - started
        repos = {hit.repo for hit in (*answer.hits, *answer.navigation)}
        with suppress(NotIndexedError, StoreError):
            whole = sum(self._indexes[repo].cited_bytes(answer) for repo in repos)
            record_search(answer, seconds=seconds, whole_bytes=whole, is_more=is_more)

    def _outline(self, hit: Hit) -> Mapping[int, str]:
        return self._indexes[hit.repo].outline(hit)

    def _asked(
        self, query: str, asked: Mapping[str, Any], scope: Scope, begun: RepositoryCursor | None
    ) -> tuple[dict[str, Answer], dict[str, str]]:
        """Ask each repository; return the answers, and the sentences of those that failed."""
        answers: dict[str, Answer] = {}
        failed: dict[str, str] = {}
        for name in scope.repos:
            if begun and name not in begun.by_repo:
                failed[name] = "It could not be searched for the first page."
                continue
            try:
                cursor = begun.of(name) if begun else ""
                answers[name] = self.index(name).search(query, cursor=cursor, **asked)
            except QueryError:
                raise
            except CodeIndexError as error:
                failed[name] = str(error)
        if not answers:
            said = " ".join(f"{name}: {sentence}" for name, sentence in failed.items())
            raise ScopeError(f"No repository of this scope can be searched. {said}")
        return answers, failed


def _beginning(answers: Mapping[str, Answer]) -> RepositoryCursor:
    from codeindex.search.pack.merge_repositories import RepositoryCursor

    return RepositoryCursor({name: (0, one.index_version) for name, one in answers.items()})


def _within(answer: Answer, scope: Scope, failed: Mapping[str, str]) -> Answer:
    """Say which repositories were asked, and which of them could not answer."""
    meta = dict(answer.meta) | {"scope": scope.as_dict()} | ({"failed": failed} if failed else {})
    unsaid = " ".join(f"{name} was not searched: {why}" for name, why in failed.items())
    message = f"{answer.message} {unsaid}".strip() if not answer.hits else answer.message
    return replace(answer, meta=meta, message=message)
