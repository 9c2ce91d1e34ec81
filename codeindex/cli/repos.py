"""`codeindex repos`."""

from __future__ import annotations

import json
import sys

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def repos(*, as_json: bool) -> None:
    """List the registered repositories: name, state, root."""
    from codeindex.config import home
    from codeindex.present import columns
    from codeindex.store.home import Repository, repositories

    def state(one: Repository) -> str:
        if not one.root.is_dir():
            return "gone"
        return "indexed" if one.catalog.exists() else "not indexed"

    rows = [(one.name, state(one), str(one.root)) for one in repositories(home())]
    if as_json:
        keys = ("name", "state", "root")
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=2))
        return
    for line in columns(rows, aligned=sys.stdout.isatty()) if rows else ():
        click.echo(line)
    if not rows:
        click.echo("No repository is indexed yet: run `codeindex index PATH`.", err=True)
