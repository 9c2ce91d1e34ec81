"""Compare an index with the files and with itself: `codeindex verify`."""

from __future__ import annotations

from dataclasses import asdict

import click

import codeindex
from codeindex.cli.check_output import exit_by_problems, print_checks
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_note
from codeindex.types.report import plural


@click.command()
@path_argument
@click.option("--deep", is_flag=True, help="Check all data and read every file again; slow.")
@json_option
@click.pass_context
def verify_command(context: click.Context, path: str, *, deep: bool, as_json: bool) -> None:
    """Compare all stored data of the index of PATH with the files and with each other.

    Changes nothing. The exit status is 1 if something is damaged; files that changed since they
    were read are stale, not damaged.
    """
    with codeindex.Index.open(path) as index:
        report = index.admin.verify(deep=deep)
    if as_json:
        print_json(asdict(report))
    else:
        print_checks(report.verdicts)
        count = len(report.problems)
        result = plural(count, "problem") if count else "sound"
        print_note(f"{report.repo}: {result}, {report.seconds:.1f} s")
    exit_by_problems(context, len(report.problems))
