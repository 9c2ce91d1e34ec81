"""The files to which no kept generation refers are deleted."""

from pathlib import Path

import numpy as np

from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.home import Repository
from codeindex.store.orphans import delete_orphans
from codeindex.store.segments.vectors import write_segment
from codeindex.store.segments.word_index import ChunkWords, write_words


def test_a_sweep_keeps_what_generations_refer_to(tmp_path: Path) -> None:
    index = Repository("shop", tmp_path, tmp_path)
    dense = [
        write_segment(index.segments, "dense", np.array([1]), np.ones((1, 3), np.float32))
        for _ in "ab"
    ]
    words = [write_words(index.segments, [ChunkWords(1, "a", "", "")]) for _ in "ab"]
    others = ("segments/statistics-a.npz", "segments/statistics-b.npz", "graph-a", "graph-b")
    for name in others:
        (tmp_path / name).write_bytes(b"x")
    for name in ("chroma/gen-a", "chroma/gen-b"):
        (tmp_path / name).mkdir(parents=True)
    kept = Generation(
        segments=(dense[0], words[0]),
        statistics={"file": "statistics-a.npz"},
        chroma={"path": "chroma/gen-a"},
        graph={"file": "graph-a"},
    )
    with Catalog.create(index.catalog) as catalog:
        with catalog.writing():
            catalog.publish(kept)
        delete_orphans(index, catalog)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*-*")}
    assert left == {
        *(f"segments/{dense[0].name}{end}" for end in (".ids.npy", ".npy", ".sums.npy")),
        *(f"segments/{words[0].name}.words", "segments/statistics-a.npz"),
        *("chroma/gen-a", "graph-a"),
    }
