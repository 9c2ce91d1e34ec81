"""Show the statistics of the caches and empty them: `codeindex cache`."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from codeindex.cli.command_group import CommandGroup
from codeindex.cli.confirmation import confirm
from codeindex.cli.options import json_option, yes_option
from codeindex.cli.output import (
    format_megabytes,
    print_json,
    print_line,
    print_note,
    print_rows,
    print_styled,
)
from codeindex.config import data_home, load_settings
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.maintenance.cache_stats import CacheStats


@click.group(cls=CommandGroup)
def cache_group() -> None:
    """Show how useful the caches are, or empty them."""


@cache_group.command("stats")
@json_option
def cache_stats_command(*, as_json: bool) -> None:
    """Show entries, sizes and hit rates; this does not count as a use."""
    from codeindex.maintenance.cache_stats import cache_stats  # imports sqlite3

    caches = cache_stats(data_home(), load_settings(None).config)
    if as_json:
        print_json([{**asdict(cache), "hit_rate": cache.hit_rate} for cache in caches])
        return
    is_terminal = sys.stdout.isatty()
    for cache in caches:
        if is_terminal:
            print_styled(f"{cache.name}: {cache.holds}", bold=True)
        print_rows(_stats_rows(cache, with_name=not is_terminal))
        if cache.broken:
            print_note(f"{cache.broken} `codeindex repair` replaces it by an empty one.")


def _stats_rows(cache: CacheStats, *, with_name: bool) -> list[tuple[str, ...]]:
    contents = cache.contents
    size = format_megabytes(contents.size_bytes)
    if cache.limit_bytes:
        size += (
            f" of {format_megabytes(cache.limit_bytes)},"
            f" {contents.size_bytes / cache.limit_bytes:.0%}"
        )
    since = time.strftime("%Y-%m-%d", time.localtime(contents.since)) if contents.since else ""
    rate = "not used yet" if cache.hit_rate is None else f"{cache.hit_rate:.1%}, since {since}"
    eviction = cache.eviction
    if cache.ttl_days:
        eviction = f"unused for {plural(cache.ttl_days, 'day')}, then {eviction}"
    rows = (
        ("entries", f"{contents.entries:,}, {contents.expired:,} expired"),
        ("size", size),
        ("hits", f"{contents.hits:,}"),
        ("misses", f"{contents.misses:,}"),
        ("hit rate", rate),
        ("evicted", eviction),
    )
    return [(cache.name, *row) if with_name else (f"  {row[0]}", row[1]) for row in rows]


@cache_group.command("clear")
@click.argument("name", default="")
@yes_option
def clear_caches_command(name: str, *, yes: bool) -> None:
    """Empty the cache NAME, or all caches; indexes keep their vectors."""
    from codeindex.maintenance.cache_stats import cache_stats, clear_caches  # imports sqlite3

    config = load_settings(None).config
    for cache in cache_stats(data_home(), config):
        if name in {"", cache.name}:
            size = format_megabytes(cache.contents.size_bytes)
            print_line(f"{cache.name}\t{size}\t{cache.holds}")
    if confirm("Empty these caches?", yes=yes):
        print_note(f"{plural(clear_caches(data_home(), config, name), 'entry', 'entries')} deleted")
