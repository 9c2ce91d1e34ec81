"""Ask for confirmation before something is deleted."""

from __future__ import annotations

import sys

import click

from codeindex.cli.output import print_note
from codeindex.errors import ConfigError


def confirm_deletion(question: str, *, yes: bool) -> bool:
    """Ask a question unless `yes`; return whether to delete.

    Raises ConfigError if nobody can answer because standard input is not a terminal.
    """
    if yes:
        return True
    if not sys.stdin.isatty():
        raise ConfigError(
            "Nothing was deleted, because there is no terminal to confirm it: add `--yes`."
        )
    if click.confirm(question, err=True):
        return True
    print_note("nothing was deleted")
    return False
