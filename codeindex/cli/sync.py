"""`codeindex sync`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codeindex.cli.index import WAIT_SECONDS, summary
from codeindex.cli.output import print_json, print_line, print_note
from codeindex.errors import CodeIndexError

if TYPE_CHECKING:
    from codeindex.types import SyncReport


@click.command()
@click.argument("places", nargs=-1, metavar="[PATH|NAME]...")
@click.option("--incremental", is_flag=True, help="Read what changed alone, as it always does.")
@click.option("--structure-only", is_flag=True, help="Stop before the embedding phase.")
@click.option("--json", "as_json", is_flag=True, help="Print the reports as JSON.")
def sync(
    places: tuple[str, ...],
    *,
    incremental: bool,  # noqa: ARG001 (what people's own git hooks say)
    structure_only: bool,
    as_json: bool,
) -> None:
    """Bring every index up to date, or those of the repositories that are named.

    One that fails is told, and the others are synced; the exit status is 2 then.
    """
    from codeindex.logs import INDEXER, enable_log_file

    enable_log_file(INDEXER)
    reports: list[SyncReport] = []
    failed = False
    for place in dict.fromkeys(places) or _indexed():
        try:
            reports.append(_synced(place, structure_only=structure_only))
        except CodeIndexError as error:
            failed = True
            print_note(f"{place}: {error}")
        else:
            if not as_json:
                print_line(summary(reports[-1]))
    if as_json:
        print_json([asdict(report) for report in reports])
    if failed:
        raise click.exceptions.Exit(CodeIndexError.exit_code)


def _indexed() -> Iterator[Path]:
    """Yield the roots of the repositories that have an index and are still there."""
    from codeindex.config import data_home
    from codeindex.store.datadir.home import repositories

    found = [one for one in repositories(data_home()) if one.catalog.exists()]
    if not found:
        print_note("No repository is indexed yet: run `codeindex index PATH`.")
    for one in found:
        if one.root.is_dir():
            yield one.root
        else:
            print_note(f"{one.name}: '{one.root}' is gone; `codeindex gc` tells of its index.")


def _synced(place: str | Path, *, structure_only: bool) -> SyncReport:
    from codeindex.api.index import Index
    from codeindex.cli.progress import Bar

    with Index.open(place, root=isinstance(place, Path)) as index, Bar() as bar:
        return index.sync(structure_only=structure_only, wait_seconds=WAIT_SECONDS, progress=bar)
