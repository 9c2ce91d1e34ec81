"""Prepare files in parallel in a pool of killable worker processes.

Grammars hang, crash and use gigabytes on hostile input, and they hold the GIL. So a child process
with a deadline prepares each file. A child that misses the deadline is killed and replaced. The
file is then prepared once more without parsing, as windows.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from codeindex.child_process.limits import DOCUMENT_TIME_FACTOR, HAS_CPU_TIMER, cpu_seconds_for
from codeindex.child_process.start import start_module
from codeindex.config import LimitsConfig, SecretPattern, SecretsConfig
from codeindex.errors import CodeIndexError
from codeindex.freshness.merkle import current_digest
from codeindex.ingest.bundle.record_place import RecordPlace
from codeindex.ingest.workers import protocol
from codeindex.languages import LANGUAGES
from codeindex.types import PreparedFile, SourceFile

logger = logging.getLogger(__name__)

LocateRecord = Callable[[str], RecordPlace | None]
"""Returns where a bundle has the record of a path, None without one."""

_START_SECONDS = 60.0
"""Seconds for a cold start on a busy machine; the imports alone take 0.2 s on an idle one."""
_START_ATTEMPTS = 2
"""Attempts to start a child: it can be killed while it starts; after two failures the machine is at
fault."""
_KILLED_EXTERNALLY = {-9, -15}
"""Exit codes for SIGKILL and SIGTERM, which a person sends, or a system short of memory."""
_EXIT_SECONDS = 5.0
"""Seconds to wait for a child that closed its output: it has only its exit left to do."""
_RECYCLE_FILES = 2000
"""Files after which a child is replaced: grammars and allocators leak a little."""
_PIPELINED = 2
"""Requests that a child has at a time: it prepares the next file while the parent reads a reply."""
_BYTES_OF_A_CHILD = 150_000
"""Source for which one more child pays: a child starts in .3 s of processor time, in which two
children that run parse 75 kB each."""
_BUFFERED = 256
"""Most prepared files that wait while a batch is written, which takes 1 to 2 s."""
_WALL_TIME_FACTOR = 6 if HAS_CPU_TIMER else 1
"""Wall-clock limit as a multiple of the processor time limit, because processes share cores."""
_CPU_TIME_EXCEEDED = -signal.SIGPROF if HAS_CPU_TIMER else None
"""Exit code of a child whose processor time ran out."""


def without_record(_path: str) -> RecordPlace | None:
    """Find no record: for syncs without a bundle."""
    return None


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Settings of every child of a pool."""

    root: Path
    limits: LimitsConfig
    secrets: SecretsConfig
    secret_patterns: tuple[SecretPattern, ...]
    fingerprint_key: Path
    """Path of the key file. The key itself must not be an argument: every user can list
    arguments."""

    def as_argument(self) -> str:
        """Return the settings as JSON, for the command line of a child."""
        parse_seconds = self.limits.parse_seconds
        longest = _WALL_TIME_FACTOR * DOCUMENT_TIME_FACTOR * int(parse_seconds)
        return json.dumps(
            {
                "root": str(self.root),
                "max_bytes": self.limits.max_file_kb * 1024,
                "max_document_bytes": self.limits.max_document_kb * 1024,
                "memory_mb": self.limits.memory_mb,
                "trusted": self.secrets.ignore,
                "fingerprint_key": str(self.fingerprint_key),
                "patterns": [[rule.name, rule.pattern] for rule in self.secret_patterns],
                "parse_seconds": parse_seconds,
                "orphan_seconds": 2 * longest + 2,  # later than the parent's own deadline
            }
        )


class WorkerDiedError(Exception):
    """The child crashed, ran out of memory, or was killed at its deadline."""


class WorkerKilledError(WorkerDiedError):
    """Another process killed the child; its file is not the cause."""


