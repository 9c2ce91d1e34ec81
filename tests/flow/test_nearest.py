"""Above `search.exact_limit`, Chroma's nearest neighbours stand in for the scan."""

from __future__ import annotations

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from codeindex import Answer, Index
from tests.flow.sites import install_tiny
from tests.flow.test_patterns import IMPORTERS

WORDS = ("cart", "price", "order", "stock", "user", "login", "agent", "basket", "coupon", "item")
FILES = {f"{word}.py": f"def {word}(value):\n    return value.{word}()\n" for word in WORDS}
QUERY = "order of the cart"


@pytest.fixture
def shop(repository: Callable[..., Path], home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    root = repository(FILES)
    with Index.open(root) as index:
        assert index.sync().notes == ()
        assert index.status().chroma["rows"] == len(FILES)
    return root


def shown(answer: Answer) -> list[tuple[str, object]]:
    """Return the best hits: HNSW may miss far neighbours, and rounds in the seventh digit."""
    return [(hit.path, pytest.approx(hit.score, abs=1e-3)) for hit in answer.hits[:2]]


def searched(root: Path) -> Answer:
    with Index.open(root) as index:
        return index.search(QUERY, limit=50)


def test_chroma_finds_what_a_scan_finds(
    shop: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    by_scan = searched(shop)
    monkeypatch.setenv("CODEINDEX_SEARCH_EXACT_LIMIT", "1")
    with caplog.at_level(logging.WARNING):
        assert shown(searched(shop)) == shown(by_scan)
    assert not caplog.records


def test_chunks_newer_than_the_collection_are_scanned(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop / "newer.py").write_text("def cart_order(order):\n    return order.cart\n", "utf-8")
    with Index.open(shop) as index:
        index.sync()
        assert index.status().chroma["rows"] == len(FILES)
    by_scan = searched(shop)
    monkeypatch.setenv("CODEINDEX_SEARCH_EXACT_LIMIT", "1")
    assert shown(searched(shop)) == shown(by_scan)
    assert "newer.py" in {hit.path for hit in by_scan.hits}


def test_without_the_collection_a_scan_answers(
    shop: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    by_scan = searched(shop)
    with Index.open(shop) as index:
        shutil.rmtree(index.repository.folder / "chroma")
    monkeypatch.setenv("CODEINDEX_SEARCH_EXACT_LIMIT", "1")
    with caplog.at_level(logging.WARNING):
        assert shown(searched(shop)) == shown(by_scan)
    assert "scan" in caplog.text


def test_the_collection_holds_each_vector_once_and_the_metadata_of_each_chunk(
    repository: Callable[..., Path], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(home)
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "tiny")
    with Index.open(repository(IMPORTERS)) as index:
        index.sync()
        folder = index.repository.folder / index.status().chroma["path"]
    with contextlib.closing(sqlite3.connect(folder / "chroma.sqlite3")) as stored:
        free, logged = (
            stored.execute(query).fetchone()[0]
            for query in ("PRAGMA freelist_count", "SELECT count(*) FROM embeddings_queue")
        )
        names = stored.execute(
            "SELECT key, string_value FROM embedding_metadata WHERE string_value IS NOT NULL"
        ).fetchall()
    assert free == 0
    assert logged <= 1  # Chroma keeps the last entry of its log
    assert ("follows_pattern", "Importer") in names
    assert ("module_root", "imports") in names
    assert not [key for key, value in names if not value]
