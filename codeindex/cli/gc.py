"""Delete data that is not needed any more: `codeindex gc`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from codeindex.cli.confirmation import confirm_deletion
from codeindex.cli.options import dry_run_option, json_option, yes_option
from codeindex.cli.output import format_megabytes, print_json, print_note, print_rows
from codeindex.config import data_home

if TYPE_CHECKING:
    from codeindex.maintenance.garbage import Garbage


@click.command()
@dry_run_option
@yes_option
@json_option
def gc_command(*, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Delete what is no longer needed from the whole data folder.

    This includes indexes of deleted folders and worktrees, files that no index uses, damaged and
    incomplete files that were set aside, and expired embeddings and sessions. Shows sizes first and
    asks.
    """
    delete_unneeded(dry_run=dry_run, yes=yes, as_json=as_json)


def delete_unneeded(*, dry_run: bool, yes: bool, as_json: bool) -> None:
    """List the unneeded data in the data folder, ask, and delete it; `dry_run` only lists it."""
    # Imports numpy.
    from codeindex.maintenance.garbage import delete_garbage, find_garbage, open_data_dir

    garbage = find_garbage(data_home())
    if as_json:
        print_json([{**asdict(item), "path": str(item.path)} for item in garbage])
    else:
        _print_garbage(garbage)
    unused = tuple(item for item in garbage if not item.kept)
    if not unused:
        print_note("nothing to delete")
    elif not dry_run:
        size = format_megabytes(sum(item.size_bytes for item in unused))
        if confirm_deletion(f"Delete {size}?", yes=yes):
            with open_data_dir(data_home()) as data_dir:
                print_note(f"{format_megabytes(delete_garbage(data_dir, unused))} deleted")


def _print_garbage(garbage: Sequence[Garbage]) -> None:
    rows = [
        (
            "kept" if item.kept else item.what,
            format_megabytes(item.size_bytes),
            str(item.path),
            f"{item.why}; {item.kept}" if item.kept else item.why,
        )
        for item in garbage
    ]
    print_rows(rows)
