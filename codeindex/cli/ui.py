"""Open the search page in a browser: `codeindex ui`."""

from __future__ import annotations

import click


@click.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    help="Port of this machine; any free one if none.",
)
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@click.option("--root", is_flag=True, help="Serve PATHS as they are, without a git repository too.")
def ui_command(paths: tuple[str, ...], *, port: int, no_browser: bool, root: bool) -> None:
    """Open a search page in the browser, for the repositories of PATHS or of this folder.

    A server on this machine alone serves the page until Ctrl-C; only the printed address, which
    holds a new token, opens it. The repositories are indexed in the background, and so are changes
    while it runs.
    """
    from codeindex.mcp.http import serve_page  # imports the web server

    serve_page(paths, port, any_folder=root, opens_browser=not no_browser)
