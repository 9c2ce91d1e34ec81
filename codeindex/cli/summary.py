"""Summarize the repository, folders, files or a symbol: `codeindex summary`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

import codeindex
from codeindex.cli.derived import show_report
from codeindex.cli.options import columns_option, json_option, repo_option
from codeindex.cli.scope import locate_target
from codeindex.redact_query import redact_text

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.types.report import Report


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--glob", default="", help="Summarize the files that match, 30 at most.")
@click.option(
    "--scope",
    type=click.Choice(("all", "public")),
    default="all",
    help="For one PATH: all, or only the public API.",
)
@click.option("--importers", is_flag=True, help="For one file: also its importers and their uses.")
@click.option("-m", "--limit", type=int, help="With --importers: most importers [default: 20].")
@repo_option
@json_option
@columns_option
def summary_command(
    paths: tuple[str, ...], *, repo: str, as_json: bool, columns: bool, **what: Any
) -> None:
    """Summarize PATHS: files, a folder, a glob or a symbol; without PATHS the repository."""
    with codeindex.Index.open(locate_target(repo).root) as index:
        report = _summarize(index, tuple(map(redact_text, paths)), **what)
        refreshed = index.refreshed()
    show_report(report, refreshed, as_json=as_json, columns=columns)


def _summarize(
    index: Index,
    paths: tuple[str, ...],
    *,
    glob: str,
    scope: Literal["all", "public"],
    importers: bool,
    limit: int | None,
) -> Report:
    is_one = len(paths) == 1 and not glob
    if importers:
        if not is_one:
            raise click.UsageError("--importers needs one file: name it as PATHS.")
        limits = {} if limit is None else {"limit": limit}
        return index.source.file_context(paths[0], **limits)
    if limit is not None:
        raise click.UsageError("--limit needs --importers.")
    if is_one or not (paths or glob):
        return index.combined.summarize(*paths, scope=scope)
    if scope != "all":
        raise click.UsageError("--scope needs a single PATH.")
    return index.source.summaries(paths, glob=redact_text(glob))
