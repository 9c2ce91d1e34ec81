"""`codeindex repair`."""

from __future__ import annotations

import click

from codeindex.cli.output import print_json, print_line, print_note


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

    from codeindex.api.index import Index
    from codeindex.cli.check_output import end, show
    from codeindex.cli.index import summary
    from codeindex.cli.progress import Bar

    with Index.open(path) as index, Bar() as bar:
        done = index.admin.repair(deep=deep, progress=bar)
    if as_json:
        print_json(asdict(done))
    elif done.report is None:
        print_line("nothing to repair")
    else:
        show(done.found)
        print_line(summary(done.report))
        for one in done.report.notes:
            print_note(f"note: {one}")
        show(done.left)
        print_note("still broken" if done.left else "repaired")
    end(ctx, problems=len(done.left))
