"""`codeindex report`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from codeindex.cli.derived import incomplete
from codeindex.cli.output import print_json, print_line, print_note


@click.command()
@click.argument("path", default=".")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page for the browser to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def report(path: str, *, html: Path | None, as_json: bool) -> None:
    """Show the repository of PATH at a glance, or the part of it that PATH is.

    The map, hotspots, health, what changes together, patterns, coverage, and how it was searched.
    The page loads nothing, names no folder of this machine and no question that was asked.
    """
    from codeindex.api.index import Index
    from codeindex.cli.scope import place_of_any

    if html is not None:
        _refuse_unwritable(html)
    place = place_of_any(path)
    with Index.open(place.root) as index:
        found = index.overview.report(place.part)
        refreshed = index.refreshed()
    for sentence in refreshed.remarks():
        print_note(sentence)
    if html is not None:
        _write(html, found.html())
    elif as_json:
        print_json({**incomplete(refreshed), **found.as_dict()})
    else:
        for line in found.text():
            print_line(line)


def _refuse_unwritable(file: Path) -> None:
    """Say before the work, which takes seconds, that its page has no place."""
    if not file.parent.is_dir():
        raise click.UsageError(f"'{file}' cannot be written: there is no folder '{file.parent}'.")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise click.UsageError(f"'{file}' cannot be written: that is not allowed.")


def _write(file: Path, page: str) -> None:
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise click.UsageError(f"'{file}' cannot be written: {reason}.") from error
    print_note(f"wrote {file}: {len(page) / 1000:,.0f} kB")
