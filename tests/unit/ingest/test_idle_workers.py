"""Worker processes are shared by the pools of a process, and end with the last of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from codeindex.config import LimitsConfig, SecretPattern, SecretsConfig, cpu_count
from codeindex.ingest.workers import pool as pool_module
from codeindex.ingest.workers.child import WorkerSettings
from codeindex.ingest.workers.file_queue import FileQueue
from codeindex.ingest.workers.idle import IdleWorkers
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.types import SourceFile

_PROGRAM = "codeindex.ingest.workers.worker"


def _children() -> set[int]:
    """Return the ids of the worker processes of this process."""
    return {
        child.pid for child in psutil.Process().children() if _PROGRAM in " ".join(child.cmdline())
    }


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[int]]:
    """Give the test idle workers of its own, and the ids of the workers that run already."""
    monkeypatch.setattr(pool_module, "IDLE_WORKERS", IdleWorkers())
    running = _children()
    yield running
    assert _children() <= running


def _settings(root: Path, *patterns: SecretPattern, megabytes: int = 2048) -> WorkerSettings:
    limits = LimitsConfig(memory_mb=megabytes)
    return WorkerSettings(root, limits, SecretsConfig(), patterns, root / "none")


def _text(pool: WorkerPool, root: Path, text: str) -> str:
    """Return the text of a file as the pool prepares it."""
    (root / "notes.txt").write_text(text)
    (prepared,) = pool.prepare([SourceFile("notes.txt", "text", len(text), 0, 0)])
    return "".join(chunk.chunk.text for chunk in prepared.chunks)


def test_two_repositories_use_one_process_each_with_its_own_settings(
    tmp_path: Path, others: set[int]
) -> None:
    for name in ("shop", "bank"):
        (tmp_path / name).mkdir()
    ours = SecretPattern("ours", r"zebra\d+")
    with (
        WorkerPool(_settings(tmp_path / "shop"), size=1) as shop,
        WorkerPool(_settings(tmp_path / "bank", ours, megabytes=1024), size=1) as bank,
    ):
        assert _text(shop, tmp_path / "shop", "see zebra1234") == "see zebra1234"
        started = _children() - others
        assert len(started) == 1
        assert _text(bank, tmp_path / "bank", "see zebra1234") == "see [REDACTED]"
        assert _text(shop, tmp_path / "shop", "at zebra1234") == "at zebra1234"
        assert _children() - others == started


def test_processes_end_with_the_last_pool(tmp_path: Path, others: set[int]) -> None:
    first, last = (WorkerPool(_settings(tmp_path), size=1) for _ in range(2))
    _text(first, tmp_path, "a")
    first.close()
    first.close()
    assert len(_children() - others) == 1
    _text(last, tmp_path, "b")
    last.close()
    assert _children() - others == set()


def test_pools_that_work_at_a_time_have_a_process_each(tmp_path: Path, others: set[int]) -> None:
    with (
        WorkerPool(_settings(tmp_path), size=1) as first,
        WorkerPool(_settings(tmp_path), size=1) as last,
    ):
        (tmp_path / "notes.txt").write_text("a")
        file = SourceFile("notes.txt", "text", 1, 0, 0)
        results = first.prepare([file, file])
        next(results)
        assert next(last.prepare([file])).status == "indexed"
        assert next(results).status == "indexed"
        assert len(_children() - others) == 2


def test_a_changed_environment_starts_a_new_process(
    tmp_path: Path, others: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with WorkerPool(_settings(tmp_path), size=1) as pool:
        _text(pool, tmp_path, "a")
        before = _children() - others
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        _text(pool, tmp_path, "b")
        after = _children() - others
        assert len(before) == len(after) == 1
        assert not before & after


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal of POSIX")
def test_a_process_that_is_killed_while_it_waits_costs_nothing(
    tmp_path: Path, others: set[int]
) -> None:
    (tmp_path / "other").mkdir()
    with (
        WorkerPool(_settings(tmp_path), size=1) as first,
        WorkerPool(_settings(tmp_path / "other"), size=1) as last,
    ):
        for pool, root in ((first, tmp_path), (last, tmp_path / "other")):
            _text(first, tmp_path, "a")
            for pid in _children() - others:
                psutil.Process(pid).kill()
            assert _text(pool, root, "b") == "b"
            assert pool.killed == 0


@pytest.mark.parametrize(("size", "expected"), [(100, 1), (5_000, 3)])
@pytest.mark.usefixtures("others")
def test_as_many_children_start_early_as_the_files_are_worth(
    tmp_path: Path, size: int, expected: int
) -> None:
    before = len(psutil.Process().children())
    files = FileQueue(SourceFile(f"{number}.txt", "text", size, 0, 0) for number in range(80))
    with WorkerPool(_settings(tmp_path), size=8) as pool:
        pool.start(pool.useful_count(files))
        assert len(psutil.Process().children()) - before == min(expected, cpu_count())
