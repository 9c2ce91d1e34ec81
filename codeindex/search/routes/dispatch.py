"""Pass relationship, flow, pattern and similarity questions to their routes.

A route is imported for the first question of its type, because importing all routes takes a tenth
of the time of a cold search.
"""

from __future__ import annotations

from codeindex.query.classify import Classification, QueryType, classify
from codeindex.search.more_like_this import rank_similar
from codeindex.search.pipeline import PipelineRequest, read_hits
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.pattern import answer_pattern
from codeindex.search.routes.result import HitWindow, RouteResult
from codeindex.store.catalog.connection import Catalog


def run_route(
    catalog: Catalog, corpus: Corpus, request: PipelineRequest, window: HitWindow
) -> RouteResult | None:
    """Answer by the route for the type of the question, such as "who calls X".

    Return None if there is no route or it has no answer; then the query is to be ranked.
    """
    if request.like:
        ranked = rank_similar(catalog, corpus, request.like, request.filters)
        hits = read_hits(catalog, ranked[window.page], repo=window.repo)
        question = Classification(QueryType.CONCEPT, is_how=False)
        return RouteResult(question, len(ranked), hits, {}, rests_on=request.like[:1])
    question = classify(request.text)
    if question.type is QueryType.RELATIONSHIP:
        from codeindex.search.routes.relation import answer_relation

        return answer_relation(catalog, corpus, request, window, question)
    if question.type is QueryType.FLOW:
        from codeindex.search.routes.flow import answer_flow

        return answer_flow(catalog, corpus, request, window, question)
    if question.type is QueryType.PATTERN:
        return answer_pattern(catalog, corpus, request, window, question)
    return None
