"""The searches of one repository, day by day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from codeindex.analysis.overview.parts import SearchUsage, UsageDay
from codeindex.metrics.events import MetricEvent, is_empty_search, searches_in
from codeindex.metrics.summary import summarize_events

MOST_DAYS = 60
"""Of the newest: bars of a chart."""


def daily_usage(events: Sequence[MetricEvent], repo: str) -> SearchUsage:
    """Sum up the searches that a repository was asked by, without what they asked."""
    mine = [event for event in searches_in(list(events)) if repo in event.texts("repos")]
    days = _span(sorted({_date(event) for event in mine}))
    shown = [event for event in mine if _date(event) >= days[0]]
    by_day: dict[date, list[MetricEvent]] = defaultdict(list)
    for event in shown:
        by_day[_date(event)].append(event)
    whole = summarize_events(shown)
    return SearchUsage(
        days=tuple(_day(at, by_day[at]) for at in days),
        by_type=dict(whole.by_type),
        p50=whole.searches.p50,
        p95=whole.searches.p95,
    )


def _date(event: MetricEvent) -> date:
    return datetime.fromtimestamp(event.at).astimezone().date()


def _span(days: Sequence[date]) -> list[date]:
    """Return all days from the first to the last, those without a search too."""
    if not days:
        return []
    first = max(days[0], days[-1] - timedelta(days=MOST_DAYS - 1))
    return [first + timedelta(days=step) for step in range((days[-1] - first).days + 1)]


def _day(at: date, searches: Sequence[MetricEvent]) -> UsageDay:
    found = [search for search in searches if not is_empty_search(search)]
    return UsageDay(
        date=at.isoformat(),
        searches=len(searches),
        found_nothing=len(searches) - len(found),
        answer_tokens=int(sum(event.number("answer_tokens") for event in found)),
        whole_tokens=int(sum(event.number("whole_tokens") for event in found)),
    )
