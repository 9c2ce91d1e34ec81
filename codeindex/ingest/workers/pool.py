"""A pool of killable worker processes that prepare files in parallel.

Grammars hang, crash and eat memory on hostile input, and they hold the GIL: so each file is given
to a child process with a deadline. A child that misses it is killed and replaced, and its file is
asked for once more as plain windows.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from codeindex.child_process.limits import DOCUMENT_TIME_FACTOR, HAS_CPU_TIMER, cpu_seconds_for
from codeindex.child_process.start import start_module
from codeindex.config import LimitsConfig, SecretPattern, SecretsConfig
from codeindex.errors import CodeIndexError
from codeindex.freshness.merkle import current_digest
from codeindex.ingest.workers import protocol
from codeindex.ingest.workers.worker import READY_LINE
from codeindex.languages import LANGUAGES
from codeindex.types import PreparedFile, SourceFile

logger = logging.getLogger(__name__)

_START_SECONDS = 60.0
"""A cold start on a busy machine; imports alone take 0.2 s."""
_STARTS = 2
"""A child may be killed while it starts; one that dies twice in a row will not live."""
_BY_OTHERS = {-9, -15}
"""How `subprocess` tells of SIGKILL and SIGTERM: from a person, or a system short of memory."""
_END_SECONDS = 5.0
_RECYCLE_FILES = 2000
"""Grammars and allocators leak a little: a fresh child after so many files."""
_AT_ONCE = 2
"""Files that a child holds: it goes on with the next while the answer to one is read."""
_BUFFERED = 256
"""Prepared files that wait while others are written: a batch takes a second or two."""
_WALL = 6 if HAS_CPU_TIMER else 1
"""How many times as long as its processor time a file may take by the clock: a core is shared."""
_OVERDUE = -signal.SIGPROF if HAS_CPU_TIMER else None
"""How `subprocess` tells of a child whose processor time was up."""


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """What every child of a pool is told; `tokenizer` is a path, or empty for the shipped one."""

    root: Path
    tokenizer: str
    limits: LimitsConfig
    secrets: SecretsConfig
    secret_patterns: tuple[SecretPattern, ...]
    fingerprint_key: Path
    """A file: the key itself must not stand where every user sees the arguments of processes."""

    def as_argument(self) -> str:
        return json.dumps(
            {
                "root": str(self.root),
                "tokenizer": self.tokenizer,
                "max_bytes": self.limits.max_file_kb * 1024,
                "max_document_bytes": self.limits.max_document_kb * 1024,
                "memory_mb": self.limits.memory_mb,
                "trusted": self.secrets.ignore,
                "fingerprint_key": str(self.fingerprint_key),
                "patterns": [[one.name, one.pattern] for one in self.secret_patterns],
                "parse_seconds": self.limits.parse_seconds,
                "orphan_seconds": 2 * _WALL * DOCUMENT_TIME_FACTOR * int(self.limits.parse_seconds)
                + 2,
            }
        )


class WorkerDiedError(Exception):
    """The child crashed, ran out of memory, or was killed at its deadline."""


class WorkerKilledError(WorkerDiedError):
    """Somebody else has killed the child, which says nothing about its file."""


class Worker:
    """One child process; not thread-safe."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0
        self.killed = 0
        """Children that crashed, or were killed at their deadline."""
        self._sent = 0
        """Requests beyond the present one that the child was given already."""

    def prepare(self, file: SourceFile, *, then: Sequence[SourceFile] = ()) -> PreparedFile:
        """Return the prepared file, as windows if the parser failed, with the reason if all did.

        The child is given the files that come `then` as well, so that it need not wait for them:
        they are to be asked for next, in this order.
        """
        try:
            return self._ask(file, *then, plain=False)
        except WorkerDiedError as first:
            logger.warning("a parser process was lost with %s: %s", file.path, first)
            try:
                return replace(self._ask(file, plain=True), reason=f"not parsed: {first}")
            except WorkerDiedError as second:
                return PreparedFile(
                    path=file.path,
                    language=file.language,
                    digest=current_digest(
                        self._settings.root, file.path
                    ),  # not tried again as it is
                    size=file.size,
                    mtime_ns=file.mtime_ns,
                    ctime_ns=file.ctime_ns,
                    is_test=file.is_test,
                    status="failed",
                    reason=str(second),
                )

    def close(self) -> None:
        """End the child; a pool that is dropped ends its children by closing their input."""
        if self._process is None:
            return
        process, self._process, self._served = self._process, None, 0
        self._sent = 0
        process.kill()
        process.communicate()

    def _ask(self, file: SourceFile, *then: SourceFile, plain: bool) -> PreparedFile:
        """Ask for a file, once more if somebody has killed the child meanwhile."""
        try:
            return self._ask_once(file, *then, plain=plain)
        except WorkerKilledError:
            return self._ask_once(file, *then, plain=plain)

    def _ask_once(self, file: SourceFile, *then: SourceFile, plain: bool) -> PreparedFile:
        if self._served >= _RECYCLE_FILES:
            self.close()
        most = self._settings.limits.parse_seconds
        is_document = bool(LANGUAGES[file.language].document)
        seconds = cpu_seconds_for(file.size, most=most, is_document=is_document)
        lines = [protocol.request_line(one, plain=plain) for one in (file, *then)]
        reply = self._exchange(lines[: _RECYCLE_FILES - self._served], seconds)
        self._served += 1
        return protocol.parse_reply(reply)

    def _exchange(self, lines: Sequence[bytes], seconds: float) -> bytes:
        """Return the answer to the first of the requests; the others are under way."""
        process = self._started()
        if process.stdin is None or process.stdout is None:
            raise WorkerDiedError("the parser process has no pipes")
        timer = threading.Timer(_WALL * seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(b"".join(lines[self._sent :]))
            process.stdin.flush()
            self._sent = len(lines) - 1
            reply = process.stdout.readline()
        except OSError:  # the pipe broke: the child is gone
            reply = b""
        finally:
            late = not timer.is_alive()
            timer.cancel()
        if not reply.endswith(b"\n"):
            ended = _ended(process)
            self.close()
            if ended in _BY_OTHERS and not late:
                raise WorkerKilledError("the parser was killed")
            self.killed += 1
            late = late or ended == _OVERDUE
            raise WorkerDiedError(f"over {seconds:g} s" if late else "the parser crashed")
        return reply

    def _started(self) -> subprocess.Popen[bytes]:
        for _ in range(_STARTS):
            if self._process is None:
                self._process = self._start()
            if self._process is not None:
                return self._process
        raise CodeIndexError(  # which says nothing about the file: stop, and keep the old
            "The parser process does not start: see if this machine is out of memory or"
            " processes, and whether codeindex is whole."
        )

    def _start(self) -> subprocess.Popen[bytes] | None:
        """Start a child and wait until it is ready; None if it could not be, or died before."""
        try:
            process = start_module("codeindex.ingest.workers.worker", self._settings.as_argument())
        except OSError:
            return None
        timer = threading.Timer(_START_SECONDS, process.kill)
        timer.start()
        ready = process.stdout.readline() if process.stdout else b""
        timer.cancel()
        if ready == READY_LINE:
            return process
        process.kill()
        process.communicate()
        return None


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    """Return how a child ended that has closed its output, None if it still has not."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(_END_SECONDS)
    return None


class WorkerPool:
    """Workers that live until `close`; `prepare` may be called many times."""

    def __init__(self, settings: WorkerSettings, *, size: int) -> None:
        self._workers = [Worker(settings) for _ in range(size)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def killed(self) -> int:
        """Count the children that did not survive a file, so far."""
        return sum(worker.killed for worker in self._workers)

    def close(self) -> None:
        for worker in self._workers:
            worker.close()

    def prepare(self, files: Iterable[SourceFile]) -> Iterator[PreparedFile]:
        """Yield each file as it is done, in no order; closing the iterator stops the work."""
        todo: queue.SimpleQueue[SourceFile] = queue.SimpleQueue()
        for file in files:
            todo.put(file)
        count = todo.qsize()
        done: queue.Queue[PreparedFile | BaseException] = queue.Queue(maxsize=_BUFFERED)
        stop = threading.Event()
        threads = [
            threading.Thread(target=_drain, args=(worker, todo, done, stop), daemon=True)
            for worker in self._workers[: max(1, count)]
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in range(count):
                yield _value(done.get())
        finally:
            stop.set()
            while any(thread.is_alive() for thread in threads):
                with contextlib.suppress(queue.Empty):
                    done.get(timeout=0.05)


def _value(item: PreparedFile | BaseException) -> PreparedFile:
    if isinstance(item, BaseException):
        raise item
    return item


def _drain(
    worker: Worker,
    todo: queue.SimpleQueue[SourceFile],
    done: queue.Queue[PreparedFile | BaseException],
    stop: threading.Event,
) -> None:
    waiting: deque[SourceFile] = deque()
    try:
        while not stop.is_set():
            while len(waiting) < _AT_ONCE and (file := _next(todo)):
                waiting.append(file)
            if not waiting:
                return
            done.put(worker.prepare(waiting.popleft(), then=tuple(waiting)))
    except BaseException as error:  # noqa: BLE001 (raised again by the consumer)
        done.put(error)
    finally:
        if waiting:  # whose answers nobody would take
            worker.close()


def _next(todo: queue.SimpleQueue[SourceFile]) -> SourceFile | None:
    try:
        return todo.get_nowait()
    except queue.Empty:
        return None
