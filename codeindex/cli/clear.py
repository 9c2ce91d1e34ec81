"""`codeindex clear`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from codeindex.cli.output import print_line, print_note, print_rows

if TYPE_CHECKING:
    from codeindex.maintenance.deletion import IndexPart


@click.command()
@click.argument("path", default=".")
@click.option("--all", "everything", is_flag=True, help="All indexes, caches and sessions.")
@click.option("-y", "--yes", is_flag=True, help="Delete without asking.")
def clear(path: str, *, everything: bool, yes: bool) -> None:
    """Delete the index of the repository of PATH, or of that name.

    Shows what it holds and asks. Work trees are never touched; models, settings and, but for
    --all, the cached embeddings stay.
    """
    if everything:
        _clear_all(yes=yes)
    else:
        _clear_one(path, yes=yes)


def _clear_one(path: str, *, yes: bool) -> None:
    from codeindex.api.index import Index
    from codeindex.cli.confirmation import agreed, megabytes

    with Index.open(path) as index:
        parts = index.admin.parts()
        if not parts:
            print_note(f"'{index.root}' has no index")
            return
        _show(parts)
        if agreed(f"Delete the index of '{index.root}'?", yes=yes):
            print_line(f"{index.repository.name}: {megabytes(index.admin.clear())} deleted")


def _clear_all(*, yes: bool) -> None:
    from codeindex.cli.confirmation import agreed, megabytes
    from codeindex.config import data_home
    from codeindex.maintenance.deletion import (
        IndexPart,
        delete_everything,
        index_parts,
        shared_parts,
        total_bytes,
    )
    from codeindex.store.cache.caches import MerkleCache, cache_folder
    from codeindex.store.datadir.home import repositories

    every = [(one, index_parts(one)) for one in repositories(data_home())]
    parts = [IndexPart(one.name, one.folder, total_bytes(mine)) for one, mine in every]
    parts += shared_parts(data_home())
    if not parts:
        print_note("nothing is stored")
        return
    _show(parts)
    if agreed(f"Delete {len(every)} indexes, caches and sessions?", yes=yes):
        freed = delete_everything(data_home(), MerkleCache(cache_folder(data_home(), "merkle")))
        print_line(f"{megabytes(freed)} deleted")


def _show(parts: Sequence[IndexPart]) -> None:
    from codeindex.cli.confirmation import megabytes

    rows = [(one.what, megabytes(one.size_bytes), str(one.path)) for one in parts]
    print_rows(rows)
