"""Show help, and suggest commands for mistyped names: `codeindex help`."""

from __future__ import annotations

import difflib
import re
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
    """Return the error message for command-line words whose first word is not a command.

    The message suggests commands in `names` with a similar spelling, else commands with the word in
    their help, else a search for the words.
    """
    name, known = words[0], tuple(names)
    alike = difflib.get_close_matches(name, known, n=_MAX_SUGGESTIONS, cutoff=_LEAST_SIMILARITY)
    similar = alike or _commands_about(name, known)
    if similar:
        return f"There is no command '{name}'. Did you mean {' or '.join(similar)}?"
    query = " ".join(word for word in words if not word.startswith("-"))
    return f"There is no command '{name}'. To search for it: codeindex search \"{query}\""


def _commands_about(word: str, names: Sequence[str]) -> list[str]:
    """Return the commands with a word or its plural in their name, else in their one-line help.

    Return [] if more commands match than can be suggested.
    """
    wanted = word.lower()
    singular = wanted.removesuffix("s")
    found = [
        name
        for name in names
        if any(part.removesuffix("s") == singular for part in name.split("-"))
    ]
    if not found:
        found = [name for name in names if name in COMMANDS and wanted in _help_words(name)]
    return found if len(found) <= _MAX_SUGGESTIONS else []


def _help_words(name: str) -> list[str]:
    return re.findall(r"\w+", COMMANDS[name].help.lower())
