"""Read recorded events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from codeindex.metrics.record import metrics_journal


@dataclass(frozen=True, slots=True)
class MetricEvent:
    """A recorded event; `at` is in seconds since the epoch, `values` is its whole JSON object."""

    at: float
    name: str
    values: Mapping[str, Any]

    def number(self, key: str) -> float:
        """Return the number in `values[key]`, 0 if it is missing or not a number."""
        value = self.values.get(key)
        return value if isinstance(value, (int, float)) else 0.0

    def text(self, key: str) -> str:
        """Return the text in `values[key]`, '' if it is missing or not a text."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the list in `values[key]` as texts, () if it is missing or not a list."""
        value = self.values.get(key)
        return tuple(map(str, value)) if isinstance(value, list) else ()


def read_events(
    folder: Path, *, since: float = 0.0, until: float = float("inf")
) -> list[MetricEvent]:
    """Return the events of a data folder from `since` to `until`, sorted by time.

    Malformed lines are skipped.
    """
    events = (_parse_line(line) for line in metrics_journal(folder).lines())
    chosen = (event for event in events if event and since <= event.at <= until)
    return sorted(chosen, key=lambda event: event.at)


def searches_in(events: list[MetricEvent]) -> Iterator[MetricEvent]:
    """Yield the search events, except those for later pages of a result list."""
    return (event for event in events if event.name == "search" and not event.values.get("more"))


def is_empty_search(search: MetricEvent) -> bool:
    return not search.number("results") and not search.number("docs")


def _parse_line(line: str) -> MetricEvent | None:
    try:
        values = json.loads(line)
        at = datetime.fromisoformat(values["ts"])
        return MetricEvent(at.replace(tzinfo=at.tzinfo or UTC).timestamp(), values["event"], values)
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None
