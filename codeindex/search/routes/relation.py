"""The route of relationship questions: from the question to hits, a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from codeindex.query.classify import Classification, QueryType, classify
from codeindex.query.relation import RelationQuery, is_identifier, parse_relation
from codeindex.query.scope_filter import ScopeFilter
from codeindex.search.filters import file_mask
from codeindex.search.names.file_lookup import resolve_files
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.line_hits import HitLine, line_hits
from codeindex.search.routes.subject import Subject, resolve_subject
from codeindex.search.routes.usages import UsageLine, UsageList, find_usages
from codeindex.store.catalog.connection import Catalog
from codeindex.store.symbols.declarations import similar_names
from codeindex.store.symbols.nodes import nodes_by_id, symbol_kinds
from codeindex.store.symbols.written_names import dotted_name
from codeindex.types import Filters, Hit, Node

if TYPE_CHECKING:
    from codeindex.search.filters import Flags

_SCORES = {"resolved": 1.0, "ambiguous": 0.5, "textual": 0.25}
"""Not chances: they keep certain uses before possible ones where scores are compared."""


@dataclass(frozen=True, slots=True)
class RelationAnswer:
    """Every use that the filters allow, in order, and what is to be said of the whole list."""

    question: Classification
    uses: tuple[UsageLine, ...]
    whole: UsageList

    def as_dict(self) -> dict[str, Any]:
        """Return what the answer's `meta` says of it."""
        counted = Counter(one.certainty for one in self.uses)
        counts = {certainty: counted[certainty] for certainty in _SCORES}
        if not self.whole.looked:
            del counts["textual"]
        return {
            "relation": self.whole.relation,
            "of": list(self.whole.of),
            **counts,
            "unparsed": list(self.whole.unparsed),
        }


def answer_relation(
    catalog: Catalog, corpus: Corpus, text: str, filters: Filters
) -> RelationAnswer | None:
    """Answer a question about who uses what; None for any other, or of something unknown here."""
    question = classify(text)
    asked = parse_relation(text) if question.type is QueryType.RELATIONSHIP else None
    scope = _scope_mask(catalog, corpus, asked.scope) if asked else None
    if asked is None or scope is None:
        return None
    meant = resolve_subject(catalog.connection, asked.object, asked.relation) or _merely_said(asked)
    whole = find_usages(catalog.connection, corpus, asked, meant)
    if not meant.names or (meant.said and not whole.found):
        return None
    place, is_test = corpus.file_positions, corpus.is_test.tolist()
    allowed = (file_mask(corpus, filters) & scope).tolist()
    kept = [one for one in whole.found if allowed[place[one.file]]]
    if filters.kinds:
        of_kind = symbol_kinds(catalog.connection, (one.symbol for one in kept))
        kept = [one for one in kept if of_kind.get(one.symbol) in filters.kinds]
    order = {certainty: at for at, certainty in enumerate(_SCORES)}
    kept.sort(key=lambda one: (order[one.certainty], is_test[place[one.file]]))
    return RelationAnswer(question, tuple(kept), whole)


def _scope_mask(catalog: Catalog, corpus: Corpus, scope: ScopeFilter) -> Flags | None:
    """Return the files that a question is about; None if there are none where it says."""
    mask = file_mask(corpus, Filters(tests=scope.tests))
    if not scope.place:
        return mask
    files = resolve_files(catalog.connection, scope.place)
    inside = np.zeros_like(mask)
    inside[[corpus.file_positions[one] for one in files if one in corpus.file_positions]] = True
    return mask & (~inside if scope.is_outside else inside) if files else None


def _merely_said(asked: RelationQuery) -> Subject:
    """Take a name of which nothing is known for its spelling, if a word of code is spelt so."""
    name = asked.object.removesuffix("()")
    return Subject(said=name if is_identifier(name) else "")


def suggest_names(catalog: Catalog, text: str) -> list[str]:
    """Return names that are spelt like the one whose uses are asked for, if none goes by it."""
    question = classify(text)
    asked = parse_relation(text) if question.type is QueryType.RELATIONSHIP else None
    if asked is None or " " in asked.object:
        return []
    return similar_names(catalog.connection, dotted_name(asked.object).rpartition(".")[2])


def use_hits(catalog: Catalog, found: Sequence[UsageLine], *, repo: str) -> list[Hit]:
    """Read the lines of uses."""
    nodes = nodes_by_id(catalog.connection, ((one.file, one.symbol) for one in found))
    lines = (_line(one, nodes[one.file, one.symbol]) for one in found)
    return line_hits(catalog.connection, lines, repo=repo)


def _line(use: UsageLine, node: Node) -> HitLine:
    return HitLine(
        node.path,
        use.line,
        symbol=use.target or node.qualified,
        kind=use.how if use.target else node.kind,
        score=_SCORES[use.certainty],
        why=f"{use.how} ({use.certainty})",
    )
