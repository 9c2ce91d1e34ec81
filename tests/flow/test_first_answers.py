"""The first questions to a server wait for words, and for relations only if they need them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from codeindex import Index
from codeindex.graph.update import store_edges
from codeindex.ingest.sync import link
from codeindex.ingest.workers.file_queue import FileQueue
from codeindex.mcp import readiness
from codeindex.mcp.readiness import needs_edges, wait_until_searchable
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import AgentSession
from codeindex.mcp.tools import find_tool, run_tool
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.types import SourceFile
from codeindex.watch.state import are_words_complete
from tests.conftest import Repository

FILES = {
    "shop/pay.py": "def charge(card):\n    return bool(card)\n",
    "shop/cart.py": "from shop.pay import charge\n\n\ndef checkout(card):\n    charge(card)\n",
}


@contextmanager
def without_edges(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the edges of a sync from being made until the block ends."""
    may_go_on = threading.Event()

    def wait_and_store(*arguments: Any, **named: Any) -> int:
        may_go_on.wait(60.0)
        return store_edges(*arguments, **named)

    monkeypatch.setattr(link, "store_edges", wait_and_store)
    try:
        yield
    finally:
        may_go_on.set()


def wait(server: RepositoryServer, *, edges: bool, question: str = "") -> None:
    async def until_searchable() -> None:
        async for _ in wait_until_searchable(server, edges=edges, question=question):
            pass

    anyio.run(until_searchable)


def test_a_search_does_not_wait_for_relations(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    root = repository(FILES)
    server = RepositoryServer([str(root)])
    tools = {name: find_tool(name) for name in ("search_code", "get_callers")}

    def ask(name: str, **given: str) -> str:
        session = AgentSession(sent_as="text")
        return run_tool(server, session, tools[name], given).text

    with without_edges(monkeypatch):
        server.open_roots(())
        wait(server, edges=False)
        found = ask("search_code", query="charge the card")
        monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 0.0)
        wait(server, edges=True)  # in vain
        callers = ask("get_callers", symbol="charge")
        (root / "shop" / "refund.py").write_text("def refund(card):\n    return card\n")
        behind = ask("search_code", query="refund the card")
    assert "shop/pay.py" in found
    assert "answers are partial. 1 changed file not read yet, left out: shop/refund.py." in behind
    for text in (found, callers):
        assert text.startswith("note: Still being indexed"), text
        assert "relations" in text.partition("\n")[0]
    monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 60.0)
    wait(server, edges=True)
    assert "checkout" in ask("get_callers", symbol="charge")
    assert not ask("search_code", query="charge the card").startswith("note:")
    server.close()


@pytest.mark.parametrize(
    ("tool", "queries", "expected"),
    [
        ("search_code", ["how is a card charged"], False),
        ("search_code", ["how is a card charged", "what calls charge"], True),
        ("code_search", ["subclasses of Card"], True),
        ("read_code", [], False),
        ("get_callers", [], True),
        ("explore_code", ["how is a card charged"], True),
    ],
)
def test_only_questions_about_relations_need_them(
    tool: str, queries: list[str], *, expected: bool
) -> None:
    assert needs_edges(tool, queries) is expected


