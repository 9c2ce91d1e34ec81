"""Poll the store while a cluster is served: load new bundles, rebuild damaged ones."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codeindex.errors import CodeIndexError

if TYPE_CHECKING:
    from codeindex.cluster.build import BuildOutcome
    from codeindex.cluster.cluster import Cluster

logger = logging.getLogger(__name__)


@contextmanager
def follow_store(
    cluster: Cluster, repair: Callable[[str], BuildOutcome], seconds: float
) -> Iterator[None]:
    """Poll the object store every `seconds` during the block, in a background thread.

    New bundles (indexes) are loaded. `repair` is called to rebuild a bundle that a share has
    refused as damaged.
    """
    ended = threading.Event()

    def follow() -> None:
        while not ended.wait(seconds):
            try:
                follow_once(cluster, repair)
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


def follow_once(cluster: Cluster, repair: Callable[[str], BuildOutcome]) -> None:
    """Make the shares load new bundles of the store, and rebuild damaged ones with `repair`.

    Only repositories that are still in the store are rebuilt.
    """
    stored = cluster.refresh()
    for problem in stored.problems:
        logger.warning("%s", problem)
    damaged = [name for name in cluster.damaged() if name in stored.by_name]
    for name in damaged:
        try:
            outcome = repair(name)
        except CodeIndexError as error:
            logger.warning("%s could not be built again: %s", name, error)
            continue
        if outcome.state == "failed":
            logger.warning("%s could not be built again: %s", name, outcome.why)
    if damaged:
        cluster.refresh()
