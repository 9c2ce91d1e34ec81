"""`codeindex eval`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codeindex.cli.output import print_json, print_line, print_note

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.evaluation.report import TuningReport


@click.command("eval")
@click.argument("path", default=".")
@click.option(
    "-m", "--limit", type=int, default=None, help="Most questions of each kind [default: 200]."
)
@click.option("--tune", is_flag=True, help="Fit the weights to this repository, if that helps.")
@click.option("--reset", is_flag=True, help="Rank by the shipped weights again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(path: str, *, limit: int | None, tune: bool, reset: bool, as_json: bool) -> None:
    """Measure how well the repository of PATH is searched, on questions of its own.

    They are the messages of its commits, whose files are to be found, and its functions'
    documentation, which is hidden first. --tune fits the ranker's weights to one half of the files
    and keeps them, for this repository alone, if the other half is found better beyond chance;
    --reset undoes that.
    """
    from codeindex.api.index import Index
    from codeindex.cli.progress import Bar
    from codeindex.config import limit_numpy_threads

    limit_numpy_threads()
    if tune and reset:
        raise click.UsageError("Use one of --tune and --reset.")
    given = {} if limit is None else {"limit": limit}
    with Index.open(path) as index:
        if reset:
            _reset(index, as_json=as_json)
            return
        with Bar() as bar:
            tuning = index.evaluation.tune(progress=bar, **given) if tune else None
            report = tuning or index.evaluation.evaluate(progress=bar, **given)
    if as_json:
        print_json(report.as_dict())
        return
    for line in report.text():
        print_line(line)
    if tuning:
        print_note(_outcome(tuning))


def _reset(index: Index, *, as_json: bool) -> None:
    changed = index.evaluation.untune()
    if as_json:
        print_json({"repo": index.repository.name, "changed": changed})
    else:
        before = "" if changed else "nothing was tuned; "
        print_line(f"{index.repository.name}: {before}the shipped weights rank")


def _outcome(done: TuningReport) -> str:
    if done.kept:
        return (
            f"{done.repo}: searches rank by these weights now; `codeindex eval --reset` undoes it"
        )
    before = ", those tuned before are gone" if done.changed else ""
    return f"{done.repo}: the shipped weights rank{before}"
