"""One thread kills child processes at their deadlines."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from codeindex.child_process.deadlines import DeadlineWatch

SLOW = 60.0
Start = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start processes that run until they are killed."""
    started = []

    def sleeper() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "import time; time.sleep(600)"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        started.append(process)
        return process

    yield sleeper
    for process in started:
        process.kill()
        process.communicate()


def answer(process: subprocess.Popen[bytes]) -> bytes:
    """Wait for an answer, which comes only when the process has ended."""
    assert process.stdout is not None
    return process.stdout.read()


def test_a_process_that_answers_too_late_is_killed_though_another_may_take_longer(
    start: Start,
) -> None:
    watch, patient, hasty = DeadlineWatch(), start(), start()
    with watch.kill_after(SLOW, patient) as far:
        with watch.kill_after(0.1, hasty) as near:
            assert answer(hasty) == b""
        assert near.is_late
        assert not far.is_late
    assert patient.poll() is None


def test_a_request_that_was_answered_kills_nobody_at_its_deadline(start: Start) -> None:
    watch, answered, late = DeadlineWatch(), start(), start()
    with watch.kill_after(0.1, answered) as met:
        pass
    with watch.kill_after(0.3, late):
        answer(late)
    assert not met.is_late
    assert answered.poll() is None


def test_all_requests_share_one_thread(start: Start) -> None:
    watch, process, before = DeadlineWatch(), start(), set(threading.enumerate())
    for _ in range(20):
        with watch.kill_after(SLOW, process), watch.kill_after(SLOW, process):
            assert len(set(threading.enumerate()) - before) == 1  # others may end meanwhile


def test_deadlines_of_several_threads_are_all_kept(start: Start) -> None:
    watch = DeadlineWatch()

    def request(process: subprocess.Popen[bytes], seconds: float) -> None:
        with watch.kill_after(seconds, process):
            answer(process)

    processes = [start() for _ in range(4)]
    threads = [
        threading.Thread(target=request, args=(process, 0.4 - 0.1 * number))
        for number, process in enumerate(processes)
    ]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SLOW)
    assert time.monotonic() - begun < SLOW
    killed = -signal.SIGKILL if hasattr(signal, "SIGKILL") else 1
    assert [process.wait() for process in processes] == [killed] * 4


class Unkillable(subprocess.Popen[bytes]):
    """A process that may not be killed, as one that runs as another user."""

    def kill(self) -> None:
        raise PermissionError("not permitted")


def test_a_process_that_cannot_be_killed_does_not_keep_others_alive(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    watch, late = DeadlineWatch(), start()
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with Unkillable(command, stdin=subprocess.PIPE) as stuck:
        with watch.kill_after(0.1, stuck) as refused, watch.kill_after(0.3, late):
            late.wait(SLOW)
        stuck.communicate()
    assert refused.is_late
    assert f"Process {stuck.pid} is not killed: not permitted" in caplog.text
