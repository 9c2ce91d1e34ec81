"""Check the machine and an index: `codeindex doctor`."""

from __future__ import annotations

from dataclasses import asdict

import click

from codeindex.cli.check_output import exit_by_problems, print_checks
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json


@click.command()
@path_argument
@json_option
@click.pass_context
def doctor_command(context: click.Context, path: str, *, as_json: bool) -> None:
    """Find problems of this machine and of the index of PATH, and say what to do about them.

    Changes nothing and does not use the network. The exit status is 1 if there is a problem.
    `verify` compares all stored data; this command does not.
    """
    from codeindex.doctor.run import run_doctor  # imports the whole library

    checks = run_doctor(path)
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        print_checks(checks)
    exit_by_problems(context, sum(check.state == "problem" for check in checks))
