"""`codeindex doctor`."""

from __future__ import annotations

import click

from codeindex.cli.output import print_json


@click.command()
@click.argument("path", default=".")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(ctx: click.Context, path: str, *, as_json: bool) -> None:
    """Say what is wrong on this machine and with the index of PATH, and what to do about it.

    Changes nothing and asks no network. Ends with status 1 if there is a problem. `verify` looks
    into every store; this does not.
    """
    from codeindex.cli.check_output import as_dicts, end, show
    from codeindex.doctor.run import run_doctor

    found = run_doctor(path)
    if as_json:
        print_json(as_dicts(found))
    else:
        show(found)
    end(ctx, problems=sum(one.state == "problem" for one in found))
