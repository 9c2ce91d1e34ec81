"""Print a completion script for a shell: `codeindex completions`."""

from __future__ import annotations

from typing import Literal

import click
from click.shell_completion import get_completion_class

from codeindex.cli.output import print_text

VARIABLE = "_CODEINDEX_COMPLETE"
"""The environment variable by which a shell asks for completions; click defines the name."""


@click.command(
    epilog='bash: eval "$(codeindex completions bash)" in ~/.bashrc. zsh: the same in ~/.zshrc,'
    " after compinit. fish: codeindex completions fish > ~/.config/fish/completions/codeindex.fish"
)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completions_command(context: click.Context, shell: Literal["bash", "zsh", "fish"]) -> None:
    """Print a script that completes commands, options and names of repositories in SHELL."""
    completion_class = get_completion_class(shell)
    if completion_class is None:  # click has all three
        raise click.UsageError(f"No completion for {shell} is known.")
    script = completion_class(context.find_root().command, {}, "codeindex", VARIABLE)
    print_text(script.source_template % script.source_vars())
