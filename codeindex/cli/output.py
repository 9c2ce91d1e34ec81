"""The one way from a command to its streams, where nothing that is shown commands a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from codeindex.text.sanitize import escape_line, escape_text, escaped_json


def print_line(line: str) -> None:
    """Print a line."""
    click.echo(escape_line(line))


def print_styled(line: str, **style: Any) -> None:
    """Print a line in a colour, or bold, as `click.style` has it, on a terminal."""
    click.echo(click.style(escape_line(line), **style))


def print_note(line: str) -> None:
    """Print a line for people, who may read standard output elsewhere."""
    click.echo(escape_line(line), err=True)


def print_text(text: str) -> None:
    """Print text of several lines."""
    click.echo(escape_text(text))


def print_json(data: Any) -> None:
    """Print JSON."""
    click.echo(escaped_json(data, indent=2))


def print_rows(rows: Iterable[Sequence[str]], *, aligned: bool | None = None) -> None:
    """Print rows: aligned for people, separated by tabs for programs."""
    from codeindex.formatting import format_columns

    whole = list(rows)
    if whole:
        for line in format_columns(
            whole, aligned=sys.stdout.isatty() if aligned is None else aligned
        ):
            click.echo(line)


def say_path(path: str) -> None:
    """Print a path as it is, for programs: a NUL ends it, and no colour is taken out of it."""
    click.echo(f"{path}\0", nl=False, color=True)


def print_rendered(line: str) -> None:
    """Print a line that was made visible before it was painted."""
    click.echo(line, color=True)


def painter(*, on: bool) -> Callable[..., str]:
    """Return what makes text visible and, if it is on, colours it as `click.style` has it."""

    def paint(text: str, **style: Any) -> str:
        shown = escape_line(text)
        return click.style(shown, **style) if on and shown and style else shown

    return paint
