"""Open the search page in a browser, or write it as a static site: `codeindex ui`."""

from __future__ import annotations

from pathlib import Path

import click

import codeindex
from codeindex.cli.output import format_megabytes, print_line, print_note
from codeindex.cli.scope import refuse_link_out
from codeindex.cli.sync_output import summarize_sync, sync_with_progress
from codeindex.store.datadir.roots import locate_root, refuse_too_wide_root
from codeindex.types.report import plural


@click.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    help="Port on this machine; any free one if not given.",
)
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@click.option("--root", is_flag=True, help="Serve PATHS as they are, without a git repository too.")
@click.option(
    "--export",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write search page, report and wiki into this folder as a static site; serve nothing.",
)
def ui_command(
    paths: tuple[str, ...], *, port: int | None, no_browser: bool, root: bool, folder: Path | None
) -> None:
    """Open a search page in the browser, for the repositories of PATHS or of this folder.

    A server on this machine alone serves the page until Ctrl-C; only the printed address, which
    holds a new token, opens it. The repositories are indexed in the background, and so are changes
    while it runs.

    With --export, the page is written as files that any web server serves, with the code of one
    repository, without its secrets.
    """
    if folder is not None:
        if port is not None or no_browser:
            raise click.UsageError("--export serves nothing: leave out --port and --no-browser.")
        _export(paths, folder, root=root)
        return
    from codeindex.mcp.http import serve_page  # imports the web server

    serve_page(paths, port or 0, any_folder=root, opens_browser=not no_browser)


def _export(paths: tuple[str, ...], folder: Path, *, root: bool) -> None:
    if len(paths) > 1:
        raise click.UsageError("--export writes one repository: name one.")
    (path,) = paths or (".",)
    if not root:
        refuse_too_wide_root(locate_root(path).root)
    from codeindex.web.static_site import write_site  # imports the report: 100 ms

    with codeindex.Index.open(path, root=root) as index:
        refuse_link_out(folder, index.root)
        print_note(summarize_sync(sync_with_progress(index, structure_only=True)))
        try:
            site = write_site(index, folder)
        except OSError as error:
            raise click.FileError(str(folder), error.strerror or str(error)) from error
    for note in site.notes:
        print_note(note)
    size = format_megabytes(site.size_bytes)
    pages = plural(site.pages, "wiki page")
    print_line(f"wrote {folder}: {plural(site.files, 'file')}, {pages}, {size}")
