"""`codeindex cache`."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from codeindex.cli.output import print_json, print_line, print_note, print_styled

if TYPE_CHECKING:
    from codeindex.maintenance.cache_stats import CacheStats


@click.group()
def cache() -> None:
    """Show how useful the caches are, or empty them."""


@cache.command("stats")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats_(*, as_json: bool) -> None:
    """Show entries, sizes and hit rates; looking counts as no use."""
    from codeindex.config import data_home, load_settings
    from codeindex.formatting import format_columns
    from codeindex.maintenance.cache_stats import cache_stats

    found = cache_stats(data_home(), load_settings(None).config)
    if as_json:
        rows = [{**asdict(one), "hit_rate": one.hit_rate} for one in found]
        print_json(rows)
        return
    aligned = sys.stdout.isatty()
    for one in found:
        if aligned:
            print_styled(f"{one.name}: {one.holds}", bold=True)
        for line in format_columns(_rows(one, named=not aligned), aligned=aligned):
            print_line(line)
        if one.broken:
            print_note(f"{one.broken} `codeindex repair` begins it anew.")


def _rows(one: CacheStats, *, named: bool) -> list[tuple[str, ...]]:
    from codeindex.cli.confirmation import megabytes

    held = one.contents
    size = megabytes(held.size_bytes)
    if one.limit_bytes:
        size += f" of {megabytes(one.limit_bytes)}, {held.size_bytes / one.limit_bytes:.0%}"
    since = time.strftime("%Y-%m-%d", time.localtime(held.since)) if held.since else ""
    rate = one.hit_rate
    used = "not asked yet" if rate is None else f"{rate:.1%}, since {since}"
    term = f"unused for {one.ttl_days} days, then {one.eviction}" if one.ttl_days else one.eviction
    rows = (
        ("entries", f"{held.entries:,}, {held.expired:,} expired"),
        ("size", size),
        ("hits", f"{held.hits:,}"),
        ("misses", f"{held.misses:,}"),
        ("hit rate", used),
        ("evicted", term),
    )
    return [(one.name, *row) if named else (f"  {row[0]}", row[1]) for row in rows]


@cache.command("clear")
@click.argument("name", default="")
@click.option("-y", "--yes", is_flag=True, help="Delete without asking.")
def clear(name: str, *, yes: bool) -> None:
    """Empty the cache NAME, or all; indexes keep their vectors, and nothing is lost but time."""
    from codeindex.cli.confirmation import agreed, megabytes
    from codeindex.config import data_home, load_settings
    from codeindex.maintenance.cache_stats import cache_stats, clear_caches

    config = load_settings(None).config
    for one in cache_stats(data_home(), config):
        if name in {"", one.name}:
            print_line(f"{one.name}\t{megabytes(one.contents.size_bytes)}\t{one.holds}")
    if agreed("Empty these caches?", yes=yes):
        print_note(f"{clear_caches(data_home(), config, name):,} entries deleted")
