"""`codeindex similar`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from codeindex.cli.search_options import Given, options


@click.command()
@click.argument("place", metavar="PATH:LINE")
@options(
    "max_count",
    "limit",
    "glob",
    "type",
    "type_not",
    "kind",
    "tests",
    "module",
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
def similar(ctx: click.Context, /, place: str, **flags: Any) -> None:
    """Find code that is like the code at PATH:LINE. The exit status is grep's."""
    from codeindex.api.index import Index
    from codeindex.cli.highlighting import begin
    from codeindex.cli.scope import place_of_any
    from codeindex.cli.search import asked_for, filters_of, prepare, shown
    from codeindex.errors import QueryError

    given = Given(**flags)
    path, _, line = place.rpartition(":")
    if not path or not (line.isascii() and line.isdigit()):
        from codeindex.redact_query import redact_text

        said = redact_text(place)
        raise click.UsageError(f"'{said}' is no place in a file: write PATH:LINE.")
    if not Path(path).expanduser().is_file():
        raise QueryError(f"There is no file '{path}' here: write PATH:LINE, from this folder.")
    at = place_of_any(path)
    begin(given.color)
    with Index.open(at.root) as index:
        prepare(index, given)
        answer = asked_for(index.similar, f"{at.part}:{line}", given, filters_of(given, ()))
        found = shown(answer, given, {index.repository.name: index.root})
    ctx.exit(0 if found else 1)
