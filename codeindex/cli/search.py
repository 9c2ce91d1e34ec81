"""Search by meaning or name, or for exact lines: `codeindex search`."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

import codeindex
from codeindex.api.requests.core import FilesRequest
from codeindex.cli.answer_search import answer_question, refuse_list_options
from codeindex.cli.exact_search import grep_index, print_grep_results, refuse_ranked_options
from codeindex.cli.files import print_paths
from codeindex.cli.first_index import LikelySearch, answer_when_ready
from codeindex.cli.grep_flags import GrepCommand
from codeindex.cli.highlighting import start_highlighter
from codeindex.cli.scope import locate_targets
from codeindex.cli.search_options import SearchOptions, given_parameters, search_options
from codeindex.cli.search_output import print_answer
from codeindex.cli.search_repositories import search_repositories
from codeindex.cli.search_request import build_filters, narrow_to_member, run_search, search_many
from codeindex.config import limit_numpy_threads
from codeindex.errors import ScopeError
from codeindex.query.classify import follows_edges
from codeindex.query.validation import check_not_blank
from codeindex.store.datadir.roots import refuse_too_wide_root
from codeindex.types import Filters

_MAX_INPUT_BYTES = 65_536
"""Most bytes of standard input that are read, far more than a search uses of a query."""


@click.command(cls=GrepCommand)
@click.argument("query", required=False)
@click.argument("paths", nargs=-1)
@search_options()
@click.pass_context
def search_command(
    context: click.Context, /, query: str | None, paths: tuple[str, ...], **flags: Any
) -> None:
    """Find code by meaning or by name, in PATHS or the current folder.

    With `-`, or without QUERY in a pipe, the query is read from standard input. A repository that
    is not indexed is indexed first. Case is ignored. The exit status is that of grep: 0 found,
    1 nothing found, 2 error.

    With --all, -F or -e nothing is ranked: every line with QUERY, or that matches the pattern, is
    printed. -m limits the lines of each file; lines that were left out and files that could not be
    searched are counted. So it is with --ast, whose pattern is code of the language of -t:
    --ast 'open($A)' -t py. The same name stands for the same text.
    """
    limit_numpy_threads()
    options = SearchOptions(**flags)
    if options.answer:
        refuse_list_options(options)
    if options.is_exact:
        refuse_ranked_options(options)
    has_pattern = bool(options.regex or options.ast is not None)
    if has_pattern or options.files:  # then the first argument is a path too
        text = ""
        if query and (has_pattern or not options.is_exact):
            paths = (query, *paths)
    else:
        use_also = query is None and options.also and not options.is_exact
        text = _read_query(options.also[0] if use_also else query)
    if not (options.is_exact or options.files):
        check_not_blank(text)  # before anything is indexed for it
        start_highlighter(options.color)
    if options.answer:
        context.exit(0 if answer_question(text, paths, options) else 1)
    search = search_repositories if options.repo or options.all_repos else _search_root
    context.exit(0 if search(text, paths, options) else 1)


def _search_root(query: str, paths: tuple[str, ...], options: SearchOptions) -> bool:
    """Search the one repository that contains the paths; return whether anything was found."""
    root, parts = _locate_paths(paths, options)
    refuse_too_wide_root(root)
    with codeindex.Index.open(root) as index:
        if not index.repository.catalog.exists():
            index.warm_up()  # beside the imports of this process
        filters = build_filters(options, parts)
        print_found = partial(_print_found, query=query, options=options, filters=filters)
        related = _needs_whole_sync(query, options)
        likely = None if related else _likely_search(query, options, filters, index)
        return answer_when_ready(index, options, print_found, related=related, likely=likely)


def _likely_search(
    query: str, options: SearchOptions, filters: Filters, index: codeindex.Index
) -> LikelySearch | None:
    """Return a search that the likeliest files may answer; None if all files are needed.

    All files are needed for lists and counts, for output that programs read, and for filters by
    what files contain.
    """
    is_list = options.is_exact or options.files or options.files_with_matches or options.count
    is_for_programs = options.json or options.jsonl or options.null or options.columns
    is_special = options.also or options.cursor or options.budget or options.rerank
    narrows = options.smart_case or options.word_regexp or options.member or options.module
    if is_list or is_for_programs or options.vimgrep or is_special or narrows:
        return None
    roots = {index.repository.name: index.root}
    return LikelySearch(
        query,
        replace(filters, tests=options.tests or "include"),
        ask=lambda stored: run_search(stored.search, query, options, filters),
        show=lambda answer: print_answer(answer, replace(options, no_pager=True), roots),
    )


def _needs_whole_sync(query: str, options: SearchOptions) -> bool:
    """Tell whether the index must be synced completely before this search is answered.

    It must if the answer follows edges between files. It must also with `--open`, since an editor
    should not open in the middle of a sync.
    """
    if options.open or options.is_exact or options.files:
        return options.open
    return any(map(follows_edges, (query, *options.also)))


def _print_found(
    index: codeindex.Index, *, query: str, options: SearchOptions, filters: Filters
) -> bool:
    """Search one index and print the results; return whether there are any."""
    filters = narrow_to_member(index, options, filters)
    if options.files:
        files = index.files(filters=filters, **given_parameters(options, FilesRequest))
        print_paths(files, root=index.root, null=options.null, as_json=options.json)
        return bool(files)
    roots = {index.repository.name: index.root}
    if options.is_exact:
        return print_grep_results([grep_index(index, query, options, filters)], options, roots)
    search = search_many(index, options.also) if options.also else index.search
    return print_answer(run_search(search, query, options, filters), options, roots)


def _read_query(argument: str | None) -> str:
    """Return the query from the command line, or else from standard input."""
    if argument is not None and argument != "-":
        # Bytes that are invalid in the locale's encoding arrive as surrogates.
        return argument.encode(errors="surrogateescape").decode(errors="replace")
    if argument is None and sys.stdin.isatty():
        raise click.UsageError("Say what to look for: codeindex search QUERY.")
    return sys.stdin.buffer.read(_MAX_INPUT_BYTES).decode("utf-8", errors="replace").strip()


def _locate_paths(paths: tuple[str, ...], options: SearchOptions) -> tuple[Path, tuple[str, ...]]:
    """Return (root of the paths, their parts below it); raise ScopeError if there is none.

    The error explains which words are taken as paths.
    """
    try:
        return locate_targets(paths)
    except ScopeError as error:
        hint = "A query of several words needs quotes."
        if options.regex:
            hint = "With -e all arguments are paths: give each text an -e of its own."
        elif options.ast is not None:
            hint = "With --ast all arguments are paths."
        elif options.files:
            hint = "With --files all arguments are paths."
        raise ScopeError(f"{error} {hint}") from None
