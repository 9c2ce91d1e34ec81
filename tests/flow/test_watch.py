"""Indexes that keep themselves up to date."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from codeindex import Index
from codeindex.cli import CLOSED_PIPE
from codeindex.errors import CodeIndexError, LockedError
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.types import SyncReport
from codeindex.watch import background_sync, watcher
from codeindex.watch.background_sync import BackgroundSync
from codeindex.watch.events import EventsUnavailableError, FileEvents
from codeindex.watch.options import WatchOptions
from codeindex.watch.watcher import Watcher
from tests.conftest import Repository
from tests.flow.sites import install_tiny

FILES = {"shop/cart.py": "def checkout():\n    return 1\n", ".gitignore": "out/\n"}
PATIENCE = 60.0


def until(is_so: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < PATIENCE, "it never came to be so"
        time.sleep(0.05)


class Watched:
    """A watched repository, with what was said and done about it."""

    def __init__(self, root: Path, pace: WatchOptions) -> None:
        self.root = root
        self.index = Index.open(root)
        self.done: list[SyncReport | CodeIndexError] = []
        self.said: list[str] = []
        self.background = BackgroundSync(lambda _, what: self.done.append(what))
        self.watcher = Watcher(self.background, pace, notify=lambda _, text: self.said.append(text))
        self.watcher.add(self.index)

    def has(self, *paths: str) -> bool:
        """Tell whether these are the indexed files of Python, and nothing is being done."""
        if self.background.current_work(self.index) or not self.index.is_indexed:
            return False
        return {one for one in self.index.files() if one.endswith(".py")} == set(paths)

    def knows(self, name: str) -> bool:
        with self.index.reader().catalog() as (catalog, _):
            sql = "SELECT count(*) FROM symbols WHERE name = ?"
            return bool(catalog.connection.execute(sql, (name,)).fetchone()[0])

    def close(self) -> None:
        self.watcher.close()
        self.background.close()
        self.index.close()


@pytest.fixture(autouse=True)
def words_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")


@pytest.fixture
def watched(repository: Repository) -> Iterator[Watched]:
    made = Watched(repository(FILES).resolve(), WatchOptions(debounce_ms=30))
    until(lambda: made.has("shop/cart.py"))
    yield made
    made.close()


def test_what_editors_and_git_do_is_in_the_index_soon(watched: Watched) -> None:
    root = watched.root
    (root / "shop/cart.py~").write_text("def pay():\n    return 2\n")
    (root / "shop/cart.py~").replace(root / "shop/cart.py")
    until(lambda: watched.knows("pay"))
    (root / "new/deep").mkdir(parents=True)
    (root / "new/deep/one.py").write_text("x = 1\n")
    until(lambda: watched.has("shop/cart.py", "new/deep/one.py"))
    (root / "new/deep/two.py").write_text("x = 1\n")
    (root / "shop").rename(root / "store")
    until(lambda: watched.has("store/cart.py", "new/deep/one.py", "new/deep/two.py"))
    subprocess.run(["git", "stash", "-uq"], cwd=root, check=True, env=identified())
    until(lambda: watched.has("shop/cart.py") and watched.knows("checkout"))
    (root / ".gitignore").write_text("shop/\n")
    subprocess.run(["git", "rm", "-q", "--cached", "shop/cart.py"], cwd=root, check=True)
    until(watched.has)
    assert watched.done
    assert [result for result in watched.done if not isinstance(result, SyncReport)] == []


def identified() -> dict[str, str]:
    names = {"GIT_AUTHOR_NAME": "T", "GIT_COMMITTER_NAME": "T"}
    mails = {"GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_EMAIL": "t@t"}
    return {**os.environ, **names, **mails}  # noqa: TID251


def test_a_root_that_is_gone_keeps_its_index_and_is_waited_for(watched: Watched) -> None:
    kept = watched.root.with_name("kept")
    watched.root.rename(kept)
    until(lambda: any("is gone" in one for one in watched.said))
    assert watched.has("shop/cart.py")
    shutil.copytree(kept, watched.root)
    (watched.root / "shop/more.py").write_text("x = 1\n")
    until(lambda: watched.has("shop/cart.py", "shop/more.py"))
    until(lambda: any("is back" in one for one in watched.said))


def test_another_writer_is_waited_for_without_an_error(watched: Watched) -> None:
    with writer_lock(watched.index.repository.folder):
        (watched.root / "shop/more.py").write_text("x = 1\n")
        until(lambda: watched.background.current_work(watched.index) is not None)
    until(lambda: watched.has("shop/cart.py", "shop/more.py"))
    assert all(isinstance(one, SyncReport) for one in watched.done)


def test_a_wait_for_another_writer_is_logged_once(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background_sync, "_LOCKED_SECONDS", 0.01)
    caplog.set_level("INFO", background_sync.__name__)
    tries: list[object] = []

    class Locked(Index):
        def sync(self, **asked: Any) -> SyncReport:
            tries.append(asked)
            if len(tries) < 4:
                raise LockedError("Another process is indexing this repository.")
            return super().sync(**asked)

    with Locked.open(repository(FILES)) as index:
        background = BackgroundSync()
        background.sync_soon(index)
        until(lambda: len(tries) >= 4 and background.current_work(index) is None)
        background.close()
    said = [one.getMessage() for one in caplog.records if one.name == background_sync.__name__]
    assert said.count("Another process is indexing this repository.") == 1


def test_at_an_interval_no_events_are_needed(repository: Repository) -> None:
    made = Watched(repository(FILES).resolve(), WatchOptions(interval=0.1))
    try:
        until(lambda: made.has("shop/cart.py"))
        (made.root / "shop/more.py").write_text("x = 1\n")
        until(lambda: made.has("shop/cart.py", "shop/more.py"))
        assert made.said == ["checking every 0.1 s: as requested"]
    finally:
        made.close()


def test_a_changed_file_comes_before_the_vectors_of_others(
    repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    root = repository({f"a{n}.py": f"def f{n}():\n    return {n}\n" for n in range(40)})
    done: list[tuple[int, int]] = []
    embedding = threading.Event()

    class Slow(Index):
        def sync(self, *, progress: object = None, **asked: object) -> SyncReport:
            def noted(phase: str, at: int, total: int) -> None:
                if phase == "embedding" and at and not embedding.is_set():
                    (root / "a0.py").write_text("def urgent():\n    return 1\n")
                    background.sync_changed(index)
                    embedding.set()
                progress(phase, at, total)  # type: ignore[operator]

            return super().sync(progress=noted, **asked)  # type: ignore[arg-type]

    def report(_: Index, what: SyncReport | CodeIndexError) -> None:
        assert isinstance(what, SyncReport)
        done.append((what.added + what.changed, what.embedded))

    background = BackgroundSync(report)
    with Slow.open(root) as index:
        background.sync_changed(index)
        until(lambda: embedding.is_set() and background.current_work(index) is None)
        assert background.close()
        assert index.status().readiness.vectors == 1
    assert done[:2] == [(40, 0), (1, 0)]
    assert done[2][1] == 40


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_ends_the_command_and_leaves_the_index_whole(
    repository: Repository,
) -> None:
    root = repository(FILES)
    words = [sys.executable, "-P", "-m", "codeindex", "watch", str(root), "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said.count("\n")) == (130, 1)
    assert [one["event"] for one in lines] == ["note", "sync"]
    assert (lines[1]["added"], lines[1]["repo"]) == (2, "shop")
    with Index.open(root) as index:
        assert index.sync(structure_only=True).changed == 0


def test_without_events_too_a_missing_root_is_waited_for(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_events(*_: object, **__: object) -> None:
        raise EventsUnavailableError("the system has no more watches")

    monkeypatch.setattr(watcher, "FileEvents", no_events)
    monkeypatch.setenv("CODEINDEX_WATCH_INTERVAL", "0.1")
    made = Watched(repository(FILES).resolve(), WatchOptions())
    try:
        until(lambda: made.has("shop/cart.py"))
        assert made.said == ["checking every 0.1 s: the system has no more watches"]
        kept = made.root.with_name("kept")
        made.root.rename(kept)
        until(lambda: any("is gone" in text for text in made.said))
        shutil.copytree(kept, made.root)
        (made.root / "shop/more.py").write_text("x = 1\n")
        until(lambda: made.has("shop/cart.py", "shop/more.py"))
    finally:
        made.close()


def test_watching_goes_on_after_an_unexpected_error(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    class BrokenOnce(FileEvents):
        failed = False

        def __enter__(self) -> Self:
            if not BrokenOnce.failed:
                BrokenOnce.failed = True
                raise RuntimeError("internal error of the library")
            return super().__enter__()

    monkeypatch.setattr(watcher, "FileEvents", BrokenOnce)
    monkeypatch.setattr(watcher, "_RETRY_SECONDS", 0.1)
    made = Watched(repository(FILES).resolve(), WatchOptions(debounce_ms=30))
    try:
        until(lambda: made.has("shop/cart.py"))
        (made.root / "shop/more.py").write_text("x = 1\n")
        until(lambda: made.has("shop/cart.py", "shop/more.py"))
        assert made.said[0].startswith("unexpected RuntimeError in watching: internal error of")
    finally:
        made.close()


def test_other_indexes_are_synced_after_an_unexpected_error(repository: Repository) -> None:
    class Broken(Index):
        def sync(self, **_: object) -> SyncReport:
            raise KeyError("x")

    done: list[SyncReport | CodeIndexError] = []

    def report(_: Index, result: SyncReport | CodeIndexError) -> None:
        done.append(result)
        raise ValueError("a listener with a bug")

    background = BackgroundSync(report)
    with (
        Broken.open(repository(FILES)) as broken,
        Index.open(repository(FILES, name="store")) as sound,
    ):
        background.sync_changed(broken)
        until(lambda: bool(done))
        assert str(background.failure(broken)) == "unexpected KeyError in a sync: 'x'"
        background.sync_changed(sound)
        until(lambda: sound.is_indexed)
        assert background.current_work(broken) is None
        until(lambda: background.current_work(sound) is None)
        assert background.failure(sound) is None
        assert background.close()
    assert [isinstance(result, SyncReport) for result in done] == [False, True, True]


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes of POSIX")
def test_watching_ends_with_the_reader_of_its_output(repository: Repository) -> None:
    root = repository(FILES)
    words = [sys.executable, "-P", "-m", "codeindex", "watch", str(root), "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        changes = 0
        while process.poll() is None:
            changes += 1
            (root / "shop/cart.py").write_text(f"def pay():\n    return {changes}\n")
            time.sleep(0.2)
            assert changes < PATIENCE / 0.2
        assert process.stderr.read() == ""
    assert process.returncode == CLOSED_PIPE
