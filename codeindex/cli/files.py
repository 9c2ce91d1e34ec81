"""`codeindex files`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

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
    from codeindex.index import Index

    with Index.open(path) as index:
        if languages:
            _print_counts(index.status().languages.items(), as_json=as_json)
        elif skipped:
            _print_skipped(index.skipped(), null=null, as_json=as_json)
        else:
            print_paths(index.files(), root=index.root, null=null, as_json=as_json)


def print_paths(paths: Sequence[str], *, root: Path, null: bool, as_json: bool = False) -> None:
    """Print paths so that they can be opened from here; JSON has them relative to the root."""
    from codeindex.present import View

    if as_json:
        click.echo(json.dumps(paths, indent=2))
        return
    view = View(roots={"": root}, here=Path.cwd(), terminal=sys.stdout.isatty())
    for path in paths:
        click.echo(view.path(path), nl=False)
        click.echo("\0" if null else "\n", nl=False)


def _print_counts(counts: Iterable[tuple[str, int]], *, as_json: bool) -> None:
    from codeindex.present import columns

    if as_json:
        click.echo(json.dumps(dict(counts), indent=2))
        return
    for line in columns([(name, str(count)) for name, count in counts], aligned=_on_terminal()):
        click.echo(line)


def _print_skipped(skipped: Sequence[Skipped], *, null: bool, as_json: bool) -> None:
    """Reasons with their counts come first on a terminal, where the list may be long."""
    from codeindex.present import columns

    if as_json:
        click.echo(json.dumps([asdict(one) for one in skipped], indent=2))
        return
    if _on_terminal() and skipped:
        _print_counts(Counter(one.reason for one in skipped).most_common(), as_json=False)
        click.echo()
    if null:
        for one in skipped:
            click.echo(f"{one.path}\0{one.reason}")
        return
    rows = [_visible(one.path, one.reason) for one in skipped]
    for line in columns(rows, aligned=False):
        click.echo(line)


def _visible(*texts: str) -> tuple[str, ...]:
    from codeindex.visible import visible

    return tuple(map(visible, texts)) if _on_terminal() else texts


def _on_terminal() -> bool:
    return sys.stdout.isatty()
