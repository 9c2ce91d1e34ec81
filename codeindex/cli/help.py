"""Show help, and suggest commands for mistyped names: `codeindex help`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

import click

from codeindex.cli.command_table import ALL_COMMANDS, COMMANDS
from codeindex.cli.output import print_text

_MAX_SUGGESTIONS = 3
_LEAST_SIMILARITY = 0.7
"""Of `difflib`; a swapped or missing letter gives .8 and more, "where" and "serve" .6."""


@click.command()
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="List every command.")
@click.pass_context
def help_command(context: click.Context, words: tuple[str, ...], *, everything: bool) -> None:
    """Print how to use COMMAND; without COMMAND, print the list of commands."""
    shown = context.find_root()
    shown.meta[ALL_COMMANDS] = everything
    for position, word in enumerate(words):
        group = shown.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"'{group.name}' has no commands: leave '{word}' out.")
        command = group.get_command(shown, word)
        if command is None:
            names = group.list_commands(shown)
            raise click.UsageError(describe_unknown_command(words[position:], names))
        shown = click.Context(command, parent=shown, info_name=word)
    print_text(shown.get_help())


def describe_unknown_command(words: Sequence[str], names: Iterable[str] = COMMANDS) -> str:
    """Return the error message for command-line words whose first is not a command.

    It suggests the commands in `names` that are similar, else a search for the words.
    """
    name = words[0]
    similar = difflib.get_close_matches(name, names, n=_MAX_SUGGESTIONS, cutoff=_LEAST_SIMILARITY)
    if similar:
        return f"There is no command '{name}'. Did you mean {' or '.join(similar)}?"
    query = " ".join(word for word in words if not word.startswith("-"))
    return f"There is no command '{name}'. To search for it: codeindex search \"{query}\""
