"""Build and search many repositories on several machines: `codeindex cluster`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from codeindex.cli.command_group import CommandGroup
from codeindex.cli.options import json_option
from codeindex.cli.output import format_megabytes, print_json, print_line, print_note, print_rows
from codeindex.cli.search_options import SearchOptions, search_options
from codeindex.query.validation import check_not_blank
from codeindex.text.urls import plain_url
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.cluster.build import BuildOutcome
    from codeindex.cluster.cluster import Cluster
    from codeindex.cluster.repository_list import RepositorySource

_Command = TypeVar("_Command", bound=Callable[..., Any])
_SEARCH_OPTIONS = (
    *("max_count", "glob", "type", "kind", "tests", "repo", "min_score", "cursor"),
    *("budget", "content", "files_with_matches", "count", "json", "jsonl", "columns"),
    *("heading", "color", "no_pager"),
)

_store_option = click.option(
    "--store", required=True, metavar="URL", help="A folder or URL that every machine can reach."
)
_ray_option = click.option(
    "--ray",
    "address",
    default="",
    metavar="ADDRESS",
    help="HOST:PORT of a Ray cluster, or `auto` for that of this machine; else RAY_ADDRESS, else"
    " Ray is started on this machine alone.",
)
_cpus_option = click.option(
    "--cpus",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processors for each repository that is built.",
)
_shares_option = click.option(
    "--shares",
    type=click.IntRange(1),
    help="Actors that share the repositories; by default one a machine.",
)
_deadline_option = click.option(
    "--deadline",
    type=click.FloatRange(0.1, 600),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for an answer; what is missing then is named.",
)


@click.group(cls=CommandGroup)
def cluster_group() -> None:
    """Build and search many repositories on several machines.

    Ray runs the work, and a store has the bundles. `pip install '.[cluster]'` in a clone.
    """


def _build_options(command: _Command) -> _Command:
    verify = click.option("--verify", is_flag=True, help="Read every bundle; rebuild damaged ones.")
    rebuild = click.option("--rebuild", is_flag=True, help="Build every repository again.")
    return json_option(_cpus_option(_ray_option(_store_option(verify(rebuild(command))))))


@cluster_group.command("index")
@click.argument("repos", type=click.Path(path_type=Path), metavar="REPOS.txt")
@click.option("--prune", is_flag=True, help="Delete from the store what the list does not name.")
@_build_options
@click.pass_context
def cluster_index_command(
    context: click.Context, /, repos: Path, *, store: str, prune: bool, **options: Any
) -> None:
    """Build the bundles of the repositories in REPOS.txt, and write them to the store.

    Each line is an address that git can fetch, and if need be a name and a branch. A repository
    whose newest commit has its bundle in the store is skipped, so that a run that was interrupted
    is continued by running it again. A repository that fails is named and does not stop the others;
    the exit status is then 2.
    """
    from codeindex.cluster.repository_list import read_repository_list

    sources = read_repository_list(repos)
    context.exit(2 if _build_all(sources, store, _BuildFlags(prune=prune, **options)) else 0)


@cluster_group.command("refresh")
@click.argument("names", nargs=-1)
@_build_options
@click.pass_context
def cluster_refresh_command(
    context: click.Context, /, names: tuple[str, ...], *, store: str, **options: Any
) -> None:
    """Build the bundles of NAMES, or of all repositories in the store, if there are new commits.

    Run it from a timer, or from the hook of a push with the name of the repository. Programs that
    serve the store notice the new bundles.
    """
    from codeindex.cluster.cluster import unknown_repository
    from codeindex.cluster.entries import read_entries

    stored = read_entries(store)
    for problem in stored.problems:
        print_note(f"note: {problem}")
    for name in names:
        if name not in stored.by_name:
            raise unknown_repository(name, tuple(stored.by_name))
    sources = [stored.by_name[name].source for name in names or stored.by_name]
    context.exit(2 if _build_all(sources, store, _BuildFlags(**options)) else 0)


@dataclass(frozen=True, slots=True)
class _BuildFlags:
    address: str
    cpus: int
    verify: bool
    rebuild: bool
    as_json: bool
    prune: bool = False


def _build_all(sources: Sequence[RepositorySource], store: str, flags: _BuildFlags) -> int:
    """Build the bundles of repositories, and print the outcome of each. Return how many failed."""
    from codeindex.cluster.build import BuildOptions
    from codeindex.cluster.entries import open_listable
    from codeindex.cluster.ray_runtime import ray_cluster, run_builds  # imports Ray: 1 s

    open_listable(store).exists("manifest.json")  # refuses a store that cannot be reached, at once
    outcomes = []
    with ray_cluster(flags.address):
        options = BuildOptions(verify=flags.verify, rebuild=flags.rebuild)
        for outcome in run_builds(sources, store, options, flags.cpus):
            outcomes.append(outcome)
            if not flags.as_json:
                _print_outcome(outcome)
    deleted = _prune(store, sources) if flags.prune else ()
    counts = Counter(outcome.state for outcome in outcomes)
    if flags.as_json:
        print_json({"repositories": list(map(asdict, outcomes)), "deleted": list(deleted)})
    else:
        for name in deleted:
            print_line(f"deleted  {name}")
        print_note(
            f"{counts['built']} built, {counts['skipped']} up to date, {counts['failed']} failed"
        )
    return counts["failed"]


def _print_outcome(outcome: BuildOutcome) -> None:
    if outcome.state == "failed":
        print_line(f"failed   {outcome.name}: {outcome.why}")
        return
    size = f"{plural(outcome.files, 'file')}, {format_megabytes(outcome.bundle_bytes)}"
    why = f" ({outcome.why})" if outcome.why else ""
    print_line(
        f"{outcome.state:8} {outcome.name} {outcome.commit[:12]}: {size},"
        f" {outcome.seconds:.1f} s{why}"
    )


def _prune(store: str, sources: Iterable[RepositorySource]) -> tuple[str, ...]:
    from codeindex.cluster.entries import delete_entry, read_entries

    listed = {source.name for source in sources}
    deleted = tuple(name for name in read_entries(store).by_name if name not in listed)
    for name in deleted:
        delete_entry(store, name)
    return deleted


@contextmanager
def _open_cluster(
    store: str, address: str, shares: int | None, deadline: float
) -> Iterator[Cluster]:
    """Start or find the shares of a store, and wait until they have loaded it.

    A share is the part of the repositories that one machine serves.
    """
    from codeindex.cluster.cluster import Cluster
    from codeindex.cluster.entries import read_entries
    from codeindex.cluster.ray_runtime import ray_cluster, start_shares
    from codeindex.errors import ClusterError

    if not read_entries(store).by_name:  # checked before Ray is started
        raise ClusterError(
            f"There is no repository in '{plain_url(store)}': run `codeindex cluster index"
            " REPOS.txt --store`."
        )
    with ray_cluster(address):
        cluster = Cluster(store, start_shares(store, shares), seconds=deadline)
        for problem in cluster.refresh().problems:
            print_note(f"note: {problem}")
        yield cluster


@cluster_group.command("search")
@click.argument("query")
@_store_option
@_ray_option
@_shares_option
@_deadline_option
@search_options(*_SEARCH_OPTIONS)
@click.pass_context
def cluster_search_command(
    context: click.Context,
    /,
    query: str,
    *,
    store: str,
    address: str,
    shares: int | None,
    deadline: float,
    **flags: Any,
) -> None:
    """Search the repositories of a store, and merge the results by score.

    If a program in the same Ray cluster serves this store, its shares answer; otherwise, the
    bundles are first loaded by shares for this search alone. The exit status is that of grep.
    """
    from codeindex.cli.search_output import print_answer
    from codeindex.cli.search_request import build_filters, run_search
    from codeindex.cluster.cluster_workspace import ClusterWorkspace

    check_not_blank(query)
    options = SearchOptions(**flags)
    with _open_cluster(store, address, shares, deadline) as cluster:
        for name, problem in cluster.wait_until_loaded().items():
            print_note(f"note: {name}: {problem}")
        workspace = ClusterWorkspace(cluster)
        scope = {"type": "repos", "repos": list(options.repo)} if options.repo else {"type": "all"}
        filters = build_filters(options, ())
        answer = run_search(workspace.search, query, options, filters, scope=scope)
        roots = {name: Path(name) for name in answer.searched_repos}
        found = print_answer(answer, options, roots)
    context.exit(0 if found else 1)


@cluster_group.command("serve")
@_store_option
@_ray_option
@_cpus_option
@_shares_option
@_deadline_option
@click.option(
    "--http", metavar="[HOST:]PORT", help="Serve by HTTP; without it, one client on standard input."
)
@click.option(
    "--tokens",
    "token_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --http: lines of a token and the repositories that it may see, as globs.",
)
@click.option(
    "--poll",
    type=click.FloatRange(1, 86_400),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look for new bundles in the store.",
)
@click.option("--all-tools", is_flag=True, help="List every tool; unlisted tools can be called.")
def cluster_serve_command(
    *, store: str, address: str, cpus: int, shares: int | None, deadline: float, **options: Any
) -> None:
    """Serve the repositories of a store by MCP, over standard input and output or by HTTP.

    Two shares hold each repository, on machines of their own as far as there are enough. Queries
    are answered while bundles are loaded; what is missing in an answer is named in it. The tools
    and addresses are those of `codeindex serve`; `POST /api/code-files/sync?repo=NAME` builds a
    repository that has a new commit.
    """
    if options["token_file"] and options["http"] is None:
        raise click.UsageError("--tokens needs --http.")
    output = None
    if options["http"] is None:
        # standard output belongs to the protocol before anything else is imported
        from codeindex.mcp.stdio import claim_stdout

        output = claim_stdout()
    from codeindex.cluster.polling import follow_store
    from codeindex.cluster.ray_runtime import build_one

    def rebuild(name: str, *, repair: bool = False) -> BuildOutcome:
        return build_one(cluster.entry(name).source, store, cpus, repair=repair)

    with (
        _open_cluster(store, address, shares, deadline) as cluster,
        follow_store(cluster, partial(rebuild, repair=True), options["poll"]),
    ):
        if output is None:
            from codeindex.mcp.cluster_http import serve_cluster_http  # imports the web server

            serve_cluster_http(
                cluster,
                rebuild,
                options["http"],
                token_file=options["token_file"],
                all_tools=options["all_tools"],
            )
            return
        from codeindex.mcp.cluster_server import ClusterServer
        from codeindex.mcp.stdio import run_stdio_server

        all_tools = options["all_tools"]
        server = ClusterServer(cluster, rebuild)
        run_stdio_server(server, output, all_tools=all_tools, structured=all_tools)


@cluster_group.command("status")
@_store_option
@json_option
def cluster_status_command(*, store: str, as_json: bool) -> None:
    """List the repositories of a store: name, commit, files, address."""
    from codeindex.cluster.entries import read_entries

    stored = read_entries(store)
    if as_json:
        print_json(
            {
                "repositories": [asdict(entry) for entry in stored.by_name.values()],
                "problems": list(stored.problems),
            }
        )
        return
    print_rows(
        (entry.name, entry.commit[:12], f"{entry.files:,}", entry.url)
        for entry in stored.by_name.values()
    )
    for problem in stored.problems:
        print_note(f"note: {problem}")
    if not stored.by_name:
        print_note("There is no repository yet: run `codeindex cluster index REPOS.txt --store`.")
