"""Summarize events: figures, each with a description."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codeindex.metrics.events import MetricEvent, is_empty_search, searches_in

_SOON = 600.0
"""Seconds within which a read counts as a result of a search."""


@dataclass(frozen=True, slots=True)
class LatencySummary:
    """A count with the median and 95th percentile of latency in ms."""

    count: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class MetricsSummary:
    """Figures of a set of events."""

    days: float
    searches: LatencySummary
    by_type: Mapping[str, int]
    zero_results: int
    found_then_read: int
    injected: int
    suggestions: int
    reads: int
    reads_suggested: int
    answer_tokens: int
    whole_tokens: int
    tools: Mapping[str, LatencySummary]
    failed_tools: int

    @property
    def saved_tokens(self) -> int:
        """Tokens of the cited files minus tokens of the answers; may be negative."""
        return self.whole_tokens - self.answer_tokens


def summarize_events(events: Sequence[MetricEvent]) -> MetricsSummary:
    """Summarize events in ascending order of time."""
    searches = list(searches_in(list(events)))
    reads = [event for event in events if event.name == "file_read"]
    injected = [event for event in events if event.name == "context_inject"]
    tools: dict[str, list[float]] = defaultdict(list)
    for event in events:
        if event.name == "tool":
            tools[event.text("tool")].append(event.number("latency_ms"))
    return MetricsSummary(
        days=(events[-1].at - events[0].at) / 86_400 if events else 0.0,
        searches=_timing(search.number("latency_ms") for search in searches),
        by_type=dict(Counter(search.text("query_type") for search in searches).most_common()),
        zero_results=sum(map(is_empty_search, searches)),
        found_then_read=_followed(searches, reads),
        injected=len(injected),
        suggestions=int(sum(event.number("suggestions") for event in injected)),
        reads=len(reads),
        reads_suggested=sum(read.values.get("was_suggested") is True for read in reads),
        answer_tokens=_tokens(searches, "answer_tokens"),
        whole_tokens=_tokens(searches, "whole_tokens"),
        tools={name: _timing(times) for name, times in sorted(tools.items())},
        failed_tools=sum(
            event.values.get("error") is True for event in events if event.name == "tool"
        ),
    )


def _timing(times: Iterable[float]) -> LatencySummary:
    known = sorted(times)
    if not known:
        return LatencySummary(0, 0.0, 0.0)
    return LatencySummary(len(known), _nearest_rank(known, 0.5), _nearest_rank(known, 0.95))


def _nearest_rank(known: Sequence[float], share: float) -> float:
    return known[max(0, -int(-share * len(known) // 1) - 1)]


def _tokens(searches: Iterable[MetricEvent], key: str) -> int:
    """Sum over searches with results: for the others no file would have been read."""
    return int(sum(search.number(key) for search in searches if not is_empty_search(search)))


def _followed(searches: Iterable[MetricEvent], reads: Iterable[MetricEvent]) -> int:
    """Count the searches with a cited file that was read within `_SOON`."""
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for read in reads:
        times[read.text("repo"), read.text("file")].append(read.at)

    def was_read(search: MetricEvent) -> bool:
        places = ((repo, file) for repo in search.texts("repos") for file in search.texts("files"))
        known = (times.get(place, []) for place in places)
        return any(bisect_left(at, search.at) < bisect_right(at, search.at + _SOON) for at in known)

    return sum(map(was_read, searches))


def summary_rows(found: MetricsSummary) -> Iterator[tuple[str, str, str]]:
    """Yield (name, value, what it counts)."""
    searches, reads = found.searches, found.reads
    kinds = ", ".join(f"{name} {count:,}" for name, count in found.by_type.items())
    yield (
        "searches",
        f"{searches.count:,}",
        "questions asked; later pages of a list are none",
    )
    yield "by type", kinds or "-", "what kind of question each was taken for"
    yield "p50", f"{searches.p50:,.0f} ms", "half of the searches were answered within"
    yield "p95", f"{searches.p95:,.0f} ms", "19 of 20 searches were answered within"
    none = _of(found.zero_results, searches.count)
    yield "zero results", none, "searches that found nothing; --zero-results lists them"
    followed = _of(found.found_then_read, searches.count)
    yield "found, then read", followed, "a file they cited was read within ten minutes"
    each = f"{found.suggestions / found.injected:.1f}" if found.injected else "0"
    told = f"times that related files were named before a read, {each} each"
    yield "context injected", f"{found.injected:,}", told
    yield "files read", f"{reads:,}", "reads by agents, as hooks and the server saw them"
    suggested = _of(found.reads_suggested, reads)
    yield "suggested, then read", suggested, "of these, files that the session had been told of"
    yield "answers' tokens", f"{found.answer_tokens:,}", "characters / 4 of what searches answered"
    whole = "of the cited files whole; a file cited by two answers counts twice"
    yield "files' tokens", f"{found.whole_tokens:,}", whole
    saved = "the difference: had every cited file been read whole instead, and no other"
    yield "tokens saved", f"{found.saved_tokens:,}", saved
    for name, timing in found.tools.items():
        value = f"{timing.count:,} calls"
        yield f"tool {name}", value, f"p50 {timing.p50:,.0f} ms, p95 {timing.p95:,.0f} ms"
    if found.tools:
        yield "failed calls", f"{found.failed_tools:,}", "of tools; the agent was told why"


def _of(count: int, total: int) -> str:
    return f"{count:,} ({count / total:.0%})" if total else f"{count:,}"
