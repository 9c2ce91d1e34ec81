"""Rebuild the damaged parts of an index: `codeindex repair`."""

from __future__ import annotations

from dataclasses import asdict

import click

import codeindex
from codeindex.cli.check_output import exit_by_problems, print_checks
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_line, print_note
from codeindex.cli.progress import ProgressBar
from codeindex.cli.sync_output import summarize_sync


@click.command()
@path_argument
@click.option("--deep", is_flag=True, help="First check everything, as `verify --deep` does.")
@json_option
@click.pass_context
def repair_command(context: click.Context, path: str, *, deep: bool, as_json: bool) -> None:
    """Rebuild the damaged parts of the index of PATH from the files and from its intact parts.

    Intact vectors are kept. The exit status is 1 if something is still damaged.
    """
    with codeindex.Index.open(path) as index, ProgressBar() as bar:
        repair = index.admin.repair(deep=deep, progress=bar)
    if as_json:
        print_json(asdict(repair))
    elif repair.report is None:
        print_line("nothing to repair")
    else:
        print_checks(repair.found)
        print_line(summarize_sync(repair.report))
        for note in repair.report.notes:
            print_note(f"note: {note}")
        print_checks(repair.left)
        print_note("still broken" if repair.left else "repaired")
    exit_by_problems(context, len(repair.left))
