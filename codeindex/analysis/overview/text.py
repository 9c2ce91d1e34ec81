"""The report for a terminal: what matters most, in 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.text.sanitize import escape_line

if TYPE_CHECKING:
    from codeindex.analysis.overview import RepositoryOverview

_WIDTH = 80
_LANGUAGES, _HOT, _CLUSTERS, _MEMBERS, _PATTERNS, _REASONS, _DAYS = 5, 8, 4, 4, 5, 5, 7
_FULL, _EMPTY = "█", "·"
_BAR = 20


def render_text(one: RepositoryOverview) -> Iterator[str]:
    """Yield lines of at most 80 columns."""
    sections = (_head, _languages, _hot, _health, _clusters, _patterns, _cover, _use)
    for number, section in enumerate(sections):
        lines = [_fitted(escape_line(line)) for line in section(one)]
        if lines and number:
            yield ""
        yield from lines


def _head(one: RepositoryOverview) -> Iterator[str]:
    state, files = one.state, one.landscape.files
    place = f" · {state.path}" if state.path else ""
    yield f"{state.repo}{place}"
    branch = f"{state.branch or 'no branch'} {state.head[:12]}".strip()
    yield f"{branch} · version {state.version} · {state.written_at}"
    tests = sum(file.is_test for file in files)
    lines = sum(file.lines for file in files) + sum(rest.lines for rest in one.landscape.rest)
    count = len(files) + sum(rest.files for rest in one.landscape.rest)
    yield (
        f"{count:,} files ({tests:,} of tests), {lines:,} lines, {state.symbols:,} symbols,"
        f" {len(one.landscape.links):,} links"
    )


def _languages(one: RepositoryOverview) -> Iterator[str]:
    lines: Counter[str] = Counter()
    for file in one.landscape.files:
        lines[file.language] += file.lines
    whole = lines.total() or 1
    yield "LANGUAGES"
    for name, count in lines.most_common(_LANGUAGES):
        yield f"  {name:<16}{_bar(count / whole)} {count / whole:>4.0%}  {count:,} lines"


def _hot(one: RepositoryOverview) -> Iterator[str]:
    yield "HOTSPOTS  complexity times commits"
    if not one.state.commits:
        yield "  no commits are known: by complexity alone"
    yield f"  {'complexity':>10}  {'commits':>7}  file"
    for hot in one.hot_files[:_HOT]:
        yield f"  {hot.complexity:>10,}  {hot.commits:>7,}  {_short(hot.path, _WIDTH - 23)}"


def _health(one: RepositoryOverview) -> Iterator[str]:
    found = one.health
    yield "HEALTH"
    yield (
        f"  {found.analyzed:,} functions: {found.complexity.avg:g} ways through each on average,"
        f" {found.complexity.max} at most"
    )
    yield (
        f"  {found.high_complexity_count:,} ({found.high_complexity_pct:g} %) are hard to follow,"
        f" {found.documented_pct:g} % are documented, {found.test_count:,} tests"
    )
    most = max((count for _, count in one.spread), default=0) or 1
    for label, count in one.spread:
        yield f"  {label:<16}{_bar(count / most)} {count:,}"


def _clusters(one: RepositoryOverview) -> Iterator[str]:
    if one.clusters:
        yield "CHANGE TOGETHER"
    for cluster in one.clusters[:_CLUSTERS]:
        alone = "" if cluster.linked else ", though neither is known to use the other"
        yield f"  {cluster.commits} commits, {cluster.strength:.0%} in common{alone}"
        for path in cluster.files[:_MEMBERS]:
            yield f"    {_short(path, _WIDTH - 4)}"
        if len(cluster.files) > _MEMBERS:
            yield f"    and {len(cluster.files) - _MEMBERS} more"


def _patterns(one: RepositoryOverview) -> Iterator[str]:
    if one.patterns.patterns:
        yield "PATTERNS  files that are built alike"
    for group in one.patterns.patterns[:_PATTERNS]:
        yield f"  {len(group.members):>4} files  {group.name}  {_short(group.place, 40)}"
    if one.patterns.total > _PATTERNS:
        yield f"  and {one.patterns.total - _PATTERNS} more: codeindex patterns"


def _cover(one: RepositoryOverview) -> Iterator[str]:
    found, state = one.cover, one.state
    yield "COVERAGE"
    yield f"  {found.indexed:,} files indexed, {found.skipped:,} skipped, {found.failed:,} failed"
    for reason in found.reasons[:_REASONS]:
        yield f"  {reason.files:>6,}  {reason.reason}"
    if found.unparsed:
        yield f"  {len(found.unparsed):,} could not be parsed, or not wholly: codeindex status"
    model = state.model.partition("@")[0] or "no model"
    yield f"  words {state.words:.0%}, vectors {state.vectors:.0%} ({model})"


def _use(one: RepositoryOverview) -> Iterator[str]:
    days = one.use.days
    yield "USE"
    if not days:
        yield "  no search is noted yet"
        return
    searches = sum(day.searches for day in days)
    answer, whole = sum(d.answer_tokens for d in days), sum(d.whole_tokens for d in days)
    yield (
        f"  {searches:,} searches in {len(days):,} days, half of them within {one.use.p50:,.0f} ms"
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
    """Cut a path in front: its end says more."""
    return path if len(path) <= width else f"…{path[1 - width :]}"


def _fitted(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
