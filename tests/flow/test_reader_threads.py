"""Many threads that ask share few connections and one corpus."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.search import reader as reader_module
from codeindex.search.retrieve.corpus import Corpus, load_corpus
from tests.conftest import Repository

FILES = {
    "pay.py": "def charge(card):\n    return bool(card)\n",
    "cart.py": "from pay import charge\n\n\ndef checkout(card):\n    charge(card)\n",
}
_FILE_HANDLES = Path("/proc/self/fd")


@pytest.fixture
def index(home: Path, repository: Repository) -> Iterator[Index]:
    assert not home.exists()
    with Index.open(repository(FILES)) as opened:
        opened.sync(structure_only=True)
        yield opened


def _in_threads(count: int, work: Callable[[], object], *, together: bool) -> None:
    """Run `work` in `count` threads: all at once if `together`, else one after the other."""
    failed = list[BaseException]()
    barrier = threading.Barrier(count if together else 1)

    def run() -> None:
        try:
            barrier.wait(20)
            work()
        except BaseException as error:  # noqa: BLE001 (it is raised below, in the test's thread)
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
        if not together:
            thread.join()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def _handles(index: Index) -> int:
    """Return how many handles of the catalog and its WAL this process has open."""
    names = list[str]()
    for handle in _FILE_HANDLES.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another thread has closed it
            names.append(str(handle.readlink()))
    return sum(name.startswith(str(index.repository.catalog)) for name in names)


@pytest.mark.skipif(not _FILE_HANDLES.is_dir(), reason="needs /proc")
def test_threads_that_have_ended_leave_no_open_files(index: Index) -> None:
    def ask() -> None:
        assert [caller.name for caller in index.graph.callers("charge").callers] == ["checkout"]

    _in_threads(2, ask, together=False)
    before = _handles(index)
    _in_threads(40, ask, together=False)
    assert _handles(index) == before
    _in_threads(8, ask, together=True)
    assert _handles(index) <= before + 2 * 7  # a connection has the catalog and its WAL open
    index.close()
    assert _handles(index) == 0


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that gets the generation number of each loaded corpus; loading takes .3 s longer."""
    numbers = list[int]()

    def load(*given: object, **named: object) -> Corpus:
        corpus: Corpus = load_corpus(*given, **named)  # type: ignore[arg-type]
        numbers.append(corpus.generation.number)
        time.sleep(0.3)
        return corpus

    monkeypatch.setattr(reader_module, "load_corpus", load)
    return numbers


def test_threads_load_the_corpus_of_a_generation_once(index: Index, loads: list[int]) -> None:
    seen = list[Corpus]()

    def read() -> None:
        with index.reader().corpus() as (_, corpus):
            seen.append(corpus)

    _in_threads(6, read, together=True)
    assert len(loads) == 1
    assert len(set(map(id, seen))) == 1


def test_the_load_of_an_older_generation_does_not_replace_a_newer_corpus(
    index: Index, loads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_load: Callable[..., Corpus] = vars(reader_module)["load_corpus"]
    newer = threading.Thread(target=lambda: _read(index))

    def load(*given: object, **named: object) -> Corpus:
        if not loads:  # the index changes while this first thread loads
            (index.root / "new.py").write_text("def fresh(): ...\n")
            index.sync(structure_only=True)
            loads.append(0)
            newer.start()
            newer.join(2)
        return slow_load(*given, **named)

    monkeypatch.setattr(reader_module, "load_corpus", load)
    older = _read(index)
    newer.join()
    assert _read(index).generation.number > older.generation.number
    assert sorted(loads[1:]) == [older.generation.number, _read(index).generation.number]


def _read(index: Index) -> Corpus:
    with index.reader().corpus() as (_, corpus):
        return corpus


def test_a_thread_opens_the_catalog_once_at_a_time(index: Index) -> None:
    reader = index.reader()
    with reader.catalog() as (catalog, _):
        with pytest.raises(RuntimeError, match="has the catalog open"), reader.corpus():
            pass
        assert catalog.generation().number
        reader.graph()
    with reader.corpus() as (_, corpus):
        assert len(corpus.paths) == len(FILES)
