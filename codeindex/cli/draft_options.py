"""Add and parse the options of `watch` and `serve` that let a command draft wiki pages."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

import click

from codeindex.watch.options import DRAFT_DEBOUNCE_MS, DraftCommand


def draft_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the options for automatic drafts of wiki pages."""
    for option in (
        click.option(
            "--wiki-debounce-ms",
            type=click.IntRange(0, 86_400_000),
            help=f"Quiet time before drafts are written.  [default: {DRAFT_DEBOUNCE_MS}]",
        ),
        click.option(
            "--wiki-exec",
            metavar="CMD",
            help="Command that writes a page: reads a prompt on standard input, prints the page.",
        ),
        click.option(
            "--wiki-auto-update", is_flag=True, help="Draft the wiki pages whose sources change."
        ),
    ):
        command = option(command)
    return command


def parse_draft_options(
    *, auto: bool, command: str | None, debounce_ms: int | None
) -> DraftCommand | None:
    """Return the user's command that drafts wiki pages; None without `auto`.

    Raises UsageError if an option is missing, invalid, or given without `auto`.
    """
    if not auto:
        if command is not None or debounce_ms is not None:
            raise click.UsageError("--wiki-exec and --wiki-debounce-ms need --wiki-auto-update.")
        return None
    try:
        words = tuple(shlex.split(command or ""))
    except ValueError as error:
        raise click.UsageError(f"--wiki-exec is not a command ({error}).") from None
    if not words:
        raise click.UsageError(
            "--wiki-auto-update needs --wiki-exec CMD, like 'llm' or 'claude -p'."
        )
    return DraftCommand(words, DRAFT_DEBOUNCE_MS if debounce_ms is None else debounce_ms)
