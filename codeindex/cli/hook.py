"""Answer a coding agent's hook: `codeindex hook`, with help; `__main__` runs hooks directly."""

from __future__ import annotations

import click

from codeindex.cli.output import print_text
from codeindex.hooks.run_hook import answer_hook


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="EVENT [FILE]")
def hook_command(words: tuple[str, ...]) -> None:
    """Answer a coding agent's hook: pre-read, post-edit or session-start.

    Reads the client's JSON object from standard input, unless a FILE is given. Prints the text that
    the client adds to its context, if any. The exit status is always 0.
    """
    if output := answer_hook(words):
        print_text(output)
