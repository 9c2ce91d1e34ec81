"""Find every line with a text or pattern: `codeindex search --all`, `-e`, `-F`, `--ast`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.exact_output import print_lines
from codeindex.cli.highlighting import is_coloured
from codeindex.cli.output import print_note
from codeindex.cli.search_options import SearchOptions, refuse_options
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.search.exact.lines import GrepResult
    from codeindex.types import Filters

_LINES_ONLY = ("all", "regex", "fixed_strings", "ignore_case", "smart_case", "word_regexp")
"""Options that cannot be combined with --ast."""
_RANKED_ONLY = ("also", "kind", "min_score", "content", "explain")
"""Options that only apply to ranked results."""


def refuse_ranked_options(options: SearchOptions) -> None:
    """Raise UsageError for options that exact searches do not accept, and for limits below 1."""
    refuse_options(options, _RANKED_ONLY, "-e, -F, --all or --ast")
    if options.ast is not None:
        refuse_options(options, _LINES_ONLY, "--ast")
    for flag, count in (("-m", options.max_count), ("--limit", options.limit)):
        if count is not None and count < 1:
            raise click.UsageError(f"{flag} is {count}: use a whole number from 1.")


def grep_index(index: Index, query: str, options: SearchOptions, filters: Filters) -> GrepResult:
    """Return the lines in one repository that match `query`, or the patterns in `options`."""
    paths_only = options.files_with_matches or options.count
    return index.exact.grep(
        options.regex or query if options.ast is None else options.ast,
        mode=_mode(options),
        case=_case_mode(options),
        whole_words=options.word_regexp,
        filters=filters,
        before=0 if paths_only else max(options.before_context, options.context),
        after=0 if paths_only else max(options.after_context, options.context),
        limit=1 if paths_only else options.limit or 0,
        per_file=options.max_count or 0,
        cursor=options.cursor or "",
        spans=_needs_spans(options),
        likely_first=options.budget is not None,
        tests=options.tests or "include",
        parted=not paths_only,
    )


def print_grep_results(
    results: Sequence[GrepResult], options: SearchOptions, roots: Mapping[str, Path]
) -> bool:
    """Print the lines of each repository, then notes; return whether there are any lines."""
    print_lines(results, options, roots=roots)
    for result in results:
        name = f"{result.repo}: " if len(results) > 1 else ""
        notes = (*_omission_notes(result, options), *result.remarks(), *result.refreshed.remarks())
        for note in notes:
            print_note(name + note)
    return any(result.counts for result in results)


def _omission_notes(result: GrepResult, options: SearchOptions) -> Iterator[str]:
    """Yield sentences about what was found but not printed, such as lines beyond a limit."""
    if not (options.files_with_matches or options.count):
        yield from result.rest()
        return
    if options.limit is not None and options.limit < len(result.counts):
        yield f"{options.limit:,} of {len(result.counts):,} files are shown: --limit"
    if options.count and (uncounted := result.held_back):
        yield (
            f"-m {result.per_file}: not counted are"
            f" {plural(sum(uncounted.values()), 'more line')} in {plural(len(uncounted), 'file')}"
        )


def _mode(options: SearchOptions) -> Any:
    if options.ast is not None:
        return "ast"
    return "exact" if options.fixed_strings or not options.regex else "regex"


def _case_mode(options: SearchOptions) -> Any:
    if options.smart_case:
        return "smart"
    is_plain = not (options.regex or options.fixed_strings or options.ast is not None)
    return "ignore" if options.ignore_case or is_plain else "exact"


def _needs_spans(options: SearchOptions) -> bool:
    """Tell whether the output needs the columns of matches, which double the time of a search."""
    needed = options.only_matching or options.vimgrep or options.json or options.jsonl
    return bool(needed or options.budget) or is_coloured(options.color)
