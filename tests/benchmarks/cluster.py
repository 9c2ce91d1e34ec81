"""Measure a cluster of Ray on this machine: builds, queries, lost machines, damage, two builders.

    python tests/benchmarks/cluster.py WORK REPOS.txt [--nodes 1 2 4] [--seconds 60]

WORK is an empty folder on a disk with room for the clones, indexes and bundles. Each node is a
process of `ray.cluster_utils.Cluster` with one processor of Ray and a data folder of its own, so
that nodes share nothing but the store; they do share the processors of this machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeindex.cluster.build import BuildOptions, BuildOutcome
from codeindex.cluster.cluster import Cluster
from codeindex.cluster.cluster_workspace import ClusterWorkspace
from codeindex.cluster.entries import bundle_place, read_entries
from codeindex.cluster.ray_runtime import ray_cluster, run_builds, start_shares
from codeindex.cluster.repository_list import RepositorySource, read_repository_list
from codeindex.errors import CodeIndexError

_QUESTIONS = (
    *("where are command line arguments parsed", "retry a request after a timeout", "parse json"),
    *("how is the configuration loaded", "write a log message to a file", "sort a list of items"),
    *("escape html in a template", "open a database connection", "hash a password", "main"),
)
_KILL_SECONDS = 20.0
_MOST_QUERIES = 60


@dataclass
class Load:
    """The outcome of the queries that were sent while machines were lost and replaced."""

    seconds: list[float] = field(default_factory=list)
    """How long each query took."""
    partial: int = 0
    """Answers that name repositories without an answer."""
    unmarked: int = 0
    """Answers in which repositories are missing and not named."""
    errors: Counter[str] = field(default_factory=Counter)
    """How often each error ended a query."""


@contextmanager
def machines(work: Path, count: int) -> Iterator[Any]:
    """Start nodes with one processor each, and data folders of their own; the head has no work."""
    from ray.cluster_utils import Cluster as Machines

    quiet = {"include_dashboard": False, "num_cpus": 0}
    cluster = Machines(initialize_head=True, head_node_args=quiet)
    try:
        for number in range(count):
            add_machine(cluster, work, count, number)
        yield cluster
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]


def add_machine(cluster: Any, work: Path, count: int, number: int) -> Any:
    home = work / f"nodes-{count}" / f"node-{number}"
    variables = {"CODEINDEX_HOME": str(home), "OMP_NUM_THREADS": "1"}
    return cluster.add_node(num_cpus=1, env_vars=variables)


def build(sources: tuple[RepositorySource, ...], store: str, **options: bool) -> list[BuildOutcome]:
    return list(run_builds(sources, store, BuildOptions(**options), 1))  # type: ignore[arg-type]


def report_builds(name: str, started: float, outcomes: list[BuildOutcome]) -> None:
    seconds = time.monotonic() - started
    states = Counter(outcome.state for outcome in outcomes)
    files = sum(outcome.files for outcome in outcomes)
    size = sum(outcome.bundle_bytes for outcome in outcomes)
    print(
        f"{name}: {seconds:.1f} s, {dict(states)}, {files:,} files, {size / 1e6:.1f} MB of bundles,"
        f" {len(outcomes) / seconds * 60:.1f} repositories and {files / seconds:.0f} files a minute"
        " and second",
        flush=True,
    )
    for outcome in outcomes:
        if outcome.state == "failed":
            print(f"  failed {outcome.name}: {outcome.why[:160]}", flush=True)


def percentile(values: list[float], share: float) -> float:
    """Return the percentile `share` (0 to 1) of seconds, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def time_queries(workspace: ClusterWorkspace, count: int) -> list[float]:
    """Ask `count` questions one after the other, and return the seconds that each took."""
    taken = []
    for number in range(count):
        started = time.monotonic()
        workspace.search(_QUESTIONS[number % len(_QUESTIONS)])
        taken.append(time.monotonic() - started)
    return taken


def query_under_loss(
    workspace: ClusterWorkspace, seconds: float, lose: Callable[[], None], every: float
) -> Load:
    """Ask without a pause in a thread; `lose` ends and replaces a machine every `every` seconds."""
    load, ended = Load(), threading.Event()
    thread = threading.Thread(target=ask_until, args=(workspace, ended, load))
    thread.start()
    until = time.monotonic() + seconds
    try:
        while time.monotonic() + every < until:
            time.sleep(every)
            lose()  # Ray starts nodes in the main thread alone
        time.sleep(max(until - time.monotonic(), 0))
    finally:
        ended.set()
        thread.join()
    return load


