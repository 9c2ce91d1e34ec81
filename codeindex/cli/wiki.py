"""Read and write wiki pages: `codeindex wiki`, with a command for each request of the wiki."""

from __future__ import annotations

import click

from codeindex.cli.command_group import CommandGroup
from codeindex.cli.derived import derive_command

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


@click.group(cls=CommandGroup)
def wiki_group() -> None:
    """Keep knowledge about the code as pages in `.codeindex/wiki`, for review in git.

    Begin with `generate`; write pages with `contribute`; `status` and `update` list outdated pages.
    """


for _name in _COMMANDS:
    wiki_group.add_command(derive_command(_name, f"wiki.{_name.replace('-', '_')}"))
