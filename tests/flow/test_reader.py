"""Many threads read one index: each has a connection while it lives, and one loads the corpus."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex import Index
from codeindex.search import reader
from codeindex.search.retrieve.corpus import Corpus, load_corpus
from tests.conftest import Repository

FILES = {"pay.py": "def charge():\n    return 1\n", "cart.py": "import pay\n\npay.charge()\n"}


@pytest.fixture
def index(home: Path, repository: Repository) -> Index:
    assert not home.exists()
    opened = Index.open(repository(FILES))
    opened.sync()
    return opened


def in_threads(number: int, action: Callable[[], object]) -> None:
    barrier = threading.Barrier(number)

    def run() -> None:
        barrier.wait()
        action()

    threads = [threading.Thread(target=run) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_connections_of_ended_threads_are_closed(index: Index) -> None:
    with index:
        for _ in range(20):
            in_threads(1, lambda: index.graph.callers("charge"))
        assert len(index.reader()._open) <= 2


def test_several_threads_load_the_corpus_once(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Corpus] = []

    def counted(*values: object, **named: object) -> Corpus:
        loaded.append(load_corpus(*values, **named))  # type: ignore[arg-type]
        return loaded[-1]

    monkeypatch.setattr(reader, "load_corpus", counted)
    with index:
        in_threads(4, lambda: index.search("charge"))
        assert len(loaded) == 1
