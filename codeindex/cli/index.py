"""Index a repository: `codeindex index`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

import codeindex
from codeindex.cli.limit_options import limit_options, parse_limits
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_line, print_note
from codeindex.cli.sync_output import WAIT_SECONDS, summarize_sync, sync_with_progress
from codeindex.logs import INDEXER, enable_log_file
from codeindex.store.datadir.roots import locate_root, refuse_too_wide_root

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.types import SyncReport

_MAX_FAILURES = 10
"""Most failed files that are printed; `codeindex files --skipped` prints all."""


@dataclass(frozen=True, slots=True)
class _IndexOptions:
    structure_only: bool
    incremental: bool
    rebuild: bool
    root: bool
    name: str
    offline: bool
    source: str
    wait: float
    as_json: bool


@click.command()
@path_argument
@click.option("--structure-only", is_flag=True, help="Stop before the embedding phase.")
@click.option("--incremental", is_flag=True, help="Read only changed files, as it always does.")
@click.option(
    "--rebuild", is_flag=True, help="Rebuild the index; the old one answers until that is done."
)
@click.option("--root", is_flag=True, help="Index PATH itself instead of its git work tree.")
@click.option("--name", default="", help="Name of the repository; default: the folder's name.")
@click.option("--offline", is_flag=True, help="Do not download the model.")
@click.option(
    "--from",
    "source",
    default="",
    metavar="PLACE",
    help="Take what is unchanged from the bundle that `codeindex export` wrote to a folder or URL.",
)
@limit_options
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=WAIT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for another process that is indexing the repository.",
)
@json_option
def index_command(path: str, **arguments: Any) -> None:
    """Index the repository of PATH, or what changed since it was indexed.

    The index can be searched after the structure phase; embedding follows. It can be interrupted at
    any time without losing finished work. The limits (--max-file-size, --max-depth, --exclude,
    --no-gitignore, --member, --no-workspace) apply until the next `index`.
    """
    limits = parse_limits(arguments)
    options = _IndexOptions(**arguments)
    enable_log_file(INDEXER)
    if options.incremental and options.rebuild:
        raise click.UsageError("--incremental and --rebuild contradict each other: leave one out.")
    root = locate_root(path, root=options.root).root
    if not options.root:
        refuse_too_wide_root(root)
    flags = limits.settings_of(root)
    with codeindex.Index.open(path, root=options.root, name=options.name, flags=flags) as index:
        report = sync_with_progress(
            index,
            structure_only=options.structure_only,
            rebuild=options.rebuild,
            may_fetch=not options.offline,
            wait_seconds=options.wait,
            source=options.source,
        )
        if options.as_json:
            print_json(asdict(report))
        else:
            print_line(summarize_sync(report))
        _print_notes(index, report, structure_only=options.structure_only)


def _print_notes(index: Index, report: SyncReport, *, structure_only: bool) -> None:
    if structure_only:
        print_note("structure only: run `codeindex index` to embed the code")
    else:
        print_note(f"model: {index.model_choice}")
    for file in report.failed[:_MAX_FAILURES]:
        print_note(f"failed: {file.path}: {file.reason}")
    if len(report.failed) > _MAX_FAILURES:
        print_note("the others: codeindex files --skipped")
    for note in (*report.notes, *index.settings.notes):
        print_note(f"note: {note}")
