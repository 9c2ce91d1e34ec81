"""Ask for confirmation before something is deleted or changed."""

from __future__ import annotations

import sys

import click

from codeindex.cli.output import print_note
from codeindex.errors import ConfigError


def confirm(question: str, *, yes: bool, done: str = "deleted") -> bool:
    """Ask a question unless `yes`; return whether to go on, so that something is `done`.

    Raises ConfigError if nobody can answer because standard input is not a terminal.
    """
    if yes:
        return True
    if not sys.stdin.isatty():
        raise ConfigError(
            f"Nothing was {done}, because there is no terminal to confirm it: add `--yes`."
        )
    if click.confirm(question, err=True):
        return True
    print_note(f"nothing was {done}")
    return False
