"""`codeindex hook` and `codeindex suggest-context` as click knows them.

`__main__` runs hooks before click is imported; this is their help, and the way for those who call
the command line from Python.
"""

from __future__ import annotations

from typing import Any

import click

from codeindex.cli.output import print_text


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="EVENT [FILE]")
def hook(words: tuple[str, ...]) -> None:
    """Answer a coding agent's hook: pre-read, post-edit or session-start.

    Reads the JSON object that the client sends on standard input, unless a FILE is given. Prints
    what the client should add to its context, if anything, and always ends with status 0.
    """
    from codeindex.hooks.run_hook import answer

    if said := answer(words):
        print_text(said)


def suggest_context() -> click.Command:
    """Make the derived command, which can also answer as a hook does."""
    from codeindex.cli.derived import command

    made = command("suggest-context", "changes.suggest_context")
    plain = made.callback
    assert plain is not None  # noqa: S101 (for the type checker)

    def run(*, for_read: bool, path: str, **options: Any) -> None:
        if for_read:
            hook.callback(("pre-read", path))  # type: ignore[misc]
        else:
            plain(path=path, **options)

    made.callback = run
    made.params.append(
        click.Option(["--for-read"], is_flag=True, help="Answer as `codeindex hook pre-read`.")
    )
    return made
