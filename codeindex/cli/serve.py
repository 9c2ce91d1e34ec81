"""`codeindex serve`."""

from __future__ import annotations

import click


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--all-tools", is_flag=True, help="List every tool; all can be called anyway.")
@click.option("--root", is_flag=True, help="Serve PATHS as they are, without a git repository too.")
@click.option("--allow-global-scope", is_flag=True, help="Allow searches of all repositories.")
def serve(paths: tuple[str, ...], *, all_tools: bool, root: bool, allow_global_scope: bool) -> None:
    """Serve PATHS to an agent by MCP over standard input and output.

    Without PATHS: the folders of the client, else CLAUDE_PROJECT_DIR, else this one.
    """
    from codeindex.mcp.stdio import own_stdout

    own_stdout()
    from codeindex.mcp.stdio import serve as run

    run(paths, all_tools=all_tools, any_folder=root)
