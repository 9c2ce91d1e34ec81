"""The runs that are over every command call each of them so that it does something."""

from __future__ import annotations

import click
import pytest

from codeindex.cli import main
from codeindex.cli.command_table import COMMANDS
from tests.soak.network import WORDS
from tests.soak.sweeping import ARGUMENTS


@pytest.mark.parametrize("name", COMMANDS)
def test_each_run_over_all_commands_says_what_a_command_needs(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command
    for words in (WORDS.get(name, ()), *ARGUMENTS.get(name, ([],))):
        with command.make_context(name, list(words)):  # which raises UsageError
            assert words or not isinstance(command, click.Group) or command.invoke_without_command
