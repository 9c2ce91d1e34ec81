"""`codeindex metrics`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.output import print_json, print_note, print_rows

if TYPE_CHECKING:
    from codeindex.metrics.events import MetricEvent

_NAMED = 3
"""Files, or suggestions, of a search."""
_MOST = 50
"""Searches that are listed, newest first; --json has all."""


@dataclass(frozen=True, slots=True)
class _Given:
    """The command line, typed."""

    last: str
    query: str
    zero_results: bool
    compare: bool
    before: str
    after: str
    as_json: bool


@click.command()
@click.option("--last", default="", metavar="TIME", help="Only so far back: 90m, 1h, 7d, 2w.")
@click.option("--query", default="", metavar="TEXT", help="List the searches that say TEXT.")
@click.option("--zero-results", is_flag=True, help="List the searches that found nothing.")
@click.option("--compare", is_flag=True, help="Compare the time until --before and from --after.")
@click.option("--before", default="", metavar="DATE", help="Only until then, this day included.")
@click.option("--after", default="", metavar="DATE", help="Only from then on, this day included.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def metrics(**options: Any) -> None:
    """Say how codeindex was used on this machine, which alone knows.

    Nothing is sent anywhere, and no text of files is kept: `metrics.enabled: false` keeps nothing.
    """
    from codeindex.metrics.time_ranges import parse_moment

    given = _Given(**options)
    if given.compare and not (given.before and given.after):
        raise click.UsageError("--compare needs --before DATE and --after DATE.")
    until = parse_moment(given.before, at_end=True) if given.before else float("inf")
    since = parse_moment(given.after) if given.after else 0.0
    if given.compare:
        _compared(_noted(given, until=until), _noted(given, since=since), as_json=given.as_json)
        return
    events = _noted(given, since=since, until=until)
    if given.query or given.zero_results:
        _listed(events, given)
    else:
        _summed(events, as_json=given.as_json)


def _noted(given: _Given, *, since: float = 0.0, until: float = float("inf")) -> list[MetricEvent]:
    from codeindex.config import data_home
    from codeindex.metrics.events import read_events
    from codeindex.metrics.time_ranges import parse_duration

    if given.last:
        since = max(since, time.time() - parse_duration(given.last))
    return read_events(data_home(), since=since, until=until)


def _summed(events: Sequence[MetricEvent], *, as_json: bool) -> None:
    from codeindex.metrics.summary import summarize_events, summary_rows

    found = summarize_events(events)
    if as_json:
        print_json(asdict(found) | {"saved_tokens": found.saved_tokens})
        return
    print_rows(list(summary_rows(found)))
    _remark(events)


def _compared(
    earlier: Sequence[MetricEvent], later: Sequence[MetricEvent], *, as_json: bool
) -> None:
    from codeindex.metrics.summary import summarize_events, summary_rows

    first, second = summarize_events(earlier), summarize_events(later)
    if as_json:
        print_json({"before": asdict(first), "after": asdict(second)})
        return
    old, new = ({name: row for name, *row in summary_rows(one)} for one in (first, second))
    rows = [
        (name, (old.get(name) or ["-"])[0], (new.get(name) or ["-"])[0])
        for name in dict.fromkeys((*old, *new))
    ]
    days = ("days", f"{first.days:.1f}", f"{second.days:.1f}")
    print_rows([("", "before", "after"), days, *rows])
    _remark([*earlier, *later])


def _listed(events: Sequence[MetricEvent], given: _Given) -> None:
    from codeindex.metrics.events import is_empty_search, searches_in

    found = [
        one
        for one in searches_in(list(events))
        if given.query.casefold() in one.text("query").casefold()
        and (not given.zero_results or is_empty_search(one))
    ]
    if given.as_json:
        print_json([one.values for one in found])
        return
    named = "suggested" if given.zero_results else "files"
    header = ("time", "type", "results", "ms", "query", named)
    print_rows([header, *_rows(found[::-1][:_MOST], named)])
    if len(found) > _MOST:
        print_note(f"{len(found) - _MOST:,} older ones: --json")
    _remark(found)


def _rows(found: Sequence[MetricEvent], named: str) -> Iterator[tuple[str, ...]]:
    for one in found:
        at = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.at))
        names = ", ".join(one.texts(named)[:_NAMED]) or "-"
        count, ms = f"{one.number('results'):.0f}", f"{one.number('latency_ms'):.0f}"
        yield at, one.text("query_type"), count, ms, one.text("query"), names


def _remark(events: Sequence[MetricEvent]) -> None:
    """Say why there may be nothing."""
    from codeindex.metrics.enabled import metrics_enabled

    if not metrics_enabled():
        print_note("nothing is noted: `metrics.enabled` is off")
    elif not events:
        print_note("nothing was noted in this time")
