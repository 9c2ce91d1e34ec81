"""Asking a person before anything is deleted."""

from __future__ import annotations

import sys

import click

from codeindex.cli.output import print_note
from codeindex.errors import ConfigError


def agreed(question: str, *, yes: bool) -> bool:
    """Tell whether it may be done; ConfigError where nobody can be asked."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise ConfigError("Nothing was deleted, as nobody can be asked here: add `--yes`.")
    if click.confirm(question, err=True):
        return True
    print_note("nothing was deleted")
    return False


def megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.1f} MB"
