"""What writing to the wiki is answered with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from codeindex.wiki.contents import PlannedPage
from codeindex.wiki.read_reports import PlainReport, Table


@dataclass(frozen=True, slots=True)
class WrittenPage(PlainReport):
    """A page that was written; `version` is what to give as `base` when writing it again.

    `unfounded` are citations of files or lines that are not there.
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
    """A page that a text may be added to; `match` is how much of it the page speaks of, 0 to 1."""

    page: str
    title: str
    match: float
    reason: str


@dataclass(frozen=True, slots=True)
class SuggestedContribution(PlainReport):
    """Where a text belongs: in the page named, or in a new one of this id and title."""

    action: Literal["update", "create"]
    page: str
    title: str
    candidates: tuple[PageSuggestion, ...]
    message: str

    def columns(self) -> Table:
        rows = [(one.page, f"{one.match:.2f}", one.title) for one in self.candidates]
        return ("page", "match", "title"), rows

    def text(self) -> Iterator[str]:
        yield self.message
        for one in self.candidates:
            yield f"  {one.page}  {one.match:.2f}  {one.title}: {one.reason}"


@dataclass(frozen=True, slots=True)
class WikiPlan(PlainReport):
    """A wiki that was begun: what the repository is made of, and pages worth writing."""

    path: str
    pages: tuple[PlannedPage, ...]
    removed: tuple[str, ...]
    context: str
    message: str

    def columns(self) -> Table:
        rows = [(one.page, one.page_type, one.title) for one in self.pages]
        return ("page", "type", "title"), rows

    def text(self) -> Iterator[str]:
        yield from self.context.split("\n")
        yield "Pages to write:"
        for one in self.pages:
            yield f"  {one.page} ({one.page_type}): {one.title}"
            yield from [f"    {one.reason}"] if one.reason else []
            if one.source_files:
                yield f"    from {', '.join(one.source_files)}"
        if self.removed:
            yield f"removed: {', '.join(self.removed)}"
        yield self.message
