"""One writer at a time, and no lock that outlives its holder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codeindex.errors import LockedError, StoreError
from codeindex.store.lock import writer_lock

HOLD = (
    "import sys; from pathlib import Path; from codeindex.store.lock import writer_lock\n"
    "with writer_lock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()\n"
)


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-P", "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout
        assert child.stdout.readline() == b"held\n"
        try:
            yield child
        finally:
            child.kill()


def test_a_second_process_is_told_who_has_the_lock(tmp_path: Path) -> None:
    with (
        holder(tmp_path) as child,
        pytest.raises(LockedError, match=rf"pid {child.pid}\)"),
        writer_lock(tmp_path),
    ):
        raise AssertionError


def test_the_lock_of_a_killed_holder_is_free(tmp_path: Path) -> None:
    with holder(tmp_path) as child:
        child.kill()
        child.wait()
        with writer_lock(tmp_path):
            assert (tmp_path / "writer.pid").read_text() != str(child.pid)
    assert not (tmp_path / "writer.pid").exists()


def test_waiting_takes_the_lock_when_its_holder_ends(tmp_path: Path) -> None:
    with holder(tmp_path) as child:
        assert child.stdin
        child.stdin.close()
        with writer_lock(tmp_path, wait_seconds=30):
            assert child.wait(30) == 0


def test_a_second_thread_is_told_that_it_is_us(tmp_path: Path) -> None:
    with (
        writer_lock(tmp_path),
        pytest.raises(LockedError, match="thread of this process"),
        writer_lock(tmp_path),
    ):
        raise AssertionError


def test_an_error_lets_go_of_the_lock(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), writer_lock(tmp_path):
        raise ZeroDivisionError
    with writer_lock(tmp_path):
        assert (tmp_path / "writer.pid").exists()


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"), writer_lock(tmp_path / "file" / "x"):
        raise AssertionError
