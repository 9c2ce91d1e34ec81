"""Start or join a Ray cluster; run builds as its tasks, and shares as its actors.

Only this module imports Ray.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from codeindex import __version__
from codeindex.cluster.build import BuildOptions, BuildOutcome, build_repository
from codeindex.cluster.entries import repository_key
from codeindex.cluster.repository_list import RepositorySource
from codeindex.cluster.share import RepositoryShare
from codeindex.config import environment, limit_cpu_count
from codeindex.errors import ClusterError, CodeIndexError, NotReadyError, QueryError

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # noqa: TID251 (read when Ray is imported)

try:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ImportError as missing:
    raise ClusterError(
        "A cluster needs the package Ray: `pip install '.[cluster]'` in a clone, on each machine."
    ) from missing

_NAMESPACE = "codeindex"
_BUILD_RETRIES = 2
"""How often Ray repeats a build whose machine or process was lost; errors are not retried."""
_CALLS_AT_ONCE = 16
"""Number of calls that a share runs concurrently; further ones wait."""
_HERE = "127.0.0.1"


@contextmanager
def ray_cluster(address: str, cpus: int | None = None) -> Iterator[None]:
    """Connect to the Ray cluster at `address` for the block, or start one on this machine.

    `address` is HOST:PORT, or `auto` for the cluster that `ray start` made on this machine. If it
    is '', `RAY_ADDRESS` is used; if that is not set either, a cluster is started. Raise
    ClusterError if there is no cluster at the address.
    """
    address = address or environment().get("RAY_ADDRESS", "")
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address:
            ray.init(address=address, namespace=_NAMESPACE, **quiet)
        else:
            ray.init(
                "local",
                num_cpus=cpus,
                namespace=_NAMESPACE,
                include_dashboard=False,
                _node_ip_address=_HERE,
                **quiet,
            )
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = f"at '{address}'" if address else "on this machine"
        first = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise ClusterError(
            f"No Ray cluster {where} can be used ({first}): see whether it runs and whether it asks"
            " for a token of Ray, or leave out --ray."
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


def run_builds(
    sources: Sequence[RepositorySource], place: str, options: BuildOptions, cpus: int
) -> Iterator[BuildOutcome]:
    """Build repositories as Ray tasks of `cpus` processors each; yield outcomes as tasks end.

    If a machine is lost, Ray runs the task again elsewhere, at most twice; then the outcome of the
    repository is `failed`.
    """
    task = ray.remote(_build_in_task).options(num_cpus=cpus, max_retries=_BUILD_RETRIES)
    names = {task.remote(source, place, options, cpus): source.name for source in sources}
    waiting = list(names)
    while waiting:
        done, waiting = ray.wait(waiting, num_returns=1)
        for reference in done:
            yield _outcome(reference, names[reference])


def build_one(
    source: RepositorySource, place: str, cpus: int, *, repair: bool = False
) -> BuildOutcome:
    """Build one repository as a Ray task of `cpus` processors, and wait for it.

    With `repair`, damaged parts are deleted, and a bundle is built even if none is found: a share
    has refused what it says.
    """
    options = BuildOptions(verify=repair, rebuild=repair)
    (outcome,) = run_builds((source,), place, options, cpus)
    return outcome


def _build_in_task(
    source: RepositorySource, place: str, options: BuildOptions, cpus: int
) -> BuildOutcome:
    limit_cpu_count(cpus)  # else every task would start one process per processor of the machine
    return build_repository(source, place, options)


def _outcome(reference: Any, name: str) -> BuildOutcome:
    try:
        outcome: BuildOutcome = ray.get(reference)
    except ray.exceptions.RayError as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        return BuildOutcome(
            name, "failed", why=f"Its task ended ({first[:200]}): run the command again."
        )
    return outcome


@dataclass(frozen=True, slots=True)
class RayShare:
    """A handle to a Ray actor that serves a share of the repositories.

    Ray restarts a lost actor, maybe on another machine.
    """

    name: str
    actor: Any

    def submit(self, method: str, *values: Any) -> Future[Any]:
        """Start a method of the actor; the future raises NotReadyError if the actor is lost.

        It raises the CodeIndexErrors of the method, and ClusterError for any other of its errors.
        """
        future: Future[Any] = Future()
        try:
            inner = getattr(self.actor, method).remote(*values).future()
        except ray.exceptions.RayError as error:
            future.set_exception(_lost(self.name, error))
            return future
        except TypeError:
            future.set_exception(
                QueryError("An argument cannot be sent to another machine: leave it out.")
            )
            return future
        inner.add_done_callback(lambda done: _pass_on(done, future, self.name))
        return future


def _pass_on(done: Future[Any], future: Future[Any], name: str) -> None:
    error = done.exception()
    if error is None:
        future.set_result(done.result())
    elif isinstance(error, ray.exceptions.RayTaskError):  # the method raised it
        future.set_exception(
            error.cause if isinstance(error.cause, CodeIndexError) else _failed(error)
        )
    else:
        future.set_exception(_lost(name, error))


def _failed(error: ray.exceptions.RayTaskError) -> ClusterError:
    cause = type(error.cause or error).__name__
    return ClusterError(f"Unexpected {cause} on its machine: see the log of Ray.")


def _lost(name: str, error: BaseException) -> NotReadyError:
    return NotReadyError(f"The machine of share {name} is lost ({type(error).__name__}).")


def _machines() -> list[str]:
    """Return the ids of the live nodes with a processor, sorted, so that the order is stable."""
    nodes: Any = ray.nodes()  # type: ignore[no-untyped-call]
    return sorted(
        str(node["NodeID"]) for node in nodes if node["Alive"] and node["Resources"].get("CPU")
    )


def start_shares(place: str, count: int | None) -> tuple[RayShare, ...]:
    """Start `count` shares of the store at `place`, by default one per machine; return them.

    If another process serves this store in the same Ray cluster, return its shares instead. Raise
    ClusterError if no machine of the cluster has a processor.
    """
    prefix = f"share-{repository_key(place)[:12]}-"
    running = {entry["name"] for entry in ray.util.list_named_actors(all_namespaces=True)}
    served = sorted(name.removeprefix(prefix) for name in running if name.startswith(prefix))
    machines = _machines()
    if not machines:
        raise ClusterError("No machine of the Ray cluster has a processor: add one by `ray start`.")
    names = served or [str(number) for number in range(count or len(machines))]
    actor = ray.remote(RepositoryShare)
    return tuple(
        RayShare(
            name,
            actor.options(
                name=f"{prefix}{name}",
                get_if_exists=True,
                max_restarts=-1,
                max_concurrency=_CALLS_AT_ONCE,
                num_cpus=0,  # a share must not wait until builds free a processor
                scheduling_strategy=NodeAffinitySchedulingStrategy(
                    machines[number % len(machines)], soft=True
                ),
            ).remote(place, __version__, name, names),
        )
        for number, name in enumerate(names)
    )
