"""The caches, against rows planted by somebody who can write their database."""

from __future__ import annotations

import pickle
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codeindex.errors import StoreError
from codeindex.store.cache.caches import EmbeddingCache, StatCache
from codeindex.store.cache.contents import with_digest

VECTOR = np.array([0.0, 0.6, 0.0, -0.8], dtype=np.float32)
RAW, BINARY, TEXT, PICKLE = 1, 2, 3, 4


class Boom:
    """Writes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.marker,))


def plant(folder: Path, key: str, *, mode: int, value: Any = None, filename: str = "") -> None:
    """Replace the row of `key` by hand."""
    with sqlite3.connect(folder / "cache.db") as connection:
        connection.execute(
            "INSERT OR REPLACE INTO Cache (key, raw, store_time, mode, filename, value, size)"
            " VALUES (?, 1, 0, ?, ?, ?, 0)",
            (key, mode, filename or None, value),
        )
    connection.close()


def embeddings(folder: Path, **settings: int) -> EmbeddingCache:
    return EmbeddingCache(folder, **{"ttl_days": 30, "size_limit_mb": 16, **settings})


def filled(folder: Path) -> StatCache:
    cache = StatCache(folder)
    cache.put("tree", b"blob")
    return cache


def test_what_was_put_comes_back(tmp_path: Path) -> None:
    cache = embeddings(tmp_path / "c")
    cache.put({"a": VECTOR, "b": -VECTOR})
    found = cache.get(["a", "b", "absent"], dimension=4)
    cache.close()
    assert found.keys() == {"a", "b"}
    np.testing.assert_allclose(found["b"], -VECTOR, atol=0.004)


def test_a_float32_vector_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    cache = embeddings(tmp_path / "c")
    cache.put_many(
        {name: with_digest(row.tobytes()) for name, row in {"a": VECTOR, "b": VECTOR * 2}.items()}
    )
    found = cache.get(["a", "b"], dimension=4)
    cache.close()
    assert found.keys() == {"a"}  # b is no unit vector
    np.testing.assert_array_equal(found["a"], VECTOR)


def test_a_planted_pickle_is_no_value_and_runs_nothing(tmp_path: Path) -> None:
    cache, marker = filled(tmp_path / "c"), tmp_path / "ran"
    bomb = pickle.dumps(Boom(marker))
    (tmp_path / "c" / "bomb.val").write_bytes(bomb)
    plant(tmp_path / "c", "tree", mode=PICKLE, value=bomb)
    plant(tmp_path / "c", "file", mode=PICKLE, filename="bomb.val")
    assert cache.get("tree") is None
    assert cache.get("file") is None
    cache.close()
    assert not marker.exists()


def test_a_pickled_key_is_refused_and_runs_nothing(tmp_path: Path) -> None:
    cache, marker = filled(tmp_path / "c"), tmp_path / "ran"
    with sqlite3.connect(tmp_path / "c" / "cache.db") as connection:
        connection.execute(
            "INSERT INTO Cache (key, raw, store_time, mode, value) VALUES (?, 0, 0, 1, 'x')",
            (pickle.dumps(Boom(marker)),),
        )
    connection.close()
    with pytest.raises(ValueError, match="pickled cache key"):
        list(cache._open())
    cache.close()
    assert not marker.exists()


@pytest.mark.parametrize("mode", [BINARY, TEXT])
@pytest.mark.parametrize("absolute", [True, False])
def test_a_file_outside_the_folder_is_neither_read_nor_deleted(
    tmp_path: Path, mode: int, absolute: bool
) -> None:
    private = tmp_path / "private.txt"
    private.write_bytes(b"secret")
    cache = filled(tmp_path / "c")
    plant(
        tmp_path / "c", "tree", mode=mode, filename=str(private) if absolute else "../private.txt"
    )
    assert cache.get("tree") is None
    cache.put("tree", b"new")  # deletes the file of the row it replaces
    assert cache.get("tree") == b"new"
    cache.close()
    assert private.read_bytes() == b"secret"


@pytest.mark.parametrize("value", [1, 1.5, "text", None])
def test_a_value_that_is_not_bytes_counts_as_missing(tmp_path: Path, value: Any) -> None:
    cache = filled(tmp_path / "c")
    plant(tmp_path / "c", "tree", mode=RAW, value=value)
    assert cache.get("tree") is None
    cache.close()


@pytest.mark.parametrize("value", ["text", 1, None, [b"x"], np.zeros(2)])
def test_only_bytes_are_stored(tmp_path: Path, value: Any) -> None:
    cache = filled(tmp_path / "c")
    with pytest.raises(TypeError, match="cache values are bytes"):
        cache._open().set("key", value)
    with pytest.raises(TypeError, match="cache keys are text"):
        cache._open().set(("key",), b"value")
    cache.close()


def test_a_vector_with_a_wrong_sum_or_length_is_not_used(tmp_path: Path) -> None:
    cache = embeddings(tmp_path / "c")
    cache.put({"a": VECTOR, "b": VECTOR, "c": VECTOR})
    good = cache._open().get("a")
    plant(tmp_path / "c", "a", mode=RAW, value=good[:-1] + b"\x01")
    plant(tmp_path / "c", "b", mode=RAW, value=good[:-4])
    assert cache.get(["a", "b", "c"], dimension=4).keys() == {"c"}
    assert cache.get(["c"], dimension=5) == {}
    cache.close()


def test_a_look_renews_the_term_of_a_vector(tmp_path: Path) -> None:
    cache = embeddings(tmp_path / "c")
    cache.put({"used": VECTOR, "unused": VECTOR})
    soon = time.time() + 3600
    with sqlite3.connect(tmp_path / "c" / "cache.db") as connection:
        connection.execute("UPDATE Cache SET expire_time = ?", (soon,))
    cache.get(["used"], dimension=4)
    cache.close()
    terms = dict(connection.execute("SELECT key, expire_time FROM Cache"))
    connection.close()
    assert terms["unused"] == soon
    assert terms["used"] > soon + 29 * 86_400


def test_an_expired_vector_is_gone(tmp_path: Path) -> None:
    cache = embeddings(tmp_path / "c")
    cache.put({"a": VECTOR})
    with sqlite3.connect(tmp_path / "c" / "cache.db") as connection:
        connection.execute("UPDATE Cache SET expire_time = 1")
    connection.close()
    assert cache.get(["a"], dimension=4) == {}
    cache.close()


@pytest.mark.parametrize("damage", ["garbage", "truncated", "no table", "settings"])
def test_a_broken_cache_is_moved_aside_and_made_again(tmp_path: Path, damage: str) -> None:
    cache = filled(tmp_path / "c")
    cache.close()
    database = tmp_path / "c" / "cache.db"
    if damage == "garbage":
        database.write_bytes(b"no database" * 1000)
    elif damage == "truncated":
        database.write_bytes(database.read_bytes()[:5000])
    else:
        change = {"no table": "DROP TABLE Cache", "settings": "UPDATE Settings SET value = 'x'"}
        with sqlite3.connect(database) as connection:
            connection.execute(change[damage])
        connection.close()
    assert cache.get("tree") in {None, b"blob"}
    cache.put("tree", b"new")
    assert cache.get("tree") == b"new"
    cache.close()


def test_a_cache_that_breaks_while_open_is_made_again(tmp_path: Path) -> None:
    cache = filled(tmp_path / "c")
    with sqlite3.connect(tmp_path / "c" / "cache.db") as connection:
        connection.execute("DROP TABLE Cache")
    connection.close()
    assert cache.get("tree") is None
    cache.put("tree", b"new")
    assert cache.get("tree") == b"new"
    cache.close()
    assert (tmp_path / "c.broken" / "cache.db").exists()


def test_a_file_in_the_place_of_the_folder_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("x")
    with pytest.raises(StoreError, match="cannot be used"):
        StatCache(tmp_path / "c").get("tree")


def test_two_processes_write_at_once_and_lose_nothing(tmp_path: Path) -> None:
    program = (
        "import sys, numpy as np; from pathlib import Path\n"
        "from codeindex.store.cache.caches import EmbeddingCache\n"
        "c = EmbeddingCache(Path(sys.argv[1]), ttl_days=1, size_limit_mb=16)\n"
        "for i in range(60): c.put({f'{sys.argv[2]}{i}': np.full(4, 0.5, np.float32)})\n"
    )
    children = [
        subprocess.Popen([sys.executable, "-P", "-c", program, str(tmp_path / "c"), name])
        for name in "ab"
    ]
    assert [child.wait(60) for child in children] == [0, 0]
    cache = embeddings(tmp_path / "c")
    keys = [f"{name}{i}" for name in "ab" for i in range(60)]
    assert cache.get(keys, dimension=4).keys() == set(keys)
    cache.close()


def test_the_folder_is_private(tmp_path: Path) -> None:
    filled(tmp_path / "c").close()
    assert (tmp_path / "c").stat().st_mode & 0o777 == 0o700
