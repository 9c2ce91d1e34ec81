"""Print the declarations of a file for people: `codeindex outline`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import codeindex
from codeindex.cli.derived import show_report
from codeindex.cli.highlighting import is_coloured
from codeindex.cli.options import (
    When,
    color_option,
    columns_option,
    json_option,
    no_pager_option,
    repo_option,
)
from codeindex.cli.output import print_note, print_rendered
from codeindex.cli.pager import print_paged
from codeindex.cli.scope import locate_target
from codeindex.formatting import DisplayOptions
from codeindex.redact_query import redact_text
from codeindex.text.sanitize import escape_line
from codeindex.types import SymbolKind
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.analysis.outline.declaration import Declaration
    from codeindex.analysis.outline.declarations import Declarations
    from codeindex.api.index import Index


@click.command()
@click.argument("path", default="")
@click.option("--public", is_flag=True, help="Only the public API, as for a folder.")
@click.option("--kind", default="", help="For a file: only this kind: function, class, method …")
@click.option("--shallow", is_flag=True, help="For a file: no members and no documentation.")
@click.option("-m", "--limit", type=int, help="Most declarations of a public API [default: 500].")
@repo_option
@color_option
@no_pager_option
@json_option
@columns_option
def outline_command(
    path: str, *, repo: str, color: When, no_pager: bool, as_json: bool, columns: bool, **what: Any
) -> None:
    """List the declarations of the file PATH, or the public API of a folder or the repository."""
    with codeindex.Index.open(locate_target(repo).root) as index:
        report = _read_declarations(index, path, **what)
        refreshed = index.refreshed()
    if as_json or columns:
        show_report(report, refreshed, as_json=as_json, columns=columns)
        return
    view = DisplayOptions({}, Path(), colour=is_coloured(color))
    print_paged(_format_declarations(report, view), print_rendered, paged=not no_pager)
    for note in refreshed.remarks():
        print_note(note)


def _read_declarations(
    index: Index, path: str, *, public: bool, kind: str, shallow: bool, limit: int | None
) -> Declarations:
    redacted = redact_text(path)
    is_folder = os.path.isdir(index.root / path)  # noqa: PTH112 (pathlib raises for odd names)
    if not (public or is_folder):
        if limit is not None:
            raise click.UsageError(
                "--limit needs --public or a folder: a file is listed completely."
            )
        return index.source.declarations(redacted, kind=kind, shallow=shallow)
    if kind or shallow:
        raise click.UsageError("--kind and --shallow are for one file, without --public.")
    limits = {} if limit is None else {"limit": limit}
    return index.source.public_api(redacted, **limits)


def _format_declarations(report: Declarations, view: DisplayOptions) -> Iterator[str]:
    file = ""
    for declaration in report.declarations:
        if declaration.file != file:
            if file:
                yield ""
            file = declaration.file
            yield view.paint("path", escape_line(file))
        yield _format_declaration(declaration, view)
    if report.truncated:
        yield f"{len(report.declarations)} of {plural(report.total, 'declaration')}"
    if not report.declarations:
        yield f"{escape_line(report.path)} has no known declarations"


def _format_declaration(declaration: Declaration, view: DisplayOptions) -> str:
    """Return a declaration's line number and indented signature, with the name in bold."""
    name = declaration.name.rpartition(".")[2]
    signature = declaration.signature or f"{declaration.kind} {declaration.name}"
    before, own_name, after = map(escape_line, signature.partition(name))
    depth = 0 if declaration.kind == SymbolKind.IMPL else declaration.name.count(".")
    number = view.paint("line", f"{declaration.line:>5}")
    return f"{number}  {'  ' * depth}{before}{view.paint('symbol', own_name)}{after}"
