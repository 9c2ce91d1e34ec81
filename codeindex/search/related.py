"""The route of relationship questions: from the question to hits, a line each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from codeindex.search.classify import Classified, QueryType, classify
from codeindex.search.corpus import Corpus
from codeindex.search.filters import Filters, allowed_paths
from codeindex.search.line_hits import Line, line_hits
from codeindex.search.relations import asked_of, meaning
from codeindex.search.uses import Use, Uses, uses
from codeindex.store.catalog import Catalog
from codeindex.store.declarations import names_near
from codeindex.types import Hit

_SCORES = {"resolved": 1.0, "ambiguous": 0.5, "textual": 0.25}
"""Not chances: they keep certain uses before possible ones where scores are compared."""


@dataclass(frozen=True, slots=True)
class Related:
    """Every use that the filters allow, in order, and what is to be said of the whole list."""

    question: Classified
    uses: tuple[Use, ...]
    whole: Uses

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


def relationship(catalog: Catalog, corpus: Corpus, text: str, filters: Filters) -> Related | None:
    """Answer a question about who uses what; None for any other, or of something unknown here."""
    question = classify(text)
    asked = asked_of(text) if question.type is QueryType.RELATIONSHIP else None
    meant = meaning(catalog.connection, asked.object) if asked else None
    if asked is None or meant is None:
        return None
    whole = uses(catalog.connection, asked, meant)
    allowed = allowed_paths(corpus, filters)
    kept = [one for one in whole.found if one.node.path in allowed]
    if filters.kinds:
        kept = [one for one in kept if one.node.kind in filters.kinds]
    order = list(_SCORES)
    kept.sort(key=lambda one: (order.index(one.certainty), one.node.is_test))
    return Related(question, tuple(kept), whole)


def names_meant(catalog: Catalog, text: str) -> list[str]:
    """Return names that are spelt like the one whose uses are asked for, if none goes by it."""
    question = classify(text)
    asked = asked_of(text) if question.type is QueryType.RELATIONSHIP else None
    if asked is None or " " in asked.object:
        return []
    return names_near(catalog.connection, re.split(r"::|->|[.#]", asked.object)[-1])


def use_hits(catalog: Catalog, found: Iterable[Use], *, repo: str) -> list[Hit]:
    """Read the lines of uses."""
    lines = (
        Line(
            one.node.path,
            one.line,
            symbol=one.target or one.node.qualified,
            kind=one.how if one.target else one.node.kind,
            score=_SCORES[one.certainty],
            why=f"{one.how} ({one.certainty})",
        )
        for one in found
    )
    return line_hits(catalog.connection, lines, repo=repo)
