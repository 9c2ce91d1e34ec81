"""Indexes with token vectors of the shipped model, of another version and of a damaged copy."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from codeindex import Index
from codeindex.embed import installed, static_model
from codeindex.embed.static_model import CODES_FILE, FACTORS_FILE, StaticModel
from codeindex.errors import ModelError
from tests.conftest import Repository

FILES = {
    "shop/render.py": "def show(paths):\n    for path in paths:\n        print(path)\n",
    "shop/unlink.py": "def unlink(paths):\n    for path in paths:\n        os.unlink(path)\n",
    "shop/orders.py": "def total(orders):\n    return sum(order.amount for order in orders)\n",
}
QUERY = "delete these paths"
"""Both files with paths have the same words of it; only vectors tell which one deletes."""


@pytest.fixture(autouse=True)
def static_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEINDEX_EMBEDDING_MODEL", "codeindex-static")
    return home


def token_model(index: Index) -> str:
    with index.reader().catalog() as (_, generation):
        return str(generation.statistics["model"])


def test_without_a_transformer_code_is_found_by_other_words(repository: Repository) -> None:
    with Index.open(repository(FILES)) as index:
        index.sync()
        assert index.search(QUERY).hits[0].path == "shop/unlink.py"
        assert token_model(index).startswith("codeindex-static@")
        assert index.status().next_model == "codeindex-static only, as configured"


def test_vectors_of_another_model_are_left_out_and_made_again_by_a_sync(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(FILES)
    codes = np.random.default_rng(3).integers(-9, 9, (30_522, 16), dtype=np.int8)
    former = StaticModel("codeindex-static@former", codes, np.ones(30_522, np.float32))
    with monkeypatch.context() as patch, Index.open(root) as index:
        patch.setattr(static_model, "load_static_model", lambda _: former)
        index.sync()
        assert token_model(index) == former.identity
    with Index.open(root) as index:
        with index.reader().corpus() as (_, corpus):
            assert index.query_encoders(corpus.generation).static is None
        assert index.search("total orders").hits[0].path == "shop/orders.py"
        report = index.sync()
        assert (report.added, report.changed) == (0, 0)
        assert token_model(index).startswith("codeindex-static@")
        assert index.search(QUERY).hits[0].path == "shop/unlink.py"


def test_a_damaged_model_ends_a_sync_and_leaves_searches_their_words(
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    root, folder = repository(FILES), tmp_path / "data"
    with Index.open(root) as index:
        index.sync()
    folder.mkdir()
    for name in (CODES_FILE, FACTORS_FILE):
        shutil.copyfile(installed.SHIPPED_FOLDER / name, folder / name)
    os.truncate(folder / CODES_FILE, 100_000)
    monkeypatch.setattr(installed, "SHIPPED_FOLDER", folder)
    with Index.open(root) as index, caplog.at_level(logging.WARNING):
        with pytest.raises(ModelError, match="reinstall codeindex-local"):
            index.sync()
        assert index.search("total orders").hits[0].path == "shop/orders.py"
        assert "Searching without its vectors" in caplog.text
