"""Report on a repository as text or as a page: `codeindex report`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

import codeindex
from codeindex.cli.derived import incomplete, show_report
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_line, print_note, write_page
from codeindex.cli.scope import locate_target, refuse_link_out

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.types.report import Report


def _estimate_tokens(index: Index, part: str) -> Report:
    if part and os.path.isfile(index.root / part):  # noqa: PTH113 (pathlib raises for odd names)
        return index.source.token_estimate(part)
    return index.source.token_estimate(directory=part or ".")


_PARTS: Mapping[str, Callable[[Index, str], Report]] = {
    "stats": lambda index, _: index.overview.stats(),
    "health": lambda index, part: index.overview.health(part),
    "hotspots": lambda index, part: index.overview.hotspots(part),
    "tokens": _estimate_tokens,
    "patterns": lambda index, part: index.overview.patterns(part),
    "modules": lambda index, _: index.overview.modules(),
    "members": lambda index, _: index.overview.members(),
}
"""The reports that `--only` names, given the index and the path of a part of it."""
_WHOLE = frozenset({"stats", "modules", "members"})
"""Reports that are of a whole repository only."""


@click.command()
@path_argument
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page for browsers to this file.",
)
@click.option("--only", type=click.Choice(tuple(_PARTS)), help="Report only this part, in full.")
@json_option
@click.option("--columns", is_flag=True, help="With --only: print one row for each item.")
def report_command(
    path: str, *, html: Path | None, only: str | None, as_json: bool, columns: bool
) -> None:
    """Report on the repository of PATH, or on the part of it that PATH is.

    Shows the map, hotspots, health, what changes together, patterns, coverage, and how it was
    searched. The page loads nothing and contains no folder of this machine and no query.
    """
    if only is not None and html is not None:
        raise click.UsageError("--html writes the whole report: leave --only out.")
    if only is not None:
        _report_part(path, only, as_json=as_json, columns=columns)
    elif columns:
        raise click.UsageError("--columns is for --only: the whole report has no rows.")
    else:
        _report_whole(path, html, as_json=as_json)


def _report_whole(path: str, html: Path | None, *, as_json: bool) -> None:
    scope = locate_target(path)
    if html is not None:
        refuse_link_out(html, scope.root)
        _refuse_unwritable(html)
    with codeindex.Index.open(scope.root) as index:
        report = index.overview.report(scope.part)
        refreshed = index.refreshed()
    for note in refreshed.remarks():
        print_note(note)
    if html is not None:
        write_page(html, report.html())
    elif as_json:
        print_json({**incomplete(refreshed), **report.as_dict()})
    else:
        for line in report.text():
            print_line(line)


def _report_part(path: str, only: str, *, as_json: bool, columns: bool) -> None:
    scope = locate_target(path)
    if scope.part and only in _WHOLE:
        raise click.UsageError(f"--only {only} is for a whole repository: name no part of it.")
    with codeindex.Index.open(scope.root) as index:
        report = _PARTS[only](index, scope.part)
        refreshed = index.refreshed()
    show_report(report, refreshed, as_json=as_json, columns=columns)


def _refuse_unwritable(file: Path) -> None:
    """Raise UsageError if a file cannot be written, before time is spent on the report."""
    if not file.parent.is_dir():
        raise click.UsageError(f"'{file}' cannot be written: there is no folder '{file.parent}'.")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise click.UsageError(f"'{file}' cannot be written: that is not allowed.")
