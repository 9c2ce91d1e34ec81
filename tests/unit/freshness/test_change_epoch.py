"""What a look is not repeated for, and every touch that it is repeated for."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeindex.freshness import change_epoch, inotify_watcher
from codeindex.freshness.change_epoch import ChangeEpoch
from codeindex.store.datadir import filesystem

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
FOLDERS = ("", "lib", "lib/deep", "lib/gone")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "lib" / "deep").mkdir(parents=True)
    for name in ("a.py", "lib/b.py", "lib/deep/c.py"):
        (root / name).write_text("one\n")
    if inotify_watcher.open_inotify_watcher(root, len(FOLDERS)) is None:
        pytest.skip("the test's folder is on no filesystem that wires can be relied on")
    return root


@pytest.fixture
def still(root: Path) -> Iterator[ChangeEpoch]:
    found = ChangeEpoch(root)
    settle(found)
    settle(found)
    yield found
    found.close()


def settle(found: ChangeEpoch) -> None:
    found.mark_unchanged(found.begin_scan(FOLDERS))


def in_place(root: Path) -> None:
    with (root / "lib/deep/c.py").open("r+") as stream:
        stream.write("two")


def with_old_times(root: Path) -> None:
    before = (root / "a.py").stat()
    in_place(root)
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


TOUCHES: dict[str, Callable[[Path], object]] = {
    "written in place": in_place,
    "times set back": with_old_times,
    "cut": lambda root: os.truncate(root / "lib/b.py", 0),
    "mode": lambda root: (root / "a.py").chmod(0o600),
    "new file": lambda root: (root / "lib/new.py").touch(),
    "new folder": lambda root: (root / "lib/more").mkdir(),
    "folder that was not there": lambda root: (root / "lib/gone").mkdir(),
    "deleted": lambda root: (root / "lib/b.py").unlink(),
    "renamed": lambda root: (root / "lib/b.py").rename(root / "lib/d.py"),
    "taken out": lambda root: (root / "lib/deep/c.py").rename(root.parent / "c.py"),
    "replaced": lambda root: shutil.copy(root / "a.py", root / "lib/b.py"),
    "moved onto": lambda root: (root / "a.py").replace(root / "lib/b.py"),
    "link": lambda root: (root / "lib/link").symlink_to("b.py"),
    "folder deleted": lambda root: shutil.rmtree(root / "lib/deep"),
    "folder renamed": lambda root: (root / "lib").rename(root / "src"),
    "root renamed": lambda root: root.rename(root.with_name("elsewhere")),
}


@pytest.mark.parametrize("touch", TOUCHES.values(), ids=TOUCHES)
def test_whatever_is_touched_ends_it(
    root: Path, still: ChangeEpoch, touch: Callable[[Path], object]
) -> None:
    assert still.is_unchanged()
    touch(root)
    assert not still.is_unchanged()
    assert not still.is_unchanged()  # until a look that began later found nothing
    settle(still)
    assert still.is_unchanged()


def test_reading_ends_nothing(root: Path, still: ChangeEpoch) -> None:
    (root / "lib/deep/c.py").read_text()
    list((root / "lib").iterdir())
    assert still.is_unchanged()


def test_a_folder_that_came_is_wired_by_the_next_look(root: Path, still: ChangeEpoch) -> None:
    (root / "lib/gone").mkdir()
    assert not still.is_unchanged()
    settle(still)
    (root / "lib/gone/new.py").touch()
    assert not still.is_unchanged()


def test_a_folder_that_went_and_came_is_wired_again(root: Path, still: ChangeEpoch) -> None:
    shutil.rmtree(root / "lib/deep")
    assert not still.is_unchanged()
    (root / "lib/deep").mkdir()
    assert not still.is_unchanged()
    settle(still)
    (root / "lib/deep/c.py").touch()
    assert not still.is_unchanged()


def test_more_touches_than_the_system_keeps_end_it_too(root: Path, still: ChangeEpoch) -> None:
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text("ascii"))
    if most > 100_000:
        pytest.skip(f"this system keeps {most:,} events")
    for number in range(most // 2 + 1):
        os.utime(root / "a.py", (number, number))
        os.utime(root / "lib/b.py", (number, number))  # equal events in a row are one
    assert not still.is_unchanged()
    settle(still)
    assert still.is_unchanged()


def test_a_look_that_began_before_a_touch_proves_nothing(root: Path, still: ChangeEpoch) -> None:
    slow = still.begin_scan(FOLDERS)
    in_place(root)
    still.mark_unchanged(slow)
    assert not still.is_unchanged()
    late = still.begin_scan(FOLDERS)
    still.mark_unchanged(late)
    still.mark_unchanged(slow)  # ends after one that began later
    assert not still.is_unchanged()


def test_it_is_believed_for_some_seconds_only(
    still: ChangeEpoch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_epoch, "_TRUSTED_SECONDS", 0.0)
    settle(still)
    assert not still.is_unchanged()


def test_who_asks_once_has_no_wires(root: Path) -> None:
    found = ChangeEpoch(root)
    settle(found)
    assert not found.is_unchanged()
    found.close()


def test_nothing_is_relied_on_where_others_may_write(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = f"//server/share {root}/lib nfs4 rw 0 0\n"
    there = Path("/proc/self/mounts").read_text("utf-8")
    monkeypatch.setattr(inotify_watcher, "mounts", lambda: filesystem.parse_mounts(there + inside))
    assert inotify_watcher.open_inotify_watcher(root, 1) is None


def test_a_tree_that_would_need_too_many_watches_has_none(root: Path) -> None:
    assert inotify_watcher.open_inotify_watcher(root, 10**9) is None


def test_a_closed_one_holds_nothing(still: ChangeEpoch) -> None:
    still.close()
    settle(still)
    assert not still.is_unchanged()