def ask_until(workspace: ClusterWorkspace, ended: threading.Event, load: Load) -> None:
    total, number = len(workspace.names()), 0
    while not ended.is_set():
        started = time.monotonic()
        try:
            answer = workspace.search(_QUESTIONS[number % len(_QUESTIONS)])
            failed = len(answer.meta.get("failed", {}))
            load.partial += failed > 0
            load.unmarked += len(answer.searched_repos) + failed != total
        except CodeIndexError as error:
            load.errors[str(error)[:80]] += 1
        load.seconds.append(time.monotonic() - started)
        number += 1


def measure(work: Path, sources: tuple[RepositorySource, ...], count: int, seconds: float) -> None:
    store = str(work / f"store-{count}")
    print(f"\n## {count} nodes, {len(sources)} repositories", flush=True)
    with machines(work, count) as cluster, ray_cluster(cluster.address):
        started = time.monotonic()
        report_builds("first build", started, build(sources, store))
        started = time.monotonic()
        report_builds("nothing new", started, build(sources, store))
        served = Cluster(store, start_shares(store, count), seconds=10)
        started = time.monotonic()
        served.refresh()
        problems = served.wait_until_loaded()
        print(f"loaded: {time.monotonic() - started:.1f} s, {len(problems)} problems", flush=True)
        workspace = ClusterWorkspace(served)
        cold = time_queries(workspace, 1)[0]
        time_queries(workspace, len(_QUESTIONS))
        taken = time_queries(workspace, _MOST_QUERIES)
        print(
            f"queries over {len(workspace.names())} repositories: first {cold:.2f} s, then p50"
            f" {percentile(taken, 0.5):.0f} ms, p99 {percentile(taken, 0.99):.0f} ms",
            flush=True,
        )
        if count > 1:
            measure_loss(cluster, work, workspace, count, seconds)


def measure_loss(
    cluster: Any, work: Path, workspace: ClusterWorkspace, count: int, seconds: float
) -> None:
    """End one node every 20 s under load, and start another in its place."""
    number = [0]

    def lose() -> None:
        lost = cluster.list_all_nodes()[1]
        cluster.remove_node(lost, allow_graceful=False)
        add_machine(cluster, work, count, number[0] % count)
        number[0] += 1

    load = query_under_loss(workspace, seconds, lose, _KILL_SECONDS)
    print(
        f"a node lost every {_KILL_SECONDS:.0f} s for {seconds:.0f} s ({number[0]} lost):"
        f" {len(load.seconds)} queries, {sum(load.errors.values())} errors, {load.partial} partial,"
        f" {load.unmarked} partial without saying so; p50 {percentile(load.seconds, 0.5):.0f} ms,"
        f" p99 {percentile(load.seconds, 0.99):.0f} ms, most {max(load.seconds):.1f} s",
        flush=True,
    )
    for why, times in load.errors.items():
        print(f"  {times} x {why}", flush=True)


def measure_damage(work: Path, sources: tuple[RepositorySource, ...]) -> None:
    """Damage one bundle, and build one repository by two builders at once."""
    from codeindex.cluster.build import build_repository

    store = str(work / "store-damage")
    first = sources[:1]
    os.environ["CODEINDEX_HOME"] = str(work / "builder")  # noqa: TID251
    build_repository(first[0], store, BuildOptions())
    parts = sorted((Path(bundle_place(store, first[0].name)) / "parts").iterdir())
    parts[0].write_bytes(b"-" + parts[0].read_bytes()[1:])
    outcome = build_repository(first[0], store, BuildOptions(verify=True))
    print(f"\ndamaged bundle: {outcome.state}, {outcome.why[:60]}", flush=True)
    shutil.rmtree(store)
    with ThreadPoolExecutor(2) as threads:
        tasks = [threads.submit(build_repository, first[0], store, BuildOptions()) for _ in "ab"]
        states = sorted(task.result().state for task in tasks)
    verified = build_repository(first[0], store, BuildOptions(verify=True))
    print(f"two builders at once: {states}, then {verified.state}", flush=True)
    print(f"entries: {len(read_entries(store).by_name)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("work", type=Path)
    parser.add_argument("repos", type=Path)
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    sources = read_repository_list(given.repos)
    given.work.mkdir(parents=True, exist_ok=True)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
    for count in given.nodes:
        measure(given.work, sources, count, given.seconds)
    measure_damage(given.work, sources)


if __name__ == "__main__":
    main()
