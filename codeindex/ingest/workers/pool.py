"""Prepare files in parallel in worker processes, which all pools of this process share."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Self

from codeindex.ingest.workers.child import LocateRecord, Worker, WorkerSettings, without_record
from codeindex.ingest.workers.file_queue import FileQueue
from codeindex.ingest.workers.idle import IDLE_WORKERS
from codeindex.types import PreparedFile, SourceFile

_PIPELINED = 2
"""Requests that a child has at a time: it prepares the next file while the parent reads a reply."""
_BYTES_OF_A_CHILD = 150_000
"""Bytes of source for which one more child is worthwhile: a child takes .3 s of processor time to
start, in which two running children parse 75 kB each."""
_BUFFERED = 256
"""Most prepared files that wait while a batch is written, which takes 1 to 2 s."""


class WorkerPool:
    """Prepares the files of one repository in worker processes.

    `prepare` can be called repeatedly until `close`. Between two calls, other pools can use its
    workers.
    """

    def __init__(self, settings: WorkerSettings, *, size: int) -> None:
        """Create a pool that uses at most `size` workers at a time."""
        self._settings, self._size = settings, size
        self._is_closed = False
        self.killed = 0
        """The number of children that crashed or were killed at their deadline so far."""
        IDLE_WORKERS.hold()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            IDLE_WORKERS.release()

    def start(self, count: int) -> None:
        """Start up to `count` children without waiting, before it is known what to prepare."""
        workers = [IDLE_WORKERS.take(self._settings) for _ in range(min(count, self._size))]
        for worker in workers:
            worker.start()
            IDLE_WORKERS.put_back(worker)

    def prepare(
        self,
        files: Iterable[SourceFile] | FileQueue,
        *,
        locate: LocateRecord = without_record,
    ) -> Iterator[PreparedFile]:
        """Yield prepared files in the order of completion; closing the iterator stops the work.

        The order of a queue can be changed meanwhile. A file is not parsed if `locate` finds its
        record in a bundle and the record matches the file.
        """
        pending = files if isinstance(files, FileQueue) else FileQueue(files)
        count = len(pending)
        workers = [IDLE_WORKERS.take(self._settings) for _ in range(self.useful_count(pending))]
        killed = sum(worker.killed for worker in workers)
        done: queue.Queue[PreparedFile | BaseException] = queue.Queue(maxsize=_BUFFERED)
        stop = threading.Event()
        threads = [
            threading.Thread(
                target=_run_worker, args=(worker, pending, done, stop, locate), daemon=True
            )
            for worker in workers
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in range(count):
                yield _value_or_raise(done.get())
        finally:
            stop.set()
            while any(thread.is_alive() for thread in threads):
                with contextlib.suppress(queue.Empty):
                    done.get(timeout=0.05)
            self.killed += sum(worker.killed for worker in workers) - killed
            for worker in workers:
                IDLE_WORKERS.put_back(worker)

    def useful_count(self, files: FileQueue) -> int:
        """Return how many children `prepare` uses for these files."""
        return min(self._size, max(1, len(files)), 1 + files.size() // _BYTES_OF_A_CHILD)


def _value_or_raise(item: PreparedFile | BaseException) -> PreparedFile:
    if isinstance(item, BaseException):
        raise item
    return item


def _run_worker(
    worker: Worker,
    pending: FileQueue,
    done: queue.Queue[PreparedFile | BaseException],
    stop: threading.Event,
    locate: LocateRecord,
) -> None:
    """Prepare the files of `pending` with one worker until no file waits.

    Results and errors are put on `done`. It stops early if `stop` is set.
    """
    taken: deque[SourceFile] = deque()
    try:
        while not stop.is_set():
            while len(taken) < _PIPELINED and (file := pending.take()):
                taken.append(file)
            if not taken:
                return
            done.put(worker.prepare(taken.popleft(), following=tuple(taken), locate=locate))
    except BaseException as error:  # noqa: BLE001 (raised again by the consumer)
        done.put(error)
    finally:
        if taken:  # nobody would read their replies
            worker.close()
