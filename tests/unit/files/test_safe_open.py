"""Files of a tree that change between the look and the opening."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.files.safe_open import open_beneath
from tests.conftest import Repository

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs links, pipes and modes")


def test_a_file_below_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.py").write_bytes(b"x = 1\n")
    with open_beneath(tmp_path, "a/b.py") as file:
        assert file.read() == b"x = 1\n"


@pytest.mark.parametrize("path", ["../out.py", "/etc/passwd", "a/../a/b.py", "./a", "a//b.py", ""])
def test_a_path_that_could_lead_out_is_not_opened(tmp_path: Path, path: str) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "out.py").write_text("x = 1\n")
    with pytest.raises(OSError, match="leads elsewhere"):
        open_beneath(tmp_path / "root", path)


def _link(root: Path, outside: Path) -> None:
    (root / "sub" / "cart.py").unlink()
    (root / "sub" / "cart.py").symlink_to(outside / "cart.py")


def _folder_link(root: Path, outside: Path) -> None:
    shutil.rmtree(root / "sub")
    (root / "sub").symlink_to(outside)


def _pipe(root: Path, _: Path) -> None:
    (root / "sub" / "cart.py").unlink()
    os.mkfifo(root / "sub" / "cart.py")


@pytest.mark.parametrize("swap", [_link, _folder_link, _pipe])
def test_a_file_replaced_after_listing_is_not_read(
    home: Path,
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    swap: Callable[[Path, Path], None],
) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "cart.py").write_text("def foreign(): ...\n")
    root = repository({"good.py": "def quaint(): ...\n", "sub/cart.py": "def quaint(): ...\n"})

    def swapping(phase: str, done: int, _total: int) -> None:
        if (phase, done) == ("structure", 0):
            swap(root, tmp_path / "outside")

    with Index.open(root) as index:
        report = index.sync(structure_only=True, progress=swapping)
        assert [(one.path, one.reason[:14]) for one in report.failed] == [
            ("sub/cart.py", "cannot be read")
        ]
        assert report.killed == 0
        assert index.files() == ("good.py",)


@pytest.mark.parametrize("year", [-2208988800, 0, 13569465600])
def test_a_clock_of_another_century_is_borne(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    assert not home.exists()
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    root = repository({"good.py": "def quaint(): ...\n"})
    os.utime(root / "good.py", (year, year))
    with Index.open(root) as index:
        assert index.sync(structure_only=True).added == 1
        assert index.sync(structure_only=True).changed == 0
        assert [hit.path for hit in index.search("quaint").hits] == ["good.py"]
