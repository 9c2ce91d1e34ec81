"""Delete an index, all stored data or unneeded data: `codeindex clear` and `codeindex gc`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

import codeindex
from codeindex.cli.confirmation import confirm
from codeindex.cli.options import dry_run_option, json_option, path_argument, yes_option
from codeindex.cli.output import format_megabytes, print_json, print_line, print_note, print_rows
from codeindex.config import data_home
from codeindex.store.datadir.home import repositories

if TYPE_CHECKING:
    from codeindex.maintenance.deletion import IndexPart
    from codeindex.maintenance.garbage import Garbage


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
        if not dry_run and confirm(f"Delete the index of '{index.root}'?", yes=yes):
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
    from codeindex.store.cache.caches import STAT_CACHE, StatCache, cache_folder

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
    if not dry_run and confirm(f"Delete {len(known)} indexes, caches and sessions?", yes=yes):
        freed = delete_everything(data_home(), StatCache(cache_folder(data_home(), STAT_CACHE)))
        print_line(f"{format_megabytes(freed)} deleted")


def _print_parts(parts: Sequence[IndexPart]) -> None:
    print_rows((part.what, format_megabytes(part.size_bytes), str(part.path)) for part in parts)


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
        if confirm(f"Delete {size}?", yes=yes):
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
