"""Pass relationship, flow, pattern and similarity questions to their routes.

A route is imported for the first question of its type, because importing all routes takes a tenth
of the time of a cold search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codeindex.query.classify import Classification, QueryType, classify
from codeindex.search.more_like_this import rank_similar
from codeindex.search.pipeline import PipelineRequest, read_hits, run_pipeline
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.pattern import answer_pattern, member_hits
from codeindex.store.catalog.connection import Catalog
from codeindex.types import Hit


@dataclass(frozen=True, slots=True)
class HitWindow:
    """The name of the repository, and which hits are wanted: `limit` of them from `offset` on."""

    repo: str
    offset: int
    limit: int

    @property
    def page(self) -> slice:
        return slice(self.offset, self.offset + self.limit)


@dataclass(frozen=True, slots=True)
class RouteResult:
    """One page of the hits of a route, their total number, and an entry for the answer's `meta`.

    A route answers a type of question from the graph instead of ranking.
    """

    question: Classification
    total: int
    hits: Sequence[Hit]
    meta: Mapping[str, Any]
    rests_on: Sequence[str] = ()
    """Files on which the result depends, besides the files of the hits."""


def run_route(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    """Answer by the route for the type of the question, such as "who calls X".

    Return None if there is no route or it has no answer; then the query is to be ranked.
    """
    route = _similar if request.like else _ROUTES.get(classify(request.text).type)
    return route(catalog, corpus, request, window) if route else None


def _similar(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    if request.like is None:
        return None
    ranked = rank_similar(catalog, corpus, request.like, request.filters)
    hits = read_hits(catalog, ranked[window.page], repo=window.repo)
    question = Classification(QueryType.CONCEPT, is_how=False)
    return RouteResult(question, len(ranked), hits, {}, rests_on=request.like[:1])


def _relationship(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    # Imported here, because most questions do not need its twenty modules.
    from codeindex.search.routes.relation import answer_relation, usage_hits

    answer = answer_relation(catalog, corpus, request.text, request.filters)
    if answer is None:
        return None
    if answer.lacks_tests and request.filters.tests != "exclude":
        # A test that runs the subject indirectly may still share its words.
        tests = replace(request, filters=replace(request.filters, tests="only"))
        if ranked := run_pipeline(catalog, corpus, tests).ranked:
            hits = read_hits(catalog, ranked[window.page], repo=window.repo)
            meta = {"of": answer.unfiltered.subjects, "unparsed": answer.unfiltered.unparsed}
            return RouteResult(answer.question, len(ranked), hits, {"untested": meta})
    hits = usage_hits(catalog, answer.usages[window.page], repo=window.repo)
    return RouteResult(answer.question, len(answer.usages), hits, {"relation": answer.as_dict()})


def _pattern(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    answer = answer_pattern(catalog, corpus, request.text, request.filters)
    if answer is None:
        return None
    hits = member_hits(catalog, answer, answer.members[window.page], repo=window.repo)
    return RouteResult(answer.question, len(answer.members), hits, {"pattern": answer.as_dict()})


def _flow(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    # Imported here, because most questions do not need its twelve modules.
    from codeindex.search.routes.flow import answer_flow

    def search(text: str) -> list[Hit]:
        ranked = run_pipeline(catalog, corpus, replace(request, text=text)).ranked
        return read_hits(catalog, ranked[: window.limit], repo=window.repo)

    answer = answer_flow(catalog, request.text, request.filters, repo=window.repo, search=search)
    if answer is None:
        return None
    return RouteResult(
        answer.question, len(answer.hits), answer.hits[window.page], {"flow": answer.as_dict()}
    )


_Route = Callable[[Catalog, Corpus, PipelineRequest, HitWindow], RouteResult | None]
_ROUTES: Mapping[QueryType, _Route] = {
    QueryType.RELATIONSHIP: _relationship,
    QueryType.PATTERN: _pattern,
    QueryType.FLOW: _flow,
}
