"""Clocks and scales: repeated timings, and the memory of a process with its children."""

from __future__ import annotations

import resource
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

import psutil

_EVERY = 0.05
_MEGABYTE = 1e6
_CHROMA = "codeindex.store.exports.chroma_child"


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of several runs of one thing; minima are the least disturbed by other programs."""

    seconds: tuple[float, ...]

    @property
    def least(self) -> float:
        return min(self.seconds)

    def quantile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        return f"min {_shown(self.least)}, median {_shown(self.median)}"


def _shown(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def seconds_of(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def repeated(action: Callable[[], object], times: int) -> Timings:
    return Timings(tuple(seconds_of(action) for _ in range(times)))


def alternating(actions: Sequence[Callable[[], object]], rounds: int) -> tuple[Timings, ...]:
    """Time each action once a round, so that what disturbs the machine disturbs all alike."""
    rows = [[seconds_of(action) for action in actions] for _ in range(rounds)]
    return tuple(Timings(column) for column in zip(*rows, strict=True))


def starts(commands: Sequence[Sequence[str]], rounds: int) -> tuple[Timings, ...]:
    """Time whole processes, alternating; a command that fails ends the benchmark."""
    return alternating([lambda one=one: _run(one) for one in commands], rounds)  # type: ignore[misc]


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def processor_seconds() -> float:
    """Return what this process and the children that have ended have used so far."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@dataclass(slots=True)
class Memory:
    """Peaks of summed PSS in MB: of the process tree without Chroma's child, and of that child."""

    tree: float = 0.0
    chroma: float = 0.0
    _done: threading.Event = field(default_factory=threading.Event)

    @classmethod
    @contextmanager
    def measured(cls) -> Iterator[Self]:
        """Sample while the block runs."""
        memory = cls()
        thread = threading.Thread(target=memory._sample, daemon=True)
        thread.start()
        try:
            yield memory
        finally:
            memory._done.set()
            thread.join()

    def _sample(self) -> None:
        me = psutil.Process()
        while not self._done.wait(_EVERY):
            tree = chroma = 0.0
            for process in (me, *me.children(recursive=True)):
                try:
                    pss = process.memory_full_info().pss / _MEGABYTE
                    if _CHROMA in process.cmdline():
                        chroma += pss
                    else:
                        tree += pss
                except psutil.Error:
                    continue  # it has ended since it was listed
            self.tree, self.chroma = max(self.tree, tree), max(self.chroma, chroma)
