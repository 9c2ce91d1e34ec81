"""`codeindex repair`."""

from __future__ import annotations

import json

import click


@click.command()
@click.argument("path", default=".")
@click.option("--deep", is_flag=True, help="Look at everything first, as `verify --deep` does.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def repair(ctx: click.Context, path: str, *, deep: bool, as_json: bool) -> None:
    """Make again what is broken in the index of PATH, from the files and from what is sound.

    Vectors that are sound are kept. Ends with status 1 if something is still wrong.
    """
    from dataclasses import asdict

    from codeindex.cli.index import summary
    from codeindex.cli.progress import Bar
    from codeindex.cli.verdicts import end, show
    from codeindex.index import Index

    with Index.open(path) as index, Bar() as bar:
        done = index.repair(deep=deep, progress=bar)
    if as_json:
        click.echo(json.dumps(asdict(done), indent=2))
    elif done.report is None:
        click.echo("nothing to repair")
    else:
        show(done.found)
        click.echo(summary(done.report))
        for one in done.report.notes:
            click.echo(f"note: {one}", err=True)
        show(done.left)
        click.echo("still broken" if done.left else "repaired", err=True)
    end(ctx, problems=len(done.left))
