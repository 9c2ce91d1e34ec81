"""Poll the store while a cluster is served: load new bundles, rebuild damaged ones."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codeindex.errors import CodeIndexError

if TYPE_CHECKING:
    from codeindex.cluster.build import BuildOutcome
    from codeindex.cluster.cluster import Cluster

logger = logging.getLogger(__name__)

_REPAIR_SECONDS = 3600.0
"""Least time between two repairs of a repository: if the parsers of two machines differ, one may
refuse whatever the other builds."""


@contextmanager
def follow_store(
    cluster: Cluster, repair: Callable[[str], BuildOutcome], seconds: float
) -> Iterator[None]:
    """Poll the object store every `seconds` during the block, in a background thread.

    New bundles (indexes) are loaded. `repair` is called to rebuild a bundle that a share has
    refused as damaged.
    """
    ended = threading.Event()
    repaired: dict[str, float] = {}

    def follow() -> None:
        while not ended.wait(seconds):
            try:
                follow_once(cluster, repair, repaired)
            except CodeIndexError as error:
                logger.warning("%s", error)
            except Exception:
                logger.exception("the store could not be polled")

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()


def follow_once(
    cluster: Cluster,
    repair: Callable[[str], BuildOutcome],
    repaired: MutableMapping[str, float] | None = None,
) -> None:
    """Make the shares load new bundles of the store, and rebuild damaged ones with `repair`.

    Only repositories that are still in the store are rebuilt, and none twice within an hour:
    `repaired` remembers the times.
    """
    repaired = {} if repaired is None else repaired
    stored = cluster.refresh()
    for problem in stored.problems:
        logger.warning("%s", problem)
    now = time.monotonic()
    damaged = [
        name
        for name in cluster.damaged()
        if name in stored.by_name and now >= repaired.get(name, -math.inf) + _REPAIR_SECONDS
    ]
    for name in damaged:
        repaired[name] = now
        try:
            outcome = repair(name)
        except CodeIndexError as error:
            logger.warning("%s could not be built again: %s", name, error)
            continue
        if outcome.state == "failed":
            logger.warning("%s could not be built again: %s", name, outcome.why)
    if damaged:
        cluster.refresh()
