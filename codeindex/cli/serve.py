"""`codeindex serve`."""

from __future__ import annotations

from pathlib import Path

import click

from codeindex.cli.draft_options import drafts_of, wiki_options
from codeindex.watch.intervals import WatchIntervals


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--http", metavar="[HOST:]PORT", help="Serve by HTTP; this machine alone if no HOST.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The token that HTTP clients must send; made up if HOST is not this machine.",
)
@click.option("--watch", is_flag=True, help="Index what changes as it changes.")
@click.option(
    "--debounce-ms",
    type=click.IntRange(0, 60_000),
    help="With --watch: quiet that ends a burst of changes.",
)
@wiki_options
@click.option("--all-tools", is_flag=True, help="List every tool; all can be called anyway.")
@click.option(
    "--structured",
    is_flag=True,
    help="Answer in JSON with output schemas, for programs; --http and --all-tools do so anyway.",
)
@click.option("--root", is_flag=True, help="Serve PATHS as they are, without a git repository too.")
@click.option("--allow-global-scope", is_flag=True, help="Allow searches of all repositories.")
@click.option(
    "--any-repo",
    is_flag=True,
    help="Answer for, and write to, any repository of yours that a client names.",
)
@click.option(
    "--allow-write",
    is_flag=True,
    help="With --http and no token: let anybody on this machine write wiki pages and INDEX.md.",
)
@click.option(
    "--forwarded-allow-ips",
    default="",
    metavar="ADDRESSES",
    help="With --http: proxies, by address, whose X-Forwarded-For names the client.",
)
def serve(  # noqa: PLR0913 (its options)
    paths: tuple[str, ...],
    *,
    http: str | None,
    token_file: Path | None,
    watch: bool,
    debounce_ms: int | None,
    wiki_auto_update: bool,
    wiki_exec: str | None,
    wiki_debounce_ms: int | None,
    all_tools: bool,
    structured: bool,
    root: bool,
    allow_global_scope: bool,
    any_repo: bool,
    allow_write: bool,
    forwarded_allow_ips: str,
) -> None:
    """Serve PATHS to agents by MCP, over standard input and output unless told otherwise.

    Without PATHS: the folders of the client, else CLAUDE_PROJECT_DIR, else this one. No other
    repository is read or written, whatever a client names, unless --any-repo is given. They are
    indexed in the background; what there is answers at once. Listed are explore_code,
    search_code, find_symbol, summarize_code and read_code, and the tools of the wiki where there is
    one. By HTTP, at /mcp, clients'
    folders are not asked for, and without a token nothing can be written. With --watch, an INDEX.md
    that codeindex has made is kept up to date too.
    """
    if debounce_ms is not None and not watch:
        raise click.UsageError("--debounce-ms is for --watch.")
    drafts = drafts_of(auto=wiki_auto_update, command=wiki_exec, debounce_ms=wiki_debounce_ms)
    if drafts is not None and not watch:
        raise click.UsageError("--wiki-auto-update is for --watch.")
    intervals = WatchIntervals(debounce_ms, drafts=drafts) if watch else None
    if http is not None:
        from codeindex.mcp.http import serve_http

        if any_repo:
            raise click.UsageError("--any-repo is not for --http: name the repositories as PATHS.")
        serve_http(
            paths,
            http,
            token_file=token_file,
            all_tools=all_tools,
            any_folder=root,
            allow_write=allow_write,
            forwarded_allow_ips=forwarded_allow_ips,
            intervals=intervals,
        )
        return
    for given, name in (
        (token_file, "--token-file"),
        (allow_write, "--allow-write"),
        (forwarded_allow_ips, "--forwarded-allow-ips"),
    ):
        if given:
            raise click.UsageError(f"{name} is for --http.")
    from codeindex.mcp.stdio import claim_stdout

    output = claim_stdout()
    from codeindex.mcp.repository_server import AccessPolicy
    from codeindex.mcp.stdio import serve_stdio

    serve_stdio(
        paths,
        output,
        all_tools=all_tools,
        structured=structured or all_tools,
        access=AccessPolicy(any_folder=root, any_repo=any_repo),
        allow_global=allow_global_scope,
        intervals=intervals,
    )
