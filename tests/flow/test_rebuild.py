"""An index made anew: the old one answers until the new one has taken its place."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.store.catalog.connection import FORMAT
from tests.conftest import Repository
from tests.flow.sites import Content, content, install_tiny

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and POSIX modes")
MANY = {f"lib/part_{n}.py": f"def step_{n}():\n    return {n}\n" for n in range(30)}
REBUILD = """
import os, signal, sys
from codeindex import Index

def progress(phase, done, total):
    if phase == sys.argv[2] and done >= int(sys.argv[3]):
        os.kill(os.getpid(), int(sys.argv[4]))

with Index.open(sys.argv[1]) as index:
    index.sync(rebuild=True, progress=progress)
"""


@pytest.fixture(autouse=True)
def tiny(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    return home


def found(index: Index) -> list[str]:
    return [hit.path for hit in index.search("step_7").hits][:1]


@pytest.fixture
def built(repository: Repository) -> tuple[Path, Content]:
    root = repository(MANY)
    with Index.open(root) as index:
        index.sync()
        return root, content(index.repository)


@POSIX
@pytest.mark.parametrize(
    ("phase", "done_so_far", "number"),
    [
        ("structure", "10", signal.SIGINT),
        pytest.param("structure", "30", signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param("embedding", "10", signal.SIGKILL, marks=pytest.mark.slow),
        ("export", "1", signal.SIGKILL),
    ],
)
def test_an_interrupted_rebuild_leaves_the_old_index_whole(
    built: tuple[Path, Content], phase: str, done_so_far: str, number: signal.Signals
) -> None:
    root, before = built
    done = subprocess.run(
        [sys.executable, "-P", "-c", REBUILD, str(root), phase, done_so_far, str(int(number))],
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    with Index.open(root) as index:
        assert found(index) == ["lib/part_7.py"]
        assert index.search("step_7").readiness.vectors == 1.0
        assert content(index.repository) == before
        assert index.sync().added == 0
        assert not list(index.repository.folder.glob("rebuild-*"))


def test_a_rebuild_makes_the_same_index_of_a_newer_version(built: tuple[Path, Content]) -> None:
    root, before = built
    with Index.open(root) as index:
        old = index.status()
        report = index.sync(rebuild=True)
        new = index.status()
        assert (report.added, report.version) == (len(MANY), old.version + 1)
        assert (new.version, new.chroma["rows"]) == (old.version + 1, old.chroma["rows"])
        assert new.chroma["path"] != old.chroma["path"]
        assert content(index.repository) == before
        assert len(index.graph.networkx()) > len(MANY)
        folder = index.repository.folder
        assert not list(folder.glob("rebuild-*"))
        assert [one.name for one in (folder / "chroma").iterdir()] == [new.chroma["path"][7:]]


def test_the_old_index_answers_while_a_new_one_is_made(built: tuple[Path, Content]) -> None:
    root, _ = built
    answers: list[tuple[list[str], float]] = []
    with Index.open(root) as reader, Index.open(root) as writer:

        def look(phase: str, done: int, total: int) -> None:
            if phase != "structure" or done in {0, total}:
                answers.append((found(reader), reader.search("step_7").readiness.vectors))

        writer.sync(rebuild=True, progress=look)
        look("after", 0, 0)
    assert len(answers) > 3
    assert {(tuple(paths), share) for paths, share in answers} == {(("lib/part_7.py",), 1.0)}


def garble(path: Path) -> None:
    path.write_bytes(b"garbage" * 2000)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def make_newer(path: Path) -> None:
    """Write what a codeindex to come might: another format, in larger pages."""
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA page_size = 16384")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
        connection.execute("INSERT INTO meta VALUES ('format', ?)", (str(FORMAT + 1),))


@pytest.mark.parametrize(
    "damage",
    [
        garble,
        make_newer,
        pytest.param(empty, marks=pytest.mark.slow),
        pytest.param(Path.unlink, marks=pytest.mark.slow),
    ],
)
def test_a_rebuild_takes_the_place_of_whatever_is_there(
    built: tuple[Path, Content], damage: Callable[[Path], None]
) -> None:
    root, before = built
    with Index.open(root) as index:
        damage(index.repository.catalog)
        assert index.sync(rebuild=True).added == len(MANY)
        assert content(index.repository) == before
        assert found(index) == ["lib/part_7.py"]


@POSIX
def test_whatever_is_stored_is_its_owner_s_alone(home: Path, built: tuple[Path, Content]) -> None:
    old = os.umask(0o022)
    try:
        with Index.open(built[0]) as index:
            index.sync(rebuild=True)
            assert found(index) == ["lib/part_7.py"]
            pinned = {"model.onnx", "tokenizer.json"}  # which the test has put there
            files = [one for one in home.rglob("*") if one.is_file() and one.name not in pinned]
            modes = {one.relative_to(home).as_posix(): one.stat().st_mode & 0o777 for one in files}
    finally:
        os.umask(old)
    assert len(modes) > 10
    assert {path: oct(mode) for path, mode in modes.items() if mode != 0o600} == {}
