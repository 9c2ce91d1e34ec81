"""A sync skips discovery for an unchanged tree, and only for one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.ingest.sync.unchanged import discovery_inputs
from tests.conftest import Repository

LISTINGS: list[str] = []


def _note_listing(name: str, arguments: tuple[object, ...]) -> None:
    if name == "subprocess.Popen" and "ls-files" in str(arguments):
        LISTINGS.append(name)


sys.addaudithook(_note_listing)


@contextmanager
def listing(*, expected: bool) -> Iterator[None]:
    """Check whether the block lets git list files, as each discovery does."""
    LISTINGS.clear()
    yield
    assert bool(LISTINGS) is expected


def test_an_unchanged_tree_is_not_listed_and_what_changes_discovery_is_noticed(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    root = repository({"a.py": "def first(): return 1\n", "big.bin": b"\0"})
    with Index.open(root) as index:
        index.sync(structure_only=True)
        time.sleep(2.1)  # until then a file may change within the clock's grain
        index.sync(structure_only=True)
        with listing(expected=False):
            report = index.sync(structure_only=True)
        assert (report.added, report.changed, report.removed) == (0, 0, 0)
        assert [item.path for item in report.skipped] == ["big.bin"]
        (home / "xdg" / "git").mkdir(parents=True)
        (home / "xdg" / "git" / "ignore").write_text("unseen-*.py\n")
        with listing(expected=True):
            index.sync(structure_only=True)
        with listing(expected=False):
            index.sync(structure_only=True)
        (root / "a.py").write_text("def first(): return 11\n")
        with listing(expected=True):
            assert index.sync(structure_only=True).changed == 1


def test_settings_of_git_decide_discovery_and_submodules_forbid_to_skip_it(
    home: Path, repository: Repository
) -> None:
    root = repository({"a.py": "x = 1\n"})
    before = discovery_inputs(root)
    assert before == discovery_inputs(root)
    with (root / ".git" / "config").open("a") as settings:
        settings.write(f"[core]\n\texcludesFile = {home}/rules\n")
    named = discovery_inputs(root)
    home.mkdir(exist_ok=True)
    (home / "rules").write_text("*.log\n")
    written = discovery_inputs(root)
    (root / ".git" / "config").write_text("[core\n")
    broken = discovery_inputs(root)
    (root / ".gitmodules").touch()
    assert len({before, named, written}) == 3
    assert (broken, discovery_inputs(root)) == ("", "")
