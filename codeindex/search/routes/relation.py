"""Answer relationship questions with one hit for each line that uses the subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from codeindex.query.classify import Classification
from codeindex.query.identifiers import has_identifier
from codeindex.query.relation import RelationQuery, parse_relation
from codeindex.query.relation_phrases import Relation
from codeindex.query.scope_filter import ScopeFilter
from codeindex.search.filters import file_mask
from codeindex.search.names.file_lookup import resolve_files
from codeindex.search.pipeline import PipelineRequest, read_hits, run_pipeline
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.line_hits import HitLine, line_hits
from codeindex.search.routes.result import HitWindow, RouteResult
from codeindex.search.routes.subject import Subject, resolve_subject
from codeindex.search.routes.usage_kind import has_usage_kind
from codeindex.search.routes.usage_line import UsageLine, UsageList
from codeindex.search.routes.usages import find_usages
from codeindex.store.catalog.connection import Catalog
from codeindex.store.symbols.declarations import similar_names
from codeindex.store.symbols.nodes import nodes_by_id, symbol_kinds
from codeindex.store.symbols.written_names import dotted_name
from codeindex.types import Filters, Hit, Node, SymbolKind
from codeindex.types.array_types import Flags

_SCORES = {"resolved": 1.0, "ambiguous": 0.5, "textual": 0.25}
"""These are not probabilities. They only keep resolved usages above possible ones when scores are
compared."""


def answer_relation(
    catalog: Catalog,
    corpus: Corpus,
    request: PipelineRequest,
    window: HitWindow,
    question: Classification,
) -> RouteResult | None:
    """Return the uses that a relationship question, such as "who calls X", asks for.

    Return None if the subject X or the scope is unknown. If no test of a subject is known, the
    tests with the question's words are ranked: one that runs it indirectly may share its words.
    """
    query = parse_relation(request.text)
    found = _find_usages(catalog, corpus, query, request.filters) if query else None
    if query is None or found is None:
        return None
    unfiltered, usages = found
    lacks_tests = query.relation is Relation.TESTS and not unfiltered.usages
    if lacks_tests and request.filters.tests != "exclude":
        tests = replace(request, filters=replace(request.filters, tests="only"))
        if ranked := run_pipeline(catalog, corpus, tests).ranked:
            hits = read_hits(catalog, ranked[window.page], repo=window.repo)
            meta = {"of": unfiltered.subjects, "unparsed": unfiltered.unparsed}
            return RouteResult(question, len(ranked), hits, {"untested": meta})
    hits = _usage_hits(catalog, usages[window.page], repo=window.repo)
    return RouteResult(question, len(usages), hits, {"relation": _counts(unfiltered, usages)})


def _counts(unfiltered: UsageList, usages: Sequence[UsageLine]) -> dict[str, Any]:
    """Return the entry `relation` of the answer's `meta`; `usages` pass the filters."""
    counted = Counter(usage.certainty for usage in usages)
    counts = {certainty: counted[certainty] for certainty in _SCORES}
    if not unfiltered.has_mentions:
        del counts["textual"]
    return {
        "relation": unfiltered.relation,
        "of": list(unfiltered.subjects),
        **counts,
        "unparsed": list(unfiltered.unparsed),
    }


def _find_usages(
    catalog: Catalog, corpus: Corpus, query: RelationQuery, filters: Filters
) -> tuple[UsageList, list[UsageLine]] | None:
    """Return (all uses, those that pass the filters, resolved ones first).

    Return None if the subject or the scope of the question is unknown.
    """
    scope = _scope_mask(catalog, corpus, query.scope)
    if scope is None:
        return None
    connection = catalog.connection
    subject = resolve_subject(connection, query.object, query.relation) or _unknown_subject(query)
    if not subject.names:
        return None
    if has_usage_kind(query.relation) and _is_only_files(subject):
        return None  # "what writes pyproject.toml": no symbol is written
    unfiltered = find_usages(connection, corpus, query, subject)
    if subject.unknown and not unfiltered.usages:
        return None
    place, roles = corpus.file_positions, _roles(corpus)
    allowed = (file_mask(corpus, filters) & scope).tolist()
    kept = [usage for usage in unfiltered.usages if allowed[place[usage.file]]]
    if filters.kinds:
        kinds = symbol_kinds(connection, (usage.symbol for usage in kept))
        kept = [usage for usage in kept if kinds.get(usage.symbol) in filters.kinds]
    order = {certainty: at for at, certainty in enumerate(_SCORES)}
    kept.sort(key=lambda usage: (order[usage.certainty], roles[place[usage.file]]))
    return unfiltered, kept


def _is_only_files(subject: Subject) -> bool:
    """Tell whether a subject is only files and modules, which are not created, raised or set."""
    is_defined = any(node.kind is not SymbolKind.MODULE for node in subject.symbols)
    return not (is_defined or subject.packages or subject.unknown)


def _roles(corpus: Corpus) -> list[int]:
    """Return a number for each file of the corpus, by which lists of usages are sorted.

    Code has 0, tests 2, documents 3, and other files, such as settings, 1.
    """
    flags = [corpus.is_code, corpus.is_test, corpus.is_document]
    roles: list[int] = np.select(flags, [0, 2, 3], 1).tolist()
    return roles


def _scope_mask(catalog: Catalog, corpus: Corpus, scope: ScopeFilter) -> Flags | None:
    """Return a flag for each file: whether it belongs to the place that the question names.

    Return None if the place, such as "in src/", is unknown.
    """
    mask = file_mask(corpus, Filters(tests=scope.tests))
    if not scope.place:
        return mask
    files = resolve_files(catalog.connection, scope.place)
    inside = np.zeros_like(mask)
    inside[[corpus.file_positions[file] for file in files if file in corpus.file_positions]] = True
    return mask & (~inside if scope.is_outside else inside) if files else None


def _unknown_subject(query: RelationQuery) -> Subject:
    """Return a subject for an undefined name; empty if it is not spelt like an identifier."""
    name = query.object.removesuffix("()")
    return Subject(unknown=name if has_identifier(name) else "")


def suggest_names(catalog: Catalog, text: str) -> list[str]:
    """Return symbol names spelt like the object of a question, such as `X` of "who calls X"."""
    query = parse_relation(text)
    if query is None or " " in query.object:
        return []
    return similar_names(catalog.connection, dotted_name(query.object).rpartition(".")[2])


def _usage_hits(catalog: Catalog, usages: Sequence[UsageLine], *, repo: str) -> list[Hit]:
    nodes = nodes_by_id(catalog.connection, ((usage.file, usage.symbol) for usage in usages))
    lines = (_hit_line(usage, nodes[usage.file, usage.symbol]) for usage in usages)
    return line_hits(catalog.connection, lines, repo=repo)


def _hit_line(usage: UsageLine, node: Node) -> HitLine:
    return HitLine(
        node.path,
        usage.line,
        symbol=usage.target or node.qualified,
        kind=usage.kind if usage.target else node.kind,
        score=_SCORES[usage.certainty],
        why=f"{usage.kind} ({usage.certainty})",
    )
