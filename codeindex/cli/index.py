"""`codeindex index`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from codeindex.cli.output import print_json, print_line, print_note

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.types import SyncReport


@dataclass(frozen=True, slots=True)
class _Given:
    """The command line, typed."""

    structure_only: bool
    incremental: bool
    rebuild: bool
    root: bool
    name: str
    offline: bool
    max_file_size: int | None
    exclude: tuple[str, ...]
    wait: float
    as_json: bool


WAIT_SECONDS = 10.0
"""Enough for the sync of some edits; whoever embeds a repository takes minutes."""
_LISTED = 10
"""Failed files that are named; `codeindex files --skipped` has all."""


@click.command()
@click.argument("path", default=".")
@click.option("--structure-only", is_flag=True, help="Stop before the embedding phase.")
@click.option("--incremental", is_flag=True, help="Read what changed alone, as it always does.")
@click.option(
    "--rebuild", is_flag=True, help="Make it anew; until it is made, the old one answers."
)
@click.option("--root", is_flag=True, help="Index PATH itself, not the work tree it lies in.")
@click.option("--name", default="", help="Name of the repository, new or not; else its folder's.")
@click.option("--offline", is_flag=True, help="Do not download the model.")
@click.option("--max-file-size", type=int, metavar="KB", help="Skip larger files.")
@click.option("-e", "--exclude", multiple=True, metavar="GLOB", help="Leave these files out.")
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=WAIT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Wait so long for another process that is indexing it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def index(path: str, **options: Any) -> None:
    """Index the repository of PATH, or what changed since it was indexed.

    The index can be searched once the structure is in; embedding follows. Interrupt it at any
    time: what was done is kept. --max-file-size and --exclude hold until the next `index`.
    """
    from codeindex.api.index import Index
    from codeindex.cli.progress import Bar
    from codeindex.logs import INDEXER, enable_log_file
    from codeindex.store.datadir.roots import locate_root, refuse_too_wide_root

    enable_log_file(INDEXER)
    given = _Given(**options)
    if given.incremental and given.rebuild:
        raise click.UsageError("--incremental and --rebuild say the opposite: leave one out.")
    if not given.root:
        refuse_too_wide_root(locate_root(path).root)
    with Index.open(path, root=given.root, name=given.name, flags=_flags(given)) as opened:
        with Bar() as bar:
            report = opened.sync(
                structure_only=given.structure_only,
                rebuild=given.rebuild,
                may_fetch=not given.offline,
                wait_seconds=given.wait,
                progress=bar,
            )
        if given.as_json:
            print_json(asdict(report))
        else:
            print_line(summary(report))
        _tell(opened, report, structure_only=given.structure_only)


def _flags(given: _Given) -> dict[str, object]:
    """Return what was given of the settings, by their key."""
    flags: dict[str, object] = {}
    if given.max_file_size is not None:
        flags["limits.max_file_kb"] = given.max_file_size
    if given.exclude:
        flags["exclude"] = list(given.exclude)
    return flags


def summary(report: SyncReport) -> str:
    """Say in one line what a sync did."""
    done = ((report.added, "added"), (report.changed, "changed"), (report.removed, "removed"))
    left = ((len(report.failed), "failed"), (len(report.skipped), "skipped"))
    parts = [f"{count:,} {word}" for count, word in done if count] or ["nothing changed"]
    parts += [f"{count:,} {word}" for count, word in left if count]
    if report.killed:
        parts.append(f"{report.killed:,} parser processes killed")
    if report.embedded:
        parts.append(f"{report.embedded:,} chunks embedded")
    return f"{report.repo}: {', '.join(parts)} in {report.seconds:.1f} s"


def _tell(opened: Index, report: SyncReport, *, structure_only: bool) -> None:
    """Print on stderr whatever a person should know beyond the summary."""
    if structure_only:
        print_note("structure only: run `codeindex index` to embed the code")
    else:
        print_note(f"model: {opened.model_choice}")
    for one in report.failed[:_LISTED]:
        print_note(f"failed: {one.path}: {one.reason}")
    if len(report.failed) > _LISTED:
        print_note("the others: codeindex files --skipped")
    for note in (*report.notes, *opened.settings.notes):
        print_note(f"note: {note}")
