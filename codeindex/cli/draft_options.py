"""Options of the commands that watch: drafts for the wiki."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from codeindex.watch.intervals import DraftCommand


def wiki_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command."""
    for option in (
        click.option(
            "--wiki-debounce-ms",
            type=click.IntRange(0, 86_400_000),
            help="Quiet before drafts are written.  [default: 30000]",
        ),
        click.option(
            "--wiki-exec",
            metavar="CMD",
            help="What writes them: reads a prompt on standard input, prints a page.",
        ),
        click.option(
            "--wiki-auto-update",
            is_flag=True,
            help="Draft the pages of the wiki whose sources change.",
        ),
    ):
        command = option(command)
    return command


def drafts_of(*, auto: bool, command: str | None, debounce_ms: int | None) -> DraftCommand | None:
    """Return what the options ask for; one without the others is an error."""
    if not auto:
        if command is not None or debounce_ms is not None:
            raise click.UsageError("--wiki-exec and --wiki-debounce-ms are for --wiki-auto-update.")
        return None
    from codeindex.watch.intervals import DRAFT_DEBOUNCE_MS, DraftCommand

    try:
        words = tuple(shlex.split(command or ""))
    except ValueError as error:
        raise click.UsageError(f"--wiki-exec is not a command ({error}).") from None
    if not words:
        raise click.UsageError(
            "--wiki-auto-update needs --wiki-exec CMD, like 'llm' or 'claude -p'."
        )
    return DraftCommand(words, DRAFT_DEBOUNCE_MS if debounce_ms is None else debounce_ms)
