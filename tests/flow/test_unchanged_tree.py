"""A sync skips discovery for an unchanged tree, and only for one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codeindex import Index
from tests.conftest import made_repository, own_data

FILES = {
    "a.py": "def first(): return 1\n",
    "lib/b.py": "def second(): return 2\n",
    "lib/c.log.py": "def third(): return 3\n",
    "big.bin": b"\0",
}
_listings = 0


def _count_listings(name: str, arguments: tuple[object, ...]) -> None:
    global _listings
    if name == "subprocess.Popen" and "ls-files" in str(arguments):
        _listings += 1


sys.addaudithook(_count_listings)


@contextmanager
def listing(expected: bool) -> Iterator[None]:
    """Check whether the block lets git list files, as each discovery does."""
    before = _listings
    yield
    assert (_listings > before) is expected


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Return an index that the last sync found unchanged; tests leave it so."""
    place = tmp_path_factory.mktemp("unchanged")
    with own_data(place), pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
        patch.setenv("XDG_CONFIG_HOME", str(place / "xdg"))
        root = made_repository(place / "tree", FILES)
        for path in root.rglob("*"):
            os.utime(path, ns=(1, 1))
        with Index.open(root) as index:
            index.sync()
            settle(index)
            yield index


def settle(index: Index) -> None:
    """Sync until all recorded times prove something: two seconds after the last change."""
    time.sleep(2.1)
    index.sync()
    index.sync()


def change_global_rules(root: Path) -> None:
    rules = root.parent / "xdg" / "git" / "ignore"
    rules.parent.mkdir(parents=True)
    rules.write_text("unseen-*.py\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "edited": lambda root: (root / "a.py").write_text("def first(): return 11\n"),
    "touched": lambda root: os.utime(root / "lib/b.py"),
    "new file": lambda root: (root / "lib/new.py").write_text("def new(): return 5\n"),
    "deleted": lambda root: (root / "lib/c.log.py").unlink(),
    "new rule": lambda root: (root / ".git/info/exclude").write_text("*.tmp\n"),
    "rule of the user": change_global_rules,
    "setting of git": lambda root: (root / ".git/config").write_text(
        (root / ".git/config").read_text() + "[core]\n\texcludesFile = elsewhere\n"
    ),
}


def test_an_unchanged_tree_is_not_listed_and_reported_as_before(index: Index) -> None:
    with listing(True):
        index.sync(rebuild=True)
    settle(index)
    with listing(False):
        report = index.sync()
    assert not (report.added or report.changed or report.removed)
    assert [item.path for item in report.skipped] == ["big.bin"]
    assert index.search("second").hits[0].path == "lib/b.py"


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_discovery_is_noticed(index: Index, change: str) -> None:
    with listing(False):
        index.sync()
    CHANGES[change](index.root)
    with listing(True):
        report = index.sync()
    counts = (report.added, report.changed, report.removed)
    wanted = {"edited": (0, 1, 0), "new file": (1, 0, 0), "deleted": (0, 0, 1)}
    assert counts == wanted.get(change, (0, 0, 0))
    settle(index)
