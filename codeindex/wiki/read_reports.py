"""What questions to the wiki are answered with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from codeindex.wiki.citations import CitationCheck
from codeindex.wiki.page import Contradiction, Failure
from codeindex.wiki.stale_pages import StalePage

Table = tuple[Sequence[str], Sequence[Sequence[str]]]


class PlainReport:
    """What all of these are: plain values, which speak of no indexed file by themselves."""

    __slots__ = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return ()

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload,no-any-return]  # a dataclass below


@dataclass(frozen=True, slots=True)
class FoundPage:
    page: str
    title: str
    page_type: str
    score: float
    excerpt: str
    failures: tuple[Failure, ...]


@dataclass(frozen=True, slots=True)
class FoundPages(PlainReport):
    """Pages that speak of a query, the best first; `total` counts what the limit left out too."""

    query: str
    total: int
    results: tuple[FoundPage, ...]

    @property
    def is_empty(self) -> bool:
        return not self.results

    def columns(self) -> Table:
        rows = [(one.page, f"{one.score:.2f}", one.title) for one in self.results]
        return ("page", "score", "title"), rows

    def text(self) -> Iterator[str]:
        for one in self.results:
            yield f"{one.page}  {one.title}"
            yield from (f"    {line}" for line in one.excerpt.split("\n"))
            for tried in one.failures:
                yield from _failure(tried, "    ")
        if not self.results:
            yield f"No page speaks of {self.query!r}: `codeindex search` looks into the code."


@dataclass(frozen=True, slots=True)
class ReadPage(PlainReport):
    """A page; `version` is what to give as `base` when writing it. Its text is data of people's."""

    page: str
    title: str
    page_type: str
    version: str
    path: str
    commit: str
    draft: bool
    source_files: tuple[str, ...]
    links: tuple[str, ...]
    broken_links: tuple[str, ...]
    linked_from: tuple[str, ...]
    stale: tuple[CitationCheck, ...]
    contradictions: tuple[Contradiction, ...]
    failures: tuple[Failure, ...]
    content: str

    def columns(self) -> Table:
        return ("page", "version", "title"), [(self.page, self.version, self.title)]

    def text(self) -> Iterator[str]:
        kind = f"{self.page_type}, a draft" if self.draft else self.page_type
        yield f"{self.path}  {self.title} ({kind}), version {self.version}"
        for one in self.stale:
            yield _stale(one)
        for found in self.contradictions:
            mark = "resolved" if found.resolved else "contradiction"
            yield f"{mark}: {found.description}{f' ({found.source})' if found.source else ''}"
        for tried in self.failures:
            yield from _failure(tried, "")
        for label, names in (
            ("sources", self.source_files),
            ("links to nothing", self.broken_links),
            ("linked from", self.linked_from),
        ):
            if names:
                yield f"{label}: {', '.join(names)}"
        yield ""
        yield from self.content.split("\n")


@dataclass(frozen=True, slots=True)
class PageState:
    page: str
    title: str
    page_type: str
    commits_behind: int
    changed_sources: tuple[str, ...]
    stale: tuple[CitationCheck, ...]
    broken_links: tuple[str, ...]
    contradictions: int
    failures: int
    draft: bool

    @property
    def remarks(self) -> tuple[str, ...]:
        counts = (
            (len(self.changed_sources), "sources changed"),
            (sum(one.state != "moved" for one in self.stale), "citations out of date"),
            (sum(one.state == "moved" for one in self.stale), "citations moved"),
            (len(self.broken_links), "links to nothing"),
            (self.contradictions, "contradictions"),
            (self.failures, "failures without a fix"),
        )
        said = [f"{count} {what}" for count, what in counts if count]
        return (*(["a draft"] if self.draft else []), *said)


@dataclass(frozen=True, slots=True)
class SourceCoverage:
    """Files of code that pages are about, and the most used ones of the others."""

    covered: int
    total: int
    percent: float
    uncovered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WikiStatus(PlainReport):
    """How the wiki is; `commits_behind` counts commits since `ref` that touched its sources."""

    exists: bool
    page_count: int
    ref: str
    commits_behind: int
    stale_pages: int
    coverage: SourceCoverage
    planned: tuple[str, ...]
    problems: tuple[str, ...]
    pages: tuple[PageState, ...]

    def columns(self) -> Table:
        rows = [(one.page, one.page_type, "; ".join(one.remarks) or "-") for one in self.pages]
        return ("page", "type", "remarks"), rows

    def text(self) -> Iterator[str]:
        if not self.exists:
            yield "There is no wiki yet: `codeindex wiki generate` begins one."
            return
        some = self.coverage
        yield (
            f"{self.page_count} pages, {self.stale_pages} out of date,"
            f" {self.commits_behind} commits behind"
        )
        yield f"{some.covered} of {some.total} files of code are some page's ({some.percent:g} %)"
        for one in self.pages:
            yield f"  {one.page}  {'; '.join(one.remarks)}".rstrip()
        if self.planned:
            yield f"to be written: {', '.join(self.planned)}"
        if some.uncovered:
            yield f"no page is about: {', '.join(some.uncovered)}"
        yield from (f"problem: {one}" for one in self.problems)


@dataclass(frozen=True, slots=True)
class MovedCitation:
    """A citation whose lines have moved, and which now says where they are."""

    page: str
    at: str
    now: str


@dataclass(frozen=True, slots=True)
class WikiUpdate(PlainReport):
    """Pages to write anew, with what changed; `uncovered` are changed files of no page."""

    since: str
    head: str
    affected: tuple[StalePage, ...]
    reanchored: tuple[MovedCitation, ...]
    uncovered: tuple[str, ...]
    notes: tuple[str, ...]
    message: str

    def columns(self) -> Table:
        rows = [
            (one.page, one.version, ",".join(change.path for change in one.changes) or "-")
            for one in self.affected
        ]
        return ("page", "version", "changed"), rows

    def text(self) -> Iterator[str]:
        for one in self.affected:
            yield f"{one.page}  {one.title}, version {one.version}"
            yield from (f"  {_stale(found)}" for found in one.stale)
            for change in one.changes:
                yield f"  {change.path}: {change.status}"
                yield from (f"    {line}" for line in change.diff.split("\n") if change.diff)
                if change.truncated:
                    yield "    … (more than is shown)"
        for moved in self.reanchored:
            yield f"{moved.page}: {moved.at} is {moved.now} now"
        if self.uncovered:
            yield f"changed, and of no page: {', '.join(self.uncovered)}"
        yield from self.notes
        yield self.message


def _stale(one: CitationCheck) -> str:
    now = {"moved": f"has moved to {one.now}", "changed": "has changed", "gone": "is gone"}
    return f"{one.at} {now.get(one.state, one.state)}"


def _failure(one: Failure, indent: str) -> Iterator[str]:
    mark = "failed fix (resolved)" if one.resolved else "failed fix"
    yield f"{indent}{mark}: {one.symptom}"
    yield f"{indent}  tried: {one.attempted_fix}"
    yield f"{indent}  why not: {one.diagnosis}"
    if one.actual_fix:
        yield f"{indent}  what worked: {one.actual_fix}"
