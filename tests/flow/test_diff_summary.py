"""Declarations that came, went or changed since a commit."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.errors import QueryError

pytestmark = pytest.mark.usefixtures("home")
Repository = Callable[..., Path]

BEFORE = '''\
class Cart:
    """Holds items."""

    def add(self, item):
        return item

    def drop(self, item):
        return None

    def keep(self):
        return 1


def old():
    return 2
'''
AFTER = '''\
class Cart:
    """Holds items."""

    def add(self, item, count=1):
        return item

    def drop(self, item):
        return item

    def keep(self):
        return 1


def new():
    return 3
'''


def git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(repository: Repository) -> Path:
    made = repository({"cart.py": BEFORE, "gone.py": "def gone(): pass\n", "notes.txt": "a\n"})
    with Index.open(made) as index:
        index.sync(structure_only=True)
    return made


def test_declarations_are_compared_and_not_lines(root: Path) -> None:
    (root / "cart.py").write_text(AFTER)
    with Index.open(root) as index:
        found = index.changes.diff_summary("HEAD")
    (file,) = found.files_modified
    assert [one.name for one in file.added] == ["new"]
    assert [one.name for one in file.removed] == ["old"]
    assert [(one.name, one.changed) for one in file.modified] == [
        ("Cart.add", "signature"),
        ("Cart.drop", "body"),
    ]
    assert file.modified[0].before == "def add(self, item)"


def test_files_that_came_and_went_are_told_with_what_they_declare(root: Path) -> None:
    (root / "gone.py").unlink()
    (root / "fresh.py").write_text("def fresh(): pass\n")
    with Index.open(root) as index:
        found = index.changes.diff_summary("HEAD").as_dict()
    assert found["changes"] == 2
    assert [one["file"] for one in found["files_added"]] == ["fresh.py"]
    assert [one["name"] for one in found["files_added"][0]["added"]] == ["fresh"]
    assert [one["name"] for one in found["files_removed"][0]["removed"]] == ["gone"]


def test_a_renamed_file_is_compared_with_its_old_version(root: Path) -> None:
    git(root, "mv", "cart.py", "basket.py")
    (root / "basket.py").write_text(BEFORE.replace("return 2", "return 4"))
    with Index.open(root) as index:
        (file,) = index.changes.diff_summary("HEAD").files_modified
    assert (file.file, file.renamed_from) == ("basket.py", "cart.py")
    assert [one.name for one in file.modified] == ["old"]


def test_moving_code_within_a_file_changes_nothing(root: Path) -> None:
    head, _, tail = BEFORE.partition("\n\ndef old")
    (root / "cart.py").write_text(f"def old{tail}\n\n{head}")
    with Index.open(root) as index:
        (file,) = index.changes.diff_summary("HEAD").files_modified
    assert (file.added, file.removed, file.modified) == ((), (), ())


def test_a_file_without_declarations_says_that_it_was_not_compared(root: Path) -> None:
    (root / "notes.txt").write_text("b\n")
    with Index.open(root) as index:
        (file,) = index.changes.diff_summary("HEAD").files_modified
    assert not file.compared


def test_nothing_changed_since_the_last_commit(root: Path) -> None:
    with Index.open(root) as index:
        assert index.changes.diff_summary("HEAD").changes == 0


def test_a_secret_of_an_old_version_is_not_shown(repository: Repository, home: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    root = repository({"keys.py": f'TOKEN = "{secret}"\n\ndef use(token="{secret}"): pass\n'})
    (root / "keys.py").write_text("def use(token): pass\n")
    with Index.open(root) as index:
        index.sync(structure_only=True)
        found = index.changes.diff_summary("HEAD")
    assert [one.name for one in found.files_modified[0].removed] == ["TOKEN"]
    assert secret not in str(found.as_dict())
    kept = [one for one in home.rglob("*") if one.is_file()]
    assert kept
    assert not any(secret.encode() in one.read_bytes() for one in kept)


@pytest.mark.parametrize(
    ("ref", "pr", "said"),
    [
        ("nowhere", 0, "no commit 'nowhere'"),
        ("--output=x", 0, "no commit '--output=x'"),
        ("HEAD:cart.py", 0, "no commit"),
        ("", 0, "Name either"),
        ("HEAD", 3, "Name either"),
        ("", 3, "pull request 3"),
    ],
)
def test_a_bad_request_says_what_to_do(root: Path, ref: str, pr: int, said: str) -> None:
    with Index.open(root) as index, pytest.raises(QueryError, match=said):
        index.changes.diff_summary(ref, pr=pr)


def test_without_git_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.py").write_text("def a(): pass\n")
    with Index.open(folder) as index:
        index.sync(structure_only=True)
        with pytest.raises(QueryError, match="in no git repository"):
            index.changes.diff_summary("HEAD")


def test_a_token_in_the_name_of_a_changed_file_is_not_shown(repository: Repository) -> None:
    token = "ghp_" + "aB3dE5gH7" * 4
    root = repository({"a.py": "a = 1\n", f"old_{token}.py": "b = 1\nc = 2\nd = 3\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / f"new_{token}.py").write_text("x = 1\n")
        subprocess.run(["git", "mv", f"old_{token}.py", f"moved_{token}.py"], cwd=root, check=True)
        for report in (index.changes.for_diff(), index.changes.diff_summary("HEAD")):
            shown = f"{report} {list(report.text())}"
            assert "[REDACTED]" in shown
            assert token not in shown
