"""Draw dependencies: `codeindex dependency-graph`, derived and extended by `--html`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

import codeindex
from codeindex.cli.derived import OUTPUT_OPTIONS, command_callback, derive_command
from codeindex.cli.output import write_page
from codeindex.cli.scope import locate_target, refuse_link_out
from codeindex.config import data_home
from codeindex.store.datadir.home import repositories


def make_dependency_graph_command() -> click.Command:
    """Derive the command from its request, and add `--html FILE`, which writes an HTML page."""
    command = derive_command("dependency-graph", "graph.diagram")
    print_graph = command_callback("graph.diagram")

    def run(*, html: Path | None, repo: str, path: str, **options: Any) -> None:
        repo, options["path"] = _locate(repo, path)
        if html is None:
            print_graph(repo=repo, **options)
            return
        refuse_link_out(html, locate_target(repo).root)
        parameters = {key: value for key, value in options.items() if key not in OUTPUT_OPTIONS}
        write_page(html, _render_page(repo, **parameters))

    command.callback = run
    file = click.Path(dir_okay=False, path_type=Path)
    command.params.append(
        click.Option(["--html"], type=file, help="Write a page for browsers to this file.")
    )
    return command


def _locate(repo: str, path: str) -> tuple[str, str]:
    """Return (root, path below it) for the argument PATH.

    PATH is relative to the current folder, as in `report`. With --repo, or if PATH does not exist
    in the current folder, it is relative to the root, and may be a glob.
    """
    if repo != ".":
        return repo, path
    if not path or os.path.exists(os.path.expanduser(path)):  # noqa: PTH110, PTH111 (pathlib raises for odd names)
        scope = locate_target(path or ".")
        return str(scope.root), scope.part
    if repository_named := _registered_root(path):
        return repository_named, ""
    return repo, path


def _registered_root(name: str) -> str:
    known = (repository for repository in repositories(data_home()) if repository.name == name)
    return next((str(repository.root) for repository in known), "")


def _render_page(repo: str, **parameters: Any) -> str:
    with codeindex.Index.open(locate_target(repo).root) as index:
        return index.graph.diagram(**{**parameters, "format": "html"}).drawn()
