"""Another model for an index: the old one answers until the new one is whole, and is kept."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from codeindex import Index
from codeindex.cli import main
from codeindex.embed.lock import write_added
from codeindex.errors import ModelError, SupersededError, UpgradeError
from codeindex.ingest.sync.repository import sync_repository
from codeindex.store.shadow_index import published_state, shadow_of
from tests.conftest import Repository
from tests.flow.sites import Content, content, install_pair
from tests.unit.embed.tiny_models import tiny_files, tiny_model

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
MANY = {f"lib/part_{n}.py": f"def step_{n}():\n    return retry({n})\n" for n in range(80)}
KILLED = """
import os, signal, sys
from codeindex import Index

left, swapping = int(sys.argv[3]), False

def progress(phase, done, total):
    if sys.argv[2] == phase and done >= left:
        os.kill(os.getpid(), signal.SIGKILL)

def count(event, args):
    global left, swapping
    swapping = swapping or event == "os.mkdir" and "leaving-" in str(args[0])
    if swapping and event in {"os.link", "os.rename", "os.remove", "os.mkdir", "sqlite3.connect"}:
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[2] == "swap":
    sys.addaudithook(count)
with Index.open(sys.argv[1]) as index:
    index.admin.upgrade_embeddings("other", progress=progress)
"""


@pytest.fixture(autouse=True)
def models(model: Path) -> None:
    install_pair(model)


@pytest.fixture
def root(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = repository(MANY)
    with monkeypatch.context() as patch:
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
        with Index.open(root) as index:
            index.sync()
    return root


def seen(index: Index) -> tuple[str, float, str]:
    """The model that answers, how much of the index has its vectors, and what it finds."""
    answer = index.search("step_7")
    return answer.meta["model"], answer.readiness.vectors, answer.hits[0].path


def made_with_other(root: Path) -> Content:
    """What an index has that was made with the other model from the beginning."""
    with Index.open(root, flags={"embedding.model": "other"}) as index:
        index.sync(rebuild=True)
        return content(index.repository)


def test_an_upgrade_is_a_rebuild_with_the_other_model(root: Path) -> None:
    with Index.open(root) as reader, Index.open(root) as index:
        old = index.status()
        during: set[tuple[str, float, str]] = set()

        def look(phase: str, done: int, total: int) -> None:
            during.add(seen(reader))
            if phase == "embedding" and done == total and not (root / "lib/new.py").exists():
                (root / "lib/new.py").write_text("def quixotic():\n    return 1\n")
                (root / "lib/part_3.py").unlink()
                reader.sync()  # the index that answers goes on with its own model

        done = index.admin.upgrade_embeddings("other", progress=look)
        assert during == {("tiny", 1.0, "lib/part_7.py")}
        assert (done.model, done.former, done.embedded) == ("other", "tiny", len(MANY) + 1)
        assert seen(reader) == ("other", 1.0, "lib/part_7.py")
        assert reader.search("quixotic").hits[0].path == "lib/new.py"
        assert index.status().version > old.version
        assert "tiny from before the upgrade is kept" in index.status().upgrade[0]
        assert index.sync().embedded == 0
        assert index.admin.confirm_upgrade() > 0
        assert index.status().upgrade == ()
        assert not shadow_of(index.repository, "former").folder.exists()
        upgraded = content(index.repository)
    assert upgraded == made_with_other(root)


@pytest.mark.slow
def test_one_can_go_back_once_and_nothing_is_embedded_again(root: Path) -> None:
    with Index.open(root) as index:
        before = content(index.repository)
        index.admin.upgrade_embeddings("other")
        with pytest.raises(UpgradeError, match="--confirm"):
            index.admin.upgrade_embeddings("tiny")
        (root / "lib/new.py").write_text("def quixotic():\n    return 1\n")
        done = index.admin.undo_upgrade()
        assert (done.model, done.former, done.embedded) == ("tiny", "other", 1)
        assert seen(index) == ("tiny", 1.0, "lib/part_7.py")
        assert index.search("quixotic").hits[0].path == "lib/new.py"
        assert index.status().upgrade == ()
        with pytest.raises(UpgradeError, match="is kept"):
            index.admin.undo_upgrade()
        (root / "lib/new.py").unlink()
        index.sync()
        assert content(index.repository).dense == before.dense


def stored(home: Path) -> dict[str, float]:
    """When each vector of the cache was put there."""
    with closing(sqlite3.connect(home / "cache/embeddings/cache.db")) as connection:
        return dict(connection.execute("SELECT key, store_time FROM Cache"))


def killed(root: Path, phase: str, number: int) -> bool:
    command = [sys.executable, "-P", "-c", KILLED, str(root), phase, str(number)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode in {0, -signal.SIGKILL}, done.stderr.decode()
    return done.returncode != 0


def check_resumed(root: Path, home: Path) -> None:
    """One of both answers, whole; the same command ends it, and what was embedded stays."""
    vectors = stored(home)
    with Index.open(root) as index:
        model, share, path = seen(index)
        assert (share, path) == (1.0, "lib/part_7.py")
        assert index.sync().embedded == 0
        if model == "tiny":
            assert index.admin.upgrade_standing().making == "other"
            index.admin.upgrade_embeddings("other")
        else:
            with pytest.raises(UpgradeError, match="already"):
                index.admin.upgrade_embeddings("other")
        assert seen(index) == ("other", 1.0, "lib/part_7.py")
        assert index.admin.undo_upgrade().embedded == 0
        assert seen(index) == ("tiny", 1.0, "lib/part_7.py")
        index.sync()
        names = {path.name.partition("-")[0] for path in index.repository.folder.iterdir()}
        assert names & {"upgrade", "former", "leaving", "rebuild"} == set()
    after = stored(home)
    assert {key: after[key] for key in vectors} == vectors


@POSIX
@pytest.mark.slow
def test_a_killed_upgrade_goes_on_where_it_was(root: Path, home: Path) -> None:
    assert killed(root, "embedding", 64)
    assert len(stored(home)) > len(MANY)
    assert killed(root, "swap", 9)
    check_resumed(root, home)


@POSIX
@pytest.mark.slow
def test_an_upgrade_may_be_killed_at_any_step(root: Path, home: Path) -> None:
    for phase, numbers in (("structure", (0, 40)), ("embedding", (0, 64)), ("swap", range(200))):
        for number in numbers:
            if not killed(root, phase, number):
                assert number > 10
                break
            check_resumed(root, home)


def test_nothing_but_an_upgrade_changes_the_model(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "other")
    with Index.open(root) as index:
        assert index.sync().embedded == 0
        assert seen(index)[:2] == ("tiny", 1.0)
        assert "`codeindex upgrade-embeddings --model other`" in index.model_choice
        with pytest.raises(ModelError, match="There is no model 'nope'"):
            index.admin.upgrade_embeddings("nope")
        with pytest.raises(ModelError, match="models pull arctic-embed-xs-int8"):
            index.admin.upgrade_estimate("arctic-embed-xs-int8")
        with pytest.raises(UpgradeError, match="uses tiny already"):
            index.admin.upgrade_embeddings("tiny")
        for settle in (index.admin.confirm_upgrade, index.admin.undo_upgrade):
            with pytest.raises(UpgradeError, match="is kept"):
                settle()
    asked = CliRunner().invoke(main, ["upgrade-embeddings", str(root), "--model", "other"])
    assert asked.exit_code == 1
    for words in (
        "80 chunks, from tiny to other",
        "not measured probabilities",
        "nothing was changed",
    ):
        assert words in asked.output
    assert len(stored(home)) > len(MANY)  # the sample is not embedded twice
    files = tiny_files()
    write_added(home, [replace(tiny_model(files, query_prefix="now "), source="added")])
    with Index.open(root) as index:  # other bytes of the same name
        assert index.encoder_of(published_state(index.repository).model) is None
        assert index.search("step_7").hits[0].path == "lib/part_7.py"


@pytest.mark.slow
def test_a_sync_that_chose_before_an_upgrade_ended_does_not_undo_it(root: Path) -> None:
    with Index.open(root) as index:
        stale = replace(
            index._session.sync_context(lambda *_: None, index.admin._installed_model("tiny")),
            expected_model=published_state(index.repository).model,
        )
        index.admin.upgrade_embeddings("other")
        with pytest.raises(SupersededError):
            sync_repository(stale)
        assert seen(index)[:2] == ("other", 1.0)


@pytest.mark.slow
def test_the_command_upgrades_tells_and_settles(root: Path) -> None:
    run = CliRunner().invoke
    done = run(main, ["upgrade-embeddings", str(root), "--model", "other", "--yes"])
    assert "made with other now (before: tiny)" in done.output
    assert "is kept" in run(main, ["upgrade-embeddings", str(root)]).output
    assert "is kept" in run(main, ["status", str(root)]).output
    assert "deleted" in run(main, ["upgrade-embeddings", str(root), "--confirm"]).output
    both = run(main, ["upgrade-embeddings", str(root), "--confirm", "--back"])
    assert both.exit_code == 2
