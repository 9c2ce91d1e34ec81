"""Format the repository report as text of 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.text.sanitize import escape_line
from codeindex.text.truncate import fit_width
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.analysis.overview.parts import OverviewParts

_WIDTH = 80
_LANGUAGES, _HOT, _CLUSTERS, _MEMBERS, _PATTERNS, _REASONS, _DAYS = 5, 8, 4, 4, 5, 5, 7
_FULL, _EMPTY = "█", "·"
_BAR = 20


def render_text(overview: OverviewParts) -> Iterator[str]:
    """Yield the report as lines of at most 80 columns."""
    sections = (_head, _languages, _hot, _health, _clusters, _patterns, _cover, _use)
    for number, section in enumerate(sections):
        lines = [fit_width(escape_line(line), _WIDTH) for line in section(overview)]
        if lines and number:
            yield ""
        yield from lines


def _head(overview: OverviewParts) -> Iterator[str]:
    state, files = overview.state, overview.landscape.files
    place = f" · {state.path}" if state.path else ""
    yield f"{state.repo}{place}"
    branch = f"{state.branch or 'no branch'} {state.head[:12]}".strip()
    yield f"{branch} · version {state.version} · {state.written_at}"
    tests = sum(file.is_test for file in files)
    lines = sum(file.lines for file in files) + sum(rest.lines for rest in overview.landscape.rest)
    count = len(files) + sum(rest.files for rest in overview.landscape.rest)
    # The symbols are those of the whole repository.
    symbols = "" if state.path else f" {plural(state.symbols, 'symbol')},"
    yield (
        f"{plural(count, 'file')} ({tests:,} of tests), {plural(lines, 'line')},{symbols}"
        f" {plural(len(overview.landscape.links), 'link')}"
    )


def _languages(overview: OverviewParts) -> Iterator[str]:
    lines: Counter[str] = Counter()
    for file in overview.landscape.files:
        lines[file.language] += file.lines
    whole = lines.total() or 1
    yield "LANGUAGES"
    for name, count in lines.most_common(_LANGUAGES):
        yield f"  {name:<16}{_bar(count / whole)} {count / whole:>4.0%}  {plural(count, 'line')}"


def _hot(overview: OverviewParts) -> Iterator[str]:
    yield "HOTSPOTS  complexity times commits"
    if not overview.state.commits:
        yield "  no commits are known: ranked by complexity alone"
    yield f"  {'complexity':>10}  {'commits':>7}  file"
    for hot in overview.hot_files[:_HOT]:
        yield f"  {hot.complexity:>10,}  {hot.commits:>7,}  {_short(hot.path, _WIDTH - 23)}"


def _health(overview: OverviewParts) -> Iterator[str]:
    health = overview.health
    yield "HEALTH"
    yield (
        f"  {plural(health.analyzed, 'function')}: complexity {health.complexity.avg:g} on average,"
        f" {health.complexity.max} at most"
    )
    yield (
        f"  {health.high_complexity_count:,} ({health.high_complexity_pct:g} %) are very complex,"
        f" {health.documented_pct:g} % are documented, {plural(health.test_count, 'test')}"
    )
    most = max((count for _, count in overview.spread), default=0) or 1
    for label, count in overview.spread:
        yield f"  {label:<16}{_bar(count / most)} {count:,}"


def _clusters(overview: OverviewParts) -> Iterator[str]:
    if overview.clusters:
        yield "CHANGE TOGETHER"
    for cluster in overview.clusters[:_CLUSTERS]:
        alone = "" if cluster.linked else ", though neither is known to use the other"
        yield f"  {plural(cluster.commits, 'commit')}, {cluster.strength:.0%} in common{alone}"
        for path in cluster.files[:_MEMBERS]:
            yield f"    {_short(path, _WIDTH - 4)}"
        if len(cluster.files) > _MEMBERS:
            yield f"    and {len(cluster.files) - _MEMBERS} more"


def _patterns(overview: OverviewParts) -> Iterator[str]:
    if overview.patterns.patterns:
        yield "PATTERNS  files of the same structure"
    for group in overview.patterns.patterns[:_PATTERNS]:
        yield f"  {len(group.members):>4} files  {group.name}  {_short(group.place, 40)}"
    if overview.patterns.total > _PATTERNS:
        yield f"  and {overview.patterns.total - _PATTERNS} more: codeindex patterns"


def _cover(overview: OverviewParts) -> Iterator[str]:
    coverage, state = overview.cover, overview.state
    yield "COVERAGE"
    yield (
        f"  {plural(coverage.indexed, 'file')} indexed, {coverage.skipped:,} skipped,"
        f" {coverage.failed:,} failed"
    )
    for reason in coverage.reasons[:_REASONS]:
        yield f"  {reason.files:>6,}  {reason.reason}"
    if coverage.unparsed:
        yield f"  {len(coverage.unparsed):,} could not be parsed completely: codeindex status"
    model = state.model.partition("@")[0] or "no model"
    yield f"  words {state.words:.0%}, vectors {state.vectors:.0%} ({model})"


def _use(overview: OverviewParts) -> Iterator[str]:
    days = overview.use.days
    yield "USE"
    if not days:
        yield "  no search is recorded yet"
        return
    searches = sum(day.searches for day in days)
    answer, whole = sum(d.answer_tokens for d in days), sum(d.whole_tokens for d in days)
    yield (
        f"  {searches:,} searches in {plural(len(days), 'day')}, half of them within"
        f" {overview.use.p50:,.0f} ms"
    )
    yield f"  {answer:,} tokens of answers for {whole:,} of the files they cite"
    yield from _by_day([(day.date, day.searches) for day in days[-_DAYS:]])


def _by_day(days: Sequence[tuple[str, int]]) -> Iterator[str]:
    most = max(count for _, count in days) or 1
    for date, count in days:
        yield f"  {date:<16}{_bar(count / most)} {count:,}"


def _bar(share: float) -> str:
    full = round(share * _BAR)
    return _FULL * full + _EMPTY * (_BAR - full)


def _short(path: str, width: int) -> str:
    """Shorten a path at its front, because its end is more informative."""
    return path if len(path) <= width else f"…{path[1 - width :]}"
