"""Suggest what to read: `codeindex suggest-context`, derived and extended by `--for-read`."""

from __future__ import annotations

from typing import Any

import click

from codeindex.cli.derived import derive_command
from codeindex.cli.output import print_text
from codeindex.hooks.run_hook import answer_hook


def make_suggest_context_command() -> click.Command:
    """Return the derived command with `--for-read`, which prints what the pre-read hook prints."""
    command = derive_command("suggest-context", "changes.suggest_context")
    print_suggestions = command.callback
    assert print_suggestions is not None  # noqa: S101 (for the type checker)

    def run(*, for_read: bool, path: str, **options: Any) -> None:
        if not for_read:
            print_suggestions(path=path, **options)
        elif output := answer_hook(("pre-read", path)):
            print_text(output)

    command.callback = run
    command.params.append(
        click.Option(["--for-read"], is_flag=True, help="Answer as `codeindex hook pre-read`.")
    )
    return command
