"""Measure the graph: `codeindex graph`."""

from __future__ import annotations

import click

from codeindex.cli.derived import derive_command


@click.group("graph")
def graph_group() -> None:
    """Measure the graph by the index of a compiler.

    A SCIP index in the repository corrects the graph at the next sync; see the setting
    `graph.scip`.
    """


graph_group.add_command(derive_command("compare", "graph.compare"))
