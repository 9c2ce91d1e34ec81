"""The soak scripts that need no minutes to say something, with few cases each."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from codeindex.git import hang_guard
from tests.conftest import made_repository, own_data
from tests.flow.asking import FILES
from tests.soak import git_files, messages, stale

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes in place of files")


def test_edits_of_every_kind_in_two_repositories_leave_no_answer_stale(tmp_path: Path) -> None:
    """Edit files, text that answers have shown, and ignore rules, and compare every answer."""
    source = tmp_path / "source"
    for path, text in FILES.items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(text)
    tally = stale.Tally()
    with (
        own_data(tmp_path),
        stale.copied([source], tmp_path / "tree") as tree,
        stale.copied([source], tmp_path / "other") as other,
        stale.opened(tree, seed=3) as one,
        stale.opened(other, seed=4, first_mark=50_000) as two,
    ):
        stale.storm((one, two), 24, tally)
    assert tally.wrong == []
    kinds = {name for name in tally.counts if name.startswith("edits: change")}
    assert kinds == {"edits: change", "edits: change_within", "edits: change_rules"}
    assert tally.counts["results withheld as shown"]


def test_damaged_files_of_git_cost_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hang_guard, "_STALL_SECONDS", 0.5)
    with own_data(tmp_path):
        tally = git_files.fuzz(4, 1, tmp_path, threads=2, most_seconds=math.inf)
    assert tally.problems == []
    assert tally.cases.total() >= 4


@pytest.mark.usefixtures("home")
def test_lines_of_every_kind_are_answered_or_refused(tmp_path: Path) -> None:
    root = made_repository(tmp_path / "shop", FILES)
    tally = messages.fuzz(root, 80, 1)
    assert tally.problems == []
    assert tally.replies
    assert tally.refusals
