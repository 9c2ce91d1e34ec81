"""`codeindex verify`."""

from __future__ import annotations

import click

from codeindex.cli.output import print_json, print_note


@click.command()
@click.argument("path", default=".")
@click.option("--deep", is_flag=True, help="Look at everything, read each file again; takes long.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def verify(ctx: click.Context, path: str, *, deep: bool, as_json: bool) -> None:
    """Compare every store of the index of PATH with the files and with the others.

    Changes nothing. Ends with status 1 if something is broken; files that changed since they were
    read are stale, not broken.
    """
    from dataclasses import asdict

    from codeindex.api.index import Index
    from codeindex.cli.check_output import end, show

    with Index.open(path) as index:
        found = index.admin.verify(deep=deep)
    if as_json:
        print_json(asdict(found))
    else:
        show(found.verdicts)
        count = len(found.problems)
        said = f"{count} problems" if count != 1 else "1 problem"
        print_note(f"{found.repo}: {said if count else 'sound'}, {found.seconds:.1f} s")
    end(ctx, problems=len(found.problems))
