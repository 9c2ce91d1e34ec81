"""`codeindex search --all`, `-e` and `-F`: every line that says something, as grep finds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.exact_output import write
from codeindex.cli.output import print_note
from codeindex.cli.search_options import Given

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.search.exact.lines import GrepResult
    from codeindex.types import Filters

_NEVER = ("also", "kind", "min_score", "content", "explain")
"""Flags that only mean something where results are ranked."""


def refuse_unfit(given: Given) -> None:
    """Refuse flags that lines have no use for; a count that is 0 would be no limit."""
    for name in _NEVER:
        if getattr(given, name):
            raise click.UsageError(
                f"--{name.replace('_', '-')} cannot be combined with -e, -F or --all."
            )
    for flag, count in (("-m", given.max_count), ("--limit", given.limit)):
        if count is not None and count < 1:
            raise click.UsageError(f"{flag} is {count}: use a whole number from 1.")


def split(query: str | None, places: tuple[str, ...], given: Given) -> tuple[str, ...]:
    """Return the places: with -e no argument is the query."""
    return ((query,) if query and given.regex else ()) + places


def lines_of(index: Index, query: str, given: Given, filters: Filters) -> GrepResult:
    """Ask one repository."""
    is_listed = given.files_with_matches or given.count
    asked: dict[str, Any] = {} if given.tests is None else {"tests": given.tests}
    return index.exact.grep(
        given.regex or query,
        mode="exact" if given.fixed_strings or not given.regex else "regex",
        case=_case(given),
        whole_words=given.word_regexp,
        filters=filters,
        before=0 if is_listed else max(given.before_context, given.context),
        after=0 if is_listed else max(given.after_context, given.context),
        limit=1 if is_listed else given.limit or 0,
        per_file=given.max_count or 0,
        cursor=given.cursor or "",
        spans=_wants_spans(given),
        likely_first=given.budget is not None,
        **asked,
    )


def shown(found: Sequence[GrepResult], given: Given, roots: Mapping[str, Path]) -> bool:
    """Print what was found in each repository and what it does not rest on; say if anything was."""
    write(found, given, roots=roots)
    for one in found:
        name = f"{one.repo}: " if len(found) > 1 else ""
        for sentence in (*_cut(one, given), *one.remarks(), *one.refreshed.remarks()):
            print_note(name + sentence)
    return any(one.counts for one in found)


def _cut(found: GrepResult, given: Given) -> Iterator[str]:
    """Yield what of one repository is not printed."""
    if not (given.files_with_matches or given.count):
        yield from found.rest()
        return
    if given.limit is not None and given.limit < len(found.counts):
        yield f"{given.limit:,} of {len(found.counts):,} files are shown: --limit"
    if given.count and (held := found.held_back):
        yield (
            f"-m {found.per_file}: {sum(held.values()):,} more lines in {len(held):,} files"
            " are not counted"
        )


def _case(given: Given) -> Any:
    if given.smart_case:
        return "smart"
    is_plain = not (given.regex or given.fixed_strings)
    return "ignore" if given.ignore_case or is_plain else "exact"


def _wants_spans(given: Given) -> bool:
    """Without need nobody looks for the places in a line: that takes as long as finding it."""
    from codeindex.cli.exact_output import is_coloured

    wanted = given.only_matching or given.json or given.jsonl or given.budget
    return bool(wanted) or is_coloured(given)
