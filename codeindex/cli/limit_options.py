"""Define the options of `codeindex index` and `serve` that limit what is indexed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from codeindex.api.index_limits import IndexLimits
from codeindex.config import use_data_home

_Command = TypeVar("_Command", bound=Callable[..., Any])


def limit_options(command: _Command) -> _Command:
    """Decorate a command with the limit options; `parse_limits` reads their values."""
    for option in (
        click.option(
            "--cache-dir",
            type=click.Path(file_okay=False, path_type=Path),
            metavar="FOLDER",
            help="Keep indexes in this folder, as CODEINDEX_HOME does for all commands.",
        ),
        click.option("--no-workspace", is_flag=True, help="Treat the repository as one project."),
        click.option(
            "--member",
            multiple=True,
            metavar="NAME",
            help="Index only this member of the workspace, and the manifests.",
        ),
        click.option("--no-gitignore", is_flag=True, help="Index files that git ignores, too."),
        click.option("-e", "--exclude", multiple=True, metavar="GLOB", help="Skip these files."),
        click.option(
            "--max-depth",
            type=click.IntRange(1),
            metavar="N",
            help="Skip files below more than N levels of folders, counting the root.",
        ),
        click.option(
            "--max-file-size", type=click.IntRange(1), metavar="KB", help="Skip larger files."
        ),
    ):
        command = option(command)
    return command


def parse_limits(options: dict[str, Any]) -> IndexLimits:
    """Remove the limit options from `options`, and return their values.

    `--cache-dir` takes effect at once, as the data folder of the process. Raises UsageError for
    options that contradict each other.
    """
    folder = options.pop("cache_dir")
    if folder is not None:
        use_data_home(folder)
    limits = IndexLimits(
        max_file_kb=options.pop("max_file_size"),
        max_depth=options.pop("max_depth"),
        exclude=options.pop("exclude"),
        reads_ignored=options.pop("no_gitignore"),
        members=options.pop("member"),
        ignores_workspaces=options.pop("no_workspace"),
    )
    if limits.members and limits.ignores_workspaces:
        raise click.UsageError("--member and --no-workspace contradict each other: leave one out.")
    return limits
