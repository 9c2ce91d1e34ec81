"""While git changes files, an answer says that it is not final, and denies nothing."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from codeindex import Index
from codeindex.doctor.repository import check_repository
from codeindex.errors import QueryError
from codeindex.freshness.git_activity import MAX_LOCK_AGE_SECONDS
from tests.conftest import Repository, made_repository
from tests.flow.asking import served

FILES = {
    ".gitattributes": "a.slow filter=wait\n",
    "a.slow": "one\n",
    "pay.py": "def charge(card):\n    return bool(card)\n",
    "cart.py": "from pay import charge\n\n\ndef buy(card):\n    return charge(card)\n",
}


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


def commit_all(root: Path, message: str) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", message)


@pytest.fixture
def root(home: Path, repository: Repository) -> Path:
    assert not home.exists()
    made = repository(FILES)
    git(made, "branch", "before")
    (made / "a.slow").write_text("two\n")
    (made / "pay.py").write_text("def refund(card):\n    return not card\n")
    commit_all(made, "after")
    git(made, "branch", "after")
    git(made, "checkout", "-q", "before")
    return made


@contextmanager
def checkout_in_progress(root: Path, branch: str) -> Iterator[None]:
    """Stop a real checkout in its first file, until the caller is done."""
    pipe = root / ".git" / "wait"
    os.mkfifo(pipe)
    setting = f"filter.wait.smudge=read line < '{pipe}'; cat"
    command = ["git", "-c", setting, "checkout", "-q", branch]
    # the pipe opens when git's filter has opened it
    with subprocess.Popen(command, cwd=root) as process, pipe.open("w") as end:
        yield
        end.write("go on\n")
        end.close()
    pipe.unlink()
    assert process.returncode == 0


def denied(index: Index, name: str) -> str:
    with pytest.raises(QueryError) as raised:
        index.graph.callers(name)
    return str(raised.value)


def test_in_the_middle_of_a_checkout_nothing_is_denied(root: Path) -> None:
    with Index.open(root) as index:
        index.sync(structure_only=True)
        with checkout_in_progress(root, "after"):
            sentence = denied(index, "refund")
            lines = index.exact.grep("refund")
            answer = index.search("refund qxqx")
            with pytest.raises(QueryError, match="cannot be found now"):
                index.graph.unused()
            assert list(index.graph.callers("charge").text())
            callers = index.refreshed()
        assert "not final" in sentence
        assert "index.lock" in sentence
        assert not callers.is_complete
        assert not lines.refreshed.is_complete
        assert answer.absence is None
        assert answer.missing_words == ()
        assert "not final" in " ".join(answer.refreshed.gaps())
        assert list(index.graph.callers("refund").text())
        assert index.refreshed().is_complete


def test_the_server_says_it_in_each_answer(root: Path) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search_code", {"query": "refund qxqx"}),
        ("search_code", {"query": "refund", "mode": "exact"}),
        ("find_symbol", {"names": ["refund"]}),
        ("find_symbol", {"names": ["charge"], "mode": "callers"}),
        ("explore_code", {"query": "refund qxqx"}),
    ]

    async def ask(client: Client) -> list[str]:
        return [str(await client.call_tool(name, given)) for name, given in calls]

    with Index.open(root) as index:
        index.sync(structure_only=True)
    with checkout_in_progress(root, "after"):
        for said in served(root, ask):
            assert "not final" in said
            assert "verified" not in said


@pytest.mark.parametrize("kind", ["worktree", "submodule"])
def test_locks_of_work_trees_and_submodules_count(
    home: Path, repository: Repository, tmp_path: Path, kind: str
) -> None:
    assert not home.exists()
    root = repository({"main.py": "def start():\n    return 1\n"})
    if kind == "worktree":
        git(root, "worktree", "add", "-q", str(tmp_path / "linked"))
        root, lock = tmp_path / "linked", root / ".git/worktrees/linked/index.lock"
    else:
        inner = made_repository(tmp_path / "inner", {"part.py": "def part():\n    return 2\n"})
        git(root, "submodule", "--quiet", "add", inner.as_uri(), "lib/inner")
        lock = root / ".git/modules/lib/inner/index.lock"
    with Index.open(root) as index:
        index.sync(structure_only=True)
        assert "not final" not in denied(index, "nowhere")
        lock.touch()
        assert "not final" in denied(index, "nowhere")
        lock.unlink()
        assert "not final" not in denied(index, "nowhere")


def test_a_lock_that_a_crashed_command_left_is_ignored_and_named(root: Path) -> None:
    lock = root / ".git" / "index.lock"
    with Index.open(root) as index:
        index.sync(structure_only=True)
        lock.touch()
        assert "not final" in denied(index, "nowhere")
        for seconds in (-MAX_LOCK_AGE_SECONDS - 1, MAX_LOCK_AGE_SECONDS + 60):
            moment = time.time() + seconds
            os.utime(lock, (moment, moment))
            assert "not final" not in denied(index, "nowhere")
            verdicts = [one for one in check_repository(index) if "index.lock" in one.text]
            assert [one.state for one in verdicts] == ["note"]


def test_a_submodule_that_was_added_before_the_question_is_no_change(
    home: Path, repository: Repository, tmp_path: Path
) -> None:
    assert not home.exists()
    root = repository({"main.py": "def start():\n    return 1\n"})
    inner = made_repository(tmp_path / "inner", {"part.py": "def part():\n    return 2\n"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        git(root, "submodule", "--quiet", "add", inner.as_uri(), "lib/inner")
        time.sleep(0.1)
        index.search("part")
        assert not [gap for gap in index.refreshed().gaps() if "not final" in gap]


def test_a_checkout_within_a_question_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout that begins after the files were compared and ends before the answer."""
    with Index.open(root) as index:
        index.sync(structure_only=True)
        freshness = type(index.graph._runner.freshness)
        scan = freshness._scan

        def scan_then_checkout(self: object) -> object:
            result = scan(self)  # type: ignore[arg-type]
            git(root, "checkout", "-q", "after")
            return result

        monkeypatch.setattr(freshness, "_scan", scan_then_checkout)
        index.search("refund")
        assert "Git changed files meanwhile" in " ".join(index.refreshed().gaps())
        monkeypatch.setattr(freshness, "_scan", scan)
        assert "0 certain" in " ".join(index.graph.callers("refund").text())
