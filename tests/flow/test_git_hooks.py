"""Git hooks in use: a commit, a merge or a checkout brings the index up to date beside it."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.hooks.git import sync_after_git as git_sync
from codeindex.hooks.git.hooks_folder import find_hooks_folder
from codeindex.hooks.git.install import install_hook, read_hooks
from codeindex.types import SyncReport
from tests.conftest import Repository
from tests.flow.sites import install_tiny
from tests.flow.test_watch import identified, until

FILES = {"cart.py": "def checkout():\n    return 1\n", "pay.py": "def pay():\n    return 2\n"}


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, env=identified(), capture_output=True)


def head_of(root: Path) -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell where git looks for it")
def test_git_brings_the_index_up_to_date(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    assert not home.exists()
    root = repository(FILES)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        for one in read_hooks(find_hooks_folder(root)):
            install_hook(one)
        git(root, "checkout", "-qb", "other")
        (root / "more.py").write_text("def more():\n    return 3\n")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "more")
        git(root, "commit", "-q", "--amend", "-m", "much more")
        until(lambda: index.status().head == head_of(root))
        assert "more.py" in index.files()
        state = index.status().state()
        assert (state["branch"], state["commit"]) == ("other", head_of(root))
        assert state["indexed_at"].endswith("+00:00")


@pytest.mark.parametrize(
    ("branch", "words", "is_done"),
    [("", ("a", "b", "1"), True), ("", ("a", "a", "0"), False), ("trunk", ("a", "b", "1"), False)],
)
def test_a_checkout_is_followed_if_it_moved_head_to_a_branch_that_counts(
    branch: str,
    words: tuple[str, ...],
    is_done: bool,
    home: Path,
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CODEINDEX_DEFAULT_BRANCH", branch)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    monkeypatch.setattr(git_sync, "_detach", lambda: None)
    root = repository(FILES)
    monkeypatch.chdir(root)
    assert git_sync.sync_after_git("post-checkout", words) is None
    assert not home.exists()
    with Index.open(root) as index:
        index.sync(structure_only=True)
    (root / "more.py").write_text("x = 1\n")
    report = git_sync.sync_after_git("post-checkout", words)
    assert (report is not None and report.added == 1) is is_done


@pytest.fixture
def hooked(home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository without an index, in which this process is the one of a git hook."""
    monkeypatch.setattr(git_sync, "_detach", lambda: None)
    assert not home.exists()
    root = repository(FILES)
    monkeypatch.chdir(root)
    return root


def test_of_many_hooks_that_wait_one_is_enough(hooked: Path) -> None:
    import filelock

    with Index.open(hooked) as index:
        index.sync(structure_only=True)
        with filelock.FileLock(index.repository.folder / "waiting.lock"):
            began = time.monotonic()
            assert git_sync.sync_after_git("post-commit", ()) is None
            assert time.monotonic() - began < git_sync._MAX_WAIT_SECONDS


def test_a_second_worktree_and_a_clone_embed_nothing(
    home: Path, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    root = repository(FILES)
    git(root, "worktree", "add", "-q", str(tmp_path / "worktree"))
    git(tmp_path, "clone", "-q", str(root), str(tmp_path / "clone"))
    computed = []
    for place in (root, tmp_path / "worktree", tmp_path / "clone"):
        with Index.open(place) as index:
            embeddings = index._session.resources.caches(index.settings)[1]
            before = embeddings._do(len)
            index.sync()
            computed.append(embeddings._do(len) - before)
            assert index.status().readiness.vectors == 1
    assert computed == [2, 0, 0]


def test_a_writer_that_names_itself_nowhere_is_waited_for(
    hooked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As from another machine or container, which `writer.json` does not tell of."""
    import filelock

    attempts = []
    sync = Index.sync

    def counted(index: Index, **options: object) -> object:
        attempts.append(options)
        return sync(index, **options)  # type: ignore[arg-type]

    with Index.open(hooked) as index:
        index.sync(structure_only=True)
        (hooked / "more.py").write_text("x = 1\n")
        monkeypatch.setattr(Index, "sync", counted)
        lock = filelock.FileLock(index.repository.folder / "writer.lock")
        lock.acquire()
        reports: list[object] = []
        hook = threading.Thread(
            target=lambda: reports.append(git_sync.sync_after_git("post-commit", ()))
        )
        hook.start()
        until((index.repository.folder / "waiting.lock").exists)
        time.sleep(0.3)
        assert attempts == []
        lock.release()
        hook.join(60)
        assert "more.py" in index.files()
    assert len(reports) == 1
    assert reports[0] is not None


def test_a_hook_gets_the_index_of_a_process_that_embeds(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    monkeypatch.setattr(git_sync, "_detach", lambda: None)
    root = repository({f"a{n}.py": f"def f{n}():\n    return {n}\n" for n in range(40)})
    monkeypatch.chdir(root)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        hooks: list[threading.Thread] = []
        reports: list[SyncReport | None] = []

        def commit_once(phase: str, done: int, _total: int) -> None:
            if phase == "embedding" and done and not hooks:
                (root / "more.py").write_text("x = 1\n")
                hooks.append(
                    threading.Thread(
                        target=lambda: reports.append(git_sync.sync_after_git("post-commit", ()))
                    )
                )
                hooks[0].start()
                until(lambda: any(index.repository.folder.glob("writer.wish-*")))

        index.sync(progress=commit_once)
        hooks[0].join(60)
        assert [report.added for report in reports if report] == [1]
        assert index.status().readiness.vectors == 1
