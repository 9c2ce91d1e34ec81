"""What a change in a watched tree means."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex.config import Config
from codeindex.errors import RootError
from codeindex.watch.events import EventsUnavailableError, FileEvents
from codeindex.watch.watch_scope import BurstAction, WatchScope
from tests.conftest import Repository

CAME, CHANGED, WENT = 1, 2, 3
FILES = {
    "shop/cart.py": "x = 1\n",
    "shop/notes.log": "tracked\n",
    ".gitignore": "*.log\nout/\n",
    "out/made.py": "x = 1\n",
    "node_modules/a/b.js": "1\n",
}


@pytest.fixture(params=["git", "no git"])
def root(request: pytest.FixtureRequest, repository: Repository, home: Path) -> Path:
    made = repository(FILES).resolve()
    subprocess.run(["git", "add", "-f", "shop/notes.log"], cwd=made, check=True)
    if request.param == "no git":
        (made / ".git").rename(made.parent / "away")
    assert not home.exists()
    return made


def action(root: Path, *changes: tuple[int, str]) -> BurstAction:
    return WatchScope(root, Config()).required_action(
        {(kind, str(root / path)) for kind, path in changes}
    )


def test_only_folders_that_may_hold_files_of_the_index_are_watched(root: Path) -> None:
    own = {str(root), str(root / "shop")}
    inside = {".git", ".git/logs", ".git/info"} if (root / ".git").exists() else set()
    assert set(WatchScope(root, Config()).paths()) == own | {str(root / one) for one in inside}


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ([(CHANGED, "shop/cart.py")], BurstAction.SYNC),
        ([(WENT, "shop/cart.py")], BurstAction.SYNC),
        ([(CAME, "shop/new.py")], BurstAction.SYNC),
        ([(CHANGED, "shop/other.log")], BurstAction.NOTHING),
        ([(CHANGED, "shop/cart.pyc"), (CAME, "shop/.cart.py.swp")], BurstAction.NOTHING),
        ([(CAME, "node_modules/a"), (CAME, "out")], BurstAction.NOTHING),
        ([(CHANGED, "shop/.gitignore")], BurstAction.RESCAN),
        ([(CHANGED, ".ai-devtools.yaml")], BurstAction.RESCAN),
        ([(CAME, "shop")], BurstAction.RESCAN),
        ([(CAME, f"shop/{number}.py") for number in range(1001)], BurstAction.RESCAN),
        ([(CHANGED, "../elsewhere/cart.py")], BurstAction.NOTHING),
    ],
)
def test_a_burst_of_changes_means(
    root: Path, changes: list[tuple[int, str]], wanted: BurstAction
) -> None:
    assert action(root, *changes) is wanted


def test_a_folder_that_becomes_build_output_means_a_rescan(root: Path) -> None:
    (root / "shop/build").mkdir()
    (root / "shop/build/a.py").write_text("x = 1\n")
    scope = WatchScope(root, Config())

    def after(kind: int, path: str) -> BurstAction:
        return scope.required_action({(kind, str(root / path))})

    assert after(CHANGED, "shop/build/a.py") is BurstAction.SYNC
    (root / "shop/setup.py").touch()
    assert after(CAME, "shop/setup.py") is BurstAction.RESCAN
    scope = WatchScope(root, Config())
    assert after(CHANGED, "shop/setup.py") is BurstAction.SYNC
    assert after(CHANGED, "shop/build/a.py") is BurstAction.NOTHING
    (root / "shop/setup.py").unlink()
    assert after(WENT, "shop/setup.py") is BurstAction.RESCAN


def test_git_moving_its_head_means_a_sync_and_its_objects_mean_nothing(
    repository: Repository, home: Path
) -> None:
    root = repository(FILES).resolve()
    assert not home.exists()
    assert action(root, (CHANGED, ".git/HEAD")) is BurstAction.SYNC
    assert action(root, (CAME, ".git/logs/HEAD")) is BurstAction.SYNC
    assert action(root, (CAME, ".git/index.lock"), (CAME, ".git/objects/ab")) is BurstAction.NOTHING
    other = root.parent / "other"
    subprocess.run(["git", "worktree", "add", "-q", str(other)], cwd=root, check=True)
    head = root / ".git/worktrees/other/HEAD"
    assert WatchScope(other, Config()).required_action({(CHANGED, str(head))}) is BurstAction.SYNC


def moved(root: Path) -> None:
    root.rename(root.with_name("elsewhere"))


def replaced(root: Path) -> None:
    moved(root)
    root.mkdir()


@pytest.mark.parametrize("leave", [moved, replaced])
def test_a_root_that_was_moved_or_replaced_is_left(
    root: Path, leave: Callable[[Path], None]
) -> None:
    scope = WatchScope(root, Config())
    assert not scope.is_root_replaced()
    leave(root)
    assert scope.is_root_replaced()
    with pytest.raises(RootError, match="is gone"):
        WatchScope(root, Config())


def test_a_burst_ends_when_it_is_quiet_and_git_is_done(tmp_path: Path) -> None:
    writing = iter([True, True, False])
    with FileEvents([str(tmp_path)], debounce_ms=10) as events:
        assert events.next_burst(seconds=0.01, git_is_writing=lambda: False) == set()
        (tmp_path / "a.py").touch()
        found = events.next_burst(seconds=10, git_is_writing=lambda: next(writing))
    assert {Path(path).name for _, path in found} == {"a.py"}
    assert list(writing) == []


def test_a_folder_that_is_gone_is_no_fault_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileEvents([str(tmp_path / "gone")], debounce_ms=1)


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's limit, in a namespace")
def test_the_systems_limit_is_named(tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(9)]
    for folder in folders:
        folder.mkdir()
    limit = "echo 4 > /proc/sys/user/max_inotify_watches"
    code = (
        "import sys; from codeindex.watch.events import EventsUnavailableError, FileEvents\n"
        "try: FileEvents(sys.argv[1:], debounce_ms=1)\n"
        "except EventsUnavailableError as error: print(error)"
    )
    line = ["unshare", "-Ur", "sh", "-c", f'{limit} && exec "$@"', "sh", sys.executable, "-c", code]
    done = subprocess.run([*line, *map(str, folders)], capture_output=True, text=True, check=False)
    if "write error" in done.stderr or "Operation not permitted" in done.stderr:
        pytest.skip("no namespaces here")
    assert "limit of watched folders" in done.stdout
    assert issubclass(EventsUnavailableError, Exception)
