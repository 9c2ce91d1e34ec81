"""Report on a repository as text or as a page: `codeindex report`."""

from __future__ import annotations

import os
from pathlib import Path

import click

import codeindex
from codeindex.cli.derived import incomplete
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_line, print_note
from codeindex.cli.scope import locate_target


@click.command()
@path_argument
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page for browsers to this file.",
)
@json_option
def report_command(path: str, *, html: Path | None, as_json: bool) -> None:
    """Report on the repository of PATH, or on the part of it that PATH is.

    Shows the map, hotspots, health, what changes together, patterns, coverage, and how it was
    searched. The page loads nothing and contains no folder of this machine and no query.
    """
    if html is not None:
        _refuse_unwritable(html)
    scope = locate_target(path)
    with codeindex.Index.open(scope.root) as index:
        report = index.overview.report(scope.part)
        refreshed = index.refreshed()
    for note in refreshed.remarks():
        print_note(note)
    if html is not None:
        _write_page(html, report.html())
    elif as_json:
        print_json({**incomplete(refreshed), **report.as_dict()})
    else:
        for line in report.text():
            print_line(line)


def _refuse_unwritable(file: Path) -> None:
    """Raise UsageError if a file cannot be written; call it before the slow report is made."""
    if not file.parent.is_dir():
        raise click.UsageError(f"'{file}' cannot be written: there is no folder '{file.parent}'.")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise click.UsageError(f"'{file}' cannot be written: that is not allowed.")


def _write_page(file: Path, page: str) -> None:
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise click.UsageError(f"'{file}' cannot be written: {reason}.") from error
    print_note(f"wrote {file}: {len(page) / 1000:,.0f} kB")
