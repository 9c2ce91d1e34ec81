"""`codeindex files`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codeindex.cli.output import print_json, print_line, print_rows, say_path

if TYPE_CHECKING:
    from codeindex.types import Skipped


@click.command()
@click.argument("path", default=".")
@click.option("--skipped", is_flag=True, help="List what is not indexed, with the reason.")
@click.option("--languages", is_flag=True, help="Count the indexed files of each language.")
@click.option("-0", "--null", is_flag=True, help="End each path with a NUL byte.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def files(path: str, *, skipped: bool, languages: bool, null: bool, as_json: bool) -> None:
    """List the indexed files at PATH; --skipped lists the others and says why."""
    from codeindex.api.index import Index

    with Index.open(path) as index:
        if languages:
            _print_counts(index.status().languages.items(), as_json=as_json)
        elif skipped:
            _print_skipped(index.skipped(), null=null, as_json=as_json)
        else:
            print_paths(index.files(), root=index.root, null=null, as_json=as_json)


def print_paths(paths: Sequence[str], *, root: Path, null: bool, as_json: bool = False) -> None:
    """Print paths so that they can be opened from here; JSON has them relative to the root."""
    from codeindex.formatting import DisplayOptions

    if as_json:
        print_json(paths)
        return
    view = DisplayOptions(roots={"": root}, here=Path.cwd(), null=null)
    for path in paths:
        (say_path if null else print_line)(view.path(path))


def _print_counts(counts: Iterable[tuple[str, int]], *, as_json: bool) -> None:
    if as_json:
        print_json(dict(counts))
    else:
        print_rows((name, str(count)) for name, count in counts)


def _print_skipped(skipped: Sequence[Skipped], *, null: bool, as_json: bool) -> None:
    """Reasons with their counts come first on a terminal, where the list may be long."""
    if as_json:
        print_json([asdict(one) for one in skipped])
        return
    if sys.stdout.isatty() and skipped:
        _print_counts(Counter(one.reason for one in skipped).most_common(), as_json=False)
        print_line("")
    if null:
        for one in skipped:
            say_path(one.path)
            print_line(one.reason)
        return
    print_rows(((one.path, one.reason) for one in skipped), aligned=False)
