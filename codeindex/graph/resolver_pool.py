"""Child processes that resolve files side by side, while their parent writes what they find.

A child that dies or is too slow costs nothing but time: its part is then resolved in this process.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Self

from codeindex.child_process.start import start_module
from codeindex.graph.file_resolution import CatalogReader, resolve_file
from codeindex.types import FileResolution

_PART = 40
"""Files in one request: neighbours, which look into the same files; 0.1 to 0.4 s of work."""
_SECONDS = 60.0
"""For a part and the start of its child on a busy machine."""
_AHEAD = 4
"""Parts for each child that may be done or under way before the first is written."""


class ResolverProcess:
    """One child process, started when it is first needed; not thread-safe."""

    def __init__(self, argument: str) -> None:
        self._argument = argument
        self.process: subprocess.Popen[bytes] | None = None

    def resolutions(self, part: Sequence[int]) -> list[FileResolution] | None:
        """Return what became of some files; None if the child did not live to tell."""
        try:
            reply = self._exchange(json.dumps(part).encode("ascii") + b"\n")
        except OSError:  # no process could be started, or it is gone
            reply = b""
        if not reply.endswith(b"\n"):
            self.close()
            return None
        return [FileResolution(*row) for row in json.loads(reply)]

    def close(self) -> None:
        """End the child."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _exchange(self, line: bytes) -> bytes:
        if self.process is None:
            self.process = start_module("codeindex.graph.resolver_process", self._argument)
        process = self.process
        if process.stdin is None or process.stdout is None:
            return b""
        timer = threading.Timer(_SECONDS, process.kill)
        timer.start()
        try:
            process.stdin.write(line)
            process.stdin.flush()
            return process.stdout.readline()
        finally:
            timer.cancel()


class ResolverPool:
    """Children that live until the block ends; none is started before it is needed."""

    def __init__(self, catalog: Path, *, size: int, memory_mb: int) -> None:
        argument = json.dumps(
            {
                "catalog": str(catalog),
                "memory_mb": memory_mb,
                "orphan_seconds": 2 * int(_SECONDS),
            }
        )
        self._all = [ResolverProcess(argument) for _ in range(size)]
        self._idle: queue.SimpleQueue[ResolverProcess] = queue.SimpleQueue()
        for child in self._all:
            self._idle.put(child)
        self._threads = ThreadPoolExecutor(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self.processes():
            process.kill()  # whoever waits for its answer gets none
        self._threads.shutdown()
        for child in self._all:
            child.close()

    def processes(self) -> list[subprocess.Popen[bytes]]:
        """Return the children that have been started."""
        return [process for child in self._all if (process := child.process)]

    def resolutions(self, files: Sequence[int], reader: CatalogReader) -> Iterator[FileResolution]:
        """Yield what became of files, in their order; the reader is for what no child resolved."""
        if len(self._all) == 1:  # this process would only wait for its child
            yield from (resolve_file(reader, file_id) for file_id in files)
            return
        parts = [files[start : start + _PART] for start in range(0, len(files), _PART)]
        coming = iter(parts)
        begun: deque[Future[list[FileResolution] | None]] = deque()
        for part in parts:
            for next_part in islice(coming, _AHEAD * len(self._all) - len(begun)):
                begun.append(self._threads.submit(self._asked, next_part))
            resolutions = begun.popleft().result()
            yield from resolutions or (resolve_file(reader, file_id) for file_id in part)

    def _asked(self, part: Sequence[int]) -> list[FileResolution] | None:
        child = self._idle.get()
        try:
            return child.resolutions(part)
        finally:
            self._idle.put(child)
