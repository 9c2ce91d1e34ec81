"""Snapshots of a tree."""

import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.freshness.stat_cache import FileStamp, Snapshot, make_stamp
from codeindex.freshness.timestamps import UNPROVEN_CTIME, provable_ctime
from codeindex.types import SourceFile

NAMES = st.sampled_from(["a", "b", "ab", "a.py", "ü", "a b", "c\udcff"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
TREES = st.dictionaries(PATHS, st.sampled_from(["d1", "d2", "d3"]), max_size=12)
FILE = SourceFile("a.py", "python", size=7, mtime_ns=10**18, ctime_ns=10**18)
LATER_NS = 10**18 + 10 * 10**9


@given(TREES)
def test_a_snapshot_survives_being_stored(tree: dict[str, str]) -> None:
    kept = Snapshot({path: FileStamp(1, 2, 3, digest) for path, digest in tree.items()})
    assert Snapshot.load(kept.dump()) == kept


@given(st.binary())
def test_garbage_loads_as_an_empty_snapshot(blob: bytes) -> None:
    assert Snapshot.load(blob) == Snapshot()


@pytest.mark.parametrize("json", [b"[]", b"1", b'{"a": 1}', b'{"a": [1]}', b'{"a": null}', b"\xff"])
def test_foreign_json_loads_as_an_empty_snapshot(json: bytes) -> None:
    assert Snapshot.load(zlib.compress(json)) == Snapshot()
    assert Snapshot.load(None) == Snapshot()


def test_an_unchanged_file_is_known_by_its_stat() -> None:
    known = Snapshot({"a.py": make_stamp(FILE, "d1", read_at_ns=LATER_NS)})
    stamp = known.unchanged_stamp(FILE)
    assert stamp is not None
    assert stamp.digest == "d1"


@pytest.mark.parametrize(
    "changed",
    [
        replace(FILE, size=8),
        replace(FILE, mtime_ns=FILE.mtime_ns + 1),
        replace(FILE, ctime_ns=FILE.ctime_ns + 1),
        replace(FILE, path="b.py"),
    ],
)
def test_a_file_with_another_stat_is_read_again(changed: SourceFile) -> None:
    known = Snapshot({"a.py": make_stamp(FILE, "d1", read_at_ns=LATER_NS)})
    assert known.unchanged_stamp(changed) is None


def test_a_file_read_right_after_it_changed_is_read_again() -> None:
    racy = Snapshot({"a.py": make_stamp(FILE, "d1", read_at_ns=FILE.mtime_ns + 1)})
    assert racy.unchanged_stamp(FILE) is None
    assert Snapshot.load(racy.dump()).unchanged_stamp(FILE) is None


@pytest.mark.parametrize(("other", "is_read"), [("d1", False), ("d2", True)])
def test_a_file_with_the_stat_of_another_text_is_read_again(other: str, is_read: bool) -> None:
    """The two may have changed places with their folders."""
    stamps = {
        "a.py": make_stamp(FILE, "d1", read_at_ns=LATER_NS),
        "b.py": make_stamp(FILE, other, read_at_ns=LATER_NS),
    }
    assert (Snapshot(stamps).unchanged_stamp(FILE) is None) is is_read


def test_times_in_the_future_prove_nothing() -> None:
    ahead = Snapshot({"a.py": make_stamp(FILE, "d1", read_at_ns=FILE.mtime_ns - 3600 * 10**9)})
    assert ahead.unchanged_stamp(FILE) is None


@given(st.integers(0, 10**19), st.integers(0, 10**19), st.integers(0, 10**19))
def test_only_what_was_at_rest_when_read_is_proven(mtime: int, ctime: int, read: int) -> None:
    kept = provable_ctime(mtime, ctime, read_at_ns=read)
    assert kept in {ctime, UNPROVEN_CTIME}
    if kept != UNPROVEN_CTIME:
        assert max(mtime, ctime) < read
