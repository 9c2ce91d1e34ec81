"""`codeindex repos`."""

from __future__ import annotations

import click

from codeindex.cli.output import print_json, print_note, print_rows


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def repos(*, as_json: bool) -> None:
    """List the registered repositories: name, state, root."""
    from codeindex.config import data_home
    from codeindex.store.datadir.home import Repository, repositories

    def state(one: Repository) -> str:
        if not one.root.is_dir():
            return "gone"
        return "indexed" if one.catalog.exists() else "not indexed"

    rows = [(one.name, state(one), str(one.root)) for one in repositories(data_home())]
    if as_json:
        keys = ("name", "state", "root")
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
        return
    print_rows(rows)
    if not rows:
        print_note("No repository is indexed yet: run `codeindex index PATH`.")
