"""A server starts the process that parses before the first question after an edit needs it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.ingest.workers import pool
from codeindex.ingest.workers.idle import IdleWorkers
from codeindex.watch.background_sync import BackgroundSync
from tests.conftest import Repository

STARTED: list[str] = []


def _note_worker(name: str, arguments: tuple[object, ...]) -> None:
    if name == "subprocess.Popen" and "workers.worker" in str(arguments):
        STARTED.append(name)


sys.addaudithook(_note_worker)


def test_the_first_question_after_an_edit_starts_no_process(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    root = repository({"a.py": "def first(): ...\n", "b.md": "# B\n", "empty.py": ""})
    with Index.open(root) as index:
        index.sync(structure_only=True)
    workers = IdleWorkers()
    monkeypatch.setattr(pool, "IDLE_WORKERS", workers)
    with Index.open(root) as index:
        background = BackgroundSync()
        background.add(index)
        deadline = time.monotonic() + 60.0
        while not workers._workers:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        STARTED.clear()
        (root / "a.py").write_text("def second(): ...\n")
        assert index.search("second").hits[0].path == "a.py"
        assert not STARTED
        background.close()
    assert not workers._workers
