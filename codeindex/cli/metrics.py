"""Show how codeindex was used: `codeindex metrics`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

import click

from codeindex.cli.options import json_option
from codeindex.cli.output import print_json, print_note, print_rows
from codeindex.config import data_home
from codeindex.errors import QueryError
from codeindex.metrics.enabled import metrics_enabled
from codeindex.metrics.events import MetricEvent, is_empty_search, read_events, searches_in
from codeindex.metrics.summary import summarize_events, summary_rows

_MAX_NAMES = 3
"""Most files or suggestions that are printed for a search."""
_MAX_SEARCHES = 50
"""Most searches that are printed, newest first; --json prints all."""
_SECONDS = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}


@dataclass(frozen=True, slots=True)
class _MetricsOptions:
    last: str
    query: str
    zero_results: bool
    compare: bool
    before: str
    after: str
    as_json: bool


@click.command()
@click.option("--last", default="", metavar="TIME", help="Only the last: 90m, 1h, 7d, 2w.")
@click.option("--query", default="", metavar="TEXT", help="List the searches with TEXT.")
@click.option("--zero-results", is_flag=True, help="List the searches without results.")
@click.option("--compare", is_flag=True, help="Compare the time until --before and from --after.")
@click.option("--before", default="", metavar="DATE", help="Only until this day, inclusive.")
@click.option("--after", default="", metavar="DATE", help="Only from this day on, inclusive.")
@json_option
def metrics_command(**arguments: Any) -> None:
    """Show how codeindex was used on this machine.

    Nothing is sent anywhere, and no text of files is recorded. `metrics.enabled: false` turns
    recording off.
    """
    options = _MetricsOptions(**arguments)
    if options.compare and not (options.before and options.after):
        raise click.UsageError("--compare needs --before DATE and --after DATE.")
    until = parse_moment(options.before, at_end=True) if options.before else float("inf")
    since = parse_moment(options.after) if options.after else 0.0
    if options.compare:
        earlier = _read_events(options, until=until)
        _print_comparison(earlier, _read_events(options, since=since), as_json=options.as_json)
        return
    events = _read_events(options, since=since, until=until)
    if options.query or options.zero_results:
        _print_searches(events, options)
    else:
        _print_summary(events, as_json=options.as_json)


def _read_events(
    options: _MetricsOptions, *, since: float = 0.0, until: float = float("inf")
) -> list[MetricEvent]:
    if options.last:
        since = max(since, time.time() - parse_duration(options.last))
    return read_events(data_home(), since=since, until=until)


def _print_summary(events: Sequence[MetricEvent], *, as_json: bool) -> None:
    summary = summarize_events(events)
    if as_json:
        print_json(asdict(summary) | {"saved_tokens": summary.saved_tokens})
        return
    print_rows(list(summary_rows(summary)))
    _print_note_if_empty(events)


def _print_comparison(
    earlier: Sequence[MetricEvent], later: Sequence[MetricEvent], *, as_json: bool
) -> None:
    before, after = summarize_events(earlier), summarize_events(later)
    if as_json:
        print_json({"before": asdict(before), "after": asdict(after)})
        return
    old, new = (
        {name: values for name, *values in summary_rows(summary)} for summary in (before, after)
    )
    rows = [
        (name, (old.get(name) or ["-"])[0], (new.get(name) or ["-"])[0])
        for name in dict.fromkeys((*old, *new))
    ]
    days = ("days", f"{before.days:.1f}", f"{after.days:.1f}")
    print_rows([("", "before", "after"), days, *rows])
    _print_note_if_empty([*earlier, *later])


def _print_searches(events: Sequence[MetricEvent], options: _MetricsOptions) -> None:
    searches = [
        search
        for search in searches_in(list(events))
        if options.query.casefold() in search.text("query").casefold()
        and (not options.zero_results or is_empty_search(search))
    ]
    if options.as_json:
        print_json([search.values for search in searches])
        return
    names_field = "suggested" if options.zero_results else "files"
    header = ("time", "type", "results", "ms", "query", names_field)
    print_rows([header, *_search_rows(searches[::-1][:_MAX_SEARCHES], names_field)])
    if len(searches) > _MAX_SEARCHES:
        print_note(f"{len(searches) - _MAX_SEARCHES:,} older ones: --json")
    _print_note_if_empty(searches)


def _search_rows(searches: Sequence[MetricEvent], names_field: str) -> Iterator[tuple[str, ...]]:
    for search in searches:
        at = time.strftime("%Y-%m-%d %H:%M", time.localtime(search.at))
        names = ", ".join(search.texts(names_field)[:_MAX_NAMES]) or "-"
        count, ms = f"{search.number('results'):.0f}", f"{search.number('latency_ms'):.0f}"
        yield at, search.text("query_type"), count, ms, search.text("query"), names


def _print_note_if_empty(events: Sequence[MetricEvent]) -> None:
    if not metrics_enabled():
        print_note("nothing is recorded: `metrics.enabled` is off")
    elif not events:
        print_note("nothing was recorded in this time")


def parse_duration(text: str) -> float:
    """Parse a duration like `90m`, `1h`, `7d` or `2w` to seconds; raise QueryError if invalid."""
    match = re.fullmatch(r"(\d{1,6})([mhdw])", text.strip())
    if match is None:
        raise QueryError(f"{text!r} is not a duration: write 90m, 1h, 7d or 2w.")
    return int(match[1]) * _SECONDS[match[2]]


def parse_moment(text: str, *, at_end: bool = False) -> float:
    """Parse a local date, or date with time, to seconds since the epoch.

    A date without time means the start of the day; with `at_end`, its end. Raise QueryError if the
    text is not a date.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        is_day = len(text.strip()) <= len("2026-01-15")
        return (moment + timedelta(days=1) if is_day and at_end else moment).timestamp()
    except (ValueError, OverflowError, OSError):
        raise QueryError(f"{text!r} is not a date: write 2026-01-15 or 2026-01-15T09:30.") from None
