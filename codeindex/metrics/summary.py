"""Summarize events in numbers, and describe each number."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codeindex.metrics.events import MetricEvent, is_empty_search, searches_in
from codeindex.types.report import plural

_FOLLOW_UP_SECONDS = 600.0
"""A read of a cited file within this time after a search counts as prompted by the search. The text
of `summary_rows` says ten minutes."""


@dataclass(frozen=True, slots=True)
class LatencySummary:
    """The number of calls, and the median and 95th percentile of their latency in ms."""

    count: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class MetricsSummary:
    """Numbers that summarize a set of events; `summary_rows` yields a description of each."""

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
        """Tokens of the cited files minus tokens of the answers, which may be negative.

        It is the saving compared with reading every cited file as a whole.
        """
        return self.whole_tokens - self.answer_tokens


def summarize_events(events: Sequence[MetricEvent]) -> MetricsSummary:
    """Summarize events, which the caller has sorted by time."""
    searches = list(searches_in(list(events)))
    reads = [event for event in events if event.name == "file_read"]
    injected = [event for event in events if event.name == "context_inject"]
    tools: dict[str, list[float]] = defaultdict(list)
    for event in events:
        if event.name == "tool":
            tools[event.text("tool")].append(event.number("latency_ms"))
    return MetricsSummary(
        days=(events[-1].at - events[0].at) / 86_400 if events else 0.0,
        searches=_summarize_latency(search.number("latency_ms") for search in searches),
        by_type=dict(Counter(search.text("query_type") for search in searches).most_common()),
        zero_results=sum(map(is_empty_search, searches)),
        found_then_read=_count_followed(searches, reads),
        injected=len(injected),
        suggestions=int(sum(event.number("suggestions") for event in injected)),
        reads=len(reads),
        reads_suggested=sum(read.values.get("was_suggested") is True for read in reads),
        answer_tokens=_sum_tokens(searches, "answer_tokens"),
        whole_tokens=_sum_tokens(searches, "whole_tokens"),
        tools={name: _summarize_latency(times) for name, times in sorted(tools.items())},
        failed_tools=sum(
            event.values.get("error") is True for event in events if event.name == "tool"
        ),
    )


def _summarize_latency(times: Iterable[float]) -> LatencySummary:
    known = sorted(times)
    if not known:
        return LatencySummary(0, 0.0, 0.0)
    return LatencySummary(len(known), _nearest_rank(known, 0.5), _nearest_rank(known, 0.95))


def _nearest_rank(known: Sequence[float], share: float) -> float:
    return known[max(0, -int(-share * len(known) // 1) - 1)]


def _sum_tokens(searches: Iterable[MetricEvent], key: str) -> int:
    """Return the sum of the value `key` over the searches with results.

    Searches without results are left out, because they cite no file that would have been read.
    """
    return int(sum(search.number(key) for search in searches if not is_empty_search(search)))


def _count_followed(searches: Iterable[MetricEvent], reads: Iterable[MetricEvent]) -> int:
    """Count the searches after which the user read a cited file.

    The file must be read within `_FOLLOW_UP_SECONDS`.
    """
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for read in reads:
        times[read.text("repo"), read.text("file")].append(read.at)

    def was_read(search: MetricEvent) -> bool:
        cited = ((repo, file) for repo in search.texts("repos") for file in search.texts("files"))
        last = search.at + _FOLLOW_UP_SECONDS
        read_times = (times.get(key, []) for key in cited)
        return any(bisect_left(at, search.at) < bisect_right(at, last) for at in read_times)

    return sum(map(was_read, searches))


def summary_rows(summary: MetricsSummary) -> Iterator[tuple[str, str, str]]:
    """Yield (name, value, description) of each number of a summary, for a table."""
    searches, reads = summary.searches, summary.reads
    kinds = ", ".join(f"{name} {count:,}" for name, count in summary.by_type.items())
    yield "searches", f"{searches.count:,}", "without later pages of the same results"
    yield "by type", kinds or "-", "searches by type of question"
    yield "p50", f"{searches.p50:,.0f} ms", "half of the searches were answered within"
    yield "p95", f"{searches.p95:,.0f} ms", "19 of 20 searches were answered within"
    empty = _with_share(summary.zero_results, searches.count)
    yield "zero results", empty, "searches that found nothing; --zero-results lists them"
    followed = _with_share(summary.found_then_read, searches.count)
    yield "found, then read", followed, "a file they cited was read within ten minutes"
    average = f"{summary.suggestions / summary.injected:.1f}" if summary.injected else "0"
    counted = f"times that related files were named before a read, {average} each"
    yield "context injected", f"{summary.injected:,}", counted
    yield "files read", f"{reads:,}", "reads by agents that hooks and the server recorded"
    suggested = _with_share(summary.reads_suggested, reads)
    yield (
        "suggested, then read",
        suggested,
        "reads of files that were suggested before in the session",
    )
    tokens = "tokens of the answers of searches: characters / 4"
    yield "answers' tokens", f"{summary.answer_tokens:,}", tokens
    whole = "tokens of all cited files; a file cited by two answers counts twice"
    yield "files' tokens", f"{summary.whole_tokens:,}", whole
    saved = "the difference: what reading each cited file completely would have cost more"
    yield "tokens saved", f"{summary.saved_tokens:,}", saved
    for name, timing in summary.tools.items():
        value = plural(timing.count, "call")
        yield f"tool {name}", value, f"p50 {timing.p50:,.0f} ms, p95 {timing.p95:,.0f} ms"
    if summary.tools:
        yield "failed calls", f"{summary.failed_tools:,}", "tool calls that returned an error"


def _with_share(count: int, total: int) -> str:
    return f"{count:,} ({count / total:.0%})" if total else f"{count:,}"
