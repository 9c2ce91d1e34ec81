"""Tools that write wait for a process that embeds, which makes way; and failures are named."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from codeindex import Index
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.locks.yielding import is_lock_requested, offer_lock, wait_for_requests
from tests.conftest import Repository
from tests.flow.asking import FILES, call
from tests.flow.serving import site

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def index(home: Path, repository: Repository) -> Iterator[Index]:
    assert not home.exists()
    with Index.open(repository(FILES)) as opened:
        opened.sync(structure_only=True)
        yield opened


@contextmanager
def embedding(folder: Path) -> Iterator[None]:
    """Hold the lock as a process does that embeds: until somebody asks for it, and then again."""
    begun, ended = threading.Event(), threading.Event()

    def embed() -> None:
        while not ended.is_set():
            with writer_lock(folder, wait_seconds=60), offer_lock(folder):
                begun.set()
                while not (is_lock_requested(folder) or ended.wait(0.01)):
                    pass
            wait_for_requests(folder)

    thread = threading.Thread(target=embed)
    thread.start()
    try:
        assert begun.wait(20)
        yield
    finally:
        ended.set()
        thread.join()


WRITERS: dict[str, Callable[[Index], Any]] = {
    "wiki_generate": lambda index: index.wiki.generate(),
    "regenerate_index": lambda index: index.overview.regenerate_index(),
    "sync": lambda index: index.sync(structure_only=True, wait_seconds=20),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_writes_does_not_fail_while_a_process_embeds(index: Index, name: str) -> None:
    (index.root / "new.py").write_text("def brand_new(): ...\n")
    with embedding(index.repository.folder):
        WRITERS[name](index)
    assert index.symbols.lookup("brand_new").total == 1


def test_a_sync_by_http_waits_for_a_process_that_embeds(index: Index) -> None:
    with site(index.root) as running, embedding(index.repository.folder):
        found: httpx2.Response = running.ask("/api/code-files/sync", "POST")
    assert found.status_code == 200


def test_a_server_says_why_nothing_can_be_indexed(home: Path, repository: Repository) -> None:
    home.mkdir()
    (home / "repos").write_text("in the way of the indexes\n")
    told = call(repository(FILES), "search_code", {"query": "take money"})
    assert "cannot be created" in told
    assert "not indexed yet" not in told
