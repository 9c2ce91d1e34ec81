"""Files of `.git` that are no files, or hold no text: git is not waited for, and that is said."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.errors import CodeIndexError
from codeindex.git import hang_guard
from tests.conftest import made_repository, own_data

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes in place of files")
FILES = {"pay.py": "def charge(card):\n    return bool(card)\n", ".gitignore": "out/\n"}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository that tests copy, and a data folder that all share."""
    folder = tmp_path_factory.mktemp("git")
    with own_data(folder):
        yield made_repository(folder / "sound", FILES)


def as_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def all_as_pipes(folder: Path) -> None:
    for path in [one for one in folder.rglob("*") if one.is_file()]:
        as_pipe(path)


def as_file(data: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        shutil.rmtree(path)
        path.write_bytes(data)

    return write


def as_link(target: str) -> Callable[[Path], None]:
    def link(path: Path) -> None:
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    return link


def with_text(text: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(text)

    return write


CASES: list[tuple[str, Callable[[Path], None], str]] = [
    *((name, as_pipe, "is a pipe") for name in ("HEAD", "commondir", "info/exclude", "config")),
    ("objects", all_as_pipes, "does not end"),
    ("commondir", with_text("x" * 300), "File name too long|not a git repository"),
    ("refs/heads/master", as_link("/dev/zero"), "does not end"),
    ("refs/heads", as_link("/"), "another kind of folder"),
    (".", as_file(b"gitdir: a\0b\n"), "not a git repository"),
    (".", as_file(b"gitdir: " + b"x" * 300), "not a git repository"),
    (".", as_file(b"gitdir: \xe9\xff/x\n"), "not a git repository"),
]


@pytest.mark.parametrize(("name", "spoil", "sentence"), CASES)
def test_odd_files_of_git_cost_no_answer(
    sound: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    spoil: Callable[[Path], None],
    sentence: str,
) -> None:
    monkeypatch.setattr(hang_guard, "_STALL_SECONDS", 0.5)
    root = tmp_path / "shop"
    shutil.copytree(sound, root)
    spoil(root / ".git" / name)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert index.search("charge").hits[0].path == "pay.py"
        with pytest.raises(CodeIndexError, match=sentence):
            index.changes.for_diff()


def test_folders_of_code_that_are_not_indexed_may_have_uses_and_symbols(tmp_path: Path) -> None:
    use = {"use.py": "from pay import charge\n\ndef sell():\n    charge(1)\n"}
    with own_data(tmp_path):
        root = made_repository(tmp_path / "shop", FILES)
        made_repository(root / "nested", use)
        git = ["git", "-c", "protocol.file.allow=always", "submodule"]
        made_repository(tmp_path / "sub", use)
        subprocess.run([*git, "--quiet", "add", tmp_path / "sub"], cwd=root, check=True)
        with Index.open(root) as index:
            index.sync(structure_only=True)
            assert "sub/use.py" in str(index.graph.callers(symbol="charge"))
            subprocess.run([*git, "--quiet", "deinit", "-f", "sub"], cwd=root, check=True)
            callers = index.graph.callers(symbol="charge")
            assert (callers.unread, callers.unread_paths) == (2, ("nested/", "sub/"))
            assert index.graph.unused().unread == 2
            absence = index.search("sell").absence
            assert absence is not None
            assert not absence.verified
            with pytest.raises(CodeIndexError, match=r"not read completely: nested/, sub/\."):
                index.graph.callers(symbol="sell")
            subprocess.run([*git, "--quiet", "update", "--init"], cwd=root, check=True)
            assert "sub/use.py" in str(index.graph.callers(symbol="charge"))


def test_code_that_is_not_checked_out_may_hold_uses_and_symbols(tmp_path: Path) -> None:
    files = {
        "pay/card.py": "def charge(card):\n    return bool(card)\n",
        "shop/till.py": "from pay.card import charge\n\ndef sell():\n    charge(1)\n",
    }
    with own_data(tmp_path):
        root = made_repository(tmp_path / "sparse", files)
        subprocess.run(["git", "sparse-checkout", "set", "pay"], cwd=root, check=True)
        (root / "pay" / "note.py").write_text("")
        with Index.open(root) as index:
            index.sync(structure_only=True)
            assert [tuple(one)[:2] for one in map(astuple, index.skipped())] == [
                ("shop/till.py", "not checked out")
            ]
            assert "shop/till.py" in str(index.graph.callers(symbol="charge"))
            with pytest.raises(CodeIndexError, match=r"not read completely: shop/till\.py\."):
                index.graph.callers(symbol="sell")
