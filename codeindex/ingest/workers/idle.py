"""Keep idle worker processes, so that the next sync of any index need not start new ones.

A worker takes .4 s of processor time to start, and 40 MB. The indexes of a workspace or a server
need workers at different times, so the pools of all indexes share them.
"""

from __future__ import annotations

import threading

from codeindex.child_process.start import start_variables
from codeindex.config import cpu_count
from codeindex.ingest.workers.child import Worker, WorkerSettings


class IdleWorkers:
    """The worker processes that no pool is using, at most one for each processor.

    They are kept from the first `hold` to the last `release`, which closes them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._workers: list[Worker] = []
        self._holders = 0

    def hold(self) -> None:
        """Keep idle workers alive until `release` is called.

        Calls are counted: several callers may hold the workers, and the last one releases them.
        """
        with self._lock:
            self._holders += 1

    def release(self) -> None:
        """Undo one `hold`; after the last, close the idle workers."""
        with self._lock:
            self._holders -= 1
            workers = [] if self._holders else self._workers
            if workers:
                self._workers = []
        for worker in workers:
            worker.close()

    def take(self, settings: WorkerSettings) -> Worker:
        """Return a worker process that uses `settings`: an idle one, or a new one if none is idle.

        The caller must give it back with `put_back`. Idle workers whose environment variables
        differ from the present ones of this process are closed first.
        """
        variables = start_variables()
        with self._lock:
            stale = [idle for idle in self._workers if idle.start_variables != variables]
            self._workers = [idle for idle in self._workers if idle not in stale]
            worker = self._workers.pop() if self._workers else Worker(settings)
        for idle in stale:
            idle.close()
        worker.settings = settings
        return worker

    def put_back(self, worker: Worker) -> None:
        """Keep a worker for the next `take`.

        It is closed if nobody holds the workers, or if one for each processor is idle already.
        """
        with self._lock:
            is_kept = self._holders > 0 and len(self._workers) < cpu_count()
            if is_kept:
                self._workers.append(worker)
        if not is_kept:
            worker.close()


IDLE_WORKERS = IdleWorkers()
"""The idle workers of this process, which all its pools share."""
