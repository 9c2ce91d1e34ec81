"""Measure the graph: `codeindex graph`."""

from __future__ import annotations

import click

from codeindex.cli.command_group import CommandGroup
from codeindex.cli.derived import derive_command


@click.group("graph", cls=CommandGroup)
def graph_group() -> None:
    """Compare the graph of calls and other uses with a compiler's SCIP index.

    A SCIP index at a path in the setting `graph.scip` also corrects the graph at the next sync.
    """


graph_group.add_command(derive_command("compare", "graph.compare"))
