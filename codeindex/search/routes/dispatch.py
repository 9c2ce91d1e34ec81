"""Routes of the types of questions that ask for more than the best places.

Each is imported by the first question of its type: together they are a tenth of a cold search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codeindex.query.classify import Classification, QueryType, classify
from codeindex.search.pipeline import PipelineRequest, read_hits, run_pipeline
from codeindex.search.retrieve.corpus import Corpus
from codeindex.store.catalog.connection import Catalog
from codeindex.types import Hit


@dataclass(frozen=True, slots=True)
class HitWindow:
    """The repository that is asked, and which of its hits are wanted."""

    repo: str
    offset: int
    limit: int

    @property
    def page(self) -> slice:
        return slice(self.offset, self.offset + self.limit)


@dataclass(frozen=True, slots=True)
class RouteResult:
    """What a route found: the wanted hits, and what the answer's `meta` says of all of them."""

    question: Classification
    total: int
    hits: Sequence[Hit]
    meta: Mapping[str, Any]
    rests_on: Sequence[str] = ()
    """Files that were looked at beside those of the hits."""


def follows_edges(text: str) -> bool:
    """Tell whether a question is answered from what lies between files."""
    return classify(text).type in _ROUTES


def run_route(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    """Answer by the route of the question's type; None where that has no answer to give."""
    route = _alike if request.like else _ROUTES.get(classify(request.text).type)
    return route(catalog, corpus, request, window) if route else None


def _alike(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    from codeindex.search.more_like_this import rank_similar

    if request.like is None:
        return None
    ranked = rank_similar(catalog, corpus, request.like, request.filters)
    hits = read_hits(catalog, ranked[window.page], repo=window.repo)
    question = Classification(QueryType.CONCEPT, is_how=False)
    return RouteResult(question, len(ranked), hits, {}, rests_on=request.like[:1])


def _relationship(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    from codeindex.search.routes.relation import answer_relation, use_hits

    related = answer_relation(catalog, corpus, request.text, request.filters)
    if related is None:
        return None
    hits = use_hits(catalog, related.uses[window.page], repo=window.repo)
    return RouteResult(related.question, len(related.uses), hits, {"relation": related.as_dict()})


def _pattern(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    from codeindex.search.routes.pattern import answer_pattern, member_hits

    followed = answer_pattern(catalog, corpus, request.text, request.filters)
    if followed is None:
        return None
    hits = member_hits(catalog, followed, followed.members[window.page], repo=window.repo)
    return RouteResult(
        followed.question, len(followed.members), hits, {"pattern": followed.as_dict()}
    )


def _flow(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    from codeindex.search.routes.flow import answer_flow

    def look(text: str) -> list[Hit]:
        ranked = run_pipeline(catalog, corpus, replace(request, text=text)).ranked
        return read_hits(catalog, ranked[: window.limit], repo=window.repo)

    flow = answer_flow(catalog, request.text, request.filters, repo=window.repo, look=look)
    if flow is None:
        return None
    return RouteResult(
        flow.question, len(flow.hits), flow.hits[window.page], {"flow": flow.as_dict()}
    )


_Route = Callable[[Catalog, Corpus, PipelineRequest, HitWindow], RouteResult | None]
_ROUTES: Mapping[QueryType, _Route] = {
    QueryType.RELATIONSHIP: _relationship,
    QueryType.PATTERN: _pattern,
    QueryType.FLOW: _flow,
}
