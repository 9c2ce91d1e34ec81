"""Add uses in other repositories to a report about one repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from codeindex.errors import CodeIndexError, QueryError

if TYPE_CHECKING:
    from codeindex.analysis.relations.callers import Callers
    from codeindex.analysis.relations.foreign_uses import ForeignUse, UsesElsewhere
    from codeindex.analysis.relations.impact import Impact
    from codeindex.api.index import Index

MOST_USES = 200
"""Most uses in other repositories that a report lists, as many as callers in its own."""


WITH_USES_ELSEWHERE = frozenset({"graph.callers", "graph.impact"})
"""Capabilities whose reports can have uses in other repositories."""
ReportType = TypeVar("ReportType", "Callers", "Impact")


def add_uses_elsewhere(index: Index, report: ReportType, others: Sequence[Index]) -> ReportType:
    """Add to a report the uses of its symbol in other repositories; return the new report.

    Imports do not count as uses in a list of callers.
    """
    from codeindex.analysis.relations.callers import Callers

    if isinstance(report, Callers):
        found = find_uses_elsewhere(index, report.symbol, others, imports=False)
    else:
        found = find_uses_elsewhere(index, report.subject, others)
    return replace(report, elsewhere=found)


def find_uses_elsewhere(
    index: Index, subject: str, others: Sequence[Index], *, imports: bool = True
) -> UsesElsewhere:
    """Return the uses of a symbol or file of `index` in the repositories `others`.

    A use is certain if the imported name refers to the subject, and no package of another
    repository defines this name. A repository that cannot be searched is named in `failed`; then
    every use is only possible, since that repository may publish the same package. `imports` tells
    whether import lines count as uses.
    """
    from codeindex.analysis.relations.foreign_uses import UsesElsewhere

    uses: list[ForeignUse] = []
    failed: dict[str, str] = {}
    for other in others:
        try:
            uses += _uses_in(index, subject, other, others)
        except QueryError:
            raise
        except CodeIndexError as error:
            failed[other.repository.name] = str(error)
    if failed:
        uses = [replace(use, certainty="ambiguous") for use in uses]
    kept = [use for use in uses if imports or use.how != "imports"]
    kept.sort(key=lambda use: use.certainty != "resolved")
    certain = sum(use.certainty == "resolved" for use in kept)
    names = (other.repository.name for other in others)
    return UsesElsewhere(
        searched=tuple(name for name in names if name not in failed),
        uses=tuple(kept[:MOST_USES]),
        total_certain=certain,
        total_possible=len(kept) - certain,
        failed=failed,
    )


def _uses_in(
    index: Index, subject: str, other: Index, others: Sequence[Index]
) -> Sequence[ForeignUse]:
    """Return the uses in `other` of a symbol or file of `index`.

    `others` are all other repositories. A use is uncertain if one of them publishes the same name.
    """
    found = index.graph.names_of(subject, other.graph.external_names().names)
    if not (found.names or found.owners):
        return ()
    rivals = {
        name
        for rival in others
        if rival.is_indexed
        for name in rival.graph.names_published(found.names).names
    }
    return other.graph.uses_of_names(found, unsure=rivals).uses
