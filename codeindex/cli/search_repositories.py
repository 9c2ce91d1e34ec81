"""Search several repositories: `codeindex search --repo NAME` and `--all-repos`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

import codeindex
from codeindex.cli.exact_search import grep_index, print_grep_results
from codeindex.cli.first_index import prepare_index
from codeindex.cli.search_options import SearchOptions
from codeindex.cli.search_output import print_answer
from codeindex.cli.search_request import build_filters, narrow_to_member, run_search
from codeindex.types import Filters


def search_repositories(query: str, paths: tuple[str, ...], options: SearchOptions) -> bool:
    """Search the repositories that the options name; return whether anything was found.

    `paths` are relative to the root of each repository.
    """
    if options.files:
        raise click.UsageError("--files lists one repository: name its folder instead of --repo.")
    if options.also:
        raise click.UsageError("-q cannot be combined with --repo or --all-repos.")
    with codeindex.Workspace(allow_global=True) as workspace:
        scope: dict[str, Any] = {"type": "all"}
        if not options.all_repos:
            scope = {"type": "repos", "repos": options.repo}
        names = workspace.scope(scope).repos
        if options.sync or not options.all_repos:
            for name in names:
                prepare_index(workspace.index(name), options)
        filters = build_filters(options, tuple(path.strip("/") for path in paths))
        if options.member is not None:
            filters = narrow_to_member(_only_index(workspace, names), options, filters)
        if options.is_exact:
            return _print_lines(workspace, names, query, options, filters)
        answer = run_search(workspace.search, query, options, filters, scope=scope)
        roots = {name: workspace.index(name).root for name in answer.searched_repos}
        return print_answer(answer, options, roots)


def _only_index(workspace: codeindex.Workspace, names: Sequence[str]) -> codeindex.Index:
    if len(names) > 1:
        raise click.UsageError("--member belongs to one repository: name only that with --repo.")
    return workspace.index(names[0])


def _print_lines(
    workspace: codeindex.Workspace,
    names: Sequence[str],
    query: str,
    options: SearchOptions,
    filters: Filters,
) -> bool:
    """Print the matching lines of each repository; return whether there are any."""
    if options.cursor and len(names) > 1:
        raise click.UsageError("--cursor continues in one repository: name it with --repo.")
    indexes = [workspace.index(name) for name in names]
    results = [grep_index(index, query, options, filters) for index in indexes]
    roots = {name: index.root for name, index in zip(names, indexes, strict=True)}
    return print_grep_results(results, options, roots)
