"""List what belongs to a file or symbol: `codeindex context`."""

from __future__ import annotations

from typing import Any

import click

from codeindex.cli.derived import command_callback, derive_command
from codeindex.cli.output import print_text
from codeindex.hooks.run_hook import answer_hook


def make_context_command() -> click.Command:
    """Return the command `context`, whose options come from the requests of two methods.

    It runs `changes.context`. With `--before-reading` or `--seen`, it runs
    `changes.suggest_context`; with `--for-read`, it prints what the hook `pre-read` prints. The
    hidden command `suggest-context` is the same with `--before-reading` set.
    """
    command = derive_command("context", "changes.context")
    suggest = derive_command("context", "changes.suggest_context")
    print_context = command_callback("changes.context")
    print_suggestions = command_callback("changes.suggest_context")

    def run(*, subject: str, limit: int | None, seen: tuple[str, ...], **options: Any) -> None:
        before_reading, for_read = options.pop("before_reading"), options.pop("for_read")
        if limit is not None:
            options["limit"] = limit
        if for_read:
            if output := answer_hook(("pre-read", subject)):
                print_text(output)
        elif before_reading or seen:
            print_suggestions(path=subject, seen=seen, **options)
        else:
            print_context(subject=subject, **options)

    command.callback = run
    command.params = [_with_open_limit(parameter) for parameter in command.params]
    command.params += [
        *(parameter for parameter in suggest.params if parameter.name == "seen"),
        click.Option(
            ["--before-reading"], is_flag=True, help="Only what to know before reading a file."
        ),
        click.Option(["--for-read"], is_flag=True, help="Answer as `codeindex hook pre-read`."),
    ]
    return command


def _with_open_limit(parameter: click.Parameter) -> click.Parameter:
    """Remove the default of the option `--limit`; return other parameters unchanged.

    The two requests of the command have different defaults.
    """
    if parameter.name == "limit" and isinstance(parameter, click.Option):
        parameter.default, parameter.show_default = None, False
        parameter.help = "Most results [default: 20; with --before-reading 5]."
    return parameter
