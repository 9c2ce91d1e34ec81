"""List the registered repositories: `codeindex repos`."""

from __future__ import annotations

import click

from codeindex.cli.options import json_option
from codeindex.cli.output import print_json, print_note, print_rows
from codeindex.config import data_home
from codeindex.store.datadir.home import Repository, repositories

NOTHING_INDEXED = "No repository is indexed yet: run `codeindex index PATH`."


@click.command()
@json_option
def repos_command(*, as_json: bool) -> None:
    """List the registered repositories: name, state, root."""
    rows = [
        (repository.name, _state(repository), str(repository.root))
        for repository in repositories(data_home())
    ]
    if as_json:
        keys = ("name", "state", "root")
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
        return
    print_rows(rows)
    if not rows:
        print_note(NOTHING_INDEXED)


def _state(repository: Repository) -> str:
    if not repository.root.is_dir():
        return "gone"
    return "indexed" if repository.catalog.exists() else "not indexed"
