"""Find code similar to the code at a place: `codeindex similar`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import codeindex
from codeindex.cli.first_index import prepare_index
from codeindex.cli.highlighting import start_highlighter
from codeindex.cli.scope import locate_target
from codeindex.cli.search_options import SearchOptions, search_options
from codeindex.cli.search_output import print_answer
from codeindex.cli.search_request import build_filters, narrow_to_member, run_search
from codeindex.errors import QueryError
from codeindex.redact_query import redact_text


@click.command()
@click.argument("place", metavar="PATH:LINE")
@search_options(
    "max_count",
    "limit",
    "glob",
    "type",
    "type_not",
    "kind",
    "tests",
    "module",
    "member",
    "cursor",
    "budget",
    "content",
    "files_with_matches",
    "count",
    "null",
    "json",
    "jsonl",
    "columns",
    "explain",
    "heading",
    "color",
    "hyperlink",
    "no_pager",
    "open",
)
@click.pass_context
def similar_command(context: click.Context, /, place: str, **flags: Any) -> None:
    """Find code similar to the code at PATH:LINE. The exit status is that of grep."""
    options = SearchOptions(**flags)
    path, _, line = place.rpartition(":")
    if not path or not (line.isascii() and line.isdigit()):
        raise click.UsageError(f"'{redact_text(place)}' is not a place in a file: write PATH:LINE.")
    if not Path(path).expanduser().is_file():
        raise QueryError(f"There is no file '{path}' here: write PATH:LINE, from this folder.")
    scope = locate_target(path)
    start_highlighter(options.color)
    with codeindex.Index.open(scope.root) as index:
        prepare_index(index, options)
        filters = narrow_to_member(index, options, build_filters(options, ()))
        answer = run_search(index.similar, f"{scope.part}:{line}", options, filters)
        found = print_answer(answer, options, {index.repository.name: index.root})
    context.exit(0 if found else 1)