class Worker:
    """One child process; not thread-safe."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0
        self.killed = 0
        """Number of children that crashed or were killed at their deadline."""
        self._sent = 0
        """Number of requests after the current one that were already written to the child."""

    def prepare(
        self,
        file: SourceFile,
        *,
        following: Sequence[SourceFile] = (),
        locate: LocateRecord = without_record,
    ) -> PreparedFile:
        """Return a prepared file; if the parser fails, the file is split into windows instead.

        If that fails too, the result has the status `failed` and no text. `following` are sent
        ahead, so that the child need not wait for them; the next calls must ask for these files in
        this order. `locate` finds the record of a bundle by a path.
        """
        try:
            return self._request(file, *following, locate=locate)
        except WorkerDiedError as first:
            logger.warning("a parser process was lost with %s: %s", file.path, first)
            try:
                return replace(self._request(file, plain=True), reason=f"not parsed: {first}")
            except WorkerDiedError as second:
                return PreparedFile(
                    path=file.path,
                    language=file.language,
                    # with its digest, the file is not tried again until it changes
                    digest=current_digest(self._settings.root, file.path),
                    size=file.size,
                    mtime_ns=file.mtime_ns,
                    ctime_ns=file.ctime_ns,
                    is_test=file.is_test,
                    status="failed",
                    reason=str(second),
                )

    def close(self) -> None:
        """End the child. Children of a pool that is not closed end when their input closes."""
        if self._process is None:
            return
        process, self._process, self._served = self._process, None, 0
        self._sent = 0
        process.kill()
        process.communicate()

    def _request(
        self, *files: SourceFile, plain: bool = False, locate: LocateRecord = without_record
    ) -> PreparedFile:
        """Request the first file; if another process killed the child, request it again once.

        If the child dies with the record of the file, request the file again without the record.
        """
        try:
            return self._request_once(*files, plain=plain, locate=locate)
        except WorkerKilledError:
            return self._request_once(*files, plain=plain, locate=locate)
        except WorkerDiedError:
            if locate(files[0].path) is None or plain:
                raise
            return self._request_once(files[0], plain=plain, locate=without_record)

    def _request_once(self, *files: SourceFile, plain: bool, locate: LocateRecord) -> PreparedFile:
        file = files[0]
        if self._served >= _RECYCLE_FILES:
            self.close()
        most = self._settings.limits.parse_seconds
        is_document = bool(LANGUAGES[file.language].document)
        seconds = cpu_seconds_for(file.size, most=most, is_document=is_document)
        lines = [
            protocol.request_line(requested, plain=plain, record=locate(requested.path))
            for requested in files
        ]
        reply = self._exchange(lines[: _RECYCLE_FILES - self._served], seconds)
        self._served += 1
        return protocol.parse_reply(reply)

    def _exchange(self, lines: Sequence[bytes], seconds: float) -> bytes:
        """Write the requests that were not sent yet; return the reply to the first request.

        Raise WorkerDiedError if the child crashes or misses its deadline.
        """
        process = self._running_process()
        if process.stdin is None or process.stdout is None:
            raise WorkerDiedError("the parser process has no pipes")
        timer = threading.Timer(_WALL_TIME_FACTOR * seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(b"".join(lines[self._sent :]))
            process.stdin.flush()
            self._sent = len(lines) - 1
            reply = process.stdout.readline()
        except OSError:  # the pipe broke: the child is gone
            reply = b""
        finally:
            is_late = not timer.is_alive()
            timer.cancel()
        if not reply.endswith(b"\n"):
            exit_code = _exit_code(process)
            self.close()
            if exit_code in _KILLED_EXTERNALLY and not is_late:
                raise WorkerKilledError("the parser was killed")
            self.killed += 1
            is_late = is_late or exit_code == _CPU_TIME_EXCEEDED
            raise WorkerDiedError(f"over {seconds:g} s" if is_late else "the parser crashed")
        return reply

    def _running_process(self) -> subprocess.Popen[bytes]:
        for _ in range(_START_ATTEMPTS):
            if self._process is None:
                self._process = self._start()
            if self._process is not None:
                return self._process
        raise CodeIndexError(  # the file is not the cause: stop, and keep the old generation
            "The parser process does not start: see if this machine is out of memory or"
            " processes, and whether codeindex is whole."
        )

    def _start(self) -> subprocess.Popen[bytes] | None:
        """Start a child and wait until it is ready; None if it did not start."""
        try:
            process = start_module("codeindex.ingest.workers.worker", self._settings.as_argument())
        except OSError:
            return None
        timer = threading.Timer(_START_SECONDS, process.kill)
        timer.start()
        ready = process.stdout.readline() if process.stdout else b""
        timer.cancel()
        if ready == protocol.READY_LINE:
            return process
        process.kill()
        process.communicate()
        return None


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """Return the exit code of a child that closed its output, None if it still runs."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(_EXIT_SECONDS)
    return None


class WorkerPool:
    """Workers that live until `close`; `prepare` can be called repeatedly."""

    def __init__(self, settings: WorkerSettings, *, size: int) -> None:
        self._workers = [Worker(settings) for _ in range(size)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def killed(self) -> int:
        """The number of children that crashed or were killed at their deadline so far."""
        return sum(worker.killed for worker in self._workers)

    def close(self) -> None:
        for worker in self._workers:
            worker.close()

    def prepare(
        self, files: Iterable[SourceFile], *, locate: LocateRecord = without_record
    ) -> Iterator[PreparedFile]:
        """Yield prepared files in the order of completion; closing the iterator stops the work.

        A file whose record `locate` finds is not parsed if the record fits it.
        """
        pending: queue.SimpleQueue[SourceFile] = queue.SimpleQueue()
        size = 0
        for file in files:
            pending.put(file)
            size += file.size
        count = pending.qsize()
        useful = min(max(1, count), 1 + size // _BYTES_OF_A_CHILD)
        done: queue.Queue[PreparedFile | BaseException] = queue.Queue(maxsize=_BUFFERED)
        stop = threading.Event()
        threads = [
            threading.Thread(
                target=_run_worker, args=(worker, pending, done, stop, locate), daemon=True
            )
            for worker in self._workers[:useful]
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


def _value_or_raise(item: PreparedFile | BaseException) -> PreparedFile:
    if isinstance(item, BaseException):
        raise item
    return item


def _run_worker(
    worker: Worker,
    pending: queue.SimpleQueue[SourceFile],
    done: queue.Queue[PreparedFile | BaseException],
    stop: threading.Event,
    locate: LocateRecord,
) -> None:
    """Prepare pending files until there are none; errors are passed on through `done`."""
    taken: deque[SourceFile] = deque()
    try:
        while not stop.is_set():
            while len(taken) < _PIPELINED and (file := _next(pending)):
                taken.append(file)
            if not taken:
                return
            done.put(worker.prepare(taken.popleft(), following=tuple(taken), locate=locate))
    except BaseException as error:  # noqa: BLE001 (raised again by the consumer)
        done.put(error)
    finally:
        if taken:  # nobody would read their replies
            worker.close()


def _next(pending: queue.SimpleQueue[SourceFile]) -> SourceFile | None:
    try:
        return pending.get_nowait()
    except queue.Empty:
        return None
