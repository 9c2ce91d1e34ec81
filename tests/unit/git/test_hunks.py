"""Hunks are read from what git prints, whatever files are called and contain."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from codeindex.analysis.change.git_diff import read_git_diff
from codeindex.git import run_git
from codeindex.git.hunks import PATCH_OPTIONS, Hunk, parse_hunks
from codeindex.ingest.on_demand.revision import changes_since
from tests.conftest import Repository


def patch_of(root: Path) -> bytes:
    words = ["git", "-c", "core.quotePath=false", "diff", "--unified=0", "--dst-prefix=b/"]
    return subprocess.run(words, cwd=root, check=True, capture_output=True).stdout


NAMES = ('q"x.py', "back\\slash.py", "ta\tb.py", "two words.py", "é\x01.py")


@pytest.mark.parametrize("name", NAMES)
def test_a_path_is_read_as_it_is_on_disk(name: str, repository: Repository) -> None:
    root = repository({name: "a = 1\n"})
    (root / name).write_text("a = 1\nb = 2\n")
    assert list(parse_hunks(patch_of(root))) == [(name.encode(), Hunk(1, 0, 2, 1))]


def test_a_changed_line_that_looks_like_a_header_is_no_header(repository: Repository) -> None:
    root = repository({"a.md": "one\ntwo\n"})
    (root / "a.md").write_text("++ b/other.py\none\n@@ -1 +1 @@\n")
    assert list(parse_hunks(patch_of(root))) == [
        (b"a.md", Hunk(0, 0, 1, 1)),
        (b"a.md", Hunk(2, 1, 3, 1)),
    ]


@pytest.mark.parametrize("setting", ["color.diff=always", "diff.interHunkContext=5"])
def test_settings_of_the_user_change_no_hunk(setting: str, repository: Repository) -> None:
    root = repository({"a.py": "a = 1\nb = 2\nc = 3\n", "b.py": "d = 4\n"})
    subprocess.run(["git", "config", *setting.split("=")], cwd=root, check=True)
    (root / "a.py").write_text("a = 0\nb = 2\nc = 0\n")
    (root / "b.py").write_text("d = 0\n")
    patch = run_git("diff", *PATCH_OPTIONS, "HEAD", cwd=root)
    assert [(path, hunk.new_lines) for path, hunk in parse_hunks(patch)] == [
        (b"a.py", range(1, 2)),
        (b"a.py", range(3, 4)),
        (b"b.py", range(1, 2)),
    ]
    assert [file.lines for file in read_git_diff(root).changes] == [((1, 1), (3, 3)), ((1, 1),)]


HIDING = {
    "-diff": ("info/attributes", "*.py -diff\n"),
    "binary": ("info/attributes", "*.py binary\n"),
    "driver": ("info/attributes", "*.py diff=odd\n"),
    "size": ("config", "[core]\n\tbigFileThreshold = 1\n"),
}


@pytest.mark.parametrize("hiding", HIDING)
def test_code_that_git_takes_for_binary_is_compared(hiding: str, repository: Repository) -> None:
    """Otherwise `for-diff` says that 0 symbols use what changed in it."""
    body = "def charge(card):\n    return card\n\n\ndef refund(card):\n    return card\n"
    root = repository({"a.py": body, "move.py": body + "# other\n"})
    name, text = HIDING[hiding]
    with (root / ".git" / name).open("a") as file:
        file.write(text)
    subprocess.run(["git", "config", "diff.odd.binary", "true"], cwd=root, check=True)
    (root / "a.py").write_text(body.replace("refund(card)", "refund(card, much)"))
    subprocess.run(["git", "mv", "move.py", "moved.py"], cwd=root, check=True)
    (root / "moved.py").write_text(body + "# others\n")
    assert {file.file: file.lines for file in read_git_diff(root).changes} == {
        "a.py": ((5, 5),),
        "moved.py": ((7, 7),),
    }


@pytest.mark.parametrize("flag", ["assume-unchanged", "skip-worktree"])
def test_files_that_git_does_not_look_at_are_compared(flag: str, repository: Repository) -> None:
    """Otherwise `for-diff` says that nothing differs, and that 0 symbols use what changed."""
    names = ("changed.py", "same.py", "windows.py", "staged.py", "gone.py")
    root = repository(dict.fromkeys(names, "def a():\n    return 1\n"))
    (root / "staged.py").write_text("def a():\n    return 2\n")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", "update-index", f"--{flag}", *names], cwd=root, check=True)
    (root / "changed.py").write_text("def a():\n    return 3\n")
    (root / "staged.py").write_text("def a():\n    return 1\n\n\ndef b():\n    return 3\n")
    (root / "windows.py").write_bytes(b"def a():\r\n    return 1\r\n")
    (root / "gone.py").unlink()
    deleted = {"gone.py": ("deleted", ())} if flag == "assume-unchanged" else {}
    found = {file.file: (file.status, file.lines) for file in read_git_diff(root).changes}
    assert found == {
        "changed.py": ("modified", ((1, 3),)),
        "staged.py": ("modified", ((1, 7),)),
        **deleted,
    }
    seen = {change.path: change.status for change in changes_since(root, "HEAD")}
    assert seen == {"changed.py": "modified", "staged.py": "modified"} | (
        {"gone.py": "removed"} if deleted else {}
    )


def test_an_edit_that_git_is_told_to_judge_by_size_and_mtime_is_found(
    repository: Repository,
) -> None:
    root = repository({"a.py": "a = 1\n"})
    file, settings = root / "a.py", ("core.trustctime=false", "core.checkStat=minimal")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    for name, _, value in (setting.partition("=") for setting in settings):
        subprocess.run(["git", "config", name, value], cwd=root, check=True)
    time.sleep(1.1)  # most builds of git compare whole seconds of the ctime
    file.write_text("a = 2\n")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    assert [change.file for change in read_git_diff(root).changes] == ["a.py"]
    assert [change.path for change in changes_since(root, "HEAD")] == ["a.py"]


def test_what_a_sparse_checkout_leaves_out_is_not_deleted(repository: Repository) -> None:
    root = repository({"a/a.py": "a = 1\n", "b/b.py": "b = 1\n"})
    subprocess.run(["git", "sparse-checkout", "set", "--cone", "a"], cwd=root, check=True)
    assert not (root / "b").exists()
    assert read_git_diff(root).changes == ()
    assert changes_since(root, "HEAD") == ()
