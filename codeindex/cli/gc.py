"""`codeindex gc`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from codeindex.cli.output import print_json, print_note, print_rows

if TYPE_CHECKING:
    from codeindex.maintenance.garbage import Garbage


@click.command()
@click.option("--dry-run", is_flag=True, help="Show what would go; delete nothing.")
@click.option("-y", "--yes", is_flag=True, help="Delete without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print what is found as JSON.")
def gc(*, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Throw away what nobody needs any more, in the whole data folder.

    Indexes of folders and worktrees that are gone, files that no state of an index names, what was
    moved aside or left half made, outlived embeddings and sessions. Shows sizes first and asks.
    """
    from codeindex.cli.confirmation import agreed, megabytes
    from codeindex.config import data_home
    from codeindex.maintenance.garbage import delete_garbage, find_garbage, open_data_dir

    found = find_garbage(data_home())
    if as_json:
        print_json([{**asdict(one), "path": str(one.path)} for one in found])
    else:
        _show(found)
    unused = tuple(one for one in found if not one.kept)
    if not unused:
        print_note("nothing to throw away")
    elif not dry_run:
        question = f"Delete {megabytes(sum(one.size_bytes for one in unused))}?"
        if agreed(question, yes=yes):
            with open_data_dir(data_home()) as yard:
                print_note(f"{megabytes(delete_garbage(yard, unused))} deleted")


def _show(found: Sequence[Garbage]) -> None:
    from codeindex.cli.confirmation import megabytes

    rows = [
        (
            "kept" if one.kept else one.what,
            megabytes(one.size_bytes),
            str(one.path),
            f"{one.why}; {one.kept}" if one.kept else one.why,
        )
        for one in found
    ]
    print_rows(rows)
