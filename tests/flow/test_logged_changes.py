"""A scan of the paths that inotify reports finds what a scan of the whole tree finds."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeindex import Index
from codeindex.freshness.inotify_watcher import open_inotify_watcher
from codeindex.freshness.tree_scan import ScanResult, TreeScan
from tests.conftest import made_repository, own_data

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
FILES = {
    ".gitignore": "out/\n",
    "a.py": "def a(): ...\n",
    "lib/b.py": "def b(): ...\n",
    "lib/c.py": "def c(): ...\n",
    "lib/deep/d.py": "def d(): ...\n",
    "docs/e.md": "# E\n",
}


class Edits:
    """Edits of a tree, each of which may find nothing to edit."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root, self.chance, self.made = root, chance, 0

    def _paths(self, *, folders: bool) -> list[Path]:
        found = (path for path in self.root.rglob("*") if ".git" not in path.parts)
        return sorted(path for path in found if path.is_dir() is folders and not path.is_symlink())

    def _file(self) -> Path:
        return self.chance.choice([*self._paths(folders=False), self.root / "a.py"])

    def _folder(self) -> Path:
        return self.chance.choice([*self._paths(folders=True), self.root])

    def _name(self, suffix: str = ".py") -> str:
        self.made += 1
        return f"made{self.made}{suffix}"

    def edit(self) -> None:
        with self._file().open("a") as stream:
            stream.write(f"# {self._name()}\n")

    def edit_and_restore_times(self) -> None:
        file = self._file()
        file.touch()
        before = file.stat()
        file.write_bytes(file.read_bytes().swapcase())
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def save_over(self) -> None:
        file = self._file()
        beside = file.with_name(f".{self._name('.swp')}")
        beside.write_text("def saved(): ...\n")
        beside.replace(file)

    def add(self) -> None:
        (self._folder() / self._name()).write_text("def added(): ...\n")

    def add_what_is_not_indexed(self) -> None:
        (self._folder() / self._name(".png")).write_bytes(b"\0")

    def delete(self) -> None:
        self._file().unlink(missing_ok=True)

    def delete_and_restore(self) -> None:
        file = self._file()
        data = file.read_bytes() if file.exists() else b""
        file.unlink(missing_ok=True)
        file.write_bytes(data)

    def rename(self) -> None:
        with suppress(FileNotFoundError):
            self._file().rename(self._folder() / self._name())

    def add_folder(self) -> None:
        folder = self._folder() / self._name("") / "below"
        folder.mkdir(parents=True)
        (folder / "new.py").write_text("def new(): ...\n")

    def add_empty_folder(self) -> None:
        (self._folder() / self._name("")).mkdir()

    def rename_folder(self) -> None:
        folder = self._folder()
        if folder != self.root:
            folder.rename(folder.with_name(self._name("")))

    def exchange_folders(self) -> None:
        folder = self._folder()
        if folder != self.root:
            folder.rename(folder.with_name(self._name("")))
            folder.mkdir()
            (folder / "other.py").write_text("def other(): ...\n")

    def delete_folder(self) -> None:
        folder = self._folder()
        if folder != self.root:
            shutil.rmtree(folder)

    def file_to_folder(self) -> None:
        file = self._file()
        file.unlink(missing_ok=True)
        file.mkdir()
        (file / "inner.py").write_text("def inner(): ...\n")

    def file_to_link(self) -> None:
        file = self._file()
        file.unlink(missing_ok=True)
        file.symlink_to("docs")

    def write_through_hard_link(self) -> None:
        file, outside = self._file(), self.root.parent / self._name()
        file.touch()
        outside.hardlink_to(file)
        outside.write_text("def through(): ...\n")

    def change_rules(self) -> None:
        rules = self.root / ".gitignore"
        text = rules.read_text() if rules.exists() else ""
        rules.write_text("" if "out/" in text else "out/\n")

    def change_own_rules(self) -> None:
        rules = self.root / ".codeindexignore"
        rules.write_text("" if rules.exists() and rules.read_text() else "lib/\n")

    def write_where_rules_apply(self) -> None:
        folder = self.root / "out"
        folder.mkdir(exist_ok=True)
        (folder / "made.py").write_text(f"def {self._name('')}(): ...\n")

    def list_with_git(self) -> None:
        self.write_where_rules_apply()
        self._git("add", "-f", "out/made.py")

    def commit(self) -> None:
        self._git("add", "-A")
        self._git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x")

    def check_out(self) -> None:
        self._git("checkout", "-q", "-f", "HEAD")

    def _git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.root, check=False, capture_output=True)

    def make_mode_unreadable(self) -> None:
        self._file().chmod(0o200)


