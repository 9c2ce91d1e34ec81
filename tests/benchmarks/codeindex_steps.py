"""The steps of codeindex that `beside_semble.py` times, each in a process of its own.

`first ROOT HOME` makes an index, `again ROOT HOME` syncs it without and with a change and asks it.
The data folder is that of the environment. Prints JSON: seconds and counts.
"""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from pathlib import Path

from edited_file import changed_files, edited, queries, seconds_of

from codeindex import Answer, Index

RACY_SECONDS = 2.1
"""Files changed less than this before they were read are read once more by the next sync."""
QUIET_SYNCS = 7


def first(root: Path) -> dict[str, float]:
    """Make the structure; the words are complete when the next phase, the graph, begins."""
    started: dict[str, float] = {}
    since = time.perf_counter()

    def note(phase: str, _done: int, _total: int) -> None:
        started.setdefault(phase, time.perf_counter() - since)

    with Index.open(root, root=True) as index:
        index.sync(structure_only=True, progress=note)
        whole = time.perf_counter() - since
        with index.reader().catalog() as (catalog, _):
            files, size = catalog.connection.execute(
                "SELECT count(*), sum(size) FROM files WHERE status IN ('indexed', 'plain')"
            ).fetchone()
            (chunks,) = catalog.connection.execute("SELECT count(*) FROM chunks").fetchone()
    words = started.get("graph", whole)
    return {"words": words, "whole": whole, "files": files, "bytes": size, "chunks": chunks}


def again(root: Path) -> dict[str, list[float]]:
    """Return the seconds of syncs without a change, of edits until they are found, of searches."""
    with Index.open(root, root=True) as index:
        time.sleep(RACY_SECONDS)
        index.sync(structure_only=True)
        quiet = [seconds_of(lambda: index.sync(structure_only=True)) for _ in range(QUIET_SYNCS)]
        edits, processor = [], []
        index.search("one before the edits")
        for word in changed_files():
            with edited(root, word) as path:
                begun, used = time.perf_counter(), time.process_time()
                answer = index.search(word)
                edits.append(time.perf_counter() - begun)
                processor.append(time.process_time() - used)
                _require(answer, path)
        index.search("one after the edits")
        asked = [seconds_of(partial(index.search, query)) for query in queries(root)]
    return {"quiet": quiet, "edits": edits[1:], "edits_processor": processor[1:], "queries": asked}


def _require(answer: Answer, path: str) -> None:
    if path not in answer.refreshed.read or path not in {hit.path for hit in answer.hits}:
        sys.exit(f"the edit of {path} is not found")


if __name__ == "__main__":
    step, folder = sys.argv[1], Path(sys.argv[2])
    print(json.dumps(first(folder) if step == "first" else again(folder)))