def test_an_index_is_not_found_before_its_sync_is_requested(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = RepositoryServer([str(repository(FILES)), str(repository(FILES, "other"))])
    reached, may_go_on = threading.Event(), threading.Event()
    add = server.background.add

    def slow(index: Any) -> None:
        reached.set()
        may_go_on.wait(60.0)
        add(index)

    monkeypatch.setattr(server.background, "add", slow)
    first = threading.Thread(target=server.open_roots, args=((),))
    first.start()
    assert reached.wait(60.0)
    found: list[int] = []
    second = threading.Thread(target=lambda: found.append(len(server.open_indexes())))
    second.start()
    assert server.indexes() == []  # else a question would say that it is not indexed
    may_go_on.set()
    first.join(60.0)
    second.join(60.0)
    try:
        assert found == [2]
    finally:
        server.close()


def test_an_unexpected_error_at_one_root_does_not_lose_those_before_it(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, other = repository(FILES), repository(FILES, "other")
    server = RepositoryServer([str(shop), str(other)])
    add = server.background.add

    def failing(index: Any) -> None:
        if index.root == other:
            raise OSError("too many open files")
        add(index)

    monkeypatch.setattr(server.background, "add", failing)
    try:
        with pytest.raises(OSError, match="too many"):
            server.open_roots(())
        assert [index.root for index in server.open_indexes()] == [shop]
    finally:
        server.close()


MANY = {
    f"goods/g{number:03}.py": f"def weigh_{number}(item):\n    return item\n"
    for number in range(300)
}
LATE = {
    "zz/refund.py": "def refund_order(order):\n    return order\n",
    "zz/parcel.py": "def seal_parcel(parcel):\n    return parcel\n",
}


@pytest.fixture
def may_hurry(home: Path, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Until it is set, a first sync of `MANY` needs longer than a question waits."""
    assert not home.exists()
    hurry = threading.Event()
    take = FileQueue.take

    def take_slowly(queue: FileQueue) -> SourceFile | None:
        hurry.wait(0.06)
        return take(queue)

    monkeypatch.setattr(FileQueue, "take", take_slowly)
    monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 6.0)
    monkeypatch.setattr("codeindex.watch.state._FORECAST_SECONDS", 0.2)
    monkeypatch.setattr(readiness, "_LIKELY_SECONDS", 60.0)
    return hurry


@pytest.fixture
def slow_server(
    may_hurry: threading.Event, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RepositoryServer]:
    """A server whose first sync has only begun when a test asks it."""
    server = RepositoryServer([str(repository(MANY | LATE))])
    server.open_roots(())
    yield server
    may_hurry.set()
    monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 60.0)
    wait(server, edges=True)
    (index,) = server.indexes()
    assert index.status().files == len(MANY | LATE)
    assert not search(server, "refund an order").startswith("note:")
    server.close()


def search(server: RepositoryServer, query: str) -> str:
    session = AgentSession(sent_as="text")
    return run_tool(server, session, find_tool("search_code"), {"query": query}).text


def test_a_first_sync_that_takes_too_long_stores_the_likeliest_files_first(
    slow_server: RepositoryServer,
) -> None:
    (index,) = slow_server.indexes()
    for question, path in (("refund an order", "zz/refund.py"), ("seal a parcel", "zz/parcel.py")):
        wait(slow_server, edges=False, question=question)
        assert not are_words_complete(index)
        found = search(slow_server, question)
        assert found.startswith("note: Still being indexed"), found
        assert "the likeliest files first" in found.partition("\n")[0]
        assert path in found


def test_questions_that_come_together_are_all_answered(slow_server: RepositoryServer) -> None:
    questions = {"refund an order": "zz/refund.py", "seal a parcel": "zz/parcel.py"}
    found: dict[str, str] = {}

    def ask(question: str) -> None:
        wait(slow_server, edges=False, question=question)
        found[question] = search(slow_server, question)

    threads = [threading.Thread(target=ask, args=(question,)) for question in questions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120.0)
    assert all(path in found[question] for question, path in questions.items()), found


def test_a_question_of_whose_words_no_file_has_any_is_answered_before_all_are_stored(
    slow_server: RepositoryServer,
) -> None:
    (index,) = slow_server.indexes()
    wait(slow_server, edges=False, question="zygote quasar")
    assert not are_words_complete(index)
    assert slow_server.background.is_answerable(index, "zygote quasar")


def test_no_question_waits_for_the_sync_of_another_process(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    root = repository(FILES)
    monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 0.5)
    with Index.open(root) as index:
        index.sync()
        server = RepositoryServer([str(root)])
        with writer_lock(index.repository.folder):
            index.repository.catalog.unlink()
            server.open_roots(())
            (served,) = server.indexes()
            wait(server, edges=False, question="refund an order")
            assert not server.background.is_answerable(served, "refund an order")
            assert not server.background.prefer(served, "refund an order")
        server.close()


def test_a_root_without_an_index_keeps_no_other_from_answering(
    home: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not home.exists()
    monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 0.5)
    shop, other = repository(FILES), repository(LATE, "other")
    with Index.open(shop) as index:
        index.sync()
    with Index.open(other) as index:
        folder = index.repository.folder
    server = RepositoryServer([str(shop), str(other)])
    with writer_lock(folder):  # the first sync of `other` waits
        server.open_roots(())
        wait(server, edges=False, question="charge the card")
        found = search(server, "charge the card")
    server.close()
    assert "shop/pay.py" in found
    assert "Still being indexed (structure): answers are partial." in found


def test_a_question_to_all_roots_gets_its_likeliest_files_of_each(
    may_hurry: threading.Event, repository: Repository
) -> None:
    roots = [repository(FILES), repository(MANY | LATE, "other")]
    with Index.open(roots[0]) as index:
        index.sync()
    server = RepositoryServer(map(str, roots))
    server.open_roots(())
    wait(server, edges=False, question="refund an order")
    found = search(server, "refund an order")
    may_hurry.set()
    server.close()
    assert "zz/refund.py" in found
    assert "the likeliest files first" in found