KINDS: list[Callable[[Edits], None]] = [
    kind for name, kind in vars(Edits).items() if not name.startswith("_") and callable(kind)
]


@pytest.fixture(scope="module", autouse=True)
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep an index open, so that the indexes of all examples share its worker processes."""
    folder = tmp_path_factory.mktemp("workers")
    with own_data(folder), Index.open(made_repository(folder / "tree", FILES), root=True) as index:
        index.sync(structure_only=True)
        yield


QUESTIONS = ("look", "look", "ask", "ask", "other", "")
"""What follows an edit: a comparison, a question, a sync by another process, nothing."""


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Index, Index]]:
    """Open one tree twice, as two processes do."""
    root = made_repository(folder / "tree", FILES)
    watcher = open_inotify_watcher(root, 10)
    if watcher is None:
        pytest.skip("inotify cannot be relied on in the folder of the test")
    watcher.close()
    with Index.open(root, root=True) as index, Index.open(root, root=True) as other:
        index.sync(structure_only=True)
        for _ in range(3):  # the second scan begins to log, the third has something to rely on
            index.symbols.lookup("a")
        yield index, other


def scans(index: Index, *, log: bool = True) -> ScanResult:
    scanner = index._session.resources.tree_scan(index.root) if log else TreeScan(index.root)
    with index.reader().catalog() as (catalog, generation):
        return scanner.scan(catalog.connection, generation.number)


def is_logging(index: Index) -> bool:
    return index._session.resources.tree_scan(index.root)._log.changes() is not None


def assert_equal_scans(index: Index) -> None:
    not_indexed = index._session.resources.tree_scan(index.root)._not_indexed
    logged, whole = scans(index), scans(index, log=False)
    assert set(logged.changed) == set(whole.changed)
    assert set(logged.new) - not_indexed == set(whole.new) - not_indexed
    kinds = {watched.kind for watched in whole.watched_changes} - {"folder"}
    assert {watched.kind for watched in logged.watched_changes} - {"folder"} == kinds


Steps = list[tuple[int, int, str]]
STEPS = st.lists(
    st.tuples(st.integers(0, len(KINDS) - 1), st.integers(0, 999), st.sampled_from(QUESTIONS)),
    min_size=1,
    max_size=8,
)


def check(steps: Steps) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        own_data(Path(folder)),
        opened(Path(folder)) as (index, other),
    ):
        for kind, seed, question in steps:
            edits = Edits(index.root, random.Random(seed))
            edits.made = seed * 10
            with suppress(OSError):
                KINDS[kind](edits)
            if question == "look":
                assert_equal_scans(index)
            elif question == "ask":
                index.symbols.lookup("a")
            elif question == "other":
                other.sync(structure_only=True)
        assert_equal_scans(index)


@given(STEPS)
@settings(max_examples=8, deadline=None)
def test_logged_changes_are_all_changes(steps: Steps) -> None:
    check(steps)


@pytest.mark.slow
@given(STEPS)
@settings(max_examples=100, deadline=None)
def test_logged_changes_are_all_changes_of_many_edits(steps: Steps) -> None:
    check(steps)
