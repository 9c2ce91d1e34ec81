"""Every change of a recorded tree is noticed by sizes and times."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex.freshness.timestamps import UNPROVEN_CTIME
from codeindex.freshness.tree_scan import file_times
from codeindex.ingest.sync.unchanged import is_tree_unchanged

CHANGES: dict[str, Callable[[Path], object]] = {
    "edited": lambda root: (root / "lib/b.py").write_text("longer than before"),
    "touched": lambda root: os.utime(root / "a.py", ns=(5, 5)),
    "deleted": lambda root: (root / "lib/b.py").unlink(),
    "new file": lambda root: (root / "lib/new.py").touch(),
    "new folder": lambda root: (root / "new").mkdir(),
    "renamed": lambda root: (root / "a.py").rename(root / "c.py"),
    "new rules": lambda root: (root.parent / "rules").write_text("*.log"),
    "mode": lambda root: (root / "a.py").chmod(0),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "lib").mkdir(parents=True)
    (root / "a.py").write_text("one")
    (root / "lib/b.py").write_text("two")
    for path in (root / "a.py", root / "lib/b.py", root / "lib", root):
        os.utime(path, ns=(1, 1))
    return root


def recorded(root: Path) -> sqlite3.Connection:
    """Return a catalog with the columns that a scan reads, of the tree as it is."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE files (path, size, mtime_ns, ctime_ns)")
    connection.execute("CREATE TABLE watched (path, kind, mtime_ns, ctime_ns)")
    for path in ("a.py", "lib/b.py"):
        values = (path, (root / path).stat().st_size, *file_times(str(root / path)))
        connection.execute("INSERT INTO files VALUES (?, ?, ?, ?)", values)
    for path, kind in (("", "folder"), ("lib", "folder"), (str(root.parent / "rules"), "rules")):
        times = file_times(str(root / path))
        connection.execute("INSERT INTO watched VALUES (?, ?, ?, ?)", (path, kind, *times))
    return connection


def test_a_tree_as_it_was_recorded_is_unchanged(root: Path) -> None:
    assert is_tree_unchanged(root, recorded(root))


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(root: Path, change: str) -> None:
    connection = recorded(root)
    CHANGES[change](root)
    assert not is_tree_unchanged(root, connection)


@pytest.mark.parametrize("table", ["files", "watched"])
def test_times_that_prove_nothing_differ(root: Path, table: str) -> None:
    connection = recorded(root)
    connection.execute(f"UPDATE {table} SET ctime_ns = {UNPROVEN_CTIME}")
    assert not is_tree_unchanged(root, connection)
