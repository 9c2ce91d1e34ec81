"""What the change log reports after each kind of change, and when it reports nothing reliable."""

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from mmap import mmap
from pathlib import Path

import pytest

from codeindex.freshness import change_log, inotify_watcher
from codeindex.freshness.change_log import ChangeLog
from codeindex.store.datadir import filesystem

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
FOLDERS = ("", "lib", "lib/deep", "lib/gone")
GENERATION = (1, 1.0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "lib" / "deep").mkdir(parents=True)
    for name in ("a.py", "lib/b.py", "lib/deep/c.py"):
        (root / name).write_text("one\n")
    watcher = inotify_watcher.open_inotify_watcher(root, len(FOLDERS))
    if watcher is None:
        pytest.skip("inotify cannot be relied on in the folder of the test")
    watcher.close()
    return root


@pytest.fixture
def log(root: Path) -> Iterator[ChangeLog]:
    opened = ChangeLog(root)
    scan(opened)
    scan(opened)
    yield opened
    opened.close()


def scan(log: ChangeLog, *differing: str) -> None:
    log.end_scan(log.begin_scan(FOLDERS), differing, GENERATION)


def paths(log: ChangeLog) -> set[str] | None:
    changes = log.changes()
    return None if changes is None else set(changes.paths)


def in_place(root: Path) -> None:
    with (root / "lib/deep/c.py").open("r+") as stream:
        stream.write("two")


def with_old_times(root: Path) -> None:
    before = (root / "a.py").stat()
    (root / "a.py").write_text("two")
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


def many_files(root: Path) -> None:
    for at in range(65):
        (root / f"n{at}.py").touch()


def through_memory(root: Path) -> None:
    with (root / "a.py").open("r+b") as stream, mmap(stream.fileno(), 0) as memory:
        memory[:3] = b"two"


NAMED: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "written in place": (in_place, {"lib/deep/c.py"}),
    "times set back": (with_old_times, {"a.py"}),
    "through memory": (through_memory, {"a.py"}),
    "cut": (lambda root: os.truncate(root / "lib/b.py", 0), {"lib/b.py"}),
    "mode": (lambda root: (root / "a.py").chmod(0o600), {"a.py"}),
    "new file": (lambda root: (root / "lib/new.py").touch(), {"lib/new.py"}),
    "deleted": (lambda root: (root / "lib/b.py").unlink(), {"lib/b.py"}),
    "renamed": (lambda root: (root / "lib/b.py").rename(root / "d.py"), {"lib/b.py", "d.py"}),
    "taken out": (lambda root: (root / "a.py").rename(root.parent / "a.py"), {"a.py"}),
    "replaced": (lambda root: shutil.copy(root / "a.py", root / "lib/b.py"), {"lib/b.py"}),
    "moved onto": (lambda root: (root / "a.py").replace(root / "lib/b.py"), {"a.py", "lib/b.py"}),
    "link": (lambda root: (root / "lib/link").symlink_to("b.py"), {"lib/link"}),
    "nothing": (lambda _: None, set()),
    "read": (lambda root: [(root / "a.py").read_text(), *(root / "lib").iterdir()], set()),
}
LOST: dict[str, Callable[[Path], object]] = {
    "new folder": lambda root: (root / "lib/more").mkdir(),
    "folder that was not there": lambda root: (root / "lib/gone").mkdir(),
    "folder deleted": lambda root: shutil.rmtree(root / "lib/deep"),
    "folder renamed": lambda root: (root / "lib").rename(root / "src"),
    "folder's mode": lambda root: (root / "lib").chmod(0o700),
    "root renamed": lambda root: root.rename(root.with_name("elsewhere")),
    "folder above renamed": lambda root: root.parent.rename(root.parent.with_name("elsewhere")),
    "more paths than are kept": many_files,
}


@pytest.mark.parametrize("change", NAMED.values(), ids=NAMED)
def test_changed_paths_are_named_until_the_next_scan(
    root: Path, log: ChangeLog, change: tuple[Callable[[Path], object], set[str]]
) -> None:
    assert paths(log) == set()
    make, named = change
    make(root)
    assert paths(log) == named
    assert paths(log) == named
    scan(log)
    assert paths(log) == set()


