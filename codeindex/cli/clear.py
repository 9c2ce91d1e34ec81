"""Delete an index, or all stored data: `codeindex clear`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

import codeindex
from codeindex.cli.confirmation import confirm_deletion
from codeindex.cli.gc import delete_unneeded
from codeindex.cli.options import dry_run_option, path_argument, yes_option
from codeindex.cli.output import format_megabytes, print_line, print_note, print_rows
from codeindex.config import data_home
from codeindex.store.datadir.home import repositories

if TYPE_CHECKING:
    from codeindex.maintenance.deletion import IndexPart


@click.command()
@path_argument
@click.option("--all", "everything", is_flag=True, help="Delete all indexes, caches and sessions.")
@click.option("--unneeded", is_flag=True, help="Delete only data that nothing needs.")
@dry_run_option
@yes_option
def clear_command(path: str, *, everything: bool, unneeded: bool, dry_run: bool, yes: bool) -> None:
    """Delete the index of the repository of PATH, or of that name.

    Shows the parts of the index and asks first. Never changes work trees; keeps models, settings
    and, except with --all, cached embeddings. --unneeded deletes, in the whole data folder, indexes
    of deleted folders, files that no index uses, and expired data.
    """
    if everything and unneeded:
        raise click.UsageError("--all and --unneeded delete different things: leave one out.")
    if unneeded:
        delete_unneeded(dry_run=dry_run, yes=yes, as_json=False)
    elif everything:
        _clear_all(dry_run=dry_run, yes=yes)
    else:
        _clear_index(path, dry_run=dry_run, yes=yes)


def _clear_index(path: str, *, dry_run: bool, yes: bool) -> None:
    with codeindex.Index.open(path) as index:
        parts = index.admin.parts()
        if not parts:
            print_note(f"'{index.root}' has no index")
            return
        _print_parts(parts)
        if not dry_run and confirm_deletion(f"Delete the index of '{index.root}'?", yes=yes):
            size = format_megabytes(index.admin.clear())
            print_line(f"{index.repository.name}: {size} deleted")


def _clear_all(*, dry_run: bool, yes: bool) -> None:
    # These modules import sqlite3.
    from codeindex.maintenance.deletion import (
        IndexPart,
        delete_everything,
        index_parts,
        shared_parts,
        total_bytes,
    )
    from codeindex.store.cache.caches import MerkleCache, cache_folder

    known = repositories(data_home())
    parts = [
        IndexPart(repository.name, repository.folder, total_bytes(index_parts(repository)))
        for repository in known
    ]
    parts += shared_parts(data_home())
    if not parts:
        print_note("nothing is stored")
        return
    _print_parts(parts)
    if not dry_run and confirm_deletion(
        f"Delete {len(known)} indexes, caches and sessions?", yes=yes
    ):
        freed = delete_everything(data_home(), MerkleCache(cache_folder(data_home(), "merkle")))
        print_line(f"{format_megabytes(freed)} deleted")


def _print_parts(parts: Sequence[IndexPart]) -> None:
    print_rows((part.what, format_megabytes(part.size_bytes), str(part.path)) for part in parts)
