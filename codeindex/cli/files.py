"""List files that are indexed or skipped: `codeindex files`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import click

import codeindex
from codeindex.cli.options import json_option, path_argument
from codeindex.cli.output import print_json, print_line, print_rendered, print_rows
from codeindex.formatting import DisplayOptions
from codeindex.types import Skipped


@click.command()
@path_argument
@click.option("--skipped", is_flag=True, help="List the files that are not indexed, with reasons.")
@click.option("--languages", is_flag=True, help="Count the indexed files of each language.")
@click.option("-0", "--null", is_flag=True, help="End each path with a NUL byte.")
@json_option
def files_command(path: str, *, skipped: bool, languages: bool, null: bool, as_json: bool) -> None:
    """List the indexed files at PATH; --skipped lists the other files with the reasons."""
    with codeindex.Index.open(path) as index:
        if languages:
            _print_counts(index.status().languages.items(), as_json=as_json)
        elif skipped:
            _print_skipped(index.skipped(), null=null, as_json=as_json)
        else:
            print_paths(index.files(), root=index.root, null=null, as_json=as_json)


def print_paths(paths: Sequence[str], *, root: Path, null: bool, as_json: bool = False) -> None:
    """Print paths relative to the current folder, or as JSON relative to the root."""
    if as_json:
        print_json(paths)
        return
    view = DisplayOptions(roots={"": root}, here=Path.cwd(), null=null)
    for path in paths:
        if null:
            print_rendered(f"{view.path(path)}\0")
        else:
            print_line(view.path(path))


def _print_counts(counts: Iterable[tuple[str, int]], *, as_json: bool) -> None:
    if as_json:
        print_json(dict(counts))
    else:
        print_rows((name, str(count)) for name, count in counts)


def _print_skipped(skipped: Sequence[Skipped], *, null: bool, as_json: bool) -> None:
    """Print skipped files with the reason; on a terminal, first the number for each reason."""
    if as_json:
        print_json([asdict(file) for file in skipped])
        return
    if sys.stdout.isatty() and skipped:
        _print_counts(Counter(file.reason for file in skipped).most_common(), as_json=False)
        print_line("")
    if null:
        for file in skipped:
            print_rendered(f"{file.path}\0")
            print_line(file.reason)
        return
    print_rows(((file.path, file.reason) for file in skipped), aligned=False)
