"""One worker process: start it, send it files, and replace it when it dies.

Grammars hang, crash and use gigabytes on hostile input, and they hold the GIL. So each file is
prepared in a child process with a deadline. A child that misses the deadline is killed and
replaced. The file is then prepared once more without parsing, as windows.
"""

from __future__ import annotations

import contextlib
import logging
import math
import signal
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from codeindex.child_process.deadlines import DEADLINES
from codeindex.child_process.limits import DOCUMENT_TIME_FACTOR, HAS_CPU_TIMER, cpu_seconds_for
from codeindex.child_process.start import start_module, start_variables
from codeindex.config import Config, LimitsConfig, SecretPattern, SecretsConfig
from codeindex.errors import CodeIndexError
from codeindex.freshness.stat_cache import current_digest
from codeindex.ingest.bundle.record_place import RecordPlace
from codeindex.ingest.workers import protocol
from codeindex.languages import LANGUAGES
from codeindex.store.datadir.home import fingerprint_key_file
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
_WALL_TIME_FACTOR = 6 if HAS_CPU_TIMER else 1
"""Wall-clock limit as a multiple of the processor time limit, because processes share cores."""
_CPU_TIME_EXCEEDED = -signal.SIGPROF if HAS_CPU_TIMER else None
"""Exit code of a child whose processor time ran out."""


def without_record(_path: str) -> RecordPlace | None:
    """Return None for every path: the function `locate` of a sync without a bundle."""
    return None


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The settings of a repository that a worker needs to prepare its files."""

    root: Path
    limits: LimitsConfig
    secrets: SecretsConfig
    secret_patterns: tuple[SecretPattern, ...]
    fingerprint_key: Path
    """Path of the file that contains the key for fingerprints."""

    @classmethod
    def of_repository(cls, root: Path, config: Config, home: Path) -> Self:
        """Return the settings for the repository at `root`; `home` is the data folder."""
        return cls(
            root=root,
            limits=config.limits,
            secrets=config.secrets,
            secret_patterns=config.secret_patterns,
            fingerprint_key=fingerprint_key_file(home),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the settings as JSON values to send to a child process."""
        parse_seconds = self.limits.parse_seconds
        longest = math.ceil(_WALL_TIME_FACTOR * DOCUMENT_TIME_FACTOR * parse_seconds)
        return {
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


class WorkerDiedError(Exception):
    """A worker process crashed, ran out of memory, or was killed at its deadline."""


class WorkerKilledError(WorkerDiedError):
    """A worker process was killed by another process, so that its file is not the cause."""


class Worker:
    """A worker that runs one child process, which it starts when needed; not thread-safe.

    It can work for several repositories in turn: set `settings` before the files of another one.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        self.settings = settings
        self.start_variables = start_variables()
        """The environment in which its child starts."""
        self._process: subprocess.Popen[bytes] | None = None
        self._configured: WorkerSettings | None = None
        """The settings that the child has."""
        self._served = 0
        self.killed = 0
        """Number of children that crashed or were killed at their deadline."""
        self._sent = 0
        """Number of requests after the current one that were already written to the child."""

    def start(self) -> None:
        """Start the child process without waiting for it. If that fails, `prepare` tries again."""
        if self._process is None:
            self._process = _start()

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
        this order. `locate` returns the place of a file's record in a bundle, or None.
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
                    digest=current_digest(self.settings.root, file.path),
                    size=file.size,
                    mtime_ns=file.mtime_ns,
                    ctime_ns=file.ctime_ns,
                    is_test=file.is_test,
                    status="failed",
                    reason=str(second),
                )

    def close(self) -> None:
        """Kill the child process, which otherwise ends when its standard input is closed."""
        if self._process is None:
            return
        process, self._process, self._served = self._process, None, 0
        self._sent, self._configured = 0, None
        process.kill()
        process.communicate()

    def _request(
        self, *files: SourceFile, plain: bool = False, locate: LocateRecord = without_record
    ) -> PreparedFile:
        """Ask the child to prepare the first file; ask again if another process killed it.

        `files` after the first are sent ahead. If the child dies while it reads the file's record,
        ask again without the record.
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
        most = self.settings.limits.parse_seconds
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
        """Send `lines`, requests that were not sent yet; return the reply to the first request.

        Raise WorkerDiedError if the child crashes or sends no reply in `seconds`.
        """
        process = self._running_process()
        if process.stdin is None or process.stdout is None:
            raise WorkerDiedError("the parser process has no pipes")
        with DEADLINES.kill_after(_WALL_TIME_FACTOR * seconds, process) as deadline:
            try:
                process.stdin.write(b"".join(lines[self._sent :]))
                process.stdin.flush()
                self._sent = len(lines) - 1
                reply = process.stdout.readline()
            except OSError:  # the pipe broke: the child is gone
                reply = b""
        if not reply.endswith(b"\n"):
            exit_code = _exit_code(process)
            self.close()
            if exit_code in _KILLED_EXTERNALLY and not deadline.is_late:
                raise WorkerKilledError("the parser was killed")
            self.killed += 1
            is_late = deadline.is_late or exit_code == _CPU_TIME_EXCEEDED
            raise WorkerDiedError(f"over {seconds:g} s" if is_late else "the parser crashed")
        return reply

    def _running_process(self) -> subprocess.Popen[bytes]:
        for _ in range(_START_ATTEMPTS):
            if self._process is None:
                self._process = _start()
            if self._process and self._is_configured(self._process):
                return self._process
            self.close()
        raise CodeIndexError(  # the file is not the cause: stop, and keep the old generation
            "The parser process does not start: check whether this machine is out of memory or"
            " processes, and run `codeindex doctor`."
        )

    def _is_configured(self, process: subprocess.Popen[bytes]) -> bool:
        """Make sure that the child process has the current settings; return whether it has them.

        The settings are sent only if the child got others before.
        """
        if self._configured != self.settings:
            with DEADLINES.kill_after(_START_SECONDS, process):
                ready = _request_settings(process, self.settings)
            self._configured = self.settings if ready else None
        return self._configured is not None


def _start() -> subprocess.Popen[bytes] | None:
    try:
        return start_module("codeindex.ingest.workers.worker")
    except OSError:
        return None


def _request_settings(process: subprocess.Popen[bytes], settings: WorkerSettings) -> bool:
    """Send settings to a child process; return whether it confirms them."""
    if process.stdin is None or process.stdout is None:
        return False
    try:
        process.stdin.write(protocol.settings_line(settings.as_json()))
        process.stdin.flush()
        return process.stdout.readline() == protocol.READY_LINE
    except OSError:  # the pipe broke: the child is gone
        return False


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """Wait for a child that closed its output, and return its exit code.

    None if it does not end within `_EXIT_SECONDS`.
    """
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(_EXIT_SECONDS)
    return None
