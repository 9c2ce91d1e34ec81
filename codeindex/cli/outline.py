"""Show the declarations of a file to people: `codeindex outline`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

import codeindex
from codeindex.cli.derived import incomplete
from codeindex.cli.highlighting import is_coloured
from codeindex.cli.options import When, color_option, json_option, no_pager_option, repo_option
from codeindex.cli.output import Paint, make_painter, print_json, print_note, print_rendered
from codeindex.cli.pager import print_paged
from codeindex.cli.scope import locate_target
from codeindex.redact_query import redact_text
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    from codeindex.analysis.outline.declaration import Declaration
    from codeindex.analysis.outline.declarations import Declarations


@click.command()
@click.argument("path")
@repo_option
@color_option
@no_pager_option
@json_option
def outline_command(path: str, *, repo: str, color: When, no_pager: bool, as_json: bool) -> None:
    """Show the declarations of the file PATH, or the public API of a folder."""
    with codeindex.Index.open(locate_target(repo).root) as index:
        redacted = redact_text(path)
        if os.path.isdir(index.root / path):  # noqa: PTH112 (pathlib raises for odd names)
            report = index.source.public_api(redacted)
        else:
            report = index.source.declarations(redacted)
        refreshed = index.refreshed()
    if as_json:
        print_json({**incomplete(refreshed), **report.as_dict()})
    else:
        paint = make_painter(enabled=is_coloured(color))
        print_paged(_format_declarations(report, paint), print_rendered, paged=not no_pager)
    for note in refreshed.remarks():
        print_note(note)


def _format_declarations(report: Declarations, paint: Paint) -> Iterator[str]:
    file = ""
    for declaration in report.declarations:
        if declaration.file != file:
            if file:
                yield ""
            file = declaration.file
            yield paint(file, fg="magenta")
        yield _format_declaration(declaration, paint)
    if report.truncated:
        yield f"{len(report.declarations)} of {report.total:,} declarations"
    if not report.declarations:
        yield f"{paint(report.path)} has no known declarations"


def _format_declaration(declaration: Declaration, paint: Paint) -> str:
    """Return a declaration's line number and signature, indented, with the name in bold."""
    name = declaration.name.rpartition(".")[2]
    signature = declaration.signature or f"{declaration.kind} {declaration.name}"
    before, own_name, after = signature.partition(name)
    depth = 0 if declaration.kind == SymbolKind.IMPL else declaration.name.count(".")
    number = paint(f"{declaration.line:>5}", fg="green")
    return f"{number}  {'  ' * depth}{paint(before)}{paint(own_name, bold=True)}{paint(after)}"
