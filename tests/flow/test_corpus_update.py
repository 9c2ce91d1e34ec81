"""A corpus that is updated after an edit equals one that is loaded anew."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from codeindex import Index
from codeindex.search.retrieve.corpus import Corpus, load_corpus
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.file_changes import file_changes_since


def _write(root: Path, path: str, text: str) -> Path:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)
    return root / path


EDITS: list[Callable[[Path], object]] = [
    lambda root: _write(
        root, "b.py", "def pay():\n    return 1\n\n\ndef refund():\n    return 2\n"
    ),
    lambda root: _write(root, "a0.py", "def first():\n    return 0\n"),
    lambda root: _write(root, "z/last.md", "# Last\n\nThe last document.\n"),
    lambda root: _write(root, "b.py", "def refund():\n    return 3\n"),
    lambda root: (root / "a.py").unlink(),
    lambda root: (root / "c.py").rename(root / "c2.py"),
    lambda root: (_write(root, "a.py", "x = 1\n"), _write(root, "aa.py", "def both(): ...\n")),
    lambda root: _write(root, "b.py", ""),
    lambda root: shutil.rmtree(root / "z"),
    lambda root: [_write(root, f"n{at}.py", f"def n{at}(): ...\n") for at in range(5)],
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for name in "abc":
        _write(
            root, f"{name}.py", f"def {name}_one():\n    return 1\n\n\nclass {name.upper()}: ...\n"
        )
    return root


def _assert_equal(updated: Corpus, loaded: Corpus) -> None:
    assert updated.columns == loaded.columns
    assert (updated.table.chunks == loaded.table.chunks).all()
    for name in ("chunk_ids", "chunk_file", "chunk_lines", "is_guide", "is_indexed", "centrality"):
        assert np.array_equal(getattr(updated, name), getattr(loaded, name)), name


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("is_old", [False, True], ids=["recorded", "catalog of an older version"])
def test_an_updated_corpus_equals_a_loaded_one(root: Path, *, is_old: bool) -> None:
    with Index.open(root, root=True) as index:
        index.sync(structure_only=True)
        if is_old:
            _drop_records(index.repository.catalog)
        for edit in EDITS:
            with index.reader().corpus() as (catalog, corpus):
                corpus.symbol_names.all(catalog.connection)
            edit(root)
            index.search("what is returned first")
            with index.reader().corpus() as (catalog, updated):
                assert updated is not corpus
                former = corpus.generation
                changes = file_changes_since(catalog.connection, former.number, former.written_at)
                assert is_old or changes
                folder = index.repository.segments
                _assert_equal(updated, load_corpus(catalog, updated.generation, folder))
                rows = catalog.connection.execute("SELECT DISTINCT folded FROM symbols")
                names = sorted(name for (name,) in rows if name)
                assert updated.symbol_names.all(catalog.connection) == names


def _drop_records(path: Path) -> None:
    with Catalog.create(path) as catalog:
        rows = catalog.connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'note_%'")
        for (name,) in rows.fetchall():
            if name not in {"note_shown", "note_hidden", "note_gone"}:
                catalog.connection.execute(f"DROP TRIGGER {name}")
        for table in ("file_changes", "deleted_names", "published"):
            catalog.connection.execute(f"DROP TABLE {table}")
