"""`doctor`, `verify`, `repair`, `clear`, `gc` and `cache`, as a person uses them."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeindex import Index
from codeindex.cli import main
from codeindex.maintenance import garbage
from codeindex.maintenance.garbage import delete_garbage, find_garbage, open_data_dir
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.locks.writer_lock import writer_lock
from tests.conftest import made_repository
from tests.flow.sites import install_tiny

STATES = ("ok", "note", "problem")
FILES = {"pay.py": "def retry():\n    return 1\n", "cart.py": "import pay\n"}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX modes")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with an index of words alone, both of which a test may break."""
    place = tmp_path_factory.mktemp("keeping")
    root = made_repository(place / "shop", FILES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", str(place / "home"))
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
        with Index.open(root) as index:
            index.sync()
    shutil.copytree(place, place.with_name("template"))
    return place


@pytest.fixture
def home(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEINDEX_HOME", str(template / "home"))
    monkeypatch.setenv("CODEINDEX_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return template / "home"


@pytest.fixture
def shop(home: Path) -> Path:
    """The repository as it was, with its index: always in the same place, which is its name."""
    shutil.rmtree(home.parent)
    shutil.copytree(home.parent.with_name("template"), home.parent)
    return home.parent / "shop"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def folder_of(root: Path) -> Path:
    return Index.open(root).repository.folder


def states(root: Path) -> dict[str, str]:
    """What the doctor says, the worst of each subject."""
    worst: dict[str, str] = {}
    for one in json.loads(run("doctor", str(root), "--json").output):
        worst[one["subject"]] = max(worst.get(one["subject"], "ok"), one["state"], key=STATES.index)
    return worst


def test_the_doctor_finds_a_sound_index_sound(shop: Path) -> None:
    done = run("doctor", str(shop))
    assert done.exit_code == 0, done.output
    told = states(shop)
    assert told["packages"] == told["sqlite"] == told["index"] == told["coverage"] == "ok"
    assert told["vectors"] == "note"


def test_the_doctor_makes_nothing(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "nowhere"
    monkeypatch.setenv("CODEINDEX_HOME", str(home))
    told = states(shop)
    assert told["index"] == told["data folder"] == "note"
    assert not home.exists()


def garble_catalog(_: Path, folder: Path) -> None:
    (folder / "catalog.sqlite").write_bytes(b"garbage" * 2000)


def newer_catalog(_: Path, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as connection, connection:
        connection.execute("UPDATE meta SET value = '999'")


def lose_words(_: Path, folder: Path) -> None:
    for path in (folder / "segments").glob("words-*"):
        path.unlink()


def bad_settings(root: Path, _: Path) -> None:
    (root / ".ai-devtools.yaml").write_text("code-index:\n  nonsense: 1\n")


def damaged_model(_: Path, folder: Path) -> None:
    home = folder.parents[1]
    install_tiny(home)
    model = home / "models" / "tiny" / "onnx" / "model.onnx"
    model.write_bytes(model.read_bytes()[:-1] + b"?")


@pytest.mark.parametrize(
    ("damage", "subject"),
    [
        (garble_catalog, "index"),
        (newer_catalog, "index"),
        (lose_words, "index"),
        (bad_settings, "settings"),
        (damaged_model, "model"),
    ],
)
def test_the_doctor_ends_with_status_1_and_names_the_problem(
    shop: Path, damage: object, subject: str
) -> None:
    assert callable(damage)
    damage(shop, folder_of(shop))
    assert states(shop)[subject] == "problem"
    assert run("doctor", str(shop)).exit_code == 1


@POSIX
@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root gives away")
def test_a_data_folder_of_somebody_else_is_a_problem(shop: Path, home: Path) -> None:
    os.chown(home, 65534, 65534)
    assert states(shop)["data folder"] == "problem"


@POSIX
def test_a_data_folder_that_others_can_read_is_a_note(shop: Path, home: Path) -> None:
    home.chmod(0o755)
    assert states(shop)["data folder"] == "note"


def test_verify_and_repair_end_with_the_status_that_scripts_ask_for(shop: Path) -> None:
    assert run("verify", str(shop)).exit_code == 0
    lose_words(shop, folder_of(shop))
    broken = run("verify", str(shop))
    assert broken.exit_code == 1
    assert "problem\twords\t" in broken.output
    mended = run("repair", str(shop))
    assert mended.exit_code == 0, mended.output
    assert "repaired" in mended.output
    assert run("verify", str(shop)).exit_code == 0
    assert run("repair", str(shop)).output == "nothing to repair\n"


def test_a_foreign_or_newer_index_is_refused_with_a_sentence(shop: Path, tmp_path: Path) -> None:
    newer_catalog(shop, folder_of(shop))
    before = (folder_of(shop) / "catalog.sqlite").read_bytes()
    for command in ("verify", "repair"):
        done = run(command, str(shop))
        assert done.exit_code == 2
        assert "newer codeindex" in done.output
    assert (folder_of(shop) / "catalog.sqlite").read_bytes() == before
    (tmp_path / "new").mkdir()
    assert "not indexed yet" in run("verify", str(tmp_path / "new")).output


def test_clear_deletes_the_index_and_nothing_else(shop: Path, home: Path) -> None:
    tree = {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()}
    refused = run("clear", str(shop))
    assert refused.exit_code == 2
    assert "catalog" in refused.output
    assert "--yes" in refused.output
    assert run("clear", str(shop), "--yes").exit_code == 0
    assert not list((home / "repos").iterdir())
    assert {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()} == tree
    assert "has no index" in run("clear", str(shop), "--yes").output
    with Index.open(shop) as index:
        assert index.sync().added == 2


def test_clear_all_leaves_models_alone_and_waits_for_no_writer(shop: Path, home: Path) -> None:
    install_tiny(home)
    with writer_lock(folder_of(shop)):
        assert run("clear", "--all", "--yes").exit_code == 2
        assert run("clear", str(shop), "--yes").exit_code == 2
    assert (folder_of(shop) / "catalog.sqlite").exists()
    assert run("clear", "--all", "--yes").exit_code == 0
    assert {path.name for path in home.iterdir()} - {"logs"} == {"repos", "models"}
    assert not list((home / "repos").iterdir())


def test_an_index_of_a_folder_that_is_gone_can_be_cleared_by_its_name(
    shop: Path, home: Path
) -> None:
    shutil.rmtree(shop)
    assert run("clear", "shop", "--yes").exit_code == 0
    assert not list((home / "repos").iterdir())


def test_gc_lists_first_and_deletes_only_unused_data(shop: Path, home: Path) -> None:
    gone = home / "repos" / "gone-01234567"
    gone.mkdir()
    (gone / "root.json").write_text(json.dumps({"name": "gone", "root": str(shop / "worktree")}))
    (gone / "catalog.sqlite").write_bytes(b"x" * 1000)
    folder = folder_of(shop)
    (folder / "segments" / "words-0123456789ab.words").write_bytes(b"x")
    (folder / "broken").mkdir()
    (home / "sessions").mkdir()
    old = home / "sessions" / "old.jsonl"
    old.write_text("[]\n")
    os.utime(old, (time.time() - 30 * 86_400,) * 2)
    fresh = home / "sessions" / "fresh.jsonl"
    fresh.write_text("[]\n")
    everything = set(home.rglob("*"))
    shown = run("gc", "--dry-run")
    assert [line.split("\t")[0] for line in shown.output.splitlines()] == [
        *("index", "session", "stray", "rest")
    ]
    assert run("gc").exit_code == 2
    assert set(home.rglob("*")) >= everything
    assert run("gc", "--yes").exit_code == 0
    assert run("gc", "--dry-run").output == "nothing to delete\n"
    assert fresh.exists()
    assert run("verify", str(shop)).exit_code == 0
    assert [one.name for one in (home / "repos").iterdir()] == [folder.name]


def test_gc_keeps_files_that_are_being_written(shop: Path) -> None:
    stray = folder_of(shop) / "segments" / "words-0123456789ab.words"
    stray.write_bytes(b"x")
    with writer_lock(folder_of(shop)):
        assert run("gc", "--yes").output.startswith("kept\t")
    assert stray.exists()


def test_gc_does_not_take_files_of_a_sync_that_ran_meanwhile_for_garbage(
    shop: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_generations = Catalog.kept_generations

    def sync_after_reading(catalog: Catalog) -> list[Generation]:
        kept = kept_generations(catalog)
        patch.undo()
        with Index.open(shop) as index:
            index.sync(structure_only=True)
        return kept

    (shop / "late.py").write_text("def late():\n    return 1\n")
    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "kept_generations", sync_after_reading)
        assert not [item for item in garbage.find_garbage(home) if item.what == "stray"]


def test_an_index_of_a_drive_that_is_not_mounted_is_kept(shop: Path) -> None:
    entry = folder_of(shop) / "root.json"
    entry.write_text(json.dumps({"name": "shop", "root": "/media/nobody/stick/shop"}))
    assert run("gc", "--yes").output.startswith("kept\t")
    assert entry.exists()


def test_the_caches_are_shown_and_emptied_on_request(shop: Path) -> None:
    found = {one["name"]: one for one in json.loads(run("cache", "stats", "--json").output)}
    trees = found["merkle"]
    assert (trees["contents"]["misses"], trees["contents"]["entries"]) == (1, 1)
    assert trees["hit_rate"] == 0.0
    assert found["embeddings"]["hit_rate"] is None
    assert "merkle\thit rate\t0.0%, since " in run("cache", "stats").output
    assert run("cache", "clear").exit_code == 2
    assert run("cache", "clear", "merkle", "--yes").exit_code == 0
    found = {one["name"]: one for one in json.loads(run("cache", "stats", "--json").output)}
    assert (found["merkle"]["contents"]["entries"], found["merkle"]["hit_rate"]) == (0, None)
    assert run("cache", "clear", "nonsense", "--yes").exit_code == 2
    with Index.open(shop) as index:
        assert index.sync().changed == 0


def test_a_temporary_file_that_vanishes_meanwhile_is_no_error(home: Path) -> None:
    class VanishingHome(type(Path())):  # type: ignore[misc]
        """Deletes each temporary file after it was listed, as the process that writes it does."""

        def glob(self, pattern: str) -> Iterator[Path]:
            for path in list(super().glob(pattern)):
                if path.is_file():
                    path.unlink()
                yield path

    folder = home / "repos" / "shop-1"
    folder.mkdir(parents=True)
    (folder / ".root.json.x").write_text("{}")
    assert "rest" not in {item.what for item in find_garbage(VanishingHome(home))}


@pytest.mark.parametrize("name", ["added.lock", "unreachable.json", "model/verified.json"])
def test_what_a_killed_process_left_of_a_file_of_models_is_found(tmp_path: Path, name: str) -> None:
    file = tmp_path / "models" / name
    file.parent.mkdir(parents=True)
    left = file.with_name(f".{file.name}.x")  # as `write_atomically` names it
    left.write_text("")
    os.utime(left, (0, 0))
    (found,) = (item for item in find_garbage(tmp_path) if item.what == "rest")
    assert (found.path, found.kept) == (left, "")


def test_an_index_in_use_is_not_deleted_as_garbage(shop: Path, home: Path) -> None:
    kept = shop.with_name("kept")
    shop.rename(kept)
    (found,) = (item for item in find_garbage(home) if item.what == "index")
    with open_data_dir(home) as data_dir:
        with writer_lock(found.path):
            assert delete_garbage(data_dir, (found,)) == 0
        kept.rename(shop)
        assert delete_garbage(data_dir, (found,)) == 0
    assert (found.path / "catalog.sqlite").exists()


def test_a_deep_repair_ends_with_a_deep_check(shop: Path) -> None:
    catalog = folder_of(shop) / "catalog.sqlite"

    def damage(choice: str) -> None:
        with closing(sqlite3.connect(catalog)) as connection, connection:
            connection.execute(
                f"UPDATE relations SET interface = x'00'"
                f" WHERE file_id = (SELECT {choice}(file_id) FROM relations)"
            )

    damage("min")
    with Index.open(shop) as index:
        assert index.admin.verify().problems == ()
        result = index.admin.repair(deep=True, progress=lambda *_: damage("max"))
    assert [verdict.subject for verdict in result.found] == ["files"]
    assert [verdict.subject for verdict in result.left] == ["files"]
    assert result.found[0].names != result.left[0].names
