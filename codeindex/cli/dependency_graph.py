"""The command `dependency-graph`: derived from its request, and able to write a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from codeindex.cli.derived import command
from codeindex.cli.output import print_note

_SHAPES = {"as_json", "columns"}
"""Options about printing."""


def dependency_graph() -> click.Command:
    """Make the derived command, and let `--html FILE` write the page instead of printing."""
    made = command("dependency-graph", "graph.diagram")
    printed = made.callback

    def run(*, html: Path | None, repo: str, **options: Any) -> None:
        if html is None:
            if printed:
                printed(repo=repo, **options)
            return
        wanted = {key: value for key, value in options.items() if key not in _SHAPES}
        page = _page(repo, **wanted)
        try:
            html.write_text(page, encoding="utf-8")
        except OSError as error:
            raise click.FileError(str(html), error.strerror or str(error)) from error
        print_note(f"wrote {html}")

    made.callback = run
    file = click.Path(dir_okay=False, path_type=Path)
    made.params.append(
        click.Option(["--html"], type=file, help="Write a page for the browser to this file.")
    )
    return made


def _page(repo: str, **options: Any) -> str:
    from codeindex.api.index import Index
    from codeindex.cli.scope import place_of_any

    with Index.open(place_of_any(repo).root) as index:
        return index.graph.diagram(**{**options, "format": "html"}).drawn()
