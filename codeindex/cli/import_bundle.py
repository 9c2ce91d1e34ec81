"""Index a repository with the bundle of a colleague: `codeindex import`."""

from __future__ import annotations

from typing import Any

import click

from codeindex.cli.index import index_command
from codeindex.cli.options import json_option, path_argument


@click.command("import")
@click.argument("place", metavar="PLACE")
@path_argument
@json_option
@click.pass_context
def import_command(context: click.Context, /, place: str, **arguments: Any) -> None:
    """Index the repository of PATH with the bundle in PLACE: `index PATH --from PLACE`.

    Every part of the bundle is verified. Files that differ from those of the bundle are parsed and
    embedded here.
    """
    context.invoke(index_command, source=place, **arguments)
