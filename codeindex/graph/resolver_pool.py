"""Resolve files in child processes, in parallel, while the parent process writes the edges.

If a child dies or is too slow, the parent resolves its files: this costs only time.
"""

from __future__ import annotations

import json
import queue
import subprocess
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Self

from codeindex.child_process.deadlines import DEADLINES
from codeindex.child_process.start import start_module
from codeindex.graph.file_resolution import CatalogReader, resolve_file
from codeindex.types import FileResolution

_FILES_PER_REQUEST = 40
"""Files in one request, which take 0.1 to 0.4 s. Neighboring files share most of the files that
they import."""
_REQUEST_SECONDS = 60.0
"""Time limit of one request, including the start of a child on a busy machine."""
_REQUESTS_AHEAD = 4
"""Maximum number of requests per child that are pending, or whose results are not written yet."""
_Result = Future[list[FileResolution] | None]
"""The resolutions of the files of one request; None if the child process died or was too slow."""


class ResolverProcess:
    """One child process, which is started when it is first needed; not thread-safe."""

    def __init__(self, argument: str) -> None:
        self._argument = argument
        self.process: subprocess.Popen[bytes] | None = None

    def resolutions(self, part: Sequence[int]) -> list[FileResolution] | None:
        """Return the resolutions of the files with the ids in `part`, in the same order.

        None if the child process died or was too slow.
        """
        try:
            reply = self._exchange(json.dumps(part).encode("ascii") + b"\n")
        except OSError:  # the process could not be started, or is dead
            reply = b""
        if not reply.endswith(b"\n"):
            self.close()
            return None
        return [FileResolution(*row) for row in json.loads(reply)]

    def close(self) -> None:
        """Kill the child process, if it runs."""
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
        with DEADLINES.kill_after(_REQUEST_SECONDS, process):
            process.stdin.write(line)
            process.stdin.flush()
            return process.stdout.readline()


class ResolverPool:
    """A pool of child processes that resolve files.

    They are started when first needed, and killed at the end of the `with` block.
    """

    def __init__(self, catalog: Path, *, size: int, memory_mb: int) -> None:
        argument = json.dumps(
            {
                "catalog": str(catalog),
                "memory_mb": memory_mb,
                "orphan_seconds": 2 * int(_REQUEST_SECONDS),
            }
        )
        self._children = [ResolverProcess(argument) for _ in range(size)]
        self._idle: queue.SimpleQueue[ResolverProcess] = queue.SimpleQueue()
        for child in self._children:
            self._idle.put(child)
        self._threads = ThreadPoolExecutor(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self.processes():
            process.kill()  # threads that wait for a reply get none
        self._threads.shutdown()
        for child in self._children:
            child.close()

    def processes(self) -> list[subprocess.Popen[bytes]]:
        """Return the child processes that have been started."""
        return [process for child in self._children if (process := child.process)]

    def resolutions(self, files: Sequence[int], reader: CatalogReader) -> Iterator[FileResolution]:
        """Return an iterator of the resolutions of files, given by id, in the same order.

        The children begin at once. If a child dies or is too slow, `reader` resolves its files in
        this process.
        """
        if len(self._children) == 1:  # this process would only wait for its child
            return (resolve_file(reader, file_id) for file_id in files)
        parts = [
            files[start : start + _FILES_PER_REQUEST]
            for start in range(0, len(files), _FILES_PER_REQUEST)
        ]
        ahead = _REQUESTS_AHEAD * len(self._children)
        begun = deque(self._submit(part) for part in parts[:ahead])
        return self._results(parts, begun, reader)

    def _results(
        self, parts: Sequence[Sequence[int]], begun: deque[_Result], reader: CatalogReader
    ) -> Iterator[FileResolution]:
        """Yield the resolutions of all files in `parts`; the first parts are `begun`."""
        coming = iter(parts[len(begun) :])
        for part in parts:
            resolutions = begun.popleft().result()
            begun.extend(map(self._submit, islice(coming, 1)))
            yield from resolutions or (resolve_file(reader, file_id) for file_id in part)

    def _submit(self, part: Sequence[int]) -> _Result:
        return self._threads.submit(self._resolve_part, part)

    def _resolve_part(self, part: Sequence[int]) -> list[FileResolution] | None:
        child = self._idle.get()
        try:
            return child.resolutions(part)
        finally:
            self._idle.put(child)
