"""Count the searches of one repository by day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from codeindex.analysis.overview.parts import SearchUsage, UsageDay
from codeindex.metrics.events import MetricEvent, is_empty_search, searches_in
from codeindex.metrics.summary import summarize_events

MAX_DAYS = 60
"""Maximum number of days in a chart, which has one bar per day; older days are left out."""


def daily_usage(events: Sequence[MetricEvent], repo: str) -> SearchUsage:
    """Return the daily counts and the latency of a repository's searches, without query texts.

    Days are local dates. At most `MAX_DAYS` days are returned, up to the day of the last search.
    """
    searches = [event for event in searches_in(list(events)) if repo in event.texts("repos")]
    days = _fill_days(sorted({_date(event) for event in searches}))
    shown = [event for event in searches if _date(event) >= days[0]]
    by_day: dict[date, list[MetricEvent]] = defaultdict(list)
    for event in shown:
        by_day[_date(event)].append(event)
    whole = summarize_events(shown)
    return SearchUsage(
        days=tuple(_usage_day(day, by_day[day]) for day in days),
        by_type=dict(whole.by_type),
        p50=whole.searches.p50,
        p95=whole.searches.p95,
    )


def _date(event: MetricEvent) -> date:
    return datetime.fromtimestamp(event.at).astimezone().date()


def _fill_days(days: Sequence[date]) -> list[date]:
    """Return every day from the first to the last of `days`, at most the last `MAX_DAYS`."""
    if not days:
        return []
    first = max(days[0], days[-1] - timedelta(days=MAX_DAYS - 1))
    return [first + timedelta(days=step) for step in range((days[-1] - first).days + 1)]


def _usage_day(day: date, searches: Sequence[MetricEvent]) -> UsageDay:
    successful = [search for search in searches if not is_empty_search(search)]
    return UsageDay(
        date=day.isoformat(),
        searches=len(searches),
        found_nothing=len(searches) - len(successful),
        answer_tokens=int(sum(event.number("answer_tokens") for event in successful)),
        whole_tokens=int(sum(event.number("whole_tokens") for event in successful)),
    )
