"""Searches of one repository, by day."""

from datetime import datetime

from codeindex.metrics.daily import MAX_DAYS, daily_usage
from codeindex.metrics.events import MetricEvent


def search(day: str, repo: str = "shop", results: int = 1, **more: object) -> MetricEvent:
    at = datetime.fromisoformat(f"{day}T12:00").timestamp()
    values = {"repos": [repo], "results": results, "answer_tokens": 10, "whole_tokens": 50}
    return MetricEvent(at, "search", values | {"query_type": "concept", "latency_ms": 20.0} | more)


def test_days_without_a_search_are_days_too_and_other_repositories_do_not_count() -> None:
    events = [
        search("2026-01-01"),
        search("2026-01-02", repo="store"),
        search("2026-01-03", results=0),
        search("2026-01-03", more=True),
        search("2026-01-03"),
    ]
    found = daily_usage(events, "shop")
    assert [(one.date, one.searches, one.found_nothing) for one in found.days] == [
        ("2026-01-01", 1, 0),
        ("2026-01-02", 0, 0),
        ("2026-01-03", 2, 1),
    ]
    last = found.days[-1]
    assert (last.answer_tokens, last.whole_tokens) == (10, 50)
    assert (found.by_type, found.p50) == ({"concept": 3}, 20.0)


def test_only_the_newest_days_are_shown() -> None:
    found = daily_usage([search("2025-01-01"), search("2026-01-01")], "shop")
    assert len(found.days) == MAX_DAYS
    assert found.days[-1].date == "2026-01-01"
    assert found.by_type == {"concept": 1}


def test_nothing_noted_is_nothing_shown() -> None:
    assert daily_usage([], "shop").days == ()
