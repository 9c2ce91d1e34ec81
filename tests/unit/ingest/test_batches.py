"""Prepared files are written in batches, and none is lost when a sync is stopped."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

import pytest

from codeindex.ingest.sync.context import WaitingQuestions
from codeindex.ingest.sync.first_files import FirstFiles
from codeindex.ingest.sync.writer import batch_files
from codeindex.ingest.workers.file_queue import FileQueue
from codeindex.types import PreparedFile, SourceFile


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


def first_files(
    chosen: Mapping[str, Sequence[str]], waiting: list[str]
) -> tuple[FirstFiles, FileQueue]:
    """Return (first files, queue) of 200 files for questions, a list that can change."""
    files = [SourceFile(f"f{n:03}.py", "python", 1, 0, 0) for n in range(200)]
    questions = WaitingQuestions(
        lambda: waiting[0] if waiting else "",
        lambda given, question: [file for file in given if file.path in chosen[question]],
    )
    queue = FileQueue(files)
    return FirstFiles(questions, files, queue), queue


def test_a_batch_ends_with_the_last_of_the_first_files() -> None:
    files = [prepared("f000.py"), prepared("f001.py"), prepared("f002.py")]
    first, _ = first_files({"refund": ["f001.py"]}, ["refund"])
    first.choose()
    batches = [
        ([file.path for file in batch], first.finish_question())
        for batch in batch_files(files, first)
    ]
    assert batches == [(["f000.py", "f001.py"], True), (["f002.py"], False)]


def test_a_question_that_comes_during_a_sync_moves_its_files_to_the_front() -> None:
    waiting: list[str] = []
    first, queue = first_files({"refund": ["f150.py", "f000.py"], "seal": ["f151.py"]}, waiting)
    order: list[str] = []

    def worked() -> Iterator[PreparedFile]:
        while file := queue.take():
            order.append(file.path)
            if file.path == "f001.py":
                waiting.extend(["refund", "seal", "refund"])
            yield prepared(file.path)

    reports = [
        (waiting.pop(0), len(order))
        for _ in batch_files(worked(), first)
        if first.finish_question()
    ]
    assert order[:6] == ["f000.py", "f001.py", "f150.py", "f002.py", "f151.py", "f003.py"]
    assert reports == [("refund", 3), ("seal", 5)]  # f000 was prepared already, refund answered


def test_a_late_question_is_answered_from_a_third_of_its_files_at_least(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = iter(range(0, 1000, 3))  # each prepared file takes three seconds
    monkeypatch.setattr("codeindex.ingest.sync.first_files.time.monotonic", lambda: next(seconds))
    chosen = [f"f{n:03}.py" for n in range(60)]
    first, queue = first_files({"refund": chosen}, ["refund"])
    first.choose()
    stored = [first.is_last(prepared(file.path)) for file in iter(queue.take, None)]
    assert stored.index(True) + 1 == 20


def test_a_writer_that_fails_ends_the_batches() -> None:
    first, _ = first_files({"refund": ["f000.py"]}, ["refund"])
    first.choose()
    batches = batch_files([prepared("f000.py"), prepared("f001.py")], first)
    assert isinstance(batches, Generator)
    next(batches)
    batches.close()  # RuntimeError if it yielded again
