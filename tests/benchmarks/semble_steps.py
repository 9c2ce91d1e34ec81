"""The steps of semble that `beside_semble.py` times; run by an interpreter that has semble 0.7.

`first ROOT HOME` makes an index of code, documents and settings, `again ROOT HOME` updates it
without and with a change and asks it, `search QUERY ROOT` answers one query in a new process.
A stand-in for the model makes one number of a text, so that only chunks and words are left.
Prints JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from edited_file import changed_files, edited, queries, seconds_of
from semble.index import index as semble_index  # type: ignore[import-not-found]
from semble.index.create import create_index_from_path  # type: ignore[import-not-found]
from semble.index.types import PreviousIndex  # type: ignore[import-not-found]
from semble.types import ContentType  # type: ignore[import-not-found]

CONTENT = (ContentType.CODE, ContentType.DOCS, ContentType.CONFIG)
QUIET_UPDATES = 7


class NoModel:
    """Stands in for the model: one number for each text."""

    dim = 1

    def encode(self, texts: Sequence[str], **_: object) -> np.ndarray:
        return np.ones((len(texts), 1), dtype=np.float32)


semble_index.load_model = lambda _path=None: (NoModel(), "none")


def stored(home: str) -> Path:
    return Path(home) / "semble-index"


def make(root: Path, before: semble_index.SembleIndex | None = None) -> semble_index.SembleIndex:
    """Index a folder, with what an earlier index has of unchanged files."""
    previous = before and PreviousIndex(
        before.chunks, before._semantic_index.vectors, before._manifest, before._bm25_index
    )
    model, name = semble_index.load_model()
    words, vectors, chunks, manifest = create_index_from_path(
        root, model=model, content=CONTENT, display_root=root, previous=previous
    )
    return semble_index.SembleIndex(
        model, words, vectors, chunks, name, root=root, content=CONTENT, manifest=manifest
    )


def first(root: Path, home: str) -> dict[str, float]:
    begun = time.perf_counter()
    index = make(root)
    words = time.perf_counter() - begun
    index.save(stored(home))
    whole = time.perf_counter() - begun
    size = sum(index._file_sizes.values())
    counts = {"files": len(index._file_sizes), "bytes": size, "chunks": len(index.chunks)}
    return {"words": words, "whole": whole, **counts}


def again(root: Path, home: str) -> dict[str, list[float]]:
    index = semble_index.SembleIndex.load_from_disk(stored(home))
    quiet = [seconds_of(lambda: make(root, index)) for _ in range(QUIET_UPDATES)]
    edits, processor = [], []
    for word in changed_files():
        with edited(root, word):
            begun, used = time.perf_counter(), time.process_time()
            index = make(root, index)
            hits = index.search(word, alpha=0.0)
            edits.append(time.perf_counter() - begun)
            processor.append(time.process_time() - used)
            if not any(word in hit.chunk.content for hit in hits):
                sys.exit(f"{word} is not found")
    index = make(root, index)
    asked = [seconds_of(partial(index.search, query, alpha=0.0)) for query in queries(root)]
    return {"quiet": quiet, "edits": edits[1:], "edits_processor": processor[1:], "queries": asked}


if __name__ == "__main__":
    step, *rest = sys.argv[1:]
    if step == "search":
        home = os.environ["HOME"]  # noqa: TID251 (a program of another package's environment)
        found = semble_index.SembleIndex.load_from_disk(stored(home)).search(rest[0], alpha=0.0)
        print(json.dumps([hit.chunk.file_path for hit in found]))
    else:
        print(json.dumps({"first": first, "again": again}[step](Path(rest[0]), rest[1])))
