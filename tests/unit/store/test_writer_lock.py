"""One writer at a time, and no lock that outlives its holder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codeindex.errors import LockedError, StoreError
from codeindex.store.locks.owner import is_locked, lock_owner
from codeindex.store.locks.writer_lock import writer_lock

HOLD = (
    "import sys; from pathlib import Path\n"
    "from codeindex.store.locks.writer_lock import writer_lock\n"
    "with writer_lock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()\n"
)


@contextmanager
def holding(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
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


def test_a_second_process_learns_who_holds_the_lock(tmp_path: Path) -> None:
    with (
        holding(tmp_path) as child,
        pytest.raises(LockedError, match=rf"pid {child.pid}\)"),
        writer_lock(tmp_path),
    ):
        raise AssertionError


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can write there")
def test_root_does_not_write_the_index_of_another_user(tmp_path: Path) -> None:
    os.chown(tmp_path, 65534, 65534)
    with (
        pytest.raises(StoreError, match="belongs to another user: set CODEINDEX_HOME"),
        writer_lock(tmp_path),
    ):
        raise AssertionError
    assert not list(tmp_path.iterdir())


def test_the_lock_of_a_killed_holder_is_free(tmp_path: Path) -> None:
    with holding(tmp_path) as child:
        child.kill()
        child.wait()
        with writer_lock(tmp_path):
            holder = lock_owner(tmp_path)
            assert holder is not None
            assert holder.pid == os.getpid()
    assert not (tmp_path / "writer.json").exists()


def test_waiting_takes_the_lock_when_its_holder_ends(tmp_path: Path) -> None:
    with holding(tmp_path) as child:
        assert child.stdin
        child.stdin.close()
        with writer_lock(tmp_path, wait_seconds=30):
            assert child.wait(30) == 0


def test_a_second_thread_learns_that_its_process_holds_the_lock(tmp_path: Path) -> None:
    with (
        writer_lock(tmp_path),
        pytest.raises(LockedError, match="thread of this process is indexing"),
        writer_lock(tmp_path),
    ):
        raise AssertionError


def test_an_error_releases_the_lock(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), writer_lock(tmp_path):
        raise ZeroDivisionError
    with writer_lock(tmp_path):
        assert is_locked(tmp_path)
    assert not is_locked(tmp_path)


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"), writer_lock(tmp_path / "file" / "x"):
        raise AssertionError


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"birth": "another boot/1"}, id="its number is another's now"),
        pytest.param({"pid": 2**22 + 1}, id="it is dead"),
        pytest.param({"pid": "x"}, id="it is no number"),
    ],
)
def test_a_note_of_nobody_names_nobody(tmp_path: Path, changes: dict[str, object]) -> None:
    with writer_lock(tmp_path):
        note = json.loads((tmp_path / "writer.json").read_text())
        (tmp_path / "writer.json").write_text(json.dumps(note | changes))
        assert not is_locked(tmp_path)
        with (
            pytest.raises(LockedError, match=r"^Another process is indexing"),
            writer_lock(tmp_path),
        ):
            raise AssertionError


@pytest.mark.parametrize("garbage", [b"", b"\xff\0", b"[1]", b"{}", b"null"])
def test_garbage_in_the_files_of_the_lock_keeps_nobody_out(tmp_path: Path, garbage: bytes) -> None:
    for name in ("writer.lock", "writer.json"):
        (tmp_path / name).write_bytes(garbage)
    assert lock_owner(tmp_path) is None
    with writer_lock(tmp_path) as tell:
        tell("embedding")
        holder = lock_owner(tmp_path)
        assert holder is not None
        assert (holder.pid, holder.doing) == (os.getpid(), "embedding")


def test_a_holder_on_another_machine_is_named_with_it_and_stops_no_hook(tmp_path: Path) -> None:
    with writer_lock(tmp_path):
        note = json.loads((tmp_path / "writer.json").read_text()) | {"host": "attic"}
        (tmp_path / "writer.json").write_text(json.dumps(note))
        assert not is_locked(tmp_path)
        with (
            pytest.raises(LockedError, match=rf"pid {os.getpid()} of the machine 'attic'\) is"),
            writer_lock(tmp_path),
        ):
            raise AssertionError


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell who is stopped")
def test_a_stopped_holder_is_named_with_how_to_continue_it(tmp_path: Path) -> None:
    with holding(tmp_path) as child:
        child.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        with (
            pytest.raises(LockedError, match=rf"is stopped: .* `kill -CONT {child.pid}`"),
            writer_lock(tmp_path),
        ):
            raise AssertionError


def test_a_waiting_process_is_notified_once(tmp_path: Path) -> None:
    told: list[str] = []
    with (
        holding(tmp_path),
        pytest.raises(LockedError, match="wait for it to finish"),
        writer_lock(tmp_path, wait_seconds=0.2, waiting=lambda: told.append("waiting")),
    ):
        raise AssertionError
    assert told == ["waiting"]


@pytest.mark.parametrize("stands_there", ["folder", "link"])
def test_a_folder_in_place_of_the_lock_gives_a_sentence(tmp_path: Path, stands_there: str) -> None:
    if stands_there == "folder":
        (tmp_path / "writer.lock").mkdir()
    else:
        (tmp_path / "writer.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="cannot be written"), writer_lock(tmp_path):
        raise AssertionError
    assert not (tmp_path / "elsewhere").exists()
