"""Measure searches, and fit the ranker's weights: `codeindex eval`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import codeindex
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_line, print_note
from codeindex.cli.progress import ProgressBar
from codeindex.config import limit_numpy_threads

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.evaluation.report import TuningReport


@click.command()
@path_argument
@click.option(
    "-m", "--limit", type=int, default=None, help="Most questions of each kind [default: 200]."
)
@click.option("--tune", is_flag=True, help="Fit the weights to this repository, if that helps.")
@click.option("--reset", is_flag=True, help="Use the shipped weights again.")
@json_option
def eval_command(path: str, *, limit: int | None, tune: bool, reset: bool, as_json: bool) -> None:
    """Measure how well the repository of PATH is searched, with questions made from it.

    The questions are commit messages, which should find the changed files, and documentation of
    functions, which is hidden from the search. --tune fits the weights of the ranker to one half of
    the files, and keeps them for this repository if they improve the other half significantly;
    --reset removes them.
    """
    limit_numpy_threads()
    if tune and reset:
        raise click.UsageError("Use one of --tune and --reset.")
    options = {} if limit is None else {"limit": limit}
    with codeindex.Index.open(path) as index:
        if reset:
            _reset_weights(index, as_json=as_json)
            return
        with ProgressBar() as bar:
            tuning = index.evaluation.tune(progress=bar, **options) if tune else None
            report = tuning or index.evaluation.evaluate(progress=bar, **options)
    if as_json:
        print_json(report.as_dict())
        return
    for line in report.text():
        print_line(line)
    if tuning:
        print_note(_describe_tuning(tuning))


def _reset_weights(index: Index, *, as_json: bool) -> None:
    changed = index.evaluation.untune()
    if as_json:
        print_json({"repo": index.repository.name, "changed": changed})
    else:
        unchanged = "" if changed else "nothing was tuned; "
        print_line(f"{index.repository.name}: {unchanged}searches use the shipped weights")


def _describe_tuning(report: TuningReport) -> str:
    if report.kept:
        return (
            f"{report.repo}: searches use these weights now; `codeindex eval --reset` removes them"
        )
    removed = "; the weights tuned before were removed" if report.changed else ""
    return f"{report.repo}: searches use the shipped weights{removed}"
