"""The catalog against files that are newer, older, cut off or no catalogs at all."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from codeindex.errors import DamagedError, StoreError
from codeindex.secrets import mark_as_safe
from codeindex.store.catalog.connection import (
    FORMAT,
    Catalog,
    Generation,
    Segment,
    translate_sqlite_errors,
)
from codeindex.store.catalog.files import known_files
from codeindex.store.catalog.skipped_files import replace_skipped
from codeindex.store.catalog.write_files import delete_files
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import file_nodes, symbols_by_id
from codeindex.types import Chunk, PreparedChunk, PreparedFile, Skipped, Symbol, SymbolKind
from tests.prepared_files import store_file

Opened = Callable[[Path], Catalog]


def file(path: str, text: str = "def total(): ...") -> PreparedFile:
    chunk = Chunk(1, 1, "function", mark_as_safe(text), symbol="total")
    return PreparedFile(
        path=path,
        language="python",
        digest="d",
        size=len(text),
        mtime_ns=1,
        ctime_ns=2,
        is_test=False,
        status="indexed",
        lines=1,
        symbols=(Symbol("total", "total", SymbolKind.FUNCTION, 1, 1, 1),),
        chunks=(PreparedChunk(chunk, "def total", "total", b""),),
    )


def put(catalog: Catalog, path: str) -> int:
    return store_file(catalog.connection, file(path), module="m", is_navigation=False).chunks[0]


def add(catalog: Catalog, *paths: str) -> list[int]:
    with catalog.writing():
        ids = [
            store_file(catalog.connection, file(p), module="m", is_navigation=False).chunks[0]
            for p in paths
        ]
        catalog.publish(Generation(version=1, complete=True))
    return ids


def count(catalog: Catalog, table: str) -> int:
    (number,) = catalog.connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(number)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Catalog.create(tmp_path / "catalog.sqlite") as catalog:
        add(catalog, "a.py", "b.py")
    return tmp_path / "catalog.sqlite"


def set_format(path: Path, value: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'format'", (value,))


@pytest.mark.parametrize("opened", [Catalog.create, Catalog.open])
def test_a_newer_catalog_is_left_alone_with_a_sentence(path: Path, opened: Opened) -> None:
    set_format(path, str(FORMAT + 1))
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"newer codeindex .*: upgrade codeindex-local") as caught:
        opened(path)
    assert not isinstance(caught.value, DamagedError)
    assert path.read_bytes() == before


@pytest.mark.parametrize("value", ["0", "", "x", "-1"])
@pytest.mark.parametrize("opened", [Catalog.create, Catalog.open])
def test_an_older_catalog_is_to_be_rebuilt(path: Path, value: str, opened: Opened) -> None:
    set_format(path, value)
    with pytest.raises(DamagedError, match=r"older codeindex .*`codeindex index` rebuilds it"):
        opened(path)


@pytest.mark.parametrize("opened", [Catalog.create, Catalog.open])
def test_a_file_that_is_no_database_is_damaged(path: Path, opened: Opened) -> None:
    path.write_bytes(b"no database at all" * 1000)
    with pytest.raises(DamagedError, match="not a database"):
        opened(path)


def test_a_foreign_database_is_damaged(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "c")) as connection:
        connection.execute("CREATE TABLE other (x)")
    with pytest.raises(DamagedError, match="no such table"):
        Catalog.create(tmp_path / "c")


def read_everything(path: Path) -> None:
    with translate_sqlite_errors(path), Catalog.create(path) as catalog:
        for table in ("files", "chunks", "symbols", "generations"):
            catalog.connection.execute(f"SELECT * FROM {table}").fetchall()


@pytest.mark.parametrize("size", [100, 5000, 30_000])
def test_a_catalog_that_is_cut_off_is_damaged_at_the_latest_when_it_is_read(
    path: Path, size: int
) -> None:
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DamagedError):
        read_everything(path)


def test_a_generation_that_is_no_json_is_damage(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE generations SET segments = '[1]'")
    with (
        pytest.raises(DamagedError, match="generation"),
        translate_sqlite_errors(path),
        Catalog.open(path) as c,
    ):
        c.generation()


def test_an_empty_file_left_by_a_killed_first_sync_becomes_a_catalog(tmp_path: Path) -> None:
    (tmp_path / "c").touch()
    with Catalog.create(tmp_path / "c") as catalog:
        assert catalog.generation() == Generation()


def test_a_catalog_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used"):
        Catalog.open(tmp_path / "c")
    assert not (tmp_path / "c").exists()


def fail_at_the_end(catalog: Catalog) -> None:
    with catalog.writing():
        delete_files(catalog.connection, [1])
        put(catalog, "c.py")
        catalog.publish(Generation(version=2))
        raise ZeroDivisionError


def test_a_transaction_that_fails_rolls_back_whole(path: Path) -> None:
    with Catalog.create(path) as catalog:
        before = [count(catalog, t) for t in ("files", "chunks", "symbols")]
        with pytest.raises(ZeroDivisionError):
            fail_at_the_end(catalog)
        assert [count(catalog, t) for t in ("files", "chunks", "symbols")] == before
        assert catalog.generation().version == 1
        add(catalog, "d.py")


def test_a_writer_that_is_killed_leaves_the_last_complete_state(path: Path) -> None:
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from codeindex.store.catalog.connection import Catalog\n"
        "from codeindex.store.catalog.write_files import delete_files\n"
        "catalog = Catalog.create(Path(sys.argv[1]))\n"
        "with catalog.writing():\n"
        "    delete_files(catalog.connection, [1, 2])\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program, str(path)], check=False)
    assert done.returncode == -9
    with Catalog.create(path) as catalog:
        assert known_files(catalog.connection).keys() == {"a.py", "b.py"}


def test_a_reader_sees_one_state_while_a_writer_works(path: Path) -> None:
    with Catalog.create(path) as writer, Catalog.open(path) as reader:
        with reader.reading() as generation:
            add(writer, "c.py")
            assert generation.version == 1
            assert known_files(reader.connection).keys() == {"a.py", "b.py"}
        assert known_files(reader.connection).keys() == {"a.py", "b.py", "c.py"}


def test_a_reader_cannot_write(path: Path) -> None:
    with Catalog.open(path) as reader, pytest.raises(StoreError, match="readonly"):
        add(reader, "c.py")


def test_a_removed_file_takes_everything_with_it(path: Path) -> None:
    with Catalog.create(path) as catalog:
        with catalog.writing():
            delete_files(
                catalog.connection, [one.id for one in known_files(catalog.connection).values()]
            )
        tables = ("files", "chunks", "symbols")
        assert [count(catalog, table) for table in tables] == [0] * 3


def test_ids_of_chunks_are_never_used_twice(path: Path) -> None:
    with Catalog.create(path) as catalog:
        first = add(catalog, "c.py")
        with catalog.writing():
            delete_files(catalog.connection, [known_files(catalog.connection)["c.py"].id])
        assert add(catalog, "c.py") > first


def test_a_generation_comes_back_as_it_was_published(path: Path) -> None:
    wanted = Generation(
        version=7,
        branch="main",
        segments=(Segment("dense", "d", 3),),
        statistics={"file": "s", "chunks": 3},
        chroma={"path": "p"},
        graph={"file": "g"},
    )
    with Catalog.create(path) as catalog:
        with catalog.writing():
            found = catalog.publish(wanted)
        assert replace(found, number=0, written_at=0.0) == wanted
        assert catalog.generation() == found


def test_only_the_last_states_are_kept(path: Path) -> None:
    with Catalog.create(path) as catalog:
        for version in range(2, 9):
            with catalog.writing():
                catalog.publish(Generation(version=version))
        assert count(catalog, "generations") == len(catalog.kept_generations()) == 3
        assert catalog.generation().version == 8


def test_what_was_skipped_is_replaced_whole(path: Path) -> None:
    with Catalog.create(path) as catalog:
        for paths in (("x", "y"), ("y", "z")):
            with catalog.writing():
                replace_skipped(catalog.connection, [Skipped(one, "why") for one in paths])
        rows = catalog.connection.execute("SELECT path FROM skipped ORDER BY path").fetchall()
        assert rows == [("y",), ("z",)]


def test_a_full_disk_is_a_sentence_and_loses_nothing(path: Path) -> None:
    with Catalog.create(path) as catalog:
        (pages,) = catalog.connection.execute("PRAGMA page_count").fetchone()
        catalog.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="free some disk space"):
            add(catalog, *(f"{number}.py" for number in range(1000)))
        catalog.connection.execute("PRAGMA max_page_count = 1000000")
        assert known_files(catalog.connection).keys() == {"a.py", "b.py"}
        add(catalog, "c.py")


def test_a_log_that_outlived_its_catalog_is_not_replayed_over_a_new_one(path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    with Catalog.create(path) as catalog:
        with catalog.writing():
            catalog.publish(Generation(version=7))
        left = log.read_bytes()
    path.unlink()  # as a kill between two deletions would leave it
    log.write_bytes(left)
    with Catalog.create(path) as catalog:
        assert catalog.generation().number == 0
        assert catalog.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_nodes_of_more_values_than_a_statement_takes_are_in_order(tmp_path: Path) -> None:
    paths = [f"part{number:03}.py" for number in range(700)]
    with Catalog.create(tmp_path / "catalog.sqlite") as catalog:
        with catalog.writing():
            for path in reversed(paths):  # ids run against the order of the paths
                put(catalog, path)
        connection = catalog.connection
        symbols = [row[0] for row in connection.execute("SELECT id FROM symbols ORDER BY id")]
        files = [row[0] for row in connection.execute("SELECT id FROM files ORDER BY id")]
        assert [node.path for node in symbols_by_id(connection, symbols)] == paths
        assert [node.path for node in declarations_in(connection, files)] == paths
        assert [node.path for node in file_nodes(connection, reversed(paths))] == paths
