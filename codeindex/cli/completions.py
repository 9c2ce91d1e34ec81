"""`codeindex completions`."""

from __future__ import annotations

from typing import Literal

import click

from codeindex.cli.output import print_text

VARIABLE = "_CODEINDEX_COMPLETE"
"""What click looks for, made of the program's name."""


@click.command(
    epilog='bash: eval "$(codeindex completions bash)" in ~/.bashrc. zsh: the same in ~/.zshrc,'
    " after compinit. fish: codeindex completions fish > ~/.config/fish/completions/codeindex.fish"
)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completions(shell: Literal["bash", "zsh", "fish"]) -> None:
    """Print what teaches a shell the commands, their options, and the names of repositories."""
    from click.shell_completion import get_completion_class

    from codeindex.cli import main

    made = get_completion_class(shell)
    if made is None:  # click has all three
        raise click.UsageError(f"No completion for {shell} is known.")
    script = made(main, {}, "codeindex", VARIABLE)
    print_text(script.source_template % script.source_vars())
