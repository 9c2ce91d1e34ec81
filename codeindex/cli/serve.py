"""Serve agents by MCP: `codeindex serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from codeindex.api.index_limits import IndexLimits
from codeindex.cli.draft_options import draft_options, parse_draft_options
from codeindex.cli.limit_options import limit_options, parse_limits
from codeindex.store.datadir.roots import refuse_address
from codeindex.watch.options import WatchOptions

_HTTP_OPTIONS = ("token_file", "allow_write", "forwarded_allow_ips")


@click.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--http", metavar="[HOST:]PORT", help="Serve by HTTP; without HOST, for this machine alone."
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Token that HTTP clients must send; generated if HOST is not this machine.",
)
@click.option("--watch", is_flag=True, help="Index files as they change.")
@click.option(
    "--debounce-ms",
    type=click.IntRange(0, 60_000),
    help="With --watch: quiet time that ends a burst of changes.",
)
@draft_options
@limit_options
@click.option("--all-tools", is_flag=True, help="List every tool; unlisted tools can be called.")
@click.option(
    "--structured",
    is_flag=True,
    help="Answer in JSON with output schemas, for programs; implied by --http and --all-tools.",
)
@click.option("--root", is_flag=True, help="Serve PATHS as they are, without a git repository too.")
@click.option("--allow-global-scope", is_flag=True, help="Allow searches of all repositories.")
@click.option(
    "--any-repo",
    is_flag=True,
    help="Read from and write to any registered repository that a client names.",
)
@click.option(
    "--allow-write",
    is_flag=True,
    help="With --http and no token: let every user of this machine write wiki pages and INDEX.md.",
)
@click.option(
    "--forwarded-allow-ips",
    default="",
    metavar="ADDRESSES",
    help="With --http: addresses of proxies whose X-Forwarded-For names the client.",
)
def serve_command(paths: tuple[str, ...], *, watch: bool, **options: Any) -> None:
    """Serve PATHS to agents by MCP over standard input and output, or by HTTP.

    Without PATHS: the folders of the client, else CLAUDE_PROJECT_DIR, else the current folder. No
    other repository is read or written, whatever a client names, without --any-repo. Repositories
    are indexed in the background and answer meanwhile. Listed are explore_code, search_code,
    find_symbol, summarize_code, read_code and batch_code, and the tools of the wiki if there is
    one. Limits such as --max-depth apply until the next `index` or `serve` with limits. By HTTP,
    MCP is at /mcp and a search page at /; the folders of clients are not used, and
    without a token nothing can be written. With --watch, an existing generated INDEX.md is kept up
    to date.
    """
    for path in paths:
        refuse_address(path)
    limits = parse_limits(options)
    debounce_ms = options.pop("debounce_ms")
    if debounce_ms is not None and not watch:
        raise click.UsageError("--debounce-ms needs --watch.")
    drafts = parse_draft_options(
        auto=options.pop("wiki_auto_update"),
        command=options.pop("wiki_exec"),
        debounce_ms=options.pop("wiki_debounce_ms"),
    )
    if drafts is not None and not watch:
        raise click.UsageError("--wiki-auto-update needs --watch.")
    watch_options = WatchOptions(debounce_ms, drafts=drafts) if watch else None
    if options["http"] is not None:
        _serve_http(paths, watch_options, limits, options)
    else:
        _serve_stdio(paths, watch_options, limits, options)


def _serve_http(
    paths: tuple[str, ...],
    watch_options: WatchOptions | None,
    limits: IndexLimits,
    options: dict[str, Any],
) -> None:
    from codeindex.mcp.http import serve_http  # imports the web server

    if options["any_repo"]:
        raise click.UsageError(
            "--any-repo cannot be combined with --http: name the repositories as PATHS."
        )
    serve_http(
        paths,
        options["http"],
        all_tools=options["all_tools"],
        any_folder=options["root"],
        watch_options=watch_options,
        limits=limits,
        **{name: options[name] for name in _HTTP_OPTIONS},
    )


def _serve_stdio(
    paths: tuple[str, ...],
    watch_options: WatchOptions | None,
    limits: IndexLimits,
    options: dict[str, Any],
) -> None:
    for name in _HTTP_OPTIONS:
        if options[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} needs --http.")
    # Standard output belongs to the protocol before anything else is imported that might print.
    from codeindex.mcp.stdio import claim_stdout, run_stdio_server

    protocol_output = claim_stdout()
    from codeindex.mcp.repository_server import AccessPolicy, RepositoryServer

    server = RepositoryServer(
        paths,
        access=AccessPolicy(any_folder=options["root"], any_repo=options["any_repo"]),
        allow_global=options["allow_global_scope"],
        watch_options=watch_options,
        limits=limits,
    )
    all_tools = options["all_tools"]
    structured = options["structured"] or all_tools
    run_stdio_server(server, protocol_output, all_tools=all_tools, structured=structured)
