"""Print the results of checks for the commands `doctor`, `verify` and `repair`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from codeindex.cli.output import print_styled
from codeindex.formatting import format_columns
from codeindex.types.verdicts import Verdict

_COLOURS = {"ok": "green", "note": "yellow", "problem": "red"}


def print_checks(checks: Sequence[Verdict]) -> None:
    """Print a row for each check: coloured on a terminal, separated by tabs elsewhere."""
    is_terminal = sys.stdout.isatty()
    rows = [(check.state, check.subject, _describe(check)) for check in checks]
    for check, line in zip(checks, format_columns(rows, aligned=is_terminal), strict=True):
        print_styled(line, fg=_COLOURS[check.state] if is_terminal else None)


def _describe(check: Verdict) -> str:
    return f"{check.text}: {check.remedy}" if check.remedy else check.text


def exit_by_problems(context: click.Context, count: int) -> None:
    """Exit with status 1 if the number of problems, `count`, is not 0, else with status 0."""
    context.exit(1 if count else 0)
