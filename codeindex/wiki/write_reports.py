"""Define the results of commands that write to the wiki."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from codeindex.types.report import DataReport, Table
from codeindex.wiki.contents import PlannedPage


@dataclass(frozen=True, slots=True)
class WrittenPage(DataReport):
    """A page that was written.

    Pass `version` as `base` to write it again. `unfounded` are its citations of files or lines that
    do not exist.
    """

    status: Literal["created", "updated"]
    page: str
    title: str
    path: str
    version: str
    citations: int
    unfounded: tuple[str, ...]
    broken_links: tuple[str, ...]
    redacted: int
    message: str

    def columns(self) -> Table:
        return ("status", "page", "version"), [(self.status, self.page, self.version)]

    def text(self) -> Iterator[str]:
        yield self.message


@dataclass(frozen=True, slots=True)
class PageSuggestion:
    """A page that a text may be added to; `match` (0 to 1) tells how well the page fits."""

    page: str
    title: str
    match: float
    reason: str


@dataclass(frozen=True, slots=True)
class SuggestedContribution(DataReport):
    """Where to add a text: the page to update, or the id and title for a new page."""

    action: Literal["update", "create"]
    page: str
    title: str
    candidates: tuple[PageSuggestion, ...]
    message: str

    def columns(self) -> Table:
        rows = [
            (suggestion.page, f"{suggestion.match:.2f}", suggestion.title)
            for suggestion in self.candidates
        ]
        return ("page", "match", "title"), rows

    def text(self) -> Iterator[str]:
        yield self.message
        for suggestion in self.candidates:
            yield (
                f"  {suggestion.page}  {suggestion.match:.2f}  {suggestion.title}:"
                f" {suggestion.reason}"
            )


@dataclass(frozen=True, slots=True)
class WikiPlan(DataReport):
    """A new wiki: `pages` are the pages to write, `context` is the repository map as text.

    `removed` has the ids of the deleted pages of the former wiki.
    """

    path: str
    pages: tuple[PlannedPage, ...]
    removed: tuple[str, ...]
    context: str
    message: str

    def columns(self) -> Table:
        rows = [(plan.page, plan.page_type, plan.title) for plan in self.pages]
        return ("page", "type", "title"), rows

    def text(self) -> Iterator[str]:
        yield from self.context.split("\n")
        yield "Pages to write:"
        for plan in self.pages:
            yield f"  {plan.page} ({plan.page_type}): {plan.title}"
            yield from [f"    {plan.reason}"] if plan.reason else []
            if plan.source_files:
                yield f"    from {', '.join(plan.source_files)}"
        if self.removed:
            yield f"removed: {', '.join(self.removed)}"
        yield self.message