@pytest.mark.parametrize("change", LOST.values(), ids=LOST)
def test_after_other_changes_the_whole_tree_has_to_be_scanned(
    root: Path, log: ChangeLog, change: Callable[[Path], object]
) -> None:
    begun = log.begin_scan(FOLDERS)
    change(root)
    assert paths(log) is None
    log.end_scan(begun, (), GENERATION)
    assert paths(log) is None
    if root.exists():
        scan(log)
        assert paths(log) == set()


def test_a_new_folder_is_watched_by_the_next_scan(root: Path, log: ChangeLog) -> None:
    (root / "lib/gone").mkdir()
    assert paths(log) is None
    scan(log)
    (root / "lib/gone/new.py").touch()
    assert paths(log) == {"lib/gone/new.py"}


@pytest.mark.parametrize("removed", [shutil.rmtree, lambda it: it.rename(it.with_name("other"))])
def test_a_folder_that_went_and_came_is_watched_again(
    root: Path, log: ChangeLog, removed: Callable[[Path], object]
) -> None:
    removed(root / "lib/deep")
    (root / "lib/deep").mkdir()
    assert paths(log) is None
    scan(log)
    (root / "lib/deep/c.py").touch()
    assert paths(log) == {"lib/deep/c.py"}


def test_more_events_than_the_system_keeps_are_noticed(root: Path, log: ChangeLog) -> None:
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text("ascii"))
    if most > 100_000:
        pytest.skip(f"this system keeps {most:,} events")
    for number in range(most // 2 + 1):
        os.utime(root / "a.py", (number, number))
        os.utime(root / "lib/b.py", (number, number))  # equal events in a row are one
    assert paths(log) is None
    scan(log)
    assert paths(log) == set()


def test_changes_during_a_scan_stay_listed_with_those_it_found(root: Path, log: ChangeLog) -> None:
    slow = log.begin_scan(FOLDERS)
    in_place(root)
    log.end_scan(slow, ["a.py"], GENERATION)
    assert paths(log) == {"a.py", "lib/deep/c.py"}
    late = log.begin_scan(FOLDERS)
    log.end_scan(late, (), GENERATION)
    log.end_scan(slow, ["lib/b.py"], GENERATION)  # ends after one that began later
    assert paths(log) == set()


def test_a_scan_that_began_before_the_folders_were_watched_proves_nothing(root: Path) -> None:
    log = ChangeLog(root)
    first = log.begin_scan(FOLDERS)
    in_place(root)
    second = log.begin_scan(FOLDERS)
    log.end_scan(first, (), GENERATION)
    assert paths(log) is None
    log.end_scan(second, (), GENERATION)
    assert paths(log) == set()
    log.close()


def test_it_is_trusted_for_a_minute_only(log: ChangeLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_log, "_TRUSTED_SECONDS", 0.0)
    scan(log)
    assert paths(log) is None


def test_one_scan_watches_nothing(root: Path) -> None:
    log = ChangeLog(root)
    scan(log)
    assert paths(log) is None
    log.close()


def test_a_filesystem_that_others_may_write_is_not_watched(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = f"//server/share {root}/lib nfs4 rw 0 0\n"
    there = Path("/proc/self/mounts").read_text("utf-8")
    monkeypatch.setattr(inotify_watcher, "mounts", lambda: filesystem.parse_mounts(there + inside))
    assert inotify_watcher.open_inotify_watcher(root, 1) is None


def test_a_tree_that_would_need_too_many_watches_has_none(root: Path) -> None:
    assert inotify_watcher.open_inotify_watcher(root, 10**9) is None


def test_a_new_mount_has_the_whole_tree_scanned(root: Path) -> None:
    program = """
        import subprocess, sys
        from pathlib import Path
        from codeindex.freshness.change_log import ChangeLog
        log = ChangeLog(Path(sys.argv[1]))
        for _ in range(2):
            log.end_scan(log.begin_scan(["", "lib"]), (), (1, 1.0))
        assert log.changes() is not None
        subprocess.run(["mount", "-t", "tmpfs", "none", sys.argv[1] + "/lib"], check=True)
        assert log.changes() is None
        print("noticed")
    """
    alone = ["unshare", "--user", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], check=False).returncode:
        pytest.skip("this system lets nobody mount")
    words = [*alone, sys.executable, "-c", textwrap.dedent(program), str(root)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "noticed\n"


def test_a_closed_log_watches_nothing(log: ChangeLog) -> None:
    log.close()
    scan(log)
    assert paths(log) is None
