"""`codeindex wiki`: a command for each request of the wiki."""

from __future__ import annotations

import click

from codeindex.cli.derived import command

_COMMANDS = (
    "generate",
    "status",
    "search",
    "read",
    "contribute",
    "update",
    "suggest-contribution",
    "compound",
    "record-failure",
)


@click.group()
def wiki() -> None:
    """Keep what is known of the code as pages beside it, in `.codeindex/wiki`, for review in git.

    Begin with `generate`; write pages with `contribute`; `status` and `update` say what is out of
    date.
    """


for _name in _COMMANDS:
    wiki.add_command(command(_name, f"wiki.{_name.replace('-', '_')}"))
