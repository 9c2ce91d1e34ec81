"""`codeindex search --repo NAME` and `--all-repos`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.search import asked_for, filters_of, prepare, shown
from codeindex.workspace import Workspace

if TYPE_CHECKING:
    from codeindex.cli.search_options import Given


def search_repositories(query: str, paths: tuple[str, ...], given: Given) -> bool:
    """Search the named repositories or all, whose user's the command line is; say if it found.

    Paths are below the root of each.
    """
    if given.files:
        raise click.UsageError("--files lists one repository: name its folder instead of --repo.")
    if given.also:
        raise click.UsageError("-q cannot be combined with --repo or --all-repos.")
    with Workspace(allow_global=True) as workspace:
        scope: dict[str, Any] = {"type": "all"}
        if not given.all_repos:
            scope = {"type": "repos", "repos": given.repo}
        names = workspace.scope(scope).repos
        for name in names if given.sync or not given.all_repos else ():
            prepare(workspace.index(name), given)
        parts = tuple(one.strip("/") for one in paths)
        answer = asked_for(workspace.search, query, given, filters_of(given, parts), scope=scope)
        roots = {name: workspace.index(name).root for name in answer.searched_repos}
        return shown(answer, given, roots)
