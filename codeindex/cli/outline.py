"""`codeindex outline`: what a file declares, for people."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

import click

from codeindex.cli.derived import incomplete
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    from codeindex.analysis.outline.declaration import Declaration
    from codeindex.analysis.outline.declarations import Declarations


@click.command()
@click.argument("path")
@click.option("--repo", default=".", help="A folder, or a registered repository's name.")
@click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    help="Colour lines and names.",
)
@click.option("--no-pager", is_flag=True, help="Print what is longer than the screen at once.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def outline(
    path: str,
    *,
    repo: str,
    color: Literal["auto", "always", "never"],
    no_pager: bool,
    as_json: bool,
) -> None:
    """Show what the file PATH declares, or what is public of a folder."""
    from codeindex.api.index import Index
    from codeindex.cli.highlighting import in_colour
    from codeindex.cli.output import painter, print_json, print_note, print_rendered
    from codeindex.cli.pager import show
    from codeindex.cli.scope import place_of_any
    from codeindex.redact_query import redact_text

    with Index.open(place_of_any(repo).root) as index:
        said = redact_text(path)
        is_folder = os.path.isdir(index.root / path)  # noqa: PTH112 (pathlib's raises for odd names)
        found = index.source.public_api(said) if is_folder else index.source.declarations(said)
        refreshed = index.refreshed()
    if as_json:
        print_json({**incomplete(refreshed), **found.as_dict()})
    else:
        show(_lines(found, painter(on=in_colour(color))), print_rendered, paged=not no_pager)
    for sentence in refreshed.remarks():
        print_note(sentence)


def _lines(found: Declarations, paint: Callable[..., str]) -> Iterator[str]:
    file = ""
    for one in found.declarations:
        if one.file != file:
            if file:
                yield ""
            file = one.file
            yield paint(file, fg="magenta")
        yield _line(one, paint)
    if found.truncated:
        yield f"{len(found.declarations)} of {found.total:,} declarations"
    if not found.declarations:
        yield f"{paint(found.path)} declares nothing that is known"


def _line(one: Declaration, paint: Callable[..., str]) -> str:
    """Return the head of a declaration with its own name in bold, as deep as its owners are."""
    name = one.name.rpartition(".")[2]
    head = one.signature or f"{one.kind} {one.name}"
    before, own, after = head.partition(name)
    depth = "" if one.kind == SymbolKind.IMPL else "  " * one.name.count(".")
    number = paint(f"{one.line:>5}", fg="green")
    return f"{number}  {depth}{paint(before)}{paint(own, bold=True)}{paint(after)}"
