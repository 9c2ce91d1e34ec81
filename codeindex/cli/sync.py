"""Bring indexes up to date: `codeindex sync`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

import codeindex
from codeindex.cli.options import json_option
from codeindex.cli.output import print_json, print_line, print_note
from codeindex.cli.repos import NOTHING_INDEXED
from codeindex.cli.sync_output import summarize_sync, sync_with_progress
from codeindex.config import data_home
from codeindex.errors import CodeIndexError, NotIndexedError
from codeindex.logs import INDEXER, enable_log_file
from codeindex.store.datadir.home import repositories, repository_at_root
from codeindex.store.datadir.roots import locate_root
from codeindex.types import SyncReport


@click.command()
@click.argument("places", nargs=-1, metavar="[PATH|NAME]...")
@click.option("--all", "everything", is_flag=True, help="Sync every indexed repository.")
@click.option("--incremental", is_flag=True, help="Read only changed files, as it always does.")
@click.option("--structure-only", is_flag=True, help="Stop before the embedding phase.")
@json_option
def sync_command(
    places: tuple[str, ...],
    *,
    everything: bool,
    incremental: bool,  # noqa: ARG001 (accepted because git hooks of users pass it)
    structure_only: bool,
    as_json: bool,
) -> None:
    """Bring the index of this repository, of the named ones or of all up to date.

    If one fails, its error is printed, the others are synced, and the exit status is 2.
    """
    if places and everything:
        raise click.UsageError("--all syncs every repository: leave the names out.")
    enable_log_file(INDEXER)
    reports: list[SyncReport] = []
    failed = False
    for place in _indexed_roots() if everything else dict.fromkeys(places) or (_this_root(),):
        try:
            reports.append(_sync(place, structure_only=structure_only))
        except CodeIndexError as error:
            failed = True
            print_note(f"{place}: {error}")
        else:
            if not as_json:
                print_line(summarize_sync(reports[-1]))
    if as_json:
        print_json([asdict(report) for report in reports])
    if failed:
        raise click.exceptions.Exit(CodeIndexError.exit_code)


def _this_root() -> Path:
    """Return the root that contains the current folder; raise NotIndexedError without an index.

    Only `codeindex index` creates an index, so that a wrong folder is noticed.
    """
    root = locate_root(".").root
    known = repository_at_root(data_home(), root)
    if known is None or not known.catalog.exists():
        raise NotIndexedError(
            f"'{root}' has no index: create one with `codeindex index`, or sync all indexes with"
            " `codeindex sync --all`."
        )
    return root


def _indexed_roots() -> Iterator[Path]:
    """Yield the roots of all indexed repositories; print a note if a root does not exist."""
    indexed = [
        repository for repository in repositories(data_home()) if repository.catalog.exists()
    ]
    if not indexed:
        print_note(NOTHING_INDEXED)
    for repository in indexed:
        if repository.root.is_dir():
            yield repository.root
        else:
            print_note(
                f"{repository.name}: '{repository.root}' is gone; `codeindex gc` lists its index."
            )


def _sync(place: str | Path, *, structure_only: bool) -> SyncReport:
    with codeindex.Index.open(place, root=isinstance(place, Path)) as index:
        return sync_with_progress(index, structure_only=structure_only)
