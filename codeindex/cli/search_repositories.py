"""`codeindex search --repo NAME` and `--all-repos`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codeindex.api.workspace import Workspace
from codeindex.cli.search import asked_for, filters_of, prepare, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codeindex.cli.search_options import Given
    from codeindex.types import Filters


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
        if given.is_exact:
            return _lines(workspace, names, query, filters_of(given, parts), given)
        answer = asked_for(workspace.search, query, given, filters_of(given, parts), scope=scope)
        roots = {name: workspace.index(name).root for name in answer.searched_repos}
        return shown(answer, given, roots)


def _lines(
    workspace: Workspace, names: Sequence[str], query: str, filters: Filters, given: Given
) -> bool:
    """Print every line that matches, repository by repository."""
    from codeindex.cli.exact_search import lines_of
    from codeindex.cli.exact_search import shown as lines_shown

    if given.cursor and len(names) > 1:
        raise click.UsageError("--cursor goes on in one repository: name it with --repo.")
    found = [lines_of(workspace.index(name), query, given, filters) for name in names]
    return lines_shown(found, given, {name: workspace.index(name).root for name in names})
