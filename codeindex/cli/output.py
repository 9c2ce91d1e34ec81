"""Print to standard output and standard error, with control characters escaped.

Every command prints through these functions, so that no printed text can command a terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from codeindex.formatting import format_columns
from codeindex.text.sanitize import escape_line, escape_text, escaped_json


def print_line(line: str) -> None:
    click.echo(escape_line(line))


def print_styled(line: str, **style: Any) -> None:
    """Print a line styled by `click.style`; click drops the style outside of a terminal."""
    click.echo(click.style(escape_line(line), **style))


def print_note(line: str) -> None:
    """Print a line for people on standard error; only results go to standard output."""
    click.echo(escape_line(line), err=True)


def print_text(text: str) -> None:
    """Print a text of several lines, with control characters escaped."""
    click.echo(escape_text(text))


def print_json(data: Any) -> None:
    click.echo(escaped_json(data, indent=2))


def print_rows(rows: Iterable[Sequence[str]], *, aligned: bool | None = None) -> None:
    """Print a table, its columns aligned or separated by tabs; by default aligned on a terminal."""
    table = list(rows)
    if table:
        aligned = sys.stdout.isatty() if aligned is None else aligned
        for line in format_columns(table, aligned=aligned):
            click.echo(line)


def print_rendered(line: str) -> None:
    """Print a line that is escaped and styled already; without a line feed if it ends in NUL.

    `color=True` keeps click from removing escape sequences, which names of files may contain.
    """
    click.echo(line, nl=not line.endswith("\0"), color=True)


def format_megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.1f} MB"


def write_page(file: Path, page: str) -> None:
    """Write a page for browsers, and print a note; raise UsageError if that fails."""
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise click.UsageError(f"'{file}' cannot be written: {reason}.") from error
    print_note(f"wrote {file}: {len(page) / 1000:,.0f} kB")
