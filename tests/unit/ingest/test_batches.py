"""Prepared files are written in batches, and none is lost when a sync is stopped."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

from codeindex.ingest.sync.writer import batch_files
from codeindex.types import PreparedFile


class StopError(Exception):
    pass


def prepared(name: str) -> PreparedFile:
    return PreparedFile(
        name, "python", "", size=0, mtime_ns=0, ctime_ns=0, is_test=False, status="indexed"
    )


def until_stopped() -> Iterator[PreparedFile]:
    yield prepared("a.py")
    yield prepared("b.py")
    raise StopError


def test_files_before_an_exception_are_still_yielded() -> None:
    batches = batch_files(until_stopped())
    assert [file.path for file in next(batches)] == ["a.py", "b.py"]
    with pytest.raises(StopError):
        next(batches)


def test_a_batch_ends_with_the_last_of_the_first_files() -> None:
    files = [prepared("a.py"), prepared("b.py"), prepared("c.py")]
    batches = list(batch_files(files, {"b.py"}))
    assert [[file.path for file in batch] for batch in batches] == [["a.py", "b.py"], ["c.py"]]


def test_a_writer_that_fails_ends_the_batches() -> None:
    batches = batch_files([prepared("a.py"), prepared("b.py")], {"a.py"})
    assert isinstance(batches, Generator)
    next(batches)
    batches.close()  # RuntimeError if it yielded again
